//! Cohort 0 of an event with a beacon is closed in two steps, beats apart: its people are sealed and published, and once the
//! round that follows from that moment is there, they are drawn.

use domain::beacon::Chain;
use domain::cohort::{BeaconDraw, Sealed};
use domain::draw::SealFile;
use domain::time::WallMs;
use serde::{Deserialize, Serialize};

use super::Pacer;
use super::close::Closed;
use crate::beacon::{self, NoRound};
use crate::clock;
use crate::config::Config;
use crate::draw::{event_commitment, secret};
use crate::event::Edition;
use crate::problem::Problem;

/// What the status says while the round is not due yet, and when it is overdue (the operator's view says why).
const WAITS: &str = "beacon";
const OVERDUE: &str = "beacon_out";

/// Who is in cohort 0, what will draw them, and since when both are fixed. Written once, never changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seal {
    /// The people.
    pub list: Sealed,
    /// When they were fixed.
    pub at: WallMs,
    /// The round that draws them.
    pub round: u64,
    /// The beacon.
    pub chain: Chain,
}

impl Seal {
    /// A seal of this moment.
    pub fn new(list: Sealed, chain: &Chain, at: WallMs) -> Self {
        Self { list, at, round: chain.round_for(at), chain: chain.clone() }
    }

    /// The file to publish.
    pub fn file(&self, config: &Config, event: &Edition) -> Result<SealFile, Problem> {
        let commitment = event_commitment(config, event)?;
        Ok(SealFile::new(&event.id, &self.list, commitment, self.at, self.round))
    }

    /// Its text.
    pub fn text(&self, config: &Config, event: &Edition) -> Result<String, Problem> {
        Ok(self.file(config, event)?.text())
    }

    /// What the operator sees.
    pub fn live(&self) -> serde_json::Value {
        serde_json::json!({
            "sealed_ms": self.at, "people": self.list.n, "round": self.round, "due_ms": self.chain.time_of(self.round),
        })
    }
}

impl Pacer {
    /// Seals cohort 0 and publishes it with this beat; its round is still to come.
    pub(super) fn seal(&self, list: Sealed, chain: &Chain) -> Result<Closed, Problem> {
        let store = self.store()?;
        let seal = Seal::new(list, chain, clock::now());
        store.put_seal(&seal)?;
        store.log(seal.at, &format!("{} people sealed; round {} of the beacon draws them", seal.list.n, seal.round))?;
        Ok(Closed { row: None, waiting: Some(WAITS.into()), seal: Some(seal) })
    }

    /// Draws what is sealed, if its round is there, or if the operator ordered to do without.
    pub(super) async fn draw(
        &self,
        config: &Config,
        event: &Edition,
        beat: u64,
        seal: Seal,
    ) -> Result<Closed, Problem> {
        let store = self.store()?;
        if store.orders()?.no_beacon {
            return self.drawn(config, event, seal, None);
        }
        if clock::now() < seal.chain.time_of(seal.round) {
            return Ok(Closed { row: None, waiting: Some(WAITS.into()), seal: Some(seal) });
        }
        let fetched = beacon::fetch(config, &seal.chain, seal.round).await;
        self.check_not_overtaken(beat)?;
        match fetched {
            Ok(round) => {
                let beacon = BeaconDraw { sealed: seal.at, round };
                self.drawn(config, event, seal, Some(beacon))
            }
            Err(why) => self.overdue(seal, why),
        }
    }

    fn overdue(&self, seal: Seal, why: NoRound) -> Result<Closed, Problem> {
        let store = self.store()?;
        let text = why.to_string();
        if store.beacon_trouble()?.as_ref() != Some(&text) {
            store.put_beacon_trouble(&text)?;
            store.log(clock::now(), &format!("round {} is due: {text}", seal.round))?;
        }
        Ok(Closed { row: None, waiting: Some(OVERDUE.into()), seal: Some(seal) })
    }

    fn drawn(
        &self,
        config: &Config,
        event: &Edition,
        seal: Seal,
        beacon: Option<BeaconDraw>,
    ) -> Result<Closed, Problem> {
        let store = self.store()?;
        let row = seal.list.draw(&secret(config, event)?, beacon);
        store.main().insert_row(&row)?;
        let how = if beacon.is_some() { "with the beacon" } else { "without the beacon, by the operator's order" };
        store.log(clock::now(), &format!("{} people drawn {how}", row.n))?;
        Ok(Closed { row: Some(row), waiting: None, seal: None })
    }
}
