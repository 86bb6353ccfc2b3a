//! One device at the gate: a ladder of checks for each scan, and a note of its answer.

use serde::{Deserialize, Serialize};

use super::list::{BadList, List};
use super::scans::Scans;
use crate::ids::OrderId;
use crate::ticket::{BadTicket, TicketContent};
use crate::time::WallMs;

/// What the gate says of a scan, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Not a ticket at all.
    NoTicket,
    /// A ticket of another event.
    WrongEvent,
    /// Signed with a key that this event does not have.
    UnknownKey,
    /// The signature does not fit.
    Forged,
    /// It is not the event's day yet.
    TooEarly,
    /// The event is over.
    Over,
    /// Given back, or its seat was sold again.
    Revoked,
    /// This ticket is in already.
    Already,
    /// Let in.
    Admitted,
}

/// A scan as it is noted. It holds nothing that would open a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scan {
    /// The device.
    pub device: String,
    /// Counts the device's scans, from 1.
    pub n: u64,
    /// When, by the device's clock.
    pub at: WallMs,
    /// When the list in use was written.
    pub list: WallMs,
    /// What the gate said.
    pub said: Verdict,
    /// The ticket's place, as [`TicketContent::place`]; only of tickets whose signature fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Its order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
}

/// A device: its name, the list it goes by, and all scans it knows of, its own and those of devices it met.
#[derive(Clone, Debug)]
pub struct Gate {
    device: String,
    list: List,
    scans: Scans,
}

impl Gate {
    /// A device that goes on from the scans it knows of.
    ///
    /// # Errors
    /// [`BadList::Older`]: it went by a newer list before.
    pub fn new(device: impl Into<String>, list: List, scans: Scans) -> Result<Self, BadList> {
        let device = device.into();
        let newest = scans.of_device(&device).map(|scan| scan.list).max();
        if newest.is_some_and(|newest| list.issued < newest) {
            return Err(BadList::Older);
        }
        Ok(Self { device, list, scans })
    }

    /// All scans it knows of.
    #[must_use]
    pub const fn scans(&self) -> &Scans {
        &self.scans
    }

    /// Answers a scan and notes it; `key` gives the event's public key of a key id. The note is to be kept before anybody
    /// is let in.
    pub fn scan(&mut self, payload: &str, now: WallMs, key: impl Fn(u8) -> Option<[u8; 32]>) -> Scan {
        let genuine = self.genuine(payload, key);
        self.answer(genuine, now)
    }

    /// Answers a ticket whose signature was checked, or the refusal of what is none, and notes it.
    pub(super) fn answer(&mut self, genuine: Result<TicketContent, Verdict>, now: WallMs) -> Scan {
        let (said, ticket) = match genuine {
            Err(said) => (said, None),
            Ok(ticket) => (self.judge(&ticket, now), Some(ticket)),
        };
        let scan = Scan {
            device: self.device.clone(),
            n: self.scans.of_device(&self.device).map(|scan| scan.n).max().unwrap_or(0) + 1,
            at: now,
            list: self.list.issued,
            said,
            place: ticket.as_ref().map(TicketContent::place),
            revision: ticket.as_ref().map(|ticket| ticket.revision),
            order: ticket.map(|ticket| ticket.order),
        };
        self.scans.note(scan.clone());
        scan
    }

    fn genuine(&self, payload: &str, key: impl Fn(u8) -> Option<[u8; 32]>) -> Result<TicketContent, Verdict> {
        let claimed = TicketContent::claimed(payload).map_err(|_| Verdict::NoTicket)?;
        if claimed.event != self.list.event {
            return Err(Verdict::WrongEvent);
        }
        TicketContent::verify(payload, key).map_err(|bad| match bad {
            BadTicket::Form => Verdict::NoTicket,
            BadTicket::Key => Verdict::UnknownKey,
            BadTicket::Signature => Verdict::Forged,
        })
    }

    fn judge(&self, ticket: &TicketContent, now: WallMs) -> Verdict {
        if self.list.from.is_some_and(|from| now < from) {
            Verdict::TooEarly
        } else if now >= self.list.until {
            Verdict::Over
        } else if self.list.revokes(ticket) {
            Verdict::Revoked
        } else if self.scans.first(&ticket.place(), ticket.revision).is_some() {
            Verdict::Already
        } else {
            Verdict::Admitted
        }
    }
}
