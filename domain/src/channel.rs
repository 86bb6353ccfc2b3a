//! Channels: seats that only some buyers may take, and how a buyer shows to be one of them.
//!
//! A seat's channel is a word on the seat. A buyer shows a channel in one of two ways: by the lane of the access token, or by
//! a *channel key* in the request for a hold. Whoever has a key may use it, as often as limits allow, until it expires:
//!
//! `key = channel "." key id "." expiry in seconds "." base64url(first 16 bytes of HMAC-SHA256(key(channel), all before the last "."))`

use crate::ids::{ChannelId, EventId};
use crate::keys::{KeyKind, MasterKeys, hmac};
use crate::time::WallMs;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

/// The lane of access tokens by which the box office sells on behalf of buyers.
pub const BOX_OFFICE: u8 = 254;
/// The channel that the box office shows.
const BOX_OFFICE_WORD: &str = "box-office";
/// What the channels of lanes begin with.
const LANE_WORD: &str = "lane-";

/// Not a key that was made for a channel of this event, or one that has expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key of any channel of this event, or an old one")]
pub struct BadKey;

/// The channel that a lane shows: `lane-1` … for priority lanes, `box-office` for the box office, none for the main line.
#[must_use]
pub fn of_lane(lane: u8) -> Option<ChannelId> {
    match lane {
        0 => None,
        BOX_OFFICE => BOX_OFFICE_WORD.parse().ok(),
        n => format!("{LANE_WORD}{n}").parse().ok(),
    }
}

/// Whether a channel is shown by a lane, so that no key is made for it.
#[must_use]
pub fn is_lane(channel: &ChannelId) -> bool {
    channel.as_str() == BOX_OFFICE_WORD || channel.as_str().starts_with(LANE_WORD)
}

/// The key of a channel until `expires`, rounded down to a second.
#[must_use]
pub fn key(channel: &ChannelId, expires: WallMs, keys: &MasterKeys, event: &EventId) -> String {
    let head = format!("{channel}.{}.{}", keys.signing_id(), expires.0.div_euclid(1_000));
    let tag = tag(&keys.signing_key(KeyKind::Channel, event), &head);
    format!("{head}.{}", URL_SAFE_NO_PAD.encode(tag))
}

/// The channel whose key this is at `now`.
///
/// # Errors
/// It was made by somebody else, for another event, or has expired.
pub fn read(text: &str, now: WallMs, keys: &MasterKeys, event: &EventId) -> Result<ChannelId, BadKey> {
    let (head, shown) = text.rsplit_once('.').ok_or(BadKey)?;
    let mut parts = head.splitn(3, '.');
    let mut part = || parts.next().ok_or(BadKey);
    let (channel, id, expires_s) = (part()?, part()?, part()?);
    let key = id.parse().ok().and_then(|id| keys.key(KeyKind::Channel, event, id)).ok_or(BadKey)?;
    let genuine = URL_SAFE_NO_PAD.decode(shown).is_ok_and(|shown| bool::from(shown.ct_eq(&tag(&key, head))));
    let live = expires_s.parse::<i64>().is_ok_and(|s| now.0 < s.saturating_mul(1_000));
    if genuine && live { channel.parse().map_err(|_| BadKey) } else { Err(BadKey) }
}

fn tag(key: &[u8; 32], head: &str) -> [u8; 16] {
    let full = hmac(key, &[head.as_bytes()]);
    std::array::from_fn(|i| full[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_its_channel_until_it_expires_and_nothing_else() {
        let keys = MasterKeys::parse("1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").expect("keys");
        let other = MasterKeys::parse("1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE").expect("keys");
        let (night, day): (EventId, EventId) = ("night".parse().expect("id"), "day".parse().expect("id"));
        let club: ChannelId = "fan-club".parse().expect("id");
        let key = key(&club, WallMs(9_500), &keys, &night);
        assert_eq!(read(&key, WallMs(8_999), &keys, &night), Ok(club));
        assert_eq!(read(&key, WallMs(9_000), &keys, &night), Err(BadKey), "expired");
        assert_eq!(read(&key, WallMs(0), &keys, &day), Err(BadKey), "of another event");
        assert_eq!(read(&key, WallMs(0), &other, &night), Err(BadKey), "of another deployment");
        let forged = [key.replacen("fan-club", "fan-klub", 1), key.replacen(".9.", ".10.", 1), format!("{key}A")];
        for text in forged.iter().map(String::as_str).chain(["", ".", "a.1.9", "a.b.c.d", "a.1.9.", "é.1.9.AAAA"]) {
            assert_eq!(read(text, WallMs(0), &keys, &night), Err(BadKey), "{text}");
        }
    }

    #[test]
    fn lanes_show_channels_for_which_no_keys_are_made() {
        assert_eq!(of_lane(0), None);
        for (lane, word) in [(1, "lane-1"), (4, "lane-4"), (BOX_OFFICE, "box-office")] {
            let channel = of_lane(lane).expect("a channel");
            assert!(channel.as_str() == word && is_lane(&channel));
        }
        assert!(!is_lane(&"fan-club".parse().expect("id")));
    }
}
