//! What a test can make the simulator do wrong: `POST /_control`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::operation::Operation;

/// The switches, kept in memory only: a restart heals everything.
#[derive(Debug, Clone)]
pub(super) struct Faults {
    /// How long a reply is kept back after its effect, per operation, in milliseconds.
    delay_ms: BTreeMap<Operation, u64>,
    /// How many of the next replies are lost after their effect.
    lose_reply: BTreeMap<Operation, u64>,
    /// How many of the next requests fail with 500 before any effect, remembered under their key.
    server_error: BTreeMap<Operation, u64>,
    /// Every request is answered 503 and has no effect.
    pub outage: bool,
    /// The same until this time, in milliseconds since 1970.
    pub outage_until_ms: i64,
    /// How far the simulator's clock is ahead, in milliseconds.
    pub ahead_ms: i64,
    /// Every capture is refused by the card.
    pub decline_capture: bool,
    /// How long `pm_card_slow` takes, in milliseconds.
    pub slow_ms: i64,
    /// Events are kept back.
    pub hold_events: bool,
    /// How often an event is sent again though it was taken.
    pub event_copies: u32,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            delay_ms: BTreeMap::new(),
            lose_reply: BTreeMap::new(),
            server_error: BTreeMap::new(),
            outage: false,
            outage_until_ms: 0,
            ahead_ms: 0,
            decline_capture: false,
            slow_ms: 8_000,
            hold_events: false,
            event_copies: 0,
        }
    }
}

/// A change of the switches; what it does not name stays as it is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Control {
    delay_ms: Option<BTreeMap<Operation, u64>>,
    lose_reply: Option<BTreeMap<Operation, u64>>,
    server_error: Option<BTreeMap<Operation, u64>>,
    outage: Option<bool>,
    /// An outage of so many milliseconds from now on.
    outage_ms: Option<i64>,
    /// The clock goes so many milliseconds ahead, once.
    advance_ms: Option<i64>,
    decline_capture: Option<bool>,
    slow_ms: Option<i64>,
    hold_events: Option<bool>,
    event_copies: Option<u32>,
}

impl Faults {
    /// Sets what `control` names.
    pub fn set(&mut self, control: Control, now_ms: i64) {
        self.delay_ms.extend(control.delay_ms.unwrap_or_default());
        self.lose_reply.extend(control.lose_reply.unwrap_or_default());
        self.server_error.extend(control.server_error.unwrap_or_default());
        self.outage = control.outage.unwrap_or(self.outage);
        self.outage_until_ms = control.outage_ms.map_or(self.outage_until_ms, |ms| now_ms + ms);
        self.ahead_ms += control.advance_ms.unwrap_or(0);
        self.decline_capture = control.decline_capture.unwrap_or(self.decline_capture);
        self.slow_ms = control.slow_ms.unwrap_or(self.slow_ms);
        self.hold_events = control.hold_events.unwrap_or(self.hold_events);
        self.event_copies = control.event_copies.unwrap_or(self.event_copies);
    }

    /// How long to keep this reply back, in milliseconds.
    pub fn delay_ms(&self, operation: Operation) -> u64 {
        self.delay_ms.get(&operation).copied().unwrap_or(0)
    }

    /// Whether this reply is one of those to be lost.
    pub fn loses(&mut self, operation: Operation) -> bool {
        take_one(&mut self.lose_reply, operation)
    }

    /// Whether this request is one of those to fail.
    pub fn fails(&mut self, operation: Operation) -> bool {
        take_one(&mut self.server_error, operation)
    }
}

fn take_one(counts: &mut BTreeMap<Operation, u64>, operation: Operation) -> bool {
    match counts.get_mut(&operation) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}
