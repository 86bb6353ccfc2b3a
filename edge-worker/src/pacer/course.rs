//! The course of the on-sale as the last beat left it: written as one, at the end of a beat's decision.

use std::collections::BTreeMap;

use domain::pace::{Admission, PaceState};
use domain::report::Mark;
use domain::status::{Band, Phase, band};
use domain::time::{Clock, WallMs};
use serde::{Deserialize, Serialize};

use crate::event::EdgeEvent;

use super::pulse::{PulseFailed, Standing, Stock};

/// What the last beats found and decided.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Course {
    /// State of the pacing rule.
    pub pace: PaceState,
    /// The phase shown.
    phase: Option<Phase>,
    /// The event clock as the origin last stored it.
    clock: Option<Clock>,
    /// Places given.
    pub given: u64,
    /// Places that got their turn at the last beat.
    pub step: u64,
    /// When places got their turn last.
    #[serde(default)]
    pub moved: Option<WallMs>,
    /// People counted inside before the last good beat.
    pub inside: u64,
    /// Room before the last good beat.
    pub room: u64,
    /// The rate in force, in places a minute.
    #[serde(default)]
    pub rate: u32,
    /// Orders that the free seats make.
    pub orders_left: u64,
    /// Seats and standing places by state.
    pub stock: Stock,
    /// Version of the seat map that the Pacer has.
    #[serde(default, rename = "chart")]
    pub map: Option<i64>,
    /// Hash of cohort 0's draw file, once it is drawn.
    pub draw: Option<String>,
    /// Revocation epoch: tokens of lower ones are refused.
    pub rev: u32,
    /// Places given in each lane beside the main line.
    #[serde(default)]
    pub lanes: Vec<u64>,
    /// The rank up to which those who registered are invited.
    #[serde(default)]
    pub invited: u64,
    /// How the line stood then, for the report.
    #[serde(default)]
    pub mark: Option<Mark>,
    /// Why the last failed beat failed, and when.
    pub trouble: Option<(WallMs, String)>,
}

impl Course {
    /// The course after a beat's decision.
    pub fn after(
        mut self,
        beat: u64,
        now: WallMs,
        decision: (PaceState, Admission),
        standing: &Result<Standing, PulseFailed>,
    ) -> Self {
        let (pace, admission) = decision;
        (self.pace, self.phase, self.step) = (pace, Some(admission.phase), admission.step);
        if admission.step > 0 {
            self.moved = Some(now);
        }
        match standing {
            Ok(standing) => self.take(beat, standing, &admission),
            Err(error) => self.trouble = Some((now, error.to_string())),
        }
        if let (Ok(_), Some(failure)) = (standing, admission.failed) {
            self.trouble = Some((now, format!("the stock is too old ({})", failure.reason())));
        }
        self
    }

    /// What is copied to the shards: the map is the origin's to send again, and the last minutes need no second's detail.
    pub fn copy(&self) -> Self {
        Self { pace: self.pace.copy(), map: None, trouble: None, ..self.clone() }
    }

    fn take(&mut self, beat: u64, standing: &Standing, admission: &Admission) {
        // The origin remembers it for a Pacer that lost its storage.
        self.rev = self.rev.max(standing.rev);
        (self.inside, self.room) = (admission.inside, admission.room);
        self.clock = Some(standing.clock(beat));
        self.orders_left = standing.orders_left;
        self.stock = standing.stock.clone();
        self.map = standing.sheet().map(|sheet| sheet.version).or(self.map);
    }

    /// The phase shown; before the first beat the line is not open to anybody.
    pub fn phase(&self) -> Phase {
        self.phase.unwrap_or(Phase::Scheduled)
    }

    /// Whether the origin ever answered a beat of this line.
    pub fn known_to_origin(&self) -> bool {
        self.clock.is_some()
    }

    /// The event clock; before the first good pulse it stands at wall time.
    pub fn clock(&self, now: WallMs) -> Clock {
        self.clock.unwrap_or_else(|| Clock::start(now))
    }

    /// What is left per price level of the event, roughly. Levels that only the origin knows would make the status too long.
    pub fn bands(&self, event: &EdgeEvent) -> BTreeMap<String, Band> {
        let left = |(level, of): (&String, &super::pulse::LevelStock)| {
            (level.clone(), band(of.free, of.free + of.held + of.claimed + of.sold))
        };
        let named = |id: &String| event.levels.iter().any(|level| level.id == *id);
        self.stock.levels.iter().filter(|(id, _)| named(id)).map(left).collect()
    }
}
