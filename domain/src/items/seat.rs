//! Seat items.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key, stored_words};
use crate::ids::{BlockId, ChannelId, EventId, HoldId, OrderId, SeatId};
use crate::plan::Item;
use crate::time::{EventMs, WallMs};

stored_words! {
    /// What a seat is.
    SeatState {
        /// Anybody may take it.
        Free = "free",
        /// Kept for a hold until a time.
        Held = "held",
        /// Kept for a hold that is being paid, without a time.
        Claimed = "claimed",
        /// Sold to an order.
        Sold = "sold",
        /// Not for sale.
        Blocked = "blocked",
    }
}

/// Why a seat is not for sale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It cannot be used, or is not to be.
    Blocked {
        /// Why.
        reason: String,
    },
    /// The house keeps it for somebody.
    House {
        /// For whom.
        name: String,
        /// Until when the house means to keep it. Nothing happens by itself then.
        until: Option<WallMs>,
    },
}

/// A seat as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Event.
    pub event: EventId,
    /// Block.
    pub block: BlockId,
    /// Seat.
    pub seat: SeatId,
    /// State.
    pub state: SeatState,
    /// Price level id.
    pub level: String,
    /// Index within its section, in map order.
    pub index: u32,
    /// 0 ordinary, 1 accessible, 2 companion.
    pub kind: u8,
    /// The hold that last took it, unless free.
    pub hold: Option<HoldId>,
    /// Until when it is held.
    pub until: Option<EventMs>,
    /// The order that bought it.
    pub order: Option<OrderId>,
    /// Whose buyers alone may take it; none: anybody.
    pub channel: Option<ChannelId>,
    /// Why it is blocked.
    pub kept: Option<Kept>,
    /// Rises with every change.
    pub version: i64,
}

impl Seat {
    /// The value of `k`.
    pub const KIND: &'static str = "seat";

    /// A seat that nobody ever held.
    #[must_use]
    pub fn fresh(event: &EventId, block: &BlockId, seat: &SeatId, level: &str, index: u32, kind: u8) -> Self {
        Self {
            event: event.clone(),
            block: block.clone(),
            seat: seat.clone(),
            state: SeatState::Free,
            level: level.to_owned(),
            index,
            kind,
            hold: None,
            until: None,
            order: None,
            channel: None,
            kept: None,
            version: 1,
        }
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let item = Builder::new(&key::seat(&self.event, &self.block, &self.seat), Self::KIND)
            .with(attr::STATE, self.state)
            .with(attr::LEVEL, self.level.as_str())
            .with(attr::INDEX, self.index)
            .with(attr::SEAT_KIND, i64::from(self.kind))
            .with(attr::VERSION, self.version)
            .maybe(attr::HOLD, self.hold.as_ref().map(ToString::to_string))
            .maybe(attr::UNTIL, self.until.map(|u| u.0))
            .maybe(attr::ORDER, self.order.as_ref().map(ToString::to_string))
            .maybe(attr::CHANNEL, self.channel.as_ref().map(ToString::to_string));
        match &self.kept {
            None => item.done(),
            Some(Kept::Blocked { reason }) => item.with(attr::REASON, reason.as_str()).done(),
            Some(Kept::House { name, until }) => {
                item.with(attr::HOUSE, name.as_str()).maybe(attr::HOUSE_UNTIL, until.map(|u| u.0)).done()
            }
        }
    }

    /// Reads a stored seat.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let (event, block) = event_and_rest(r.text(attr::PK)?, "SEATS#").ok_or_else(|| r.bad(attr::PK))?;
        Ok(Self {
            event: event.parse().map_err(|_| r.bad(attr::PK))?,
            block: block.parse().map_err(|_| r.bad(attr::PK))?,
            seat: r.sort_key("SEAT#")?,
            state: SeatState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            level: r.text(attr::LEVEL)?.to_owned(),
            index: r.count(attr::INDEX)?,
            kind: u8::try_from(r.number(attr::SEAT_KIND)?).map_err(|_| r.bad(attr::SEAT_KIND))?,
            hold: r.opt_parse(attr::HOLD)?,
            until: r.opt_number(attr::UNTIL).map(EventMs),
            order: r.opt_parse(attr::ORDER)?,
            channel: r.opt_parse(attr::CHANNEL)?,
            kept: kept(&r),
            version: r.number(attr::VERSION)?,
        })
    }
}

fn kept(r: &Reader<'_>) -> Option<Kept> {
    let until = r.opt_number(attr::HOUSE_UNTIL).map(WallMs);
    let house = r.opt_text(attr::HOUSE).map(|name| Kept::House { name: name.to_owned(), until });
    house.or_else(|| r.opt_text(attr::REASON).map(|reason| Kept::Blocked { reason: reason.to_owned() }))
}

/// Splits `PREFIX#event#rest`; event ids have no `#`.
pub(super) fn event_and_rest<'a>(pk: &'a str, prefix: &str) -> Option<(&'a str, &'a str)> {
    pk.strip_prefix(prefix)?.split_once('#')
}
