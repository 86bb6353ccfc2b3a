//! Fingerprints of requests: two requests under one idempotency key are the same if these are.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::EventId;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The fingerprint of a JSON body sent to a route of an event. Spaces and the order of names do not matter.
pub fn of(event: &EventId, route: &str, body: &str) -> String {
    let canonical = serde_json::from_str::<Value>(body).map_or_else(|_| body.to_owned(), |json| json.to_string());
    let hash = Sha256::new().chain_update(event.as_str()).chain_update("\0").chain_update(route).chain_update("\0");
    URL_SAFE_NO_PAD.encode(hash.chain_update(canonical).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_meaning_counts() {
        let event: EventId = "demo".parse().expect("an event id");
        let one = of(&event, "holds", r#"{"a":1,"b":[1,2]}"#);
        assert_eq!(one, of(&event, "holds", r#"{ "b": [1, 2], "a": 1 }"#));
        assert_ne!(one, of(&event, "orders", r#"{"a":1,"b":[1,2]}"#));
        assert_ne!(one, of(&event, "holds", r#"{"a":1,"b":[2,1]}"#));
    }
}
