//! `[webhook]`: where the organiser is told of orders and tickets.

use serde::{Deserialize, Serialize};

use super::finding::{Code, Finding};
use super::reader::Reader;
use crate::outbox::Target;

/// The organiser's address, as stored with the event's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    /// Where messages are sent.
    pub url: String,
}

const KEYS: &[&str] = &["url", "local"];

/// Reads `[webhook]`; an empty table is none. `local = true` also takes this very machine, without TLS: the functions send there
/// only if their own configuration says so too.
pub(super) fn read(table: &toml::Table, findings: &mut Vec<Finding>) -> Option<Webhook> {
    if table.is_empty() {
        return None;
    }
    let mut r = Reader::new(table, "webhook", KEYS, findings);
    let (url, local) = (r.text("url"), r.flag("local"));
    let url = url?;
    let target = Target::parse(&url);
    let checked = target.and_then(|target| if local && target.is_loopback() { Ok(()) } else { target.check() });
    match checked {
        Ok(()) => Some(Webhook { url }),
        Err(bad) => {
            r.finds(Code::WebhookTarget, "url", bad.to_string());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_public_or_declared_to_be_this_machine() {
        let public = "url = \"https://hooks.example.org/x\"";
        let home = "url = \"http://127.0.0.1:9/x\"";
        let table: [(String, Option<&str>, Option<Code>); 7] = [
            (String::new(), None, None),
            (public.into(), Some("https://hooks.example.org/x"), None),
            (home.into(), None, Some(Code::WebhookTarget)),
            (format!("{home}\nlocal = true"), Some("http://127.0.0.1:9/x"), None),
            ("url = \"http://10.0.0.1/\"\nlocal = true".into(), None, Some(Code::WebhookTarget)),
            ("local = true".into(), None, Some(Code::Missing)),
            ("url = 7".into(), None, Some(Code::WrongType)),
        ];
        for (text, url, code) in table {
            let mut findings = Vec::new();
            let read = read(&text.parse().expect("toml"), &mut findings);
            let found = findings.first().map(|finding| finding.code);
            assert_eq!((read.as_ref().map(|webhook| webhook.url.as_str()), found), (url, code), "{text}");
        }
    }
}
