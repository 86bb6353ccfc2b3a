//! The Worker's configuration, parsed once per isolate; every error names its variable.

use std::cell::RefCell;
use std::rc::Rc;

use domain::keys::MasterKeys;
use domain::webhook::Secrets;
use subtle::ConstantTimeEq;
use worker::Env;

/// What the deployment says. Secrets have no `Debug`.
pub struct Config {
    /// The booking origin, without a trailing slash.
    pub origin_url: String,
    /// Keys of all tokens.
    pub keys: MasterKeys,
    /// Addresses of the public randomness beacon, without trailing slashes; perhaps none.
    pub beacon_urls: Vec<String>,
    operator_key: String,
    /// Credentials that sign calls to the origin.
    pub signer: Signer,
    /// Turnstile, where the site has it.
    pub turnstile: Option<Turnstile>,
    /// The mail provider, where there is one.
    pub mail: Option<Mail>,
    /// The identity provider, if there is one.
    pub oidc: Option<Oidc>,
    /// What the payment provider signs its events with, where it sends any.
    pub webhook_secrets: Option<Secrets>,
    /// Whether the local sign-in exists.
    pub dev_sign_in: bool,
    /// Whether this is a plain-HTTP loopback deployment: cookies without `Secure`, beats always fast.
    pub loopback: bool,
    /// Whether an operator may inject faults.
    pub faults: bool,
}

/// Credentials of the origin's function URL.
pub struct Signer {
    /// Access key id.
    pub key_id: String,
    /// Secret access key.
    pub secret: String,
    /// Session token of temporary credentials.
    pub session: Option<String>,
    /// Region of the origin.
    pub region: String,
}

/// The site's Turnstile widget.
pub struct Turnstile {
    /// Its public key.
    pub sitekey: String,
    /// Its secret.
    pub secret: String,
    /// Where tokens are verified.
    pub url: String,
}

/// A mail provider, see [`crate::door::mail`].
pub struct Mail {
    /// Where mails are taken.
    pub url: String,
    /// Its bearer key.
    pub key: String,
}

/// Where Cloudflare verifies tokens.
const SITEVERIFY: &str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

/// The organiser's OpenID Connect provider and this deployment's client there.
pub struct Oidc {
    /// Issuer, as its ID tokens write it.
    pub issuer: String,
    /// Client id.
    pub client: String,
    /// Client secret, for a client that is not public.
    pub secret: Option<String>,
    /// What is asked for.
    pub scope: String,
}

impl Oidc {
    fn parse(get: &dyn Fn(&str) -> Option<String>, loopback: bool) -> worker::Result<Option<Self>> {
        let Some(issuer) = get("OIDC_ISSUER") else {
            let alone =
                ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_SCOPE"].into_iter().find(|name| get(name).is_some());
            return alone.map_or(Ok(None), |name| Err(wrong(name, "means nothing without OIDC_ISSUER")));
        };
        let trusted = issuer.starts_with("https://") || loopback && issuer.starts_with("http://");
        if !trusted {
            return Err(wrong("OIDC_ISSUER", "is not an https:// address"));
        }
        let client = get("OIDC_CLIENT_ID").ok_or_else(|| wrong("OIDC_CLIENT_ID", "is missing beside OIDC_ISSUER"))?;
        let scope = get("OIDC_SCOPE").unwrap_or_else(|| "openid email".into());
        if !scope.split(' ').any(|word| word == "openid") {
            return Err(wrong("OIDC_SCOPE", "lacks openid"));
        }
        Ok(Some(Self { issuer, client, secret: get("OIDC_CLIENT_SECRET"), scope }))
    }
}

thread_local! {
    static CONFIG: RefCell<Option<Rc<Config>>> = const { RefCell::new(None) };
}

impl Config {
    /// The configuration, once a request has read it.
    pub fn known() -> Option<Rc<Self>> {
        CONFIG.with_borrow(Clone::clone)
    }

