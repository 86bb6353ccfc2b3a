//! What can be wrong with a plan or an event.

use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing; stable.
    pub code: Code,
    /// Where: a field, a seat, a section.
    pub at: String,
    /// What was found there.
    pub detail: String,
}

impl Finding {
    pub(super) fn new(code: Code, at: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, at: at.into(), detail: detail.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.code.as_str(), self.at, self.detail)
    }
}

macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// Stable codes of findings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($(#[$meta])* $name),+ }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

codes! {
    /// `event.toml` is not TOML.
    EventUnreadable = "EVENT_UNREADABLE",
    /// A key that is not known, perhaps misspelt.
    UnknownKey = "UNKNOWN_KEY",
    /// A needed value is missing.
    Missing = "MISSING",
    /// A value of the wrong type.
    WrongType = "WRONG_TYPE",
    /// Not an event id.
    EventId = "EVENT_ID",
    /// Not one of the words that are known there, or not a network.
    Word = "WORD",
    /// An empty or overlong text.
    Text = "TEXT",
    /// Not an ISO 4217 currency.
    Currency = "CURRENCY",
    /// Not an amount of the currency, or negative.
    Price = "PRICE",
    /// Not an IANA time zone.
    Zone = "ZONE",
    /// Not a date and time.
    Time = "TIME",
    /// A local time that the clocks skip.
    TimeSkipped = "TIME_SKIPPED",
    /// A local time that happens twice; give it with an offset.
    TimeTwice = "TIME_TWICE",
    /// The event ends before its on-sale opens.
    EndsBeforeOpens = "ENDS_BEFORE_OPENS",
    /// Not the chain and key of a public randomness beacon.
    Beacon = "BEACON",
    /// A number out of its range.
    Range = "RANGE",
    /// Not a level, section, pool or seat id.
    Id = "ID",
    /// An id that looks like a card's number: calls that carry it would be refused.
    CardNumber = "CARD_NUMBER",
    /// Two levels share an id or a category.
    DuplicateLevel = "DUPLICATE_LEVEL",
    /// Two price types of a level share an id.
    DuplicateType = "DUPLICATE_TYPE",
    /// A pool's level is not among the levels.
    UnknownLevel = "UNKNOWN_LEVEL",
    /// Two lanes share an id.
    DuplicateLane = "DUPLICATE_LANE",
    /// A lane lacks what its access needs, or has what it does not need.
    LaneAccess = "LANE_ACCESS",
    /// The times of the registration do not follow each other.
    RegistrationOrder = "REGISTRATION_ORDER",
    /// Two pools share an id.
    DuplicatePool = "DUPLICATE_POOL",
    /// The plan is not JSON.
    PlanUnreadable = "PLAN_UNREADABLE",
    /// The plan's JSON ends too early.
    PlanTruncated = "PLAN_TRUNCATED",
    /// The plan has no seat, and the event no pool.
    NoSeats = "NO_SEATS",
    /// Two seats share an id.
    DuplicateSeatId = "DUPLICATE_SEAT_ID",
    /// Two seats of a section share row and label.
    DuplicateLabel = "DUPLICATE_LABEL",
    /// Two sections share an id.
    DuplicateSection = "DUPLICATE_SECTION",
    /// A seat's category is not among the plan's.
    UnknownCategory = "UNKNOWN_CATEGORY",
    /// A category with seats has no price level, or a level's category is not in the plan.
    UnpricedCategory = "UNPRICED_CATEGORY",
    /// A coordinate that is no finite number.
    Position = "POSITION",
    /// The doors open after the show starts, or it starts when the event has ended.
    ShowTimes = "SHOW_TIMES",
    /// Not an address that the organiser can be told things at.
    WebhookTarget = "WEBHOOK_TARGET",
    /// A section or pool that the event names is not there.
    UnknownSection = "UNKNOWN_SECTION",
    /// A seat that the event names is not in the plan, or named twice.
    UnknownSeat = "UNKNOWN_SEAT",
}
