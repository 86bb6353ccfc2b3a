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
        let hash: String = file_hash(text.as_bytes()).chars().take(TAG_CHARS).collect();
        Self { text, tag: format!("\"{hash}\"") }
    }

    /// Whether an `If-None-Match` says that the reader has this text (weak comparison, RFC 9110, 13.1.2: a proxy that
    /// compresses the text weakens its tag).
    pub fn is_known(&self, none_match: &str) -> bool {
        let strong = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag) == self.tag;
        none_match.split(',').map(str::trim).any(|tag| tag == "*" || strong(tag))
    }
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
