//! Configuration from the environment, read once at the start. Errors name the variable and never
//! show a value.

use domain::keys::{BadMasterKeys, MasterKeys};
use domain::provider::{CapturedAtOnce, kinds};
use domain::webhook::{BadSecrets, Secrets};
use table::Table;

use crate::client::{Patience, Provider, ProviderTerms, Secret};

/// Why a function cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A variable is not set, or empty.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// The master keys are not what they should be.
    #[error("ONSALE_MASTER_KEYS: {0}")]
    MasterKeys(#[from] BadMasterKeys),
    /// Kinds of payment methods of which one takes money at once.
    #[error("PROVIDER_METHODS: {0}")]
    Methods(#[from] CapturedAtOnce),
    /// Not what the provider signs its events with.
    #[error("PROVIDER_WEBHOOK_SECRETS: {0}")]
    WebhookSecrets(#[from] BadSecrets),
    /// Not where messages may go.
    #[error("ONSALE_WEBHOOK_TARGETS is neither public nor local")]
    WebhookTargets,
    /// Not an address.
    #[error("{0} is not an http or https address")]
    Address(&'static str),
    /// The HTTP client cannot be set up.
    #[error("the provider's client cannot be set up: {0}")]
    Client(#[from] reqwest::Error),
}

/// Looks variables up.
pub struct Env<F>(F);

impl Env<fn(&str) -> Option<String>> {
    /// The environment of this process.
    #[must_use]
    pub fn process() -> Self {
        Self(|name| std::env::var(name).ok())
    }
}

impl<F: Fn(&str) -> Option<String>> Env<F> {
    /// Variables from anywhere, for tests.
    pub const fn new(lookup: F) -> Self {
        Self(lookup)
    }

    fn text(&self, name: &'static str) -> Result<String, ConfigError> {
        (self.0)(name).filter(|value| !value.is_empty()).ok_or(ConfigError::Missing(name))
    }

    /// `TABLE_NAME`.
    ///
    /// # Errors
    /// It is not set.
    pub fn table_name(&self) -> Result<String, ConfigError> {
        self.text("TABLE_NAME")
    }

    /// The table named by `TABLE_NAME`, reached as the standard `AWS_*` variables say.
    ///
    /// # Errors
    /// It is not set.
    pub async fn table(&self) -> Result<Table, ConfigError> {
        Ok(Table::from_env(self.table_name()?).await)
    }

    /// `ONSALE_MASTER_KEYS`.
    ///
    /// # Errors
    /// Not set, or not keys.
    pub fn master_keys(&self) -> Result<MasterKeys, ConfigError> {
        Ok(MasterKeys::parse(&self.text("ONSALE_MASTER_KEYS")?)?)
    }

    /// The provider at `PROVIDER_URL`, with the secret key in `PROVIDER_KEY`, the kinds of payment methods in `PROVIDER_METHODS`, and
    /// `ONSALE_PAGES_URL`, where banks send fans back to.
    ///
    /// # Errors
    /// Not set, not an address, or a kind of payment methods that takes money at once.
    pub fn provider(&self, patience: Patience) -> Result<Provider, ConfigError> {
        let (url, key) = (self.address("PROVIDER_URL")?, self.text("PROVIDER_KEY")?);
        let terms = ProviderTerms { pages: self.pages()?, kinds: kinds(&self.text("PROVIDER_METHODS")?)? };
        Ok(Provider::new(&url, Secret::new(key), patience, terms)?)
    }

    /// `PROVIDER_WEBHOOK_SECRETS`, what the provider signs its events with; without it there are no events.
    ///
    /// # Errors
    /// Set, but not secrets.
    pub fn webhook_secrets(&self) -> Result<Option<Secrets>, ConfigError> {
        Ok(self.text("PROVIDER_WEBHOOK_SECRETS").ok().map(|text| Secrets::parse(&text)).transpose()?)
    }

    /// `ONSALE_PAGES_URL`, where fans see the pages.
    ///
    /// # Errors
    /// Not set, or not an address.
    pub fn pages(&self) -> Result<String, ConfigError> {
        self.address("ONSALE_PAGES_URL")
    }

    /// `ONSALE_MAIL_FROM`, the address that mails with tickets come from.
    ///
    /// # Errors
    /// Not set.
    pub fn mail_from(&self) -> Result<String, ConfigError> {
        self.text("ONSALE_MAIL_FROM")
    }

    /// `ONSALE_WEBHOOK_TARGETS`: whether messages to organisers go to public addresses only, or to this machine too.
    ///
    /// # Errors
    /// Neither `public` nor `local`.
    pub fn tells_locally(&self) -> Result<bool, ConfigError> {
        match self.text("ONSALE_WEBHOOK_TARGETS")?.as_str() {
            "public" => Ok(false),
            "local" => Ok(true),
            _ => Err(ConfigError::WebhookTargets),
        }
    }

    /// An address without a slash at its end.
    fn address(&self, name: &'static str) -> Result<String, ConfigError> {
        let url = self.text(name)?;
        let is_address = url.starts_with("http://") || url.starts_with("https://");
        if is_address { Ok(url.trim_end_matches('/').to_owned()) } else { Err(ConfigError::Address(name)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &'static [(&'static str, &'static str)]) -> Env<impl Fn(&str) -> Option<String>> {
        Env::new(|name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn errors_name_the_variable_and_never_the_value() {
        let bad = env(&[
            ("TABLE_NAME", ""),
            ("ONSALE_MASTER_KEYS", "1:secret"),
            ("PROVIDER_URL", "ftp://x"),
            ("PROVIDER_KEY", "sk_secret"),
        ]);
        let messages = [
            bad.table_name().map(drop).expect_err("empty").to_string(),
            bad.master_keys().map(drop).expect_err("no keys").to_string(),
            bad.provider(Patience::FAN).map(drop).expect_err("no address").to_string(),
            env(&[]).provider(Patience::FAN).map(drop).expect_err("not set").to_string(),
        ];
        for (message, name) in messages.iter().zip(["TABLE_NAME", "ONSALE_MASTER_KEYS", "PROVIDER_URL", "PROVIDER_URL"])
        {
            assert!(message.contains(name) && !message.contains("secret"), "{message}");
        }
    }

    #[test]
    fn what_events_are_signed_with_may_be_absent_but_not_wrong() {
        assert!(env(&[]).webhook_secrets().expect("no events").is_none());
        let refused =
            env(&[("PROVIDER_WEBHOOK_SECRETS", "whsec_hush")]).webhook_secrets().map(drop).expect_err("short");
        let message = refused.to_string();
        assert!(message.contains("PROVIDER_WEBHOOK_SECRETS") && !message.contains("hush"), "{message}");
    }

    #[test]
    fn the_providers_key_does_not_show() {
        let good = env(&[
            ("PROVIDER_URL", "http://127.0.0.1:1/"),
            ("PROVIDER_KEY", "sk_secret"),
            ("PROVIDER_METHODS", "card"),
            ("ONSALE_PAGES_URL", "https://tickets.example/"),
        ]);
        assert!(!format!("{:?}", good.provider(Patience::FAN).expect("complete")).contains("sk_secret"));
    }

    #[test]
    fn methods_that_take_money_at_once_are_refused_plainly() {
        let direct = env(&[
            ("PROVIDER_URL", "http://127.0.0.1:1/"),
            ("PROVIDER_KEY", "sk_secret"),
            ("PROVIDER_METHODS", "card, sepa_debit"),
            ("ONSALE_PAGES_URL", "https://tickets.example"),
        ]);
        let refused = direct.provider(Patience::FAN).map(drop).expect_err("a direct debit").to_string();
        assert_eq!(
            refused,
            "PROVIDER_METHODS: \"sepa_debit\" is not a kind of payment method that can be authorized first and captured later"
        );
    }
}
