//! Mails as a browser shows them.

use std::fmt::Write as _;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};

use super::{Attachment, Message};

/// A mail may show itself and load nothing; the page about it shows it in a frame.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'";
const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><body style=\"font:16px/1.5 sans-serif;max-width:45rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere\">";

const FRAME: &str = "box-sizing:border-box;width:100%;height:36rem;border:1px solid #8a919c";

pub(super) fn list(mails: &[Message]) -> Response {
    let mut html = format!("{HEAD}<h1>Mails</h1><ol>");
    for (n, mail) in mails.iter().enumerate().rev() {
        let (to, subject) = (escape(&mail.to), escape(&mail.subject));
        let _ = write!(html, "<li value=\"{n}\">{to}: <a dir=\"auto\" href=\"/mail/{n}\">{subject}</a></li>");
    }
    shown(html + "</ol>")
}

pub(super) fn one(n: usize, mail: &Message) -> Response {
    let mut html = format!(
        "{HEAD}<p><a href=\"/mail\">All mails</a></p><p>To {}: {}</p><ul>",
        escape(&mail.to),
        escape(&mail.subject)
    );
    for (at, file) in mail.attachments.iter().enumerate() {
        let (name, size) = (escape(&file.name), file.bytes.len());
        let _ = write!(html, "<li><a href=\"/mail/{n}/{at}\">{name}</a>, {size} bytes</li>");
    }
    html.push_str("</ul>");
    if mail.html.is_some() {
        let _ = write!(html, "<iframe title=\"The mail\" src=\"/mail/{n}/html\" style=\"{FRAME}\"></iframe>");
    }
    shown(format!("{html}<pre style=\"white-space:pre-wrap\">{}</pre>", escape(&mail.text)))
}

/// A mail's HTML as it came: what its own page and body say holds.
pub(super) fn html(html: String) -> Response {
    shown(html)
}

pub(super) fn attachment(file: Attachment) -> Response {
    ([(CONTENT_TYPE, file.kind), (CONTENT_SECURITY_POLICY, POLICY.to_owned())], file.bytes).into_response()
}

fn shown(html: String) -> Response {
    ([(CONTENT_SECURITY_POLICY, POLICY)], Html(html)).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
