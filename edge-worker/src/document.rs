//! Documents: texts that are the same for many readers, named by their content, so that whoever has one need not get
//! it again.

use domain::draw::file_hash;
use serde::{Deserialize, Serialize};

/// Characters of the content's hash in a tag: 132 bits of SHA-256.
const TAG_CHARS: usize = 22;

/// A text and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The bytes, as everybody gets them.
    pub text: String,
    /// Its entity tag (RFC 9110, 8.8.3), quotes included.
    pub tag: String,
}

impl Document {
    /// Names a text.
    pub fn new(text: String) -> Self {
        let tag = tag(text.as_bytes());
        Self { text, tag }
    }

    /// Whether an `If-None-Match` says that the reader has this text.
    pub fn is_known(&self, none_match: &str) -> bool {
        is_known(&self.tag, none_match)
    }
}

/// Bytes that are no text, and their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// The bytes, as everybody gets them.
    pub bytes: Vec<u8>,
    /// Their entity tag.
    pub tag: String,
}

impl Binary {
    /// Names bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        let tag = tag(&bytes);
        Self { bytes, tag }
    }
}

fn tag(bytes: &[u8]) -> String {
    let hash: String = file_hash(bytes).chars().take(TAG_CHARS).collect();
    format!("\"{hash}\"")
}

/// Whether an `If-None-Match` names this tag (weak comparison, RFC 9110, 13.1.2: a proxy that compresses a text weakens its
/// tag).
pub fn is_known(tag: &str, none_match: &str) -> bool {
    let strong = |named: &str| named.strip_prefix("W/").unwrap_or(named) == tag;
    none_match.split(',').map(str::trim).any(|named| named == "*" || strong(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_who_has_the_text_is_recognised() {
        let document = Document::new("text".into());
        let tag = document.tag.clone();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".into()] {
            assert!(document.is_known(&known), "{known}");
        }
        for unknown in ["", "\"other\"", tag.trim_matches('"'), &tag.to_lowercase()] {
            assert!(!document.is_known(unknown), "{unknown}");
        }
        assert_ne!(Document::new("another".into()).tag, tag);
    }
}
