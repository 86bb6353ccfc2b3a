//! The gate's list: below which revision a ticket opens nothing.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::ids::EventId;
use crate::items::{Ticket, TicketState};
use crate::ticket::TicketContent;
use crate::time::WallMs;

const DOMAIN: &[u8] = b"onsale/gate/1\0";
const SIG: &str = ",\"sig\":\"";

/// What a gate must know beyond signatures. Field order is the order of the bytes, frozen by `golden/gate.json`.
///
/// The list names what was revoked, not what is valid: tickets that are sold after it was written open the gate too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Version of the form: 1.
    pub v: u8,
    /// Event.
    pub event: EventId,
    /// Its name, for the device's screen.
    pub name: String,
    /// When it was written. A device never goes back to an older list.
    pub issued: WallMs,
    /// From when on the gate lets in; `null`: from now on.
    pub from: Option<WallMs>,
    /// Until when it does.
    pub until: WallMs,
    /// Which of the event's ticket keys signed it.
    pub key: u8,
    /// The lowest revision that opens the gate, by [`TicketContent::place`]; where nothing stands it is 1.
    pub least: BTreeMap<String, u32>,
}

/// What of an event's terms enters its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Event.
    pub event: EventId,
    /// Its name.
    pub name: String,
    /// When the list is written.
    pub issued: WallMs,
    /// From when the gate lets in.
    pub from: Option<WallMs>,
    /// Until when.
    pub until: WallMs,
}

/// Not a list of this event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadList {
    /// Not a list's form.
    #[error("this is no gate list")]
    Form,
    /// Another event's.
    #[error("the list belongs to another event")]
    Event,
    /// Signed with a key that is not among the event's.
    #[error("the list's key is unknown")]
    Key,
    /// The signature does not fit.
    #[error("the list is forged or damaged")]
    Signature,
    /// Older than the one in use.
    #[error("the list is older than the one that was used before")]
    Older,
}

impl List {
    /// A list of what the stored tickets of an event revoke.
    #[must_use]
    pub fn of(told: Told, tickets: &[Ticket]) -> Self {
        let least = tickets.iter().map(|ticket| (place(&told.event, ticket), least(ticket)));
        Self {
            v: 1,
            event: told.event.clone(),
            name: told.name,
            issued: told.issued,
            from: told.from,
            until: told.until,
            key: 0,
            least: least.filter(|(_, least)| *least > 1).collect(),
        }
    }

    /// As it is handed to devices: `{…,"sig":"…"}`, the signature over the exact bytes before `,"sig":`.
    #[must_use]
    pub fn sign(mut self, key: u8, seed: &[u8; 32]) -> String {
        self.key = key;
        let json = serde_json::to_string(&self).unwrap_or_default(); // texts and numbers only: always JSON
        let body = json.strip_suffix('}').unwrap_or_default();
        let signature = SigningKey::from_bytes(seed).sign(&signed(body)).to_bytes();
        format!("{body}{SIG}{}\"}}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// Reads a list and verifies it with the public key of its key id.
    ///
    /// # Errors
    /// See [`BadList`], in that order.
    pub fn verify(text: &str, event: &EventId, key: impl Fn(u8) -> Option<[u8; 32]>) -> Result<Self, BadList> {
        let (json, rest) = text.trim_end().rsplit_once(SIG).ok_or(BadList::Form)?;
        let list: Self = serde_json::from_str(&format!("{json}}}")).map_err(|_| BadList::Form)?;
        let bytes = rest.strip_suffix("\"}").and_then(|sig| URL_SAFE_NO_PAD.decode(sig).ok()).ok_or(BadList::Form)?;
        let signature = Signature::from_slice(&bytes).map_err(|_| BadList::Form)?;
        if list.v != 1 {
            return Err(BadList::Form);
        }
        if list.event != *event {
            return Err(BadList::Event);
        }
        let public = key(list.key).and_then(|key| VerifyingKey::from_bytes(&key).ok()).ok_or(BadList::Key)?;
        public.verify_strict(&signed(json), &signature).map_err(|_| BadList::Signature)?;
        Ok(list)
    }

    /// Whether the ticket was given back, or its seat was sold again, before the list was written.
    #[must_use]
    pub fn revokes(&self, ticket: &TicketContent) -> bool {
        self.least.get(&ticket.place()).is_some_and(|least| ticket.revision < *least)
    }
}

fn signed(body: &str) -> Vec<u8> {
    [DOMAIN, body.as_bytes()].concat()
}

fn place(event: &EventId, ticket: &Ticket) -> String {
    let (seat, order, revision) = (ticket.seat.clone(), ticket.order, ticket.revision);
    TicketContent { key_id: 0, event: event.clone(), seat, order, revision }.place()
}

fn least(ticket: &Ticket) -> u32 {
    match ticket.state {
        TicketState::Valid => ticket.revision,
        TicketState::Void => ticket.revision.saturating_add(1),
    }
}
