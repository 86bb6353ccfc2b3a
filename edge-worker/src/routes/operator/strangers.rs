//! Calls with keys that nobody was ever given. They are refused here and never wait for the Pacer; it hears of them now and
//! then, as a number, so that they stand in the journal and cannot fill it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::ids::EventId;
use domain::time::WallMs;

use crate::call::Call;
use crate::clock;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::pacer_op;

/// An isolate tells a Pacer of such calls this often at most, in milliseconds.
const TELL_MS: i64 = 10_000;
/// Events that are counted at once; calls about more are not counted.
const EVENTS_MAX: usize = 100;

#[derive(Default)]
struct Seen {
    calls: BTreeMap<EventId, u64>,
    told: Option<WallMs>,
}

impl Seen {
    /// Counts a call; the number to tell, when it is time.
    fn count(&mut self, event: &EventId, now: WallMs) -> Option<u64> {
        if self.calls.len() < EVENTS_MAX || self.calls.contains_key(event) {
            *self.calls.entry(event.clone()).or_default() += 1;
        }
        if self.told.is_some_and(|told| now.since(told) < TELL_MS) {
            return None;
        }
        self.told = Some(now);
        self.calls.remove(event)
    }
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// The refusal.
pub async fn refuse(call: &Call, event: &EventId) -> Problem {
    let due = SEEN.with_borrow_mut(|seen| seen.count(event, clock::now()));
    if let Some(calls) = due
        && let Ok(pacer) = objects::pacer(&call.env, event)
    {
        let _: Result<(), Problem> = objects::ask(&pacer, pacer_op::STRANGERS, &calls).await;
    }
    Code::OperatorRequired.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_calls_are_told_seldom_and_none_is_forgotten() {
        let event: EventId = "demo".parse().unwrap_or_else(|error| panic!("{error}"));
        let mut seen = Seen::default();
        let told = [0, 1, 5_000, 9_999, 10_000, 10_001].map(|at| seen.count(&event, WallMs(at)));
        assert_eq!(told, [Some(1), None, None, None, Some(4), None]);
    }
}
