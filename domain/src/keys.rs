//! Master keys and the keys derived from them, one per kind and event, so that a key of one event or purpose never works
//! for another. Two (or more) masters can be live: the first signs, all verify; rotation drops nobody.

use crate::ids::EventId;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// What a derived key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// Place tokens.
    Place,
    /// Access tokens.
    Access,
    /// The fan's own credential.
    Account,
    /// The Pacer's pulse to the origin.
    Pulse,
    /// Ed25519 seed of the status file.
    Status,
    /// Ed25519 seed of tickets.
    Ticket,
    /// The secret behind the draws of an event. Remember the key id it was taken with: rotation must not change a draw.
    DrawSecret,
    /// Pseudonyms in the line's logs.
    Pseudonym,
    /// Arrival stamps of an overloaded door.
    Stamp,
    /// Riddles of the proof of work.
    Work,
    /// Tickets for a code by mail.
    MailTicket,
    /// The codes themselves.
    MailCode,
    /// Calls between the edge's own parts.
    EdgeEvent,
    /// Operators' keys.
    Operator,
    /// Keys of channels.
    Channel,
    /// Operators' calls that the edge hands on to the origin.
    Desk,
    /// The names under which presale codes are kept.
    Code,
    /// Links to an order's documents.
    Document,
    /// Calls that fill the search index.
    Search,
    /// Messages to the organiser.
    Webhook,
}

impl KeyKind {
    /// The word that enters the derivation; part of the frozen token format.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Access => "access",
            Self::Account => "account",
            Self::Pulse => "pulse",
            Self::Status => "status",
            Self::Ticket => "ticket",
            Self::DrawSecret => "draw-secret",
            Self::Pseudonym => "pseudonym",
            Self::Stamp => "stamp",
            Self::Work => "work",
            Self::MailTicket => "mail-ticket",
            Self::MailCode => "mail-code",
            Self::EdgeEvent => "edge-event",
            Self::Operator => "operator",
            Self::Channel => "channel",
            Self::Desk => "desk",
            Self::Code => "code",
            Self::Document => "document",
            Self::Search => "search",
            Self::Webhook => "webhook",
        }
    }
}

/// Why a list of master keys was refused. Never carries key material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadMasterKeys {
    /// No key at all.
    #[error("no master key given; expected 1:<43 characters of base64url>")]
    Empty,
    /// An entry (counted from 1) is not `<id 1..255>:<base64url of 32 bytes>`.
    #[error("master key number {0} is not <id 1..255>:<base64url of 32 bytes>")]
    Entry(usize),
    /// Two entries share an id.
    #[error("master key id {0} is given twice")]
    Twice(u8),
}

/// The live master keys. `Debug` shows their ids only.
#[derive(Clone)]
pub struct MasterKeys(Vec<(u8, [u8; 32])>);

impl MasterKeys {
    /// Reads `1:<base64url of 32 bytes>[,2:…]`; the first signs, all verify.
    pub fn parse(text: &str) -> Result<Self, BadMasterKeys> {
        let mut keys: Vec<(u8, [u8; 32])> = Vec::new();
        for (at, entry) in text.split(',').map(str::trim).filter(|e| !e.is_empty()).enumerate() {
            let (id, key) = read_entry(entry).ok_or(BadMasterKeys::Entry(at + 1))?;
            if keys.iter().any(|(known, _)| *known == id) {
                return Err(BadMasterKeys::Twice(id));
            }
            keys.push((id, key));
        }
        if keys.is_empty() { Err(BadMasterKeys::Empty) } else { Ok(Self(keys)) }
    }

    /// Id of the key that signs.
    pub fn signing_id(&self) -> u8 {
        self.0.first().map_or(0, |(id, _)| *id) // never empty: `parse` is the only way in
    }

    /// Ids of all live keys, the signing one first.
    pub fn ids(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().map(|(id, _)| *id)
    }

    /// HMAC-SHA256(master `key_id`, `"onsale/1/" kind "/" event`), or `None` if that master is not live.
    pub fn key(&self, kind: KeyKind, event: &EventId, key_id: u8) -> Option<[u8; 32]> {
        let (_, master) = self.0.iter().find(|(id, _)| *id == key_id)?;
        Some(hmac(master, &[b"onsale/1/", kind.label().as_bytes(), b"/", event.as_str().as_bytes()]))
    }

    /// The derived key of the signing master.
    pub fn signing_key(&self, kind: KeyKind, event: &EventId) -> [u8; 32] {
        self.key(kind, event, self.signing_id()).unwrap_or_default() // the signing id is always live
    }
}

impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKeys(ids {:?})", self.ids().collect::<Vec<_>>())
    }
}

/// HMAC-SHA256 over the concatenated parts.
pub fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    Keyed::new(key).hmac(parts)
}

/// HMAC-SHA256 with a key that is used more than once: what depends on the key alone is computed once.
#[derive(Clone)]
pub struct Keyed(Hmac<Sha256>);

impl Keyed {
    /// Takes a key in: 32 bytes are the beginning of a block of zeros.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block[..32].copy_from_slice(key);
        Self(Hmac::new(&block))
    }

    /// Over the concatenated parts.
    pub fn hmac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }
}

fn read_entry(entry: &str) -> Option<(u8, [u8; 32])> {
    let (id, key) = entry.split_once(':')?;
    let id = id.parse::<u8>().ok().filter(|id| *id > 0)?;
    Some((id, URL_SAFE_NO_PAD.decode(key).ok()?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const TWO: &str = "2:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";

    fn event(text: &str) -> EventId {
        text.parse().expect("a valid event id")
    }

    #[test]
    fn the_first_signs_and_all_verify() {
        let keys = MasterKeys::parse(&format!("{TWO}, {ONE}")).expect("two good entries");
        assert_eq!(keys.signing_id(), 2);
        assert!(keys.key(KeyKind::Place, &event("a"), 1).is_some());
        assert_eq!(keys.key(KeyKind::Place, &event("a"), 3), None);
    }

    #[test]
    fn kinds_events_and_masters_give_different_keys() {
        let keys = MasterKeys::parse(&format!("{ONE},{TWO}")).expect("two good entries");
        let all = [
            keys.key(KeyKind::Place, &event("a"), 1),
            keys.key(KeyKind::Place, &event("a"), 2),
            keys.key(KeyKind::Place, &event("b"), 1),
            keys.key(KeyKind::Access, &event("a"), 1),
        ];
        for (i, left) in all.iter().enumerate() {
            assert!(all.iter().skip(i + 1).all(|right| left != right));
        }
    }

    #[test]
    fn refusals_name_the_entry_and_never_the_key() {
        assert!(matches!(MasterKeys::parse(""), Err(BadMasterKeys::Empty)));
        for bad in ["1", "0:AA", "1:AA", "256:AA", "x:AA"] {
            assert!(matches!(MasterKeys::parse(&format!("{ONE},{bad}")), Err(BadMasterKeys::Entry(2))), "{bad}");
        }
        assert!(matches!(MasterKeys::parse(&format!("{ONE},{ONE}")), Err(BadMasterKeys::Twice(1))));
    }

    #[test]
    fn debug_redacts() {
        let keys = MasterKeys::parse(ONE).expect("a good entry");
        assert_eq!(format!("{keys:?}"), "MasterKeys(ids [1])");
    }
}
