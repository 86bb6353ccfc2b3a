//! Closing a cohort: ask every shard for a cut, then insert the row. The insert is the close.

use domain::cohort::{CloseRefused, Cut, CutAnswer, Row, Sealed, next_cut, seal};
use domain::lane::MAIN;
use domain::time::WallMs;

use super::Pacer;
use super::seal::Seal;
use crate::config::Config;
use crate::draw;
use crate::event::Edition;
use crate::fault::Fault;
use crate::problem::{Code, Problem};
use crate::wire::{CutAsk, shard_op};

/// What became of a beat's cohort.
pub struct Closed {
    /// The newest row, closed now or before.
    pub row: Option<Row>,
    /// Why the draw cannot be made yet.
    pub waiting: Option<String>,
    /// The people of cohort 0, while they wait for the beacon.
    pub seal: Option<Seal>,
}

impl Closed {
    fn unchanged(row: Option<Row>) -> Self {
        Self { row, waiting: None, seal: None }
    }
}

impl Pacer {
    /// Cuts and closes the next cohort, if there is one to close.
    pub(super) async fn close(
        &self,
        config: &Config,
        event: &Edition,
        beat: u64,
        now: WallMs,
    ) -> Result<Closed, Problem> {
        let store = self.store()?;
        if let Some(seal) = store.seal()? {
            return self.draw(config, event, beat, seal).await;
        }
        let newest = store.main().last_row()?;
        let Some(cut) = next_cut(newest.as_ref(), event.opens_at_ms, event.grace_ms, now) else {
            return Ok(Closed::unchanged(newest));
        };
        if let (None, Some(reason)) = (&newest, self.draw_waits()?) {
            return Ok(Closed { waiting: Some(reason.into()), ..Closed::unchanged(None) });
        }
        let secret = match draw::secret(config, event) {
            Ok(secret) => secret,
            Err(retired) => return Ok(Closed { waiting: retired.detail, ..Closed::unchanged(newest) }),
        };
        match (self.next_people(event, (beat, MAIN), newest.as_ref(), cut).await?, &event.beacon) {
            (Ok(Some(list)), Some(chain)) if list.k == 0 && !store.orders()?.no_beacon => self.seal(list, chain),
            (Ok(Some(list)), _) => {
                let beacon = newest.and_then(|row| row.beacon);
                let row = list.draw(&secret, beacon);
                store.main().insert_row(&row)?;
                Ok(Closed::unchanged(Some(row)))
            }
            (Ok(None), _) => Ok(Closed::unchanged(newest)),
            (Err(refused), _) => Ok(Closed { waiting: Some(refused.to_string()), ..Closed::unchanged(newest) }),
        }
    }

    /// Who is in the next cohort of a line: every shard of it is asked for a cut.
    pub(super) async fn next_people(
        &self,
        event: &Edition,
        (beat, line): (u64, u8),
        newest: Option<&Row>,
        cut: Cut,
    ) -> Result<Result<Option<Sealed>, CloseRefused>, Problem> {
        let store = self.store()?;
        let (asked, shards) = (store.line(line).grants()?, event.shards_of(line));
        let ask = CutAsk { beat, cut };
        let answers: Vec<CutAnswer> = self.ask_shards(&event.id, line, shards, shard_op::CUT, &ask).await?;
        self.fault_point(Fault::AfterCut);
        self.check_not_overtaken(beat)?;
        let mut grants = store.line(line).grants()?;
        grants.heard(&asked, &answers);
        store.line(line).put_grants(&grants)?;
        Ok(seal(newest, &cut, &grants.in_force(shards), &answers))
    }

    /// A beat that was overtaken while it waited must not close anything.
    pub(super) fn check_not_overtaken(&self, beat: u64) -> Result<(), Problem> {
        if self.store()?.beat()? == beat { Ok(()) } else { Err(Problem::because(Code::Internal, "overtaken")) }
    }

    /// Why nothing may be drawn yet. Only the origin knows whether this line is new: it has seen no beat of a new one.
    pub(super) fn draw_waits(&self) -> Result<Option<&'static str>, Problem> {
        let store = self.store()?;
        Ok(match (store.lost()?, store.course()?.known_to_origin()) {
            (true, _) => Some("the line lost its storage; numbers that were given stand, no others are given"),
            (false, false) => Some("the draw waits for the origin"),
            (false, true) => None,
        })
    }
}
