//! The operator's view: what the Pacer itself acts on.

use domain::lane::{Lane, REGISTRATION};
use domain::operate::Action;
use domain::pace::Progress;
use domain::report::Tally;
use serde_json::{Value, json};

use super::Pacer;
use super::course::Course;
use super::desk::Caller;
use super::store::Line;
use crate::clock;
use crate::event::Edition;
use crate::problem::Problem;

/// Lines of the log in one view.
const LINES: i64 = 60;

impl Pacer {
    /// The on-sale as of the last beat.
    pub(super) fn live(&self, caller: &Caller) -> Result<String, Problem> {
        let (store, now) = (self.store()?, clock::now());
        let event = self.event()?;
        let (course, orders) = (store.course()?, store.orders()?);
        let (clock, shards) = (course.clock(now), store.main().shards()?);
        let mut log: Vec<Value> = store.log_lines(LINES)?.iter().map(line).collect();
        log.reverse();
        let live = json!({
            "id": event.id, "name": event.name, "beat": store.beat()?, "phase": course.phase(),
            "orders": orders, "you": you(caller), "opens_at_ms": event.opens_at_ms,
            "clock": { "wall_ms": clock.wall, "event_ms": clock.now(now), "run_ms": clock.run_ms },
            "admitted": course.pace.admitted, "lapsed": course.pace.lapsed, "late_admitted": course.pace.late_admitted,
            "given": course.given, "step": course.step, "inside": course.inside, "room": course.room,
            "rate": course.rate, "rate_by": rate_by(orders.rate, event.rate_per_minute),
            "no_show_permille": 1_000_u32.saturating_sub(course.pace.learned.shows),
            "buying_permille": course.pace.learned.buys, "orders_left": course.orders_left,
            "stock": course.stock, "failed_beats": course.pace.failed,
            "entries": shards.values().map(|shard| shard.entries).sum::<u64>(),
            "cohorts": store.main().last_row()?.map_or(0, |row| u64::from(row.k) + 1), "shards": shards,
            "slowed": shards.values().map(|shard| shard.slowed).sum::<u64>(),
            "errors": course.trouble.iter().map(|(at, text)| json!({ "at_ms": at, "text": text })).collect::<Vec<_>>(),
            "lanes": self.lanes_live(&event, &course)?, "registration": self.registration_live(&event, &course)?,
            "tally": self.tally()?, "log": log, "journal": store.journal_head()?,
            "seal": store.seal()?.map(|seal| seal.live()), "beacon_trouble": store.beacon_trouble()?,
        });
        Ok(live.to_string())
    }
}

impl Pacer {
    /// Requests and refusals, as far as the shards were told.
    fn tally(&self) -> Result<Tally, Problem> {
        let store = self.store()?;
        let mut all = store.tally_gone()?;
        store.main().shards()?.values().for_each(|shard| all.add(&shard.tally));
        Ok(all)
    }

    fn lanes_live(&self, event: &Edition, course: &Course) -> Result<Vec<Value>, Problem> {
        let store = self.store()?;
        let of = |((at, lane), progress): ((u8, &Lane), &Progress)| {
            let given = course.lanes.get(usize::from(at) - 1);
            Ok(json!({
                "id": lane.id, "name": lane.name, "share_percent": lane.share_percent, "entries": store.line(at).entries()?,
                "given": given, "admitted": progress.admitted, "lapsed": progress.lapsed,
            }))
        };
        (1..).zip(&event.lanes).zip(&course.pace.lanes).map(of).collect()
    }

    fn registration_live(&self, event: &Edition, course: &Course) -> Result<Option<Value>, Problem> {
        if event.registration.is_none() {
            return Ok(None);
        }
        let line = self.store()?.line(REGISTRATION);
        let withdrawn: u64 = line.shards()?.values().map(|shard| shard.withdrawn).sum();
        Ok(Some(json!({
            "registered": line.entries()?, "drawn": line.last_row()?.map(|row| row.n),
            "invited_up_to": course.invited, "withdrawn": withdrawn,
        })))
    }
}

/// Who looks, and what they may do: the page shows no more than that.
fn you(caller: &Caller) -> Value {
    let may = Action::ALL.into_iter().filter(|action| action.least() <= caller.role);
    json!({ "name": caller.name, "role": caller.role, "may": may.collect::<Vec<_>>() })
}

/// Who set the rate: an operator's order, the event's definition, or nobody.
fn rate_by(ordered: Option<u32>, defined: Option<u32>) -> &'static str {
    match (ordered, defined) {
        (Some(_), _) => "operator",
        (None, Some(_)) => "event",
        (None, None) => "derived",
    }
}

fn line(line: &Line) -> Value {
    json!({ "at_ms": line.at, "text": line.line })
}
