//! Counts of requests and refusals, as the edge keeps them: by kind and by stable code, never by person.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most different codes that are kept apart.
const MOST_CODES: usize = 100;
/// Longest code.
const LONGEST_CODE: usize = 40;
/// Under what all others are counted.
const OTHER: &str = "OTHER";

/// What a request below `/v1/events/{id}` is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The status file.
    Status,
    /// The seat map and its counts.
    Map,
    /// The event, its layout and its draws.
    Event,
    /// The door, joining, places, registration.
    Line,
    /// Claiming a turn.
    Admission,
    /// Holds.
    Holds,
    /// Orders and their tickets.
    Orders,
    /// The waiting list for returned seats.
    Waiting,
}

impl Kind {
    /// The kind of a path below the event, without a leading slash.
    pub fn of(path: &str) -> Self {
        match path.split(['/', '?']).next().unwrap_or_default() {
            "status.json" => Self::Status,
            "seatmap" => Self::Map,
            "line" | "door" | "registration" => Self::Line,
            "admission" => Self::Admission,
            "holds" => Self::Holds,
            "orders" => Self::Orders,
            "waiting" => Self::Waiting,
            _ => Self::Event,
        }
    }
}

/// Counts so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Requests by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requests: BTreeMap<Kind, u64>,
    /// Refusals by code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a request.
    pub fn request(&mut self, kind: Kind) {
        add(self.requests.entry(kind).or_default(), 1);
    }

    /// Counts a refusal. What is no code, or one too many, counts with the others.
    pub fn refusal(&mut self, code: &str) {
        self.refusals(code, 1);
    }

    fn refusals(&mut self, code: &str, count: u64) {
        let known = self.refused.contains_key(code) || (is_code(code) && self.refused.len() < MOST_CODES);
        add(self.refused.entry(if known { code } else { OTHER }.to_owned()).or_default(), count);
    }

    /// Adds what somebody else counted.
    pub fn add(&mut self, other: &Self) {
        other.requests.iter().for_each(|(kind, count)| add(self.requests.entry(*kind).or_default(), *count));
        other.refused.iter().for_each(|(code, count)| self.refusals(code, *count));
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty() && self.refused.is_empty()
    }

    /// Requests in all.
    pub fn requests_in_all(&self) -> u64 {
        self.requests.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Refusals in all.
    pub fn refused_in_all(&self) -> u64 {
        self.refused.values().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

fn add(to: &mut u64, more: u64) {
    *to = to.saturating_add(more);
}

fn is_code(word: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !word.is_empty() && word.len() <= LONGEST_CODE && word.bytes().all(allowed)
}
