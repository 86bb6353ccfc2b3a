//! What the runtime is told: modules and storage in `config.capnp`, addresses and keys as environment.

use std::net::SocketAddr;
use std::path::PathBuf;

/// How one Worker process runs. `Debug` is left out on purpose: it carries keys.
#[derive(Clone)]
pub struct EdgeConfig {
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Where the Durable Objects keep their storage; made if missing, kept across restarts.
    pub state: PathBuf,
    /// The booking origin's function URL, without a trailing slash.
    pub origin_url: String,
    /// The master keys, as `domain::keys::MasterKeys::parse` reads them.
    pub master_keys: String,
    /// What an operator shows as bearer token.
    pub operator_key: String,
    /// Access key id that signs calls to the origin.
    pub access_key_id: String,
    /// Secret of that key.
    pub secret_access_key: String,
    /// Region of the origin.
    pub region: String,
    /// Addresses of the public randomness beacon, separated by commas.
    pub beacon_urls: String,
    /// Whether fault injection by the operator exists.
    pub faults: bool,
    /// What the payment provider signs its events with; empty: it sends none.
    pub webhook_secrets: String,
    /// Services outside that the door calls; none by default.
    pub outside: Outside,
    /// Issuer of an identity provider and the client's id there.
    pub oidc: Option<(String, String)>,
}

/// Services outside that the door calls. What is empty is not there.
#[derive(Clone, Default)]
pub struct Outside {
    /// Turnstile's public key.
    pub turnstile_sitekey: String,
    /// Turnstile's secret.
    pub turnstile_secret: String,
    /// Where its tokens are verified, in place of Cloudflare.
    pub turnstile_url: String,
    /// Where mails are taken.
    pub mail_url: String,
    /// The bearer key there.
    pub mail_key: String,
}

impl EdgeConfig {
    /// The Worker's bindings, as environment variables of the process.
    pub(super) fn environment(&self) -> [(&'static str, &str); 18] {
        let (issuer, client) =
            self.oidc.as_ref().map_or(("", ""), |(issuer, client)| (issuer.as_str(), client.as_str()));
        [
            ("ORIGIN_URL", &self.origin_url),
            ("ONSALE_MASTER_KEYS", &self.master_keys),
            ("OPERATOR_KEY", &self.operator_key),
            ("AWS_ACCESS_KEY_ID", &self.access_key_id),
            ("AWS_SECRET_ACCESS_KEY", &self.secret_access_key),
            ("AWS_REGION", &self.region),
            ("BEACON_URLS", &self.beacon_urls),
            ("PROVIDER_WEBHOOK_SECRETS", &self.webhook_secrets),
            ("DEV_SIGN_IN", "1"),
            ("LOOPBACK", "1"),
            ("FAULTS", if self.faults { "1" } else { "0" }),
            ("TURNSTILE_SITEKEY", &self.outside.turnstile_sitekey),
            ("TURNSTILE_SECRET", &self.outside.turnstile_secret),
            ("TURNSTILE_URL", &self.outside.turnstile_url),
            ("MAIL_URL", &self.outside.mail_url),
            ("MAIL_KEY", &self.outside.mail_key),
            ("OIDC_ISSUER", issuer),
            ("OIDC_CLIENT_ID", client),
        ]
    }
}

/// The variables the configuration hands on to the Worker.
const VARIABLES: [&str; 18] = [
    "ORIGIN_URL",
    "ONSALE_MASTER_KEYS",
    "OPERATOR_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_REGION",
    "BEACON_URLS",
    "PROVIDER_WEBHOOK_SECRETS",
    "DEV_SIGN_IN",
    "LOOPBACK",
    "FAULTS",
    "TURNSTILE_SITEKEY",
    "TURNSTILE_SECRET",
    "TURNSTILE_URL",
    "MAIL_URL",
    "MAIL_KEY",
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
];

const TEMPLATE: &str = include_str!("config.capnp");
const CACHE: &str = include_str!("cache.mjs");

/// The configuration of a bundle with these modules (relative paths).
pub(super) fn capnp(modules: &[String]) -> String {
    let mut modules: Vec<String> = modules.iter().filter_map(|name| module(name)).collect();
    // The first module is the entry.
    modules.sort_by_key(|line| !line.contains("\"shim.mjs\""));
    let bindings = VARIABLES.map(|name| format!("(name = \"{name}\", fromEnvironment = \"{name}\")"));
    TEMPLATE
        .replace("MODULES", &modules.join(",\n    "))
        .replace("VARIABLES", &bindings.join(",\n    "))
        .replace("CACHE", &quoted(CACHE))
}

/// A text as the configuration's language writes it; it shares JSON's escapes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn module(name: &str) -> Option<String> {
    let kind = match name.rsplit_once('.')?.1 {
        "wasm" => "wasm",
        "js" | "mjs" => "esModule",
        _ => return None,
    };
    Some(format!("(name = \"{name}\", {kind} = embed \"{name}\")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_comes_first_and_every_variable_is_bound() {
        let text = capnp(&["index.js".into(), "index_bg.wasm".into(), "shim.mjs".into(), "x.txt".into()]);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is missing"));
        assert!(at("\"shim.mjs\"") < at("\"index.js\""));
        assert!(!text.contains("x.txt"));
        VARIABLES.iter().for_each(|name| assert!(at(name) > 0));
    }
}
