//! The demo's stadium, half sold.

use std::collections::BTreeSet;
use std::io::Read as _;

use domain::choose::{FEWEST, MOST, Wish, best, few, suitable};
use domain::layout::Layout;
use domain::map::{Packed, pack};
use domain::plan_import::import;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const EVENT: &str = include_str!("../../../infra/onsale/demo/event.toml");
const PLAN: &[u8] = include_bytes!("../../../infra/onsale/demo/stadium-39350.json.gz");

fn stadium(sold: f64) -> (Layout, Vec<Vec<u8>>) {
    let mut plan = String::new();
    flate2::read::GzDecoder::new(PLAN).read_to_string(&mut plan).expect("a packed plan");
    let layout = import(EVENT, &plan).expect("the demo's event").layout;
    let mut dice = StdRng::seed_from_u64(7);
    let mut state = |_| if dice.random_bool(sold) { Packed::Sold } else { Packed::Free };
    let states =
        layout.sections.iter().map(|s| pack(&(0..s.seat_count()).map(&mut state).collect::<Vec<_>>())).collect();
    (layout, states)
}

/// Everybody sees the same map and draws one of the best few; who meets somebody faster knows these seats and draws again.
fn attempts(layout: &Layout, states: &[Vec<u8>], askers: u64, quantity: usize) -> f64 {
    let wish = Wish::of(quantity);
    let suitable = suitable(layout, states, &wish);
    let (mut taken, mut all) = (BTreeSet::new(), 0_u32);
    for asker in 0..askers {
        let mut dice = StdRng::seed_from_u64(asker);
        for lost in 0.. {
            let choices = best(layout, states, &wish, few(suitable, quantity, lost));
            let seats = choices[dice.random_range(0..choices.len())].seats(layout);
            all += 1;
            if seats.iter().all(|seat| !taken.contains(seat)) {
                taken.extend(seats);
                break;
            }
        }
    }
    f64::from(all) / askers as f64
}

#[test]
fn a_hundred_who_ask_at_once_hardly_get_in_each_others_way() {
    for sold in [0.0, 0.5] {
        let (layout, states) = stadium(sold);
        for quantity in [2, 4] {
            let mean = attempts(&layout, &states, 100, quantity);
            println!("{:.0} % sold, parties of {quantity}: {mean:.2} attempts each", sold * 100.0);
            assert!(mean <= 1.5, "{mean}");
        }
    }
}

#[test]
fn the_best_few_are_few() {
    let table =
        [(0, 2, 0, FEWEST), (1_000, 2, 0, FEWEST), (10_000, 2, 0, 100), (39_350, 2, 0, MOST), (39_350, 2, 1, 2 * MOST)];
    for (seats, quantity, lost, wanted) in table {
        assert_eq!(few(seats, quantity, lost), wanted, "{seats} {quantity} {lost}");
    }
}
