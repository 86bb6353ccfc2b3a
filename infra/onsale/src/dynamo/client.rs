//! DynamoDB's JSON protocol with signed requests: enough for a table's creation and its stream.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::lambda_host::{Signer, SignerKeys};

/// A request that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// No answer, or one that is not JSON.
    #[error("DynamoDB at {endpoint} cannot be reached: {source}")]
    Unreachable {
        /// The endpoint asked.
        endpoint: String,
        /// What reqwest says.
        source: reqwest::Error,
    },
    /// The endpoint is no URL.
    #[error("{0:?} is not the address of a DynamoDB")]
    Endpoint(String),
    /// The service refused.
    #[error("DynamoDB refused {operation}: {code}: {message}")]
    Refused {
        /// The operation asked for.
        operation: String,
        /// The exception's short name, as `ResourceNotFoundException`.
        code: String,
        /// The service's own words.
        message: String,
    },
}

impl CallError {
    /// Whether the service refused with this exception.
    pub fn is(&self, exception: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == exception)
    }
}

/// Calls DynamoDB and DynamoDB Streams at one endpoint.
#[derive(Debug, Clone)]
pub struct DynamoClient {
    endpoint: String,
    signer: Signer,
    http: reqwest::Client,
}

impl DynamoClient {
    /// A client for `endpoint`, as `http://127.0.0.1:8000`.
    pub fn new(endpoint: &str, keys: &SignerKeys, region: &str) -> Self {
        // The builder fails only without a TLS backend, and one is compiled in.
        let http = reqwest::Client::builder().timeout(TIMEOUT).build().unwrap_or_default();
        let endpoint = endpoint.trim_end_matches('/').to_owned();
        Self { endpoint, signer: Signer::new(keys, region, "dynamodb"), http }
    }

    /// The endpoint's URL.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Calls an operation of the table API.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn table(&self, operation: &str, body: &Value) -> Result<Value, CallError> {
        self.call("DynamoDB_20120810", operation, body).await
    }

    /// Calls an operation of the streams API.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn streams(&self, operation: &str, body: &Value) -> Result<Value, CallError> {
        self.call("DynamoDBStreams_20120810", operation, body).await
    }

    async fn call(&self, api: &str, operation: &str, body: &Value) -> Result<Value, CallError> {
        let request = self.request(&format!("{api}.{operation}"), body.to_string())?;
        let unreachable = |source| CallError::Unreachable { endpoint: self.endpoint.clone(), source };
        let response = request.send().await.map_err(unreachable)?;
        let ok = response.status().is_success();
        let answer: Value = response.json().await.map_err(unreachable)?;
        if ok { Ok(answer) } else { Err(refused(operation, &answer)) }
    }

    fn request(&self, target: &str, body: String) -> Result<reqwest::RequestBuilder, CallError> {
        let url = format!("{}/", self.endpoint);
        let fixed = [("content-type", "application/x-amz-json-1.0"), ("x-amz-target", target)];
        let signed = self
            .signer
            .headers(SystemTime::now(), "POST", &url, &fixed, body.as_bytes())
            .ok_or_else(|| CallError::Endpoint(self.endpoint.clone()))?;
        let mut request = self.http.post(url);
        for (name, value) in fixed.iter().copied().chain(pairs(&signed)) {
            request = request.header(name, value);
        }
        Ok(request.body(body))
    }
}

fn pairs(headers: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    headers.iter().map(|(n, v)| (n.as_str(), v.as_str()))
}

fn refused(operation: &str, answer: &Value) -> CallError {
    let kind = answer["__type"].as_str().unwrap_or("unknown");
    let message = answer["message"].as_str().or(answer["Message"].as_str()).unwrap_or("");
    CallError::Refused {
        operation: operation.to_owned(),
        code: kind.rsplit('#').next().unwrap_or(kind).to_owned(),
        message: message.to_owned(),
    }
}
