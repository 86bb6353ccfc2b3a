//! Calls to the booking origin: signed (SigV4, service `lambda`), bounded in time, never retried here.

use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::client::identity::Identity;
use domain::time::WallMs;
use worker::{Headers, Method, Request, RequestInit, Response};

use crate::clock;
use crate::config::{Config, Signer};
use crate::outside::{self, Silence};
use crate::problem::{Code, Problem};

/// Patience with a pulse, in milliseconds.
pub const PULSE_TIMEOUT_MS: u64 = 2_000;
/// Patience with a booking call, in milliseconds.
pub const BOOKING_TIMEOUT_MS: u64 = 10_000;

/// What is sent to the origin.
pub struct Outgoing {
    /// Method.
    pub method: Method,
    /// Path and query, as at the edge.
    pub path: String,
    /// Headers beside the signature's own; they are signed.
    pub headers: Vec<(&'static str, String)>,
    /// The body, perhaps empty.
    pub body: Vec<u8>,
    /// How long to wait for the answer's head.
    pub timeout_ms: u64,
}

/// Sends a call and waits for its answer, whatever its status.
pub async fn send(config: &Config, call: Outgoing) -> Result<Response, Problem> {
    outside::send(request(config, &call)?, call.timeout_ms).await.map_err(|silence| match silence {
        Silence::Unreachable => Code::OriginUnavailable.into(),
        Silence::TooLong => Code::OriginTimeout.into(),
    })
}

fn request(config: &Config, call: &Outgoing) -> Result<Request, Problem> {
    let url = format!("{}{}", config.origin_url, call.path);
    let headers = Headers::new();
    for (name, value) in &call.headers {
        headers.set(name, value)?;
    }
    for (name, value) in signature(&config.signer, clock::now(), call, &url)? {
        headers.set(&name, &value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(call.method.clone()).with_headers(headers);
    if !call.body.is_empty() {
        init.with_body(Some(js_sys::Uint8Array::from(call.body.as_slice()).into()));
    }
    Ok(Request::new_with_init(&url, &init)?)
}

/// The headers that sign a call at `now`.
fn signature(signer: &Signer, now: WallMs, call: &Outgoing, url: &str) -> Result<Vec<(String, String)>, Problem> {
    let trouble = |what: String| Problem::from(worker::Error::RustError(format!("signing: {what}")));
    let credentials = Credentials::new(&signer.key_id, &signer.secret, signer.session.clone(), None, "bindings");
    let identity: Identity = credentials.into();
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(now.0.unsigned_abs());
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(&signer.region)
        .name("lambda")
        .time(at)
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| trouble(error.to_string()))?;
    let headers = call.headers.iter().map(|(name, value)| (*name, value.as_str()));
    let signable = SignableRequest::new(call.method.as_ref(), url, headers, SignableBody::Bytes(&call.body))
        .map_err(|error| trouble(error.to_string()))?;
    let (instructions, _) = sign(signable, &params.into()).map_err(|error| trouble(error.to_string()))?.into_parts();
    Ok(instructions.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}
