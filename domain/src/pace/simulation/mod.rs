//! The on-sale it is sized by, with the real pacing. `cargo test -p domain pace::simulation -- --nocapture` prints the curves.

mod sale;

use sale::{Inside, Outcome, People, Sale};

const SIZED: People =
    People { per_minute: Some(2_000), buy_percent: 80, no_show_percent: 0, idle_holds: false, counted: Inside::Active };

/// Orders that the seats make.
const ORDERS: u64 = 20_000;

fn run(name: &str, people: People) -> Outcome {
    let outcome = Sale::new(people).run(name);
    println!("{name}: {outcome:?}\n");
    outcome
}

#[test]
fn the_sizing_figures_sell_99_percent_within_18_minutes() {
    let outcome = run("2,000 a minute, 80 % buy, 4 minutes inside, the others leave without a hold", SIZED);
    assert!((12.5..=18.0).contains(&outcome.minutes_to_99), "{outcome:?}");
    assert!(outcome.most_inside <= 8_500, "{outcome:?}");
}

#[test]
fn no_shows_and_expiring_holds_slow_it_down_but_never_stop_it() {
    let people = People { no_show_percent: 10, idle_holds: true, ..SIZED };
    let outcome = run("the same with 10 % no-shows, and non-buyers who let holds expire", people);
    assert!(outcome.minutes_to_99 < 45.0, "{outcome:?}");
    assert!((880..=920).contains(&outcome.learned.shows), "the no-shows are learned: {outcome:?}");
}

/// At 6,000 a minute there are more shoppers than orders (at 2,000 it is 0.4 per order), and clicks collide.
#[test]
fn three_times_the_rate_makes_clicks_collide() {
    let (sized, hurried) =
        (run("2,000 a minute", SIZED), run("6,000 a minute", People { per_minute: Some(6_000), ..SIZED }));
    assert!(sized.most_inside < ORDERS / 2 && hurried.most_inside > ORDERS, "{sized:?} {hurried:?}");
    assert!(hurried.collisions > 2 * sized.collisions, "{} and {} collisions", hurried.collisions, sized.collisions);
}

/// Without a rate of the operator's it follows from seats, learned conversion and the time of a hold.
#[test]
fn a_derived_rate_sells_out_too() {
    let outcome = run("no rate given", People { per_minute: None, ..SIZED });
    assert!(outcome.minutes_to_99 < 18.0, "{outcome:?}");
    assert!(outcome.learned.buys > 500, "the conversion is learned: {outcome:?}");
}

/// The twin: counting everybody who has a session of 15 minutes as inside stalls the line.
#[test]
fn twin_counting_every_session_stalls() {
    let outcome = run("every session counts as inside", People { counted: Inside::EverySession, ..SIZED });
    assert!(outcome.minutes_to_99 > 36.0, "{outcome:?}");
}
