//! The journal: one line for everything operators did or were refused, each bound to the one before by a hash.
//!
//! A line is compact JSON, `{"n":1,…,"prev":"<hex>","hash":"<hex>"}`. `hash` is SHA-256 over the exact bytes before
//! `,"hash":`; `prev` is the hash of the line before, zeros in the first. Whoever kept the hash of one line can tell later
//! whether any line up to it was changed, taken out or put in.

use crate::bytes32::{from_hex, to_hex};
use crate::time::WallMs;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// What a line tells. Never a key, never a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Wall time.
    pub at_ms: WallMs,
    /// The operator's name; `bootstrap` for the deployment's key, `?` for keys that stand for nobody.
    pub who: String,
    /// The operator's role, if it has one.
    pub role: Option<String>,
    /// What was done or tried.
    pub what: String,
    /// What it changed, as it was.
    pub before: Value,
    /// What it changed, as it is now.
    pub after: Value,
    /// The code of the refusal; nothing has changed then.
    pub refused: Option<String>,
    /// The call's correlation id.
    pub correlation: String,
}

/// The end of a journal: what the next line follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// Number of the last line, 0 before the first.
    pub n: u64,
    /// Hash of the last line.
    #[serde(with = "crate::bytes32")]
    pub hash: [u8; 32],
}

/// A line read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its number, from 1.
    pub n: u64,
    /// What it tells.
    #[serde(flatten)]
    pub note: Note,
    /// Hash of the line before, hex.
    pub prev: String,
    /// Hash of this line, hex.
    pub hash: String,
}

/// Where a journal is broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Not a line of a journal.
    #[error("line {0} is not a line of a journal")]
    Form(u64),
    /// The line is not what its hash was made over.
    #[error("line {0} was changed")]
    Changed(u64),
    /// The line does not follow the one before it.
    #[error("line {0} does not follow the line before it: lines were taken out, put in or moved")]
    Link(u64),
}

impl Head {
    /// The line that tells `note`, as it is kept, and the head after it.
    pub fn append(self, note: &Note) -> (String, Self) {
        let n = self.n.saturating_add(1);
        let line = Line { n, note: note.clone(), prev: to_hex(&self.hash), hash: String::new() };
        let whole = serde_json::to_string(&line).unwrap_or_default();
        let body = whole.strip_suffix(TAIL).unwrap_or_default();
        let hash: [u8; 32] = Sha256::digest(body.as_bytes()).into();
        (format!("{body},\"hash\":\"{}\"}}", to_hex(&hash)), Self { n, hash })
    }
}

/// What serialising leaves at the end while the hash is empty.
const TAIL: &str = ",\"hash\":\"\"}";
/// Length of `,"hash":"<64 hex digits>"}`.
const HASH_LEN: usize = 9 + 64 + 2;

/// Checks lines that follow `head` (the default for a whole journal), and answers the new head.
pub fn verify<'a>(head: Head, lines: impl IntoIterator<Item = &'a str>) -> Result<Head, Broken> {
    lines.into_iter().try_fold(head, follow)
}

fn follow(head: Head, text: &str) -> Result<Head, Broken> {
    let n = head.n + 1;
    let line: Line = serde_json::from_str(text).map_err(|_| Broken::Form(n))?;
    let hash = from_hex(&line.hash).ok_or(Broken::Form(n))?;
    let at = text.len().checked_sub(HASH_LEN).filter(|at| text.is_char_boundary(*at)).ok_or(Broken::Form(n))?;
    let made: [u8; 32] = Sha256::digest(&text.as_bytes()[..at]).into();
    match () {
        () if made != hash || !text[at..].starts_with(",\"hash\":\"") => Err(Broken::Changed(n)),
        () if line.n != n || line.prev != to_hex(&head.hash) => Err(Broken::Link(n)),
        () => Ok(Head { n, hash }),
    }
}

/// Of two objects, the members that differ, before and after. Lists are told by their length.
pub fn changed(before: &impl Serialize, after: &impl Serialize) -> (Value, Value) {
    let object = |value: Result<Value, _>| match value {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    };
    let (before, after) = (object(serde_json::to_value(before)), object(serde_json::to_value(after)));
    let of = |one: &Map<String, Value>, other: &Map<String, Value>| {
        let differing = one.iter().filter(|(key, value)| other.get(*key) != Some(value));
        Value::Object(differing.map(|(key, value)| (key.clone(), brief(value))).collect())
    };
    (of(&before, &after), of(&after, &before))
}

fn brief(value: &Value) -> Value {
    match value {
        Value::Array(list) => format!("{} entries", list.len()).into(),
        other => other.clone(),
    }
}
