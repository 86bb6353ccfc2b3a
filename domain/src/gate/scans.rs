//! The scans of one or many devices: a set that only grows, so that devices may meet in any order and any number of times.

use std::collections::BTreeMap;

use serde::Serialize;

use super::scan::{Scan, Verdict};

/// A ticket: its place and revision.
type Ticket = (String, u32);

/// Scans by device and number, with the admissions of each ticket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scans {
    all: BTreeMap<(String, u64), Scan>,
    admitted: BTreeMap<Ticket, Vec<Scan>>,
}

/// Two different scans carry one device's name and number: a log was edited, or two devices have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two different scans are number {n} of the device {device:?}: two devices with one name, or an edited file")]
pub struct Contradiction {
    /// The device.
    pub device: String,
    /// The number.
    pub n: u64,
}

/// A ticket that more than one device let in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The scan that counts.
    pub first: Scan,
    /// The others, earliest first.
    pub later: Vec<Scan>,
}

/// What the scans add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// All scans: tickets let in, later admissions of the same ticket, and refusals.
    pub scans: usize,
    /// Tickets that were let in, each counted once.
    pub tickets: usize,
    /// Admissions of a ticket that another device had let in.
    pub doubles: usize,
    /// Scans that were refused, by what the gate said.
    pub refused: BTreeMap<Verdict, usize>,
    /// Each ticket that was let in more than once.
    pub conflicts: Vec<Conflict>,
}

impl Scans {
    /// Notes a scan of the device itself; its number is new.
    pub(super) fn note(&mut self, scan: Scan) {
        if let Some(ticket) = let_in(&scan) {
            let admitted = self.admitted.entry(ticket).or_default();
            admitted.push(scan.clone());
            admitted.sort_by(|a, b| order(a).cmp(&order(b)));
        }
        self.all.insert((scan.device.clone(), scan.n), scan);
    }

    /// Takes in a scan of any device; one that is known already changes nothing.
    ///
    /// # Errors
    /// [`Contradiction`]; nothing is changed then.
    pub fn merge(&mut self, scan: Scan) -> Result<(), Contradiction> {
        match self.all.get(&(scan.device.clone(), scan.n)) {
            Some(known) if *known == scan => Ok(()),
            Some(_) => Err(Contradiction { device: scan.device, n: scan.n }),
            None => {
                self.note(scan);
                Ok(())
            }
        }
    }

    /// All scans, by device and number.
    pub fn iter(&self) -> impl Iterator<Item = &Scan> {
        self.all.values()
    }

    /// The scans of one device, in their order.
    pub fn of_device<'a>(&'a self, device: &str) -> impl Iterator<Item = &'a Scan> + use<'a> {
        self.all.range((device.to_owned(), 0)..=(device.to_owned(), u64::MAX)).map(|(_, scan)| scan)
    }

    /// The scan that let a ticket in, the first by the devices' clocks.
    #[must_use]
    pub fn first(&self, place: &str, revision: u32) -> Option<&Scan> {
        self.admitted.get(&(place.to_owned(), revision))?.first()
    }

    /// What they add up to: every scan is counted exactly once.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = Report { scans: self.all.len(), tickets: self.admitted.len(), ..Report::default() };
        for scan in self.iter().filter(|scan| let_in(scan).is_none()) {
            *report.refused.entry(scan.said).or_default() += 1;
        }
        for scans in self.admitted.values() {
            if let Some((first, later)) = scans.split_first().filter(|(_, later)| !later.is_empty()) {
                report.doubles += later.len();
                report.conflicts.push(Conflict { first: first.clone(), later: later.to_vec() });
            }
        }
        report
    }
}

/// The ticket that a scan let in.
fn let_in(scan: &Scan) -> Option<Ticket> {
    (scan.said == Verdict::Admitted).then_some((scan.place.clone()?, scan.revision?))
}

/// First by time; a tie goes to the device's name, the same on every device.
fn order(scan: &Scan) -> (i64, &str, u64) {
    (scan.at.0, &scan.device, scan.n)
}
