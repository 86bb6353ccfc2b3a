//! What one scripted fan was told, in its own words; the raw material of a rehearsal's figures.

use std::collections::BTreeMap;
use std::time::Duration;

use super::CallError;

/// How a fan's evening ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// Still at it, or given up by the script.
    #[default]
    Unfinished,
    /// Has a confirmed order.
    Bought,
    /// Was told that nothing is left.
    SoldOut,
    /// Came in, looked and left without buying, by its own habit.
    Left,
}

/// Everything a fan saw.
#[derive(Debug, Clone, Default)]
pub struct FanLog {
    /// Whether the line took the fan in.
    pub joined: bool,
    /// Every different place number the fan was ever told, in order; more than one is a fault.
    pub places: Vec<u64>,
    /// Seats of confirmed orders.
    pub seats: Vec<String>,
    /// Confirmed orders.
    pub orders: Vec<String>,
    /// Time of every call that asked for a hold and was answered.
    pub hold_times: Vec<Duration>,
    /// Refusals and errors by code.
    pub refusals: BTreeMap<String, u32>,
    /// The ending.
    pub ending: Ending,
}

impl FanLog {
    /// Notes a place number.
    pub fn told_place(&mut self, place: u64) {
        if self.places.last() != Some(&place) {
            self.places.push(place);
        }
    }

    /// Notes a refusal.
    pub fn refused(&mut self, error: &CallError) {
        *self.refusals.entry(error.code().to_owned()).or_default() += 1;
    }
}
