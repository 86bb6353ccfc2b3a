//! The lines beside the main one: cohorts are cut and closed in each by the same protocol. They are drawn by the organiser: the
//! status has no room to name a list of theirs before the beacon's round, and without that a round would prove nothing.

use domain::cohort::{Row, next_cut};
use domain::lane::{Lane, MAIN, REGISTRATION};
use domain::pace::LaneFacts;
use domain::registration::invited_up_to;
use domain::time::WallMs;
use futures_util::future::join_all;

use super::Pacer;
use crate::config::Config;
use crate::draw;
use crate::event::Edition;
use crate::problem::Problem;

/// The newest row of each line beside the main one, by number.
pub type LaneRows = Vec<(u8, Option<Row>)>;

/// Places given in a line.
pub fn given(rows: &LaneRows, line: u8) -> u64 {
    let row = rows.iter().find(|(number, _)| *number == line).and_then(|(_, row)| row.as_ref());
    row.map_or(0, Row::given)
}

/// What pacing knows of each lane. Places that were given stay given, also if the rows that gave them are lost.
pub fn facts(event: &Edition, rows: &LaneRows, before: &[u64]) -> Vec<LaneFacts> {
    let before = before.iter().copied().chain(std::iter::repeat(0));
    let lanes = (1..).zip(&event.lanes).zip(before);
    let of = |((at, lane), before): ((u8, &Lane), u64)| {
        let given = given(rows, at).max(before);
        LaneFacts { share_percent: lane.share_percent, given }
    };
    lanes.map(of).collect()
}

impl Pacer {
    /// Cuts and closes the next cohort of every lane, and draws those who registered when it is time.
    pub(super) async fn close_lanes(
        &self,
        config: &Config,
        event: &Edition,
        beat: u64,
        now: WallMs,
    ) -> Result<LaneRows, Problem> {
        let lines = event.lines().filter(|line| *line != MAIN);
        let closes = lines.map(async |line| Ok((line, self.close_lane(config, event, (beat, line), now).await?)));
        join_all(closes).await.into_iter().collect()
    }

    async fn close_lane(
        &self,
        config: &Config,
        event: &Edition,
        (beat, line): (u64, u8),
        now: WallMs,
    ) -> Result<Option<Row>, Problem> {
        let store = self.store()?;
        let newest = store.line(line).last_row()?;
        // Whoever registers late is not in the lottery: there is one draw.
        if line == REGISTRATION && newest.is_some() {
            return Ok(newest);
        }
        let Some(cut) = next_cut(newest.as_ref(), event.opening_of(line), event.grace_ms, now) else {
            return Ok(newest);
        };
        let Ok(secret) = draw::secret(config, event) else { return Ok(newest) };
        if newest.is_none() && (self.draw_waits()?.is_some() || self.lane_lost(line)?) {
            return Ok(None);
        }
        match self.next_people(event, (beat, line), newest.as_ref(), cut).await? {
            Ok(Some(list)) => {
                let row = list.draw(&secret, None);
                store.line(line).insert_row(&row)?;
                self.note_draw(line, &row, now)?;
                Ok(Some(row))
            }
            // Cohort 0 waits for every shard; in a later one the silent come next time.
            Ok(None) | Err(_) => Ok(newest),
        }
    }

    /// Whether numbers were given in a line of which no row is left: then nothing tells which.
    fn lane_lost(&self, line: u8) -> Result<bool, Problem> {
        let course = self.store()?.course()?;
        Ok(match line {
            REGISTRATION => course.invited > 0,
            lane => course.lanes.get(usize::from(lane).saturating_sub(1)).is_some_and(|given| *given > 0),
        })
    }

    fn note_draw(&self, line: u8, row: &Row, now: WallMs) -> Result<(), Problem> {
        let who = match line {
            REGISTRATION => "of those who registered".to_owned(),
            lane => format!("of lane {lane}"),
        };
        if row.k == 0 {
            self.store()?.log(now, &format!("{} people {who} drawn by the organiser", row.n))?;
        }
        Ok(())
    }

    /// The rank up to which those who registered are invited, after this beat.
    pub(super) fn invite(&self, event: &Edition, rows: &LaneRows, before: u64, ordered: u64) -> Result<u64, Problem> {
        let Some(registration) = &event.registration else { return Ok(before) };
        let shards = self.store()?.line(REGISTRATION).shards()?;
        // What the shards told was counted with the bound that they had then: fewer than there are, never more.
        let withdrawn = shards.values().map(|shard| shard.withdrawn).sum();
        let wanted = registration.invited.saturating_add(ordered);
        Ok(invited_up_to(before, wanted, withdrawn, given(rows, REGISTRATION)))
    }
}