    /// The configuration of this isolate.
    pub fn of(env: &Env) -> worker::Result<Rc<Self>> {
        if let Some(known) = Self::known() {
            return Ok(known);
        }
        let config = Rc::new(Self::parse(&|name| variable(env, name))?);
        CONFIG.set(Some(Rc::clone(&config)));
        Ok(config)
    }

    fn parse(get: &dyn Fn(&str) -> Option<String>) -> worker::Result<Self> {
        let need = |name: &str| get(name).ok_or_else(|| wrong(name, "is missing"));
        let flag = |name: &str| get(name).as_deref() == Some("1");
        let keys = MasterKeys::parse(&need("ONSALE_MASTER_KEYS")?);
        Ok(Self {
            origin_url: need("ORIGIN_URL")?.trim_end_matches('/').to_owned(),
            beacon_urls: urls(&get("BEACON_URLS").unwrap_or_default()),
            keys: keys.map_err(|error| wrong("ONSALE_MASTER_KEYS", &error.to_string()))?,
            operator_key: need("OPERATOR_KEY")?,
            signer: Signer {
                key_id: need("AWS_ACCESS_KEY_ID")?,
                secret: need("AWS_SECRET_ACCESS_KEY")?,
                session: get("AWS_SESSION_TOKEN"),
                region: need("AWS_REGION")?,
            },
            turnstile: turnstile(get)?,
            mail: mail(get)?,
            oidc: Oidc::parse(get, flag("LOOPBACK"))?,
            webhook_secrets: webhook_secrets(get)?,
            dev_sign_in: flag("DEV_SIGN_IN"),
            loopback: flag("LOOPBACK"),
            faults: flag("FAULTS"),
        })
    }

    /// Whether `shown` is the operator's key, in constant time.
    pub fn is_operator(&self, shown: &str) -> bool {
        self.operator_key.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

/// Both of the widget's keys or none; another verifier than Cloudflare's on loopback only.
fn turnstile(get: &dyn Fn(&str) -> Option<String>) -> worker::Result<Option<Turnstile>> {
    let Some((sitekey, secret)) = pair(get, "TURNSTILE_SITEKEY", "TURNSTILE_SECRET")? else { return Ok(None) };
    let url = get("TURNSTILE_URL");
    if url.is_some() && get("LOOPBACK").as_deref() != Some("1") {
        return Err(wrong("TURNSTILE_URL", "is for loopback only"));
    }
    Ok(Some(Turnstile { sitekey, secret, url: url.unwrap_or_else(|| SITEVERIFY.to_owned()) }))
}

/// Both address and key or none; in the open network over TLS only.
fn mail(get: &dyn Fn(&str) -> Option<String>) -> worker::Result<Option<Mail>> {
    let Some((url, key)) = pair(get, "MAIL_URL", "MAIL_KEY")? else { return Ok(None) };
    if !url.starts_with("https://") && get("LOOPBACK").as_deref() != Some("1") {
        return Err(wrong("MAIL_URL", "must begin with https://"));
    }
    Ok(Some(Mail { url, key }))
}

/// As in the home region.
fn webhook_secrets(get: &dyn Fn(&str) -> Option<String>) -> worker::Result<Option<Secrets>> {
    let text = get("PROVIDER_WEBHOOK_SECRETS");
    let secrets = text.map(|text| Secrets::parse(&text)).transpose();
    secrets.map_err(|error| wrong("PROVIDER_WEBHOOK_SECRETS", &error.to_string()))
}

/// Two variables that belong together.
fn pair(get: &dyn Fn(&str) -> Option<String>, a: &str, b: &str) -> worker::Result<Option<(String, String)>> {
    match (get(a), get(b)) {
        (Some(a), Some(b)) => Ok(Some((a, b))),
        (None, None) => Ok(None),
        (Some(_), None) => Err(wrong(b, &format!("is missing beside {a}"))),
        (None, Some(_)) => Err(wrong(a, &format!("is missing beside {b}"))),
    }
}

/// A variable or secret binding; the empty text counts as absent.
fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty())
}

