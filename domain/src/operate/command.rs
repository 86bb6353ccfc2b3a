//! Commands, and what each leaves behind.

use super::opening::new_opening;
use crate::edge_event::EdgeEvent;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// Longest reason or message, in bytes of UTF-8: it travels in the status file to everybody.
pub const TEXT_MAX: usize = crate::status::MAX_MESSAGE;
/// Highest rate, in places a minute.
pub const RATE_MAX: u32 = 1_000_000;
/// Most people that one order invites.
pub const INVITE_MAX: u64 = 1_000_000;

/// What an operator orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Command {
    /// Admit nobody and let event time stand. Pausing again changes the reason.
    Pause {
        /// Shown to everyone.
        reason: String,
    },
    /// Go on after a pause.
    Resume,
    /// Admit at this rate.
    Rate {
        /// Places a minute.
        per_minute: u32,
    },
    /// Open before the announced time, at least a notice ahead of now.
    OpenEarly {
        /// The new opening.
        opens_at_ms: WallMs,
    },
    /// Open after the announced time.
    Postpone {
        /// The new opening.
        opens_at_ms: WallMs,
    },
    /// Tell everyone something, or take the message back.
    Message {
        /// The message; without one there is none any more.
        text: Option<String>,
    },
    /// Emergency stop: admit nobody, refuse booking calls, let event time stand.
    Stop {
        /// Shown to everyone.
        reason: String,
    },
    /// Go on after an emergency stop.
    Lift,
    /// Draw cohort 0 without the beacon that the event names: the draw is then the organiser's.
    DrawWithoutBeacon,
    /// Refuse all place and access tokens issued so far.
    Revoke,
    /// Invite this many more of those who registered, in drawn order.
    Invite {
        /// People.
        count: u64,
    },
    /// End the on-sale for good.
    Close,
}

/// What operators have ordered so far: written before it is acknowledged, read again after each await of a beat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Orders {
    /// The reason of a pause.
    pub paused: Option<String>,
    /// The reason of an emergency stop.
    pub stopped: Option<String>,
    /// A message to everyone.
    pub message: Option<String>,
    /// A rate in place of the event's, in places a minute.
    pub rate: Option<u32>,
    /// Whether the on-sale was ended. It stays so: the draw's secret is published then.
    pub closed: bool,
    /// Whether cohort 0 is drawn without the beacon that the event names.
    pub no_beacon: bool,
    /// Revocation epoch: tokens of lower ones are refused.
    pub rev: u32,
    /// People invited beside those that the registration itself invites.
    pub invited: u64,
}

impl Orders {
    /// Whether nobody is admitted and event time stands, by an operator's word.
    pub fn stand(&self) -> bool {
        self.paused.is_some() || self.stopped.is_some()
    }
}

/// What a decision rests on.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// Wall time.
    pub now: WallMs,
    /// The event as it is announced.
    pub event: &'a EdgeEvent,
    /// What was ordered so far.
    pub orders: &'a Orders,
}

/// What a command leaves behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The orders from now on.
    pub orders: Orders,
    /// The opening from now on, if it moves.
    pub opens: Option<WallMs>,
}

