//! How long it takes to choose seats in the demo's stadium, half of it sold: `cargo run --release -p domain --example choose`.

use std::io::Read as _;
use std::time::{Duration, Instant};

use domain::choose::{Wish, best, few, suitable};
use domain::layout::Layout;
use domain::map::{Packed, pack};
use domain::plan_import::import;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const EVENT: &str = include_str!("../../infra/onsale/demo/event.toml");
const PLAN: &[u8] = include_bytes!("../../infra/onsale/demo/stadium-39350.json.gz");
const ROUNDS: usize = 200;

fn stadium() -> Layout {
    let mut plan = String::new();
    flate2::read::GzDecoder::new(PLAN).read_to_string(&mut plan).expect("a packed plan");
    import(EVENT, &plan).expect("the demo's event").layout
}

/// Half of the seats are sold: each by itself, or rows from the front on, with parties that left single seats.
fn half_sold(layout: &Layout, alone: bool) -> Vec<Vec<u8>> {
    let mut dice = StdRng::seed_from_u64(7);
    let mut of = |seats: usize| {
        let state = |at: usize| match () {
            () if alone => dice.random_bool(0.5),
            () => at < seats / 2 && !at.is_multiple_of(29),
        };
        pack(&(0..seats).map(state).map(|sold| if sold { Packed::Sold } else { Packed::Free }).collect::<Vec<_>>())
    };
    layout.sections.iter().map(|section| of(section.seat_count())).collect()
}

fn times(layout: &Layout, states: &[Vec<u8>], wish: &Wish) -> (Duration, Duration, usize) {
    let mut found = 0;
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let few = few(suitable(layout, states, wish), wish.quantity, 0);
            found = best(layout, states, wish, few).first().map_or(0, |choice| choice.pieces.len());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[ROUNDS / 2], times[ROUNDS - 1], found)
}

fn main() {
    let layout = stadium();
    for (what, alone) in [("each seat by itself", true), ("the front rows", false)] {
        let states = half_sold(&layout, alone);
        for quantity in [1, 2, 4, 6, 8, 12, 20] {
            let (median, most, pieces) = times(&layout, &states, &Wish::of(quantity));
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let seats = layout.seat_count();
            println!(
                "{seats} seats, {what}: party of {quantity}, {pieces} pieces: {:.2} ms, at most {:.2}",
                ms(median),
                ms(most)
            );
        }
    }
}
