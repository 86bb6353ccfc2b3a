//! What the journal tells of a call that somebody else carries out.

use crate::bytes32::to_hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Longest list that is told whole.
const WHOLE: usize = 20;

/// The particulars of a call, its long lists by length, ends and hash: whoever kept the list can prove that it was this one.
pub fn told(body: &Value) -> Value {
    match body {
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), told(value))).collect())
        }
        Value::Array(list) if list.len() > WHOLE => {
            let hash: [u8; 32] = Sha256::digest(body.to_string().as_bytes()).into();
            json!({ "entries": list.len(), "first": list.first(), "last": list.last(), "sha256": to_hex(&hash) })
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_told_by_their_ends_and_a_hash() {
        let seats = |n: u32| json!({ "seats": (0..n).map(|n| format!("A-1-{n}")).collect::<Vec<_>>(), "reason": "x" });
        assert_eq!(told(&seats(20)), seats(20));
        let long = told(&seats(1_000));
        assert_eq!((&long["reason"], &long["seats"]["entries"]), (&json!("x"), &json!(1_000)));
        assert_eq!((&long["seats"]["first"], &long["seats"]["last"]), (&json!("A-1-0"), &json!("A-1-999")));
        assert!(long.to_string().len() < 200 && long["seats"]["sha256"] != told(&seats(999))["seats"]["sha256"]);
    }
}
