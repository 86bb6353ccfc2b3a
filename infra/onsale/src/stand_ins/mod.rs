//! Stand-ins for services outside: Turnstile's `siteverify`, a mail provider for the door's codes, and SESv2 for tickets.
//!
//! `siteverify` answers as Cloudflare documents it: a token is good once and for five minutes, what is missing or wrong
//! is named by an error code. Its tokens anybody can make ([`token`]), so it belongs in no deployment. The mail provider
//! and SESv2's `SendEmail` keep what they are given for `GET /mail`, which a browser shows as pages. Nothing here knows the line.

mod http;
mod pages;
mod ses;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::edge::Outside;
use crate::lambda_host::Signer;

/// The secret that the stand-in for `siteverify` takes.
const TURNSTILE_SECRET: &str = "stand-in-secret";
/// The site key that belongs to it.
const TURNSTILE_SITEKEY: &str = "stand-in-sitekey";
/// The bearer key that the mail stand-in takes.
const MAIL_KEY: &str = "stand-in-mail";
/// How long a token is good, in seconds.
const TOKEN_LIFE_S: u64 = 300;

/// A mail that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Whom it goes to.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
    /// Its HTML, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// What is attached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
}

/// A file that came with a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: String,
    /// Its bytes; shown on its own page only.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// What a token of the stand-in says: where it was made, what for, and how old it is.
#[derive(Debug, Serialize, Deserialize)]
struct Made {
    hostname: String,
    action: String,
    cdata: String,
    age_s: u64,
    salt: u64,
}

#[derive(Default)]
struct Desk {
    used: BTreeSet<String>,
    mails: Vec<Message>,
    outage: bool,
    mail_fault: Option<MailFault>,
    signer: Option<Signer>,
}

/// How the stand-in for SESv2 misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailFault {
    /// It takes nothing: too many requests.
    Busy,
    /// It rejects each message for good.
    Rejects,
    /// It takes the mail, and its answer is lost.
    Mute,
}

/// Both stand-ins on one port; they end with it.
pub struct StandIns {
    url: String,
    desk: Arc<Mutex<Desk>>,
    task: JoinHandle<()>,
}

impl Drop for StandIns {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl StandIns {
    /// Serves on a listener.
    pub fn start(listener: TcpListener) -> std::io::Result<Self> {
        let url = format!("http://{}", listener.local_addr()?);
        let desk = Arc::<Mutex<Desk>>::default();
        let router = http::router(Arc::clone(&desk));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the stand-ins ended");
            }
        });
        Ok(Self { url, desk, task })
    }

    /// The same, which takes mails over SESv2's API from whoever signs as this signer.
    pub fn signed(self, signer: Signer) -> Self {
        lock(&self.desk).signer = Some(signer);
        self
    }

    /// Where SESv2's API is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Makes the stand-in for SESv2 misbehave from now on, or not any more.
    pub fn mail_fault(&self, fault: Option<MailFault>) {
        lock(&self.desk).mail_fault = fault;
    }

    /// Where mails are taken, and shown.
    pub fn mail_url(&self) -> String {
        format!("{}/mail", self.url)
    }

    /// What the edge has to be told of them.
    pub fn outside(&self) -> Outside {
        Outside {
            turnstile_sitekey: TURNSTILE_SITEKEY.into(),
            turnstile_secret: TURNSTILE_SECRET.into(),
            turnstile_url: format!("{}/turnstile/v0/siteverify", self.url),
            mail_url: self.mail_url(),
            mail_key: MAIL_KEY.into(),
        }
    }

    /// Begins or ends an outage of `siteverify`.
    pub fn outage(&self, out: bool) {
        lock(&self.desk).outage = out;
    }

    /// The mails so far.
    pub fn mails(&self) -> Vec<Message> {
        lock(&self.desk).mails.clone()
    }
}

/// A token that a widget would make on `hostname` for `action` and `cdata`, `age_s` seconds ago.
pub fn token(hostname: &str, action: &str, cdata: &str, age_s: u64) -> String {
    let salt = rand::random();
    let made = Made { hostname: hostname.into(), action: action.into(), cdata: cdata.into(), age_s, salt };
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&made).unwrap_or_default())
}

/// What `siteverify` answers to a form.
fn verify(desk: &mut Desk, secret: Option<&str>, response: Option<&str>) -> Value {
    let refused = |code: &str| json!({ "success": false, "error-codes": [code], "messages": [] });
    let response = match (secret, response) {
        (None | Some(""), _) => return refused("missing-input-secret"),
        (Some(secret), _) if secret != TURNSTILE_SECRET => return refused("invalid-input-secret"),
        (_, None | Some("")) => return refused("missing-input-response"),
        (_, Some(response)) => response,
    };
    let Some(made) = read(response) else { return refused("invalid-input-response") };
    if made.age_s > TOKEN_LIFE_S || !desk.used.insert(response.to_owned()) {
        return refused("timeout-or-duplicate");
    }
    let at = jiff::Timestamp::now().to_string();
    json!({ "success": true, "challenge_ts": at, "hostname": made.hostname, "action": made.action,
        "cdata": made.cdata, "error-codes": [] })
}

fn read(token: &str) -> Option<Made> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token).ok()?).ok()
}

fn lock(desk: &Mutex<Desk>) -> std::sync::MutexGuard<'_, Desk> {
    // Every change is one assignment or push: what a panic leaves behind is whole.
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a mail's own page and body say of it holds: no other page is around it but a frame.
    #[tokio::test]
    async fn a_mail_is_shown_as_it_came_and_loads_nothing() {
        let stand_ins = StandIns::start(TcpListener::bind("127.0.0.1:0").await.unwrap()).unwrap();
        let body = "<!doctype html><html><body style=\"margin:0\">Tickets</body></html>";
        let mail = json!({"to": "ada@example.org", "subject": "Tickets", "text": "Tickets", "html": body});
        let sent = reqwest::Client::new().post(stand_ins.mail_url()).bearer_auth(MAIL_KEY).json(&mail);
        assert_eq!(sent.send().await.unwrap().status(), 202);
        let get = async |path: &str| reqwest::get(format!("{}{path}", stand_ins.mail_url())).await.unwrap();
        let shown = get("/0/html").await;
        assert!(shown.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
        assert_eq!(shown.text().await.unwrap(), body);
        assert!(get("/0").await.text().await.unwrap().contains("src=\"/mail/0/html\""));
        assert_eq!(get("/1/html").await.status(), 404);
    }

    #[test]
    fn siteverify_answers_as_documented() {
        let mut desk = Desk::default();
        let (good, old) = (token("h", "join", "c", 0), token("h", "join", "c", 301));
        let right = Some(TURNSTILE_SECRET);
        let code = |answer: Value| answer["error-codes"][0].as_str().unwrap_or("none").to_owned();
        assert_eq!(code(verify(&mut desk, None, Some(&good))), "missing-input-secret");
        assert_eq!(code(verify(&mut desk, Some("x"), Some(&good))), "invalid-input-secret");
        assert_eq!(code(verify(&mut desk, right, None)), "missing-input-response");
        assert_eq!(code(verify(&mut desk, right, Some("x"))), "invalid-input-response");
        assert_eq!(code(verify(&mut desk, right, Some(&old))), "timeout-or-duplicate");
        assert_eq!(verify(&mut desk, right, Some(&good))["success"], true);
        assert_eq!(code(verify(&mut desk, right, Some(&good))), "timeout-or-duplicate");
    }
}
