//! Configuration from the environment, read once at the start. Errors name the variable and never
//! show a value.

use domain::keys::{BadMasterKeys, MasterKeys};
use table::Table;

use crate::client::{Patience, Provider, Secret};

/// Why a function cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A variable is not set, or empty.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// The master keys are not what they should be.
    #[error("ONSALE_MASTER_KEYS: {0}")]
    MasterKeys(#[from] BadMasterKeys),
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

    /// The provider at `PROVIDER_URL`, with the secret key in `PROVIDER_KEY`.
    ///
    /// # Errors
    /// Not set, or not an address.
    pub fn provider(&self, patience: Patience) -> Result<Provider, ConfigError> {
        let (url, key) = (self.text("PROVIDER_URL")?, self.text("PROVIDER_KEY")?);
        let address = url.starts_with("http://") || url.starts_with("https://");
        if !address {
            return Err(ConfigError::Address("PROVIDER_URL"));
        }
        Ok(Provider::new(&url, Secret::new(key), patience)?)
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
    fn the_providers_key_does_not_show() {
        let good = env(&[("PROVIDER_URL", "http://127.0.0.1:1/"), ("PROVIDER_KEY", "sk_secret")]);
        assert!(!format!("{:?}", good.provider(Patience::FAN).expect("complete")).contains("sk_secret"));
    }
}
