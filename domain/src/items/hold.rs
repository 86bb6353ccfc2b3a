//! Hold items.

use super::read::{Builder, Reader, Unreadable};
use super::{Places, attr, bucket, key, stored_words};
use crate::ids::{AccountId, EventId, HoldId, OrderId};
use crate::plan::Item;
use crate::time::{EventMs, WallMs};

stored_words! {
    /// What a hold is. `live → claimed → sold`, `live → released | expired`, `claimed → live | released`.
    HoldState {
        /// Its places are kept until its time.
        Live = "live",
        /// It is being paid by its order.
        Claimed = "claimed",
        /// It was sold to its order.
        Sold = "sold",
        /// Its places were given back.
        Released = "released",
        /// Its time passed and the sweep gave its places back.
        Expired = "expired",
    }
}

/// A hold as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Hold.
    pub id: HoldId,
    /// Event.
    pub event: EventId,
    /// Whose it is.
    pub account: AccountId,
    /// State.
    pub state: HoldState,
    /// Its seats and pool places at the prices fixed when it was made.
    pub places: Places,
    /// What they cost in all, in minor units.
    pub total_minor: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Until when it is good.
    pub until: EventMs,
    /// Whether it was extended; that goes once.
    pub extended: bool,
    /// The order that pays or paid it.
    pub order: Option<OrderId>,
    /// How often it was claimed.
    pub attempts: u32,
    /// Fingerprint of the request that made it.
    pub fingerprint: String,
    /// Wall time after which the item may be deleted: well after the event.
    pub keep_until: WallMs,
    /// Rises with every change.
    pub version: i64,
}

impl Hold {
    /// The value of `k`.
    pub const KIND: &'static str = "hold";

    /// Its partition of the index of what is open.
    #[must_use]
    pub fn open_pk(&self) -> String {
        key::open_holds(&self.event, bucket(&self.id.to_string()))
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let live = self.state == HoldState::Live;
        Builder::new(&key::hold(&self.id), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::ACCOUNT, self.account.to_string())
            .with(attr::STATE, self.state)
            .with(attr::SEATS, self.places.seats_value())
            .with(attr::POOLS, self.places.pools_value())
            .with(attr::AMOUNT, self.total_minor)
            .with(attr::CURRENCY, self.currency.as_str())
            .with(attr::UNTIL, self.until.0)
            .with(attr::EXTENDED, i64::from(self.extended))
            .maybe(attr::ORDER, self.order.map(|o| o.to_string()))
            .with(attr::ATTEMPT, self.attempts)
            .with(attr::FINGERPRINT, self.fingerprint.as_str())
            .with(attr::TTL, self.keep_until.0 / 1000)
            .with(attr::VERSION, self.version)
            .maybe(attr::OPEN_PK, live.then(|| self.open_pk()))
            .maybe(attr::OPEN_AT, live.then_some(self.until.0))
            .done()
    }

    /// Reads a stored hold.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            id: r.partition_key("HOLD#")?,
            event: r.parse(attr::EVENT)?,
            account: r.parse(attr::ACCOUNT)?,
            state: HoldState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            places: Places::read(&r)?,
            total_minor: r.number(attr::AMOUNT)?,
            currency: r.text(attr::CURRENCY)?.to_owned(),
            until: EventMs(r.number(attr::UNTIL)?),
            extended: r.number(attr::EXTENDED)? != 0,
            order: r.opt_parse(attr::ORDER)?,
            attempts: r.count(attr::ATTEMPT)?,
            fingerprint: r.text(attr::FINGERPRINT)?.to_owned(),
            keep_until: WallMs(r.number(attr::TTL)? * 1000),
            version: r.number(attr::VERSION)?,
        })
    }
}
