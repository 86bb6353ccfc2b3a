//! Mails as a browser shows them.

use std::fmt::Write as _;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};

use super::{Attachment, Message};

/// A mail may show itself and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><body style=\"font:16px/1.5 sans-serif;max-width:45rem;margin:2rem auto\">";

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
    let body = mail.html.clone().unwrap_or_else(|| format!("<pre>{}</pre>", escape(&mail.text)));
    shown(format!("{html}</ul><hr>{body}<hr><pre>{}</pre>", escape(&mail.text)))
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
