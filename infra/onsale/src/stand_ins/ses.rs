//! SESv2's `SendEmail`, as far as tickets need it: a signed request with a whole message in it.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{MessageParser, MimeHeaders as _};
use serde_json::{Value, json};

use super::{Attachment, Desk, MailFault, Message, lock};

/// The path of SESv2's `SendEmail`.
pub(super) const PATH: &str = "/v2/email/outbound-emails";

pub(super) async fn send(State(desk): State<Arc<Mutex<Desk>>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let mut desk = lock(&desk);
    let signed = desk.signer.as_ref().is_some_and(|signer| {
        signer.verify(
            SystemTime::now(),
            "POST",
            uri.path_and_query().map_or(PATH, |path| path.as_str()),
            &headers,
            &body,
        )
    });
    if !signed {
        return refused(StatusCode::FORBIDDEN, "SignatureDoesNotMatch");
    }
    match desk.mail_fault {
        Some(MailFault::Busy) => return refused(StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsException"),
        Some(MailFault::Rejects) => return refused(StatusCode::BAD_REQUEST, "MessageRejected"),
        Some(MailFault::Mute) | None => {}
    }
    let Some(message) = message(&body) else { return refused(StatusCode::BAD_REQUEST, "BadRequestException") };
    desk.mails.push(message);
    if desk.mail_fault == Some(MailFault::Mute) {
        return refused(StatusCode::INTERNAL_SERVER_ERROR, "InternalFailure");
    }
    Json(json!({ "MessageId": format!("stand-in-{}", desk.mails.len()) })).into_response()
}

/// An error as AWS words it.
fn refused(status: StatusCode, code: &str) -> Response {
    (status, [("x-amzn-errortype", code.to_owned())], Json(json!({ "message": code }))).into_response()
}

/// The message in a request; `None` for what has no address or no message that can be read.
fn message(body: &[u8]) -> Option<Message> {
    let request: Value = serde_json::from_slice(body).ok()?;
    request["FromEmailAddress"].as_str().filter(|from| from.contains('@'))?;
    let to = request["Destination"]["ToAddresses"][0].as_str().filter(|to| to.contains('@'))?;
    let raw = STANDARD.decode(request["Content"]["Raw"]["Data"].as_str()?).ok()?;
    let parsed = MessageParser::default().parse(&raw)?;
    let attachment = |part: &mail_parser::MessagePart<'_>| {
        let kind = part.content_type()?;
        Some(Attachment {
            name: part.attachment_name()?.to_owned(),
            kind: format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or("octet-stream")),
            bytes: part.contents().to_vec(),
        })
    };
    Some(Message {
        to: to.to_owned(),
        subject: parsed.subject()?.to_owned(),
        text: parsed.body_text(0)?.into_owned(),
        html: parsed.body_html(0).map(std::borrow::Cow::into_owned),
        attachments: parsed.attachments().filter_map(attachment).collect(),
    })
}
