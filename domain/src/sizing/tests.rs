//! The requirements' table, computed; a failure says that plans made from it are wrong.

use super::cloud::{Course, bill};
use super::*;

fn close(name: &str, is: f64, want: f64) {
    assert!((is - want).abs() <= want * 0.03, "{name} is {is}, wanted about {want}");
}

#[test]
fn the_sizing_figures_are_reproduced() {
    let load = OnSale::SIZED_BY.load();
    close("orders until sold out", load.orders, 20_000.0);
    close("people per order", load.people_per_order, 100.0);
    close("map reads/s without a line", load.open_reads_per_s, 500_000.0);
    close("map bandwidth without a line", load.open_bytes_per_s, 6.3e9);
    close("holds/s without a line", load.open_holds_per_s, 25_000.0);
    close("shoppers inside", load.inside, 8_000.0);
    close("shoppers inside per order", load.inside_per_order, 0.4);
    close("map reads/s with the line", load.map_reads_per_s, 2_000.0);
    close("holds/s with the line", load.holds_per_s, 100.0);
    close("minutes to sell out", load.minutes_to_sell_out, 12.5);
    close("status checks/s", load.status_per_s, 130_000.0);
}

#[test]
fn variants() {
    let crowded = OnSale { admitted_per_minute: 6_000.0, ..OnSale::SIZED_BY };
    assert!(crowded.load().inside_per_order > 1.0, "more shoppers than orders: clicks collide");
    let small = OnSale { people: 30_000.0, ..OnSale::SIZED_BY };
    assert!(small.load().open_reads_per_s <= 7_500.0, "one database serves the map");
    close("derived rate", rate_per_s(50_000.0, 0.4, 600.0), 208.0);
    close("blind retries at p = 0.9", blind_retries(0.9), 10.0);
}

#[test]
fn waiting_is_most_of_the_bill_and_a_crowd_costs_no_fortune() {
    let items = bill(&OnSale::SIZED_BY, &Course::SIZED_BY);
    let (total, first) = (items.iter().map(cloud::Item::usd).sum::<f64>(), items[0].usd());
    close("Worker requests", items[0].millions, 249.7);
    close("US dollars", total, 84.0);
    assert!(first > total / 2.0, "{items:?}");
}