/// Addresses separated by commas.
fn urls(list: &str) -> Vec<String> {
    list.split(',').map(|url| url.trim().trim_end_matches('/').to_owned()).filter(|url| !url.is_empty()).collect()
}

fn wrong(name: &str, why: &str) -> worker::Error {
    worker::Error::RustError(format!("configuration: {name} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(name: &str) -> Option<String> {
        Some(match name {
            "ONSALE_MASTER_KEYS" => "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".into(),
            "ORIGIN_URL" => "https://origin.example/".into(),
            "DEV_SIGN_IN" | "LOOPBACK" | "FAULTS" | "AWS_SESSION_TOKEN" | "TURNSTILE_URL" => return None,
            oidc if oidc.starts_with("OIDC_") => return None,
            "MAIL_URL" => "https://mail.example/send".into(),
            "PROVIDER_WEBHOOK_SECRETS" => "whsec_0123456789abcdef".into(),
            "BEACON_URLS" => "https://one.example/, https://two.example".into(),
            other => other.to_lowercase(),
        })
    }

    #[test]
    fn a_complete_environment_is_read_and_development_is_off() {
        let config = Config::parse(&complete).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.origin_url, "https://origin.example");
        assert_eq!(config.beacon_urls, ["https://one.example", "https://two.example"]);
        assert!(!config.dev_sign_in && !config.loopback && !config.faults);
        assert!(config.is_operator("operator_key") && !config.is_operator("operator_kez"));
    }

    #[test]
    fn what_belongs_together_comes_together_and_stand_ins_stay_on_loopback() {
        let with = |name: &str, value: Option<&str>| {
            let parsed = Config::parse(&|asked| if asked == name { value.map(str::to_owned) } else { complete(asked) });
            parsed.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(with("TURNSTILE_URL", None), "");
        let cases = [
            ("TURNSTILE_SECRET", None),
            ("MAIL_KEY", None),
            ("MAIL_URL", Some("http://mail.example")),
            ("TURNSTILE_URL", Some("https://evil.example")),
            ("PROVIDER_WEBHOOK_SECRETS", Some("sk_test")),
        ];
        for (name, value) in cases {
            assert!(with(name, value).contains(name), "{name}: {:?}", with(name, value));
        }
    }

    #[test]
    fn a_provider_is_whole_or_not_there() {
        let parsed = |given: &[(&str, &str)]| {
            let get = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            Oidc::parse(&get, false).map(|oidc| oidc.map(|oidc| oidc.scope)).map_err(|error| error.to_string())
        };
        let issuer = ("OIDC_ISSUER", "https://id.example");
        assert_eq!(parsed(&[]), Ok(None));
        assert_eq!(parsed(&[issuer, ("OIDC_CLIENT_ID", "onsale")]), Ok(Some("openid email".into())));
        let table: [(&[(&str, &str)], &str); 4] = [
            (&[issuer], "OIDC_CLIENT_ID"),
            (&[("OIDC_CLIENT_SECRET", "s")], "OIDC_CLIENT_SECRET"),
            (&[("OIDC_ISSUER", "http://id.example"), ("OIDC_CLIENT_ID", "onsale")], "OIDC_ISSUER"),
            (&[issuer, ("OIDC_CLIENT_ID", "onsale"), ("OIDC_SCOPE", "email")], "OIDC_SCOPE"),
        ];
        for (given, named) in table {
            let error = parsed(given).err().unwrap_or_default();
            assert!(error.contains(&format!("configuration: {named} ")), "{given:?}: {error}");
        }
    }

    #[test]
    fn a_missing_variable_is_named() {
        for name in ["ORIGIN_URL", "ONSALE_MASTER_KEYS", "OPERATOR_KEY", "AWS_REGION"] {
            let parsed = Config::parse(&|asked| complete(asked).filter(|_| asked != name));
            let error = parsed.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(name), "{error}");
        }
    }
}
