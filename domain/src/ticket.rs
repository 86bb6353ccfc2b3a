//! The ticket that opens the gate: a signed payload, verifiable offline with the event's public key.
//!
//! ```text
//! payload   = "ONSALE1." + base64url(body ‖ signature), without padding
//! body      = version (1 byte, 1) ‖ key id (1) ‖ revision (4, big endian) ‖ order (16)
//!             ‖ length of event (1) ‖ event ‖ length of seat (1) ‖ seat
//! signature = Ed25519 over "onsale/ticket/1" ‖ 0 ‖ body (64 bytes)
//! ```
//! A seat is a seat id, or `pool/n` for the n-th place of an order in a pool. A ticket says what it is for and nothing
//! about its fan. Whether its revision is still the valid one is the gate's list to tell.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::ids::{EventId, OrderId};

/// What every payload starts with: scanners tell it from other codes.
pub const PREFIX: &str = "ONSALE1.";
const DOMAIN: &[u8] = b"onsale/ticket/1\0";
const VERSION: u8 = 1;
const SIGNATURE: usize = 64;

/// What a ticket says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketContent {
    /// Which of the event's ticket keys signed it.
    pub key_id: u8,
    /// Event.
    pub event: EventId,
    /// Seat id, or `pool/n`; at most 255 bytes.
    pub seat: String,
    /// Order.
    pub order: OrderId,
    /// Rises when the seat is sold again.
    pub revision: u32,
}

/// Not a ticket of this event; deliberately without more detail than the gate needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTicket {
    /// Not a ticket's form.
    #[error("not a ticket")]
    Form,
    /// Signed with a key that is not among the given ones.
    #[error("unknown ticket key")]
    Key,
    /// The signature does not fit.
    #[error("forged or damaged")]
    Signature,
}

/// The public half of a ticket key, 32 bytes.
#[must_use]
pub fn public_key(seed: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(seed).verifying_key().to_bytes()
}

impl TicketContent {
    /// The signed payload, for a QR code.
    #[must_use]
    pub fn sign(&self, seed: &[u8; 32]) -> String {
        let mut bytes = self.body();
        let signature = SigningKey::from_bytes(seed).sign(&signed(&bytes));
        bytes.extend_from_slice(&signature.to_bytes());
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The key under which a gate knows the ticket: its seat, or `pool/n@order`, since every order counts its places in a
    /// pool from 1.
    #[must_use]
    pub fn place(&self) -> String {
        if self.seat.contains('/') { format!("{}@{}", self.seat, self.order) } else { self.seat.clone() }
    }

    fn body(&self) -> Vec<u8> {
        let mut body = vec![VERSION, self.key_id];
        body.extend_from_slice(&self.revision.to_be_bytes());
        body.extend_from_slice(self.order.as_bytes());
        for text in [self.event.as_str(), &self.seat] {
            let text = &text.as_bytes()[..text.len().min(255)];
            body.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
            body.extend_from_slice(text);
        }
        body
    }

    /// What a payload claims to be; **nothing of it is verified**.
    ///
    /// # Errors
    /// [`BadTicket::Form`].
    pub fn claimed(payload: &str) -> Result<Self, BadTicket> {
        Ok(split(payload)?.0)
    }

    /// Reads and verifies a payload; `key` gives the public key of a key id, if the gate knows it.
    ///
    /// # Errors
    /// See [`BadTicket`].
    pub fn verify(payload: &str, key: impl Fn(u8) -> Option<[u8; 32]>) -> Result<Self, BadTicket> {
        let (content, bytes) = split(payload)?;
        let (body, signature) = bytes.split_at(bytes.len() - SIGNATURE);
        let public = key(content.key_id).ok_or(BadTicket::Key)?;
        let public = VerifyingKey::from_bytes(&public).map_err(|_| BadTicket::Key)?;
        let signature = Signature::from_slice(signature).map_err(|_| BadTicket::Form)?;
        public.verify_strict(&signed(body), &signature).map_err(|_| BadTicket::Signature)?;
        Ok(content)
    }
}

/// A payload's content and its bytes, which are longer than a signature.
fn split(payload: &str) -> Result<(TicketContent, Vec<u8>), BadTicket> {
    let text = payload.strip_prefix(PREFIX).ok_or(BadTicket::Form)?;
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| BadTicket::Form)?;
    let body = bytes.len().checked_sub(SIGNATURE).and_then(|end| bytes.get(..end)).ok_or(BadTicket::Form)?;
    Ok((parse(body).ok_or(BadTicket::Form)?, bytes))
}

fn signed(body: &[u8]) -> Vec<u8> {
    [DOMAIN, body].concat()
}

/// The content of a body; trailing bytes are refused.
fn parse(body: &[u8]) -> Option<TicketContent> {
    let (&[version, key_id], rest) = body.split_first_chunk::<2>()?;
    let (revision, rest) = rest.split_first_chunk::<4>()?;
    let (order, rest) = rest.split_first_chunk::<16>()?;
    let (event, rest) = text(rest)?;
    let (seat, rest) = text(rest)?;
    let content = TicketContent {
        key_id,
        event: event.parse().ok()?,
        seat: seat.to_owned(),
        order: OrderId::from_bytes(*order),
        revision: u32::from_be_bytes(*revision),
    };
    (version == VERSION && rest.is_empty()).then_some(content)
}

fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (len, rest) = bytes.split_first()?;
    let (text, rest) = rest.split_at_checked(usize::from(*len))?;
    Some((std::str::from_utf8(text).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: [u8; 32] = [7; 32];

    fn ticket() -> TicketContent {
        TicketContent {
            key_id: 1,
            event: "stadium-night".parse().expect("id"),
            seat: "W01-1-7".into(),
            order: OrderId::from_bytes([9; 16]),
            revision: 2,
        }
    }

    fn verify(payload: &str) -> Result<TicketContent, BadTicket> {
        TicketContent::verify(payload, |id| (id == 1).then(|| public_key(&SEED)))
    }

    #[test]
    fn the_format_is_unchanged() {
        let golden = include_str!("../golden/ticket.txt").trim();
        assert_eq!(ticket().sign(&SEED), golden, "tickets already sent would no longer open the gate");
        assert_eq!(verify(golden), Ok(ticket()));
    }

    #[test]
    fn neighbours_and_damage_are_refused() {
        let payload = ticket().sign(&SEED);
        let other = TicketContent { seat: "W01-1-8".into(), ..ticket() }.sign(&[8; 32]);
        assert_eq!(verify(&other), Err(BadTicket::Signature));
        assert_eq!(verify(&TicketContent { key_id: 2, ..ticket() }.sign(&SEED)), Err(BadTicket::Key));
        for cut in 0..payload.len() {
            assert!(verify(&payload[..cut]).is_err(), "cut at {cut}");
        }
        let bytes = URL_SAFE_NO_PAD.decode(&payload[PREFIX.len()..]).expect("base64");
        for at in 0..bytes.len() {
            let mut bent = bytes.clone();
            bent[at] ^= 1;
            assert!(verify(&format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bent))).is_err(), "bent at {at}");
        }
        assert_eq!(verify("ORDER-17"), Err(BadTicket::Form));
    }
}