/// Why a command is refused. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", tag = "reason")]
pub enum Refused {
    /// A reason or message that is empty or only space.
    #[error("a reason or message must say something")]
    TextMissing,
    /// Longer than [`TEXT_MAX`].
    #[error("a reason or message has at most {} bytes", TEXT_MAX)]
    TextTooLong,
    /// With control characters.
    #[error("a reason or message must be one line of printable text")]
    TextUnprintable,
    /// Zero, or more than [`RATE_MAX`].
    #[error("the rate must be 1 to {} a minute; to admit nobody, pause", RATE_MAX)]
    RateOutOfRange,
    /// The on-sale is over.
    #[error("the on-sale is over")]
    Over,
    /// Nothing to resume.
    #[error("the line is not paused by an operator")]
    NotPaused,
    /// Nothing to lift.
    #[error("there is no emergency stop")]
    NotStopped,
    /// Zero people, or more than there are.
    #[error("invite 1 to {} people at once", INVITE_MAX)]
    CountOutOfRange,
    /// The event has no registration.
    #[error("the event has no registration")]
    NoRegistration,
    /// The event names no beacon to do without.
    #[error("the event names no beacon")]
    NoBeacon,
    /// The announced opening has passed.
    #[error("the opening has passed")]
    Opened,
    /// To open early, but not before the announced opening.
    #[error("this is not before the announced opening")]
    NotEarlier,
    /// To postpone, but not behind the announced opening.
    #[error("this is not after the announced opening")]
    NotLater,
    /// To open without notice.
    #[error("fans need a notice: the opening can be at {} at the earliest", .earliest_ms.0)]
    TooSoon {
        /// The earliest opening that may be announced now.
        earliest_ms: WallMs,
    },
    /// To postpone in the last moment.
    #[error("the opening is less than {} s away and cannot be postponed; pause instead", super::LAST_CALL_MS / 1_000)]
    TooLate,
    /// Before anybody may join.
    #[error("the opening would be before fans may join")]
    BeforeJoins,
    /// Behind the end.
    #[error("the opening would not be before the end of the on-sale")]
    AfterEnd,
}

/// Decides on a command. Ladder: its text or number makes sense, the on-sale is not over, it fits the state.
pub fn decide(command: &Command, at: &Situation<'_>) -> Result<Change, Refused> {
    check_words(command)?;
    let over = at.orders.closed || at.now >= at.event.ends_at_ms;
    if over && !matches!(command, Command::Message { .. }) {
        return Err(Refused::Over);
    }
    let mut change = Change { orders: at.orders.clone(), opens: None };
    let orders = &mut change.orders;
    match command {
        Command::Pause { reason } => orders.paused = Some(reason.clone()),
        Command::Resume => take(&mut orders.paused, Refused::NotPaused)?,
        Command::Rate { per_minute } => orders.rate = Some(*per_minute),
        Command::Message { text } => orders.message.clone_from(text),
        Command::Stop { reason } => orders.stopped = Some(reason.clone()),
        Command::Lift => take(&mut orders.stopped, Refused::NotStopped)?,
        Command::DrawWithoutBeacon if at.event.beacon.is_none() => return Err(Refused::NoBeacon),
        Command::DrawWithoutBeacon => orders.no_beacon = true,
        Command::Invite { .. } if at.event.registration.is_none() => return Err(Refused::NoRegistration),
        Command::Invite { count } => orders.invited = orders.invited.saturating_add(*count),
        Command::Revoke => orders.rev = orders.rev.saturating_add(1),
        Command::Close => orders.closed = true,
        Command::OpenEarly { opens_at_ms } if *opens_at_ms >= at.event.opens_at_ms => return Err(Refused::NotEarlier),
        Command::Postpone { opens_at_ms } if *opens_at_ms <= at.event.opens_at_ms => return Err(Refused::NotLater),
        Command::OpenEarly { opens_at_ms } | Command::Postpone { opens_at_ms } => {
            new_opening(at.event, *opens_at_ms, at.now)?;
            change.opens = Some(*opens_at_ms);
        }
    }
    Ok(change)
}

fn take(order: &mut Option<String>, otherwise: Refused) -> Result<(), Refused> {
    order.take().map(drop).ok_or(otherwise)
}

fn check_words(command: &Command) -> Result<(), Refused> {
    match command {
        Command::Pause { reason: text } | Command::Stop { reason: text } | Command::Message { text: Some(text) } => {
            check_text(text)
        }
        Command::Invite { count } if !(1..=INVITE_MAX).contains(count) => Err(Refused::CountOutOfRange),
        Command::Rate { per_minute } if !(1..=RATE_MAX).contains(per_minute) => Err(Refused::RateOutOfRange),
        _ => Ok(()),
    }
}

fn check_text(text: &str) -> Result<(), Refused> {
    match text {
        _ if text.trim().is_empty() => Err(Refused::TextMissing),
        _ if text.len() > TEXT_MAX => Err(Refused::TextTooLong),
        _ if text.chars().any(char::is_control) => Err(Refused::TextUnprintable),
        _ => Ok(()),
    }
}
