//! The figures of a rehearsal, computed from three witnesses: the table, the payment provider's list and the
//! fans' own logs. Counters kept by the code under test are never asked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use domain::items::{OrderState, SeatState};
use domain::provider::{Intent, Status};
use serde::Serialize;

use crate::audit::{Books, Finding};
use crate::fan::FanLog;

/// The report, as `onsale rehearse --json` prints it.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Scripted fans.
    pub fans: usize,
    /// Seats on sale.
    pub seats: usize,
    /// Seats that the table calls sold.
    pub sold: usize,
    /// Seats that more than one order or fan has: must be 0.
    pub double_sold: usize,
    /// Orders that were ever confirmed.
    pub orders_confirmed: usize,
    /// Payments captured at the provider.
    pub captured: usize,
    /// Payments voided at the provider.
    pub voided: usize,
    /// Places that two fans were told: must be 0.
    pub places_duplicated: usize,
    /// Fans whose place changed or who joined and never got one: must be 0.
    pub places_lost: usize,
    /// Median time of a hold call, in milliseconds.
    pub hold_p50_ms: f64,
    /// 99th percentile of a hold call, in milliseconds.
    pub hold_p99_ms: f64,
    /// Refusals that fans met, by code.
    pub refusals: BTreeMap<String, u32>,
    /// What the audit found, and what was left over.
    pub findings: Vec<Finding>,
    /// The whole rehearsal, in milliseconds.
    pub elapsed_ms: u64,
    /// Whether every invariant holds.
    pub invariants_ok: bool,
}

/// Puts the witnesses side by side.
pub fn report(logs: &[FanLog], books: &Books, elapsed: Duration) -> Report {
    let hold_times = sorted_ms(logs);
    let mut report = Report {
        fans: logs.len(),
        seats: books.seats.len(),
        sold: books.seats.values().filter(|seat| seat.state == SeatState::Sold).count(),
        double_sold: double_sold(logs, books),
        orders_confirmed: books.orders.values().filter(|order| was_confirmed(order.state)).count(),
        captured: books.payments.iter().filter(|payment| payment.received_minor > 0).count(),
        voided: books.payments.iter().filter(|payment| is_voided(payment)).count(),
        places_duplicated: places_duplicated(logs),
        places_lost: logs.iter().filter(|log| log.joined && log.places.len() != 1).count(),
        hold_p50_ms: percentile(&hold_times, 0.50),
        hold_p99_ms: percentile(&hold_times, 0.99),
        refusals: refusals(logs),
        findings: crate::audit::check_at_rest(books),
        elapsed_ms: elapsed.as_millis() as u64,
        invariants_ok: false,
    };
    report.invariants_ok = holds(&report);
    report
}

/// Whether an order in this state was ever sold.
const fn was_confirmed(state: OrderState) -> bool {
    state.owns_seats() || matches!(state, OrderState::Cancelled | OrderState::Refunded | OrderState::Released)
}

fn is_voided(payment: &Intent) -> bool {
    payment.status == Status::Canceled && payment.authorized_minor > 0
}

fn holds(report: &Report) -> bool {
    report.double_sold == 0
        && report.places_duplicated == 0
        && report.places_lost == 0
        && report.captured == report.orders_confirmed
        && report.findings.is_empty()
}

/// Seats with more than one owner, in the table's orders or in what fans were told.
fn double_sold(logs: &[FanLog], books: &Books) -> usize {
    let told = logs.iter().flat_map(|log| log.seats.iter().map(String::as_str));
    let owners = books.orders.values().filter(|order| order.state.owns_seats());
    let ordered = owners.flat_map(|order| order.places.seats.iter().map(|line| line.seat.as_str()));
    counted_twice(told).union(&counted_twice(ordered)).count()
}

fn counted_twice<'a>(seats: impl Iterator<Item = &'a str>) -> HashSet<&'a str> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for seat in seats {
        *counts.entry(seat).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(seat, _)| seat).collect()
}

fn places_duplicated(logs: &[FanLog]) -> usize {
    let all: Vec<u64> = logs.iter().flat_map(|log| log.places.first()).copied().collect();
    all.len() - all.iter().collect::<HashSet<_>>().len()
}

fn refusals(logs: &[FanLog]) -> BTreeMap<String, u32> {
    let mut all = BTreeMap::new();
    for (code, count) in logs.iter().flat_map(|log| &log.refusals) {
        *all.entry(code.clone()).or_default() += count;
    }
    all
}

fn sorted_ms(logs: &[FanLog]) -> Vec<f64> {
    let mut all: Vec<f64> =
        logs.iter().flat_map(|log| &log.hold_times).map(|took| took.as_secs_f64() * 1000.0).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// The value at share `p` of a sorted list (nearest rank); 0 for an empty one.
pub fn percentile(sorted: &[f64], p: f64) -> f64 {
    let rank = (p * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(place: u64, seats: &[&str]) -> FanLog {
        let seats = seats.iter().map(|seat| (*seat).to_owned()).collect();
        FanLog { joined: true, places: vec![place], seats, ..FanLog::default() }
    }

    #[test]
    fn a_seat_told_to_two_fans_is_seen() {
        let logs = [log(1, &["A-1-1"]), log(2, &["A-1-1", "A-1-2"])];
        let report = report(&logs, &Books::default(), Duration::ZERO);
        assert_eq!((report.double_sold, report.invariants_ok), (1, false));
    }

    #[test]
    fn a_place_told_to_two_fans_is_seen() {
        let report = report(&[log(7, &[]), log(7, &[])], &Books::default(), Duration::ZERO);
        assert_eq!((report.places_duplicated, report.invariants_ok), (1, false));
    }

    #[test]
    fn a_fan_who_joined_and_got_no_number_lost_the_place() {
        let fan = FanLog { joined: true, ..FanLog::default() };
        let report = report(&[fan], &Books::default(), Duration::ZERO);
        assert_eq!((report.places_lost, report.invariants_ok), (1, false));
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        let sorted = [1.0, 2.0, 3.0, 4.0];
        assert_eq!((percentile(&sorted, 0.5), percentile(&sorted, 0.99), percentile(&[], 0.5)), (2.0, 4.0, 0.0));
    }
}
