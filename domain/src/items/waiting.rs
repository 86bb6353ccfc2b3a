//! The waiting list: one item for each account that waits for returned seats.

use super::read::{Reader, Unreadable};
use super::{attr, stored_words};
use crate::ids::{AccountId, EventId, HoldId};
use crate::plan::Item;
use crate::time::EventMs;

stored_words! {
    /// How somebody on the list stands.
    WaitState {
        /// No offer yet.
        Waiting = "waiting",
        /// Was offered seats: a hold was made for them.
        Offered = "offered",
        /// Does not wait any more.
        Left = "left",
    }
}

/// Somebody on the list, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Event.
    pub event: EventId,
    /// Who.
    pub account: AccountId,
    /// The place in the line; those in front are offered seats first.
    pub place: u64,
    /// The lane that the place is in.
    pub lane: u8,
    /// How many seats are wanted.
    pub quantity: u32,
    /// State.
    pub state: WaitState,
    /// The offer: an ordinary hold.
    pub hold: Option<HoldId>,
    /// Until when the offer stood when it was made.
    pub until: Option<EventMs>,
    /// Rises with every change.
    pub version: u32,
}

impl Waiting {
    /// The value of `k`.
    pub const KIND: &'static str = "wait";

    /// Where a place stands among all who wait: by its number, the main line before lanes.
    #[must_use]
    pub fn order(place: u64, lane: u8) -> i64 {
        i64::try_from(place).unwrap_or(i64::MAX).saturating_mul(256).saturating_add(i64::from(lane))
    }

    /// Reads a stored item.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let order = r.number(attr::AT)?;
        Ok(Self {
            event: r.partition_key("WAIT#")?,
            account: r.sort_key("ACCOUNT#")?,
            place: u64::try_from(order / 256).map_err(|_| r.bad(attr::AT))?,
            lane: u8::try_from(order % 256).map_err(|_| r.bad(attr::AT))?,
            quantity: r.count(attr::NUMBER)?,
            state: WaitState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            hold: r.opt_parse(attr::HOLD)?,
            until: r.opt_number(attr::UNTIL).map(EventMs),
            version: r.count(attr::VERSION)?,
        })
    }
}
