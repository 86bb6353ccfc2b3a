//! `GET /v1/events/{id}`: what an event's page needs to know.

use std::rc::Rc;

use domain::bytes32::to_hex;
use domain::ids::EventId;
use domain::keys::{KeyKind, MasterKeys};
use domain::status::public_key;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::clock;
use crate::config::Config;
use crate::document::Document;
use crate::draw;
use crate::event::EdgeEvent;
use crate::problem::Problem;
use crate::shelf::{Lot, Shelf};

#[derive(Serialize)]
struct Detail {
    #[serde(flatten)]
    event: Value,
    /// Public keys of the status file's signature: of every live master key, the signing one first.
    status_keys: Vec<PublicKey>,
    /// Public keys of the tickets' signature, likewise.
    ticket_keys: Vec<PublicKey>,
    /// What the organiser committed to before the first join, hex; `null` if the key it follows from was removed.
    commitment: Option<String>,
    /// The secret itself, hex: published once the on-sale is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_secret: Option<String>,
    limits: Limits,
    /// Ways to sign in: `provider` (`/v1/session/start`), `name` (development).
    sign_in: Vec<&'static str>,
}

#[derive(Serialize)]
struct PublicKey {
    /// Id of the master key.
    id: u8,
    /// Base64url.
    key: String,
}

#[derive(Serialize)]
struct Limits {
    max_per_account: u32,
}

thread_local! {
    /// Three keys are derived for it: too dear for every request.
    static DETAILS: Shelf<Document> = const { Shelf::of(64) };
}

/// How long a detail is shown without a look at the event, in milliseconds.
const DETAIL_MS: i64 = 1_000;

/// The event, with what is needed to check the line's word.
pub async fn detail(call: &Call, event: &EventId) -> Answer {
    let detail = match DETAILS.with(|shelf| shelf.peek(event.as_str(), clock::now())) {
        Some(known) => known,
        None => compose(call, event).await?,
    };
    answer::document(call, "public, max-age=60", &detail)
}

async fn compose(call: &Call, event: &EventId) -> Result<Rc<Document>, Problem> {
    let view = cache::view(&call.env, event).await?;
    let secret = view.closed.then(|| draw::secret(&call.config, &view.event)).transpose().ok().flatten();
    let detail = Detail {
        event: public(&view.event)?,
        status_keys: public_keys(&call.config.keys, KeyKind::Status, event),
        ticket_keys: public_keys(&call.config.keys, KeyKind::Ticket, event),
        commitment: draw::event_commitment(&call.config, &view.event).ok().map(|hash| to_hex(&hash)),
        draw_secret: secret.map(|secret| to_hex(&secret)),
        sign_in: ways(&call.config),
        limits: Limits { max_per_account: view.event.max_per_account },
    };
    let document = Document::new(serde_json::to_string(&detail)?);
    let until = clock::now().plus(DETAIL_MS);
    Ok(DETAILS.with(|shelf| shelf.keep(event.as_str(), Lot::new(document, until, until))))
}

/// The event as everybody may read it: of its checks only what a fan can act on.
fn public(event: &EdgeEvent) -> Result<Value, Problem> {
    let mut shown = serde_json::to_value(event)?;
    if let Some(fields) = shown.as_object_mut() {
        let checks = &event.checks;
        fields.insert("checks".into(), json!({ "challenge": checks.challenge, "claims": checks.claims }));
    }
    Ok(shown)
}

fn public_keys(keys: &MasterKeys, kind: KeyKind, event: &EventId) -> Vec<PublicKey> {
    let key = |id| keys.key(kind, event, id).map(|seed| PublicKey { id, key: public_key(&seed) });
    keys.ids().filter_map(key).collect()
}

fn ways(config: &Config) -> Vec<&'static str> {
    let ways = [("provider", config.oidc.is_some()), ("name", config.dev_sign_in)];
    ways.into_iter().filter_map(|(way, there)| there.then_some(way)).collect()
}
