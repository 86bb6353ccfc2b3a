//! Checking many tokens of one kind and event: what depends on neither text nor time is derived once.

use std::marker::PhantomData;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use super::wire::Reader;
use super::{BadToken, FRAME_LEN, TAG_LEN, Token, VERSION, event_tag, mask};
use crate::ids::EventId;
use crate::keys::{Keyed, MasterKeys};

/// Reads tokens of kind `T` that were issued for one event under any of the master keys it was made with.
pub struct Verifier<T> {
    event_tag: [u8; 16],
    keys: Vec<(u8, Keyed)>,
    kind: PhantomData<T>,
}

impl<T: Token> Verifier<T> {
    /// Derives the kind's keys of this event.
    pub fn new(keys: &MasterKeys, event: &EventId) -> Self {
        let derived = keys.ids().filter_map(|id| Some((id, Keyed::new(&keys.key(T::KEY, event, id)?))));
        Self { event_tag: event_tag(event), keys: derived.collect(), kind: PhantomData }
    }

    /// Reads a token. Expiry is *not* checked here: see `live`.
    pub fn decode(&self, text: &str) -> Result<T, BadToken> {
        self.read(text).ok_or(BadToken)
    }

    /// Ladder: length, encoding, frame, key, signature; only then the fields.
    fn read(&self, text: &str) -> Option<T> {
        let len = FRAME_LEN + T::FIELDS_LEN;
        if text.len() != (len * 4).div_ceil(3) {
            return None;
        }
        let mut bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, tag) = bytes.split_at_mut_checked(len - TAG_LEN)?;
        let &mut [_, _, key_id, ..] = body else { return None };
        let (_, key) = self.keys.iter().find(|(id, _)| *id == key_id)?;
        let signed = bool::from(key.hmac(&[body]).as_slice().ct_eq(tag));
        mask::<T>(key, body);
        let mut from = Reader::new(body);
        let (version, kind, _, for_event) = (from.u8()?, from.u8()?, from.u8()?, from.bytes::<16>()?);
        if !signed || version != VERSION || kind != T::KIND || for_event != self.event_tag {
            return None;
        }
        let account = from.bytes::<16>()?;
        T::read_fields(account, &mut from).filter(|_| from.is_empty())
    }
}
