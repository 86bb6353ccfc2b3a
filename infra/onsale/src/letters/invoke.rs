//! Invoking a function by Lambda's API: AWS's own under a signature, or the local stack's under the operator's key.

use std::time::{Duration, SystemTime};

use anyhow::Context;
use serde_json::{Value, json};

use crate::lambda_host::{Signer, SignerKeys};

/// The header by which Lambda tells that the function itself failed.
pub const FAILED: &str = "x-amz-function-error";
/// A function runs for a minute at most.
const TIMEOUT: Duration = Duration::from_secs(70);

/// Whom records are delivered to.
#[derive(Debug)]
pub struct Invoker {
    url: String,
    access: Access,
    http: reqwest::Client,
}

/// How one is let in; `Debug` shows no secret.
enum Access {
    Key(String),
    Signed(Box<Signer>),
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Access(…)")
    }
}

impl Invoker {
    /// The local stack's functions.
    #[must_use]
    pub fn local(control: &str, operator_key: &str) -> Self {
        Self { url: control.to_owned(), access: Access::Key(operator_key.to_owned()), http: client() }
    }

    /// A deployment's, with the keys and the region of `AWS_*`; `AWS_ENDPOINT_URL_LAMBDA` may name another place than AWS.
    ///
    /// # Errors
    /// A variable is missing.
    pub fn from_env() -> anyhow::Result<Self> {
        let var = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
        let keys =
            SignerKeys { access_key_id: var("AWS_ACCESS_KEY_ID")?, secret_access_key: var("AWS_SECRET_ACCESS_KEY")? };
        let region = var("AWS_REGION")?;
        let url = var("AWS_ENDPOINT_URL_LAMBDA").unwrap_or_else(|_| format!("https://lambda.{region}.amazonaws.com"));
        let signer = Signer::new(&keys, &region, "lambda").in_session(&keys, var("AWS_SESSION_TOKEN").ok());
        Ok(Self::signed(&url, signer))
    }

    pub(super) fn signed(url: &str, signer: Signer) -> Self {
        Self { url: url.to_owned(), access: Access::Signed(Box::new(signer)), http: client() }
    }

    /// Delivers one record.
    ///
    /// # Errors
    /// Why it was not taken, in words.
    pub(super) async fn deliver(&self, function: &str, record: &Value) -> Result<(), String> {
        let answer = self.request(function, json!({ "Records": [record] }).to_string())?;
        let answer = answer.send().await.map_err(|_| "nobody answers".to_owned())?;
        let (status, failed) = (answer.status(), answer.headers().contains_key(FAILED));
        let text = answer.text().await.map_err(|_| "the answer broke off".to_owned())?;
        if !status.is_success() || failed {
            return Err(format!("{status} {}", text.chars().take(200).collect::<String>()));
        }
        let answer: Value = serde_json::from_str(&text).map_err(|_| "the answer is not JSON".to_owned())?;
        let again = answer["batchItemFailures"].as_array().is_some_and(|failures| !failures.is_empty());
        if again { Err("the function could not finish it; its log says why".to_owned()) } else { Ok(()) }
    }

    fn request(&self, function: &str, body: String) -> Result<reqwest::RequestBuilder, String> {
        let url = format!("{}/2015-03-31/functions/{function}/invocations", self.url.trim_end_matches('/'));
        let request = self.http.post(&url);
        let request = match &self.access {
            Access::Key(key) => request.bearer_auth(key),
            Access::Signed(signer) => {
                let signed = signer.headers(SystemTime::now(), "POST", &url, &[], body.as_bytes());
                let signed = signed.ok_or_else(|| format!("{url} is no address"))?;
                signed.iter().fold(request, |request, (name, value)| request.header(name, value))
            }
        };
        Ok(request.body(body))
    }
}

fn client() -> reqwest::Client {
    // The builder fails only without a TLS backend, and one is compiled in.
    reqwest::Client::builder().timeout(TIMEOUT).build().unwrap_or_default()
}
