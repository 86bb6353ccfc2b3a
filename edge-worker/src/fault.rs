//! Faults on demand, for tests: they exist only where the variable `FAULTS` is 1.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

thread_local! {
    static ORDERED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Where the next panic strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// In this isolate's next short way (see [`crate::at_hand`]).
    Front,
    /// In shard 0, at once.
    Shard,
    /// In the Pacer, at once.
    Pacer,
    /// In the Pacer's next beat, after its number was written.
    Alarm,
    /// In the Pacer, between the shards' answers to a cut and the close.
    AfterCut,
}

/// Panics, on purpose.
#[allow(clippy::panic)] // The point of it: what survives a bug is tested with one.
pub fn strike(fault: Fault) -> ! {
    panic!("injected fault {fault:?}")
}

/// Orders a fault of this isolate's front.
pub fn order(fault: Fault) {
    ORDERED.set(Some(fault));
}

/// Strikes if this fault was ordered.
pub fn strike_if_ordered(here: Fault) {
    if ORDERED.get() == Some(here) {
        strike(here);
    }
}
