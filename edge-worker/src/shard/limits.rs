//! What a shard takes at once: calls of one account, and new places in a second. In memory: a shard that starts anew
//! has counted nothing, and nobody suffers by that.

use std::cell::RefCell;
use std::collections::HashMap;

use domain::door::Checks;
use domain::door::rate::{Meter, Rate};
use domain::ids::AccountId;
use domain::time::WallMs;

use super::Inner;
use crate::problem::{Code, Problem};
use crate::wire::{Entering, MeterAsk};

/// Meters kept at once; when they are more, the empty ones are forgotten.
const METERS_MAX: usize = 50_000;

/// The meters of a shard.
#[derive(Default)]
pub struct Limits {
    by_key: RefCell<HashMap<String, Meter>>,
    joins: RefCell<Meter>,
}

impl Limits {
    fn take(&self, key: String, rate: Rate, now: WallMs) -> Result<(), Problem> {
        let mut meters = self.by_key.borrow_mut();
        if meters.len() >= METERS_MAX {
            meters.retain(|_, meter| !meter.is_empty(now));
        }
        meters.entry(key).or_default().take(rate, now).map_err(Problem::too_fast)
    }

    /// Room for a new place. Until the first cohort is cut, those who came before the opening go first: of what is
    /// there at once the others take half at most.
    fn room(&self, rate: Rate, now: WallMs) -> Result<(), Problem> {
        self.joins.borrow_mut().take(rate, now).map_err(|_| Code::LineBusy.into())
    }
}

/// Counts a call of an account.
pub fn press(inner: &Inner, account: &AccountId, now: WallMs) -> Result<(), Problem> {
    let rate = checks(inner).account_rate();
    inner.limits.take(account.to_string(), rate, now)
}

/// Counts what the front asks to be counted.
pub fn meter(inner: &Inner, ask: MeterAsk, now: WallMs) -> Result<(), Problem> {
    inner.limits.take(ask.key, Rate { count: ask.count, per_ms: ask.per_ms }, now)
}

/// Whether a new place fits now.
pub fn room(inner: &Inner, entering: &Entering, now: WallMs) -> Result<(), Problem> {
    let rate = checks(inner).join_rate();
    let first = entering.stamped || !drawing(inner, now);
    inner.limits.room(if first { rate } else { rate.half() }, now)
}

/// Between the opening and the cut of cohort 0.
fn drawing(inner: &Inner, now: WallMs) -> bool {
    let facts = inner.facts.borrow();
    let opened = facts.event.as_ref().is_some_and(|event| now >= event.opening_of(inner.line));
    opened && facts.shard.as_ref().is_some_and(|shard| shard.last_cut.is_none())
}

fn checks(inner: &Inner) -> Checks {
    inner.facts.borrow().event.as_ref().map(|event| event.checks.clone()).unwrap_or_default()
}
