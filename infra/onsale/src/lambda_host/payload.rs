//! HTTP ↔ the function URL's payload format 2.0.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::function::request_id;

/// The event for a request. The signature stays at the front, as it does at AWS.
pub(super) fn event(parts: &Parts, body: &[u8]) -> Bytes {
    let (text, is_base64) = encode(&parts.headers, body);
    let path = parts.uri.path();
    let query = parts.uri.query().unwrap_or("");
    let mut event = json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers(&parts.headers),
        "requestContext": context(parts),
        "isBase64Encoded": is_base64,
    });
    if !query.is_empty() {
        event["queryStringParameters"] = parameters(query);
    }
    if let Some(cookies) = cookies(&parts.headers) {
        event["cookies"] = cookies;
    }
    if !body.is_empty() {
        event["body"] = Value::String(text);
    }
    Bytes::from(event.to_string())
}

fn context(parts: &Parts) -> Value {
    let host = header(&parts.headers, "host");
    let now = jiff::Timestamp::now();
    json!({
        "accountId": "000000000000",
        "apiId": "local",
        "domainName": host,
        "domainPrefix": "local",
        "requestId": request_id(),
        "routeKey": "$default",
        "stage": "$default",
        "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string(),
        "timeEpoch": now.as_millisecond(),
        "http": {
            "method": parts.method.as_str(),
            "path": parts.uri.path(),
            "protocol": "HTTP/1.1",
            "sourceIp": "127.0.0.1",
            "userAgent": header(&parts.headers, "user-agent"),
        },
    })
}

/// Lower-case names, values of one name joined by commas, without cookies and signature.
fn headers(headers: &HeaderMap) -> Value {
    let mut out = Map::new();
    for name in headers.keys().filter(|n| *n != "cookie" && *n != "authorization") {
        let values: Vec<&str> = headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).collect();
        out.insert(name.as_str().to_owned(), Value::String(values.join(",")));
    }
    Value::Object(out)
}

fn cookies(headers: &HeaderMap) -> Option<Value> {
    let all = headers.get("cookie")?.to_str().ok()?;
    Some(all.split(';').map(|c| Value::String(c.trim().to_owned())).collect())
}

fn parameters(query: &str) -> Value {
    let mut out: Map<String, Value> = Map::new();
    for (name, value) in url_pairs(query) {
        match out.get_mut(&name) {
            Some(Value::String(first)) => *first = format!("{first},{value}"),
            _ => {
                out.insert(name, Value::String(value));
            }
        }
    }
    Value::Object(out)
}

fn url_pairs(query: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://localhost/?{query}"));
    url.map(|u| u.query_pairs().into_owned().collect()).unwrap_or_default()
}

fn encode(headers: &HeaderMap, body: &[u8]) -> (String, bool) {
    let kind = header(headers, "content-type");
    let textual = [
        "text/",
        "application/json",
        "application/xml",
        "application/javascript",
        "application/problem+json",
        "application/x-www-form-urlencoded",
    ];
    match std::str::from_utf8(body) {
        Ok(text) if textual.iter().any(|t| kind.starts_with(t)) => (text.to_owned(), false),
        _ => (STANDARD.encode(body), true),
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("")
}

/// The function's answer in payload format 2.0.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    status_code: u16,
    #[serde(default)]
    headers: Map<String, Value>,
    #[serde(default)]
    multi_value_headers: Map<String, Value>,
    #[serde(default)]
    cookies: Vec<String>,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

/// The HTTP answer for what the function returned; `None` if it is not a valid payload.
pub(super) fn answer(payload: &[u8]) -> Option<Response<Body>> {
    let answer: Answer = serde_json::from_slice(payload).ok()?;
    let body = match (answer.body, answer.is_base64_encoded) {
        (Some(text), true) => STANDARD.decode(text).ok()?,
        (Some(text), false) => text.into_bytes(),
        (None, _) => Vec::new(),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(answer.status_code).ok()?;
    let out = response.headers_mut();
    out.insert("content-type", HeaderValue::from_static("application/json"));
    for (name, value) in answer.headers.iter().chain(&answer.multi_value_headers) {
        insert(out, name, value)?;
    }
    for cookie in &answer.cookies {
        out.append("set-cookie", HeaderValue::from_str(cookie).ok()?);
    }
    Some(response)
}

fn insert(out: &mut HeaderMap, name: &str, value: &Value) -> Option<()> {
    let name: HeaderName = name.parse().ok()?;
    let text = match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    // The server computes the framing of the answer itself.
    if name != "content-length" && name != "transfer-encoding" {
        out.insert(name, HeaderValue::from_str(&text).ok()?);
    }
    Some(())
}
