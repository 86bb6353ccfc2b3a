//! `onsale plan`: what an on-sale of a given size asks, and what clouds charge for it. Arithmetic only: nothing is run.

use domain::sizing::OnSale;
use domain::sizing::cloud::{Course, Item, bill};

use super::args::PlanArgs;

pub(super) fn run(args: &PlanArgs) {
    let sized = OnSale::SIZED_BY;
    let sale = OnSale {
        people: f64::from(args.people),
        seats: f64::from(args.seats),
        tickets_per_order: args.tickets_per_order,
        admitted_per_minute: f64::from(args.rate_per_minute),
        ..sized
    };
    let course = Course { shards: f64::from(args.shards), ..Course::SIZED_BY };
    // A faster or slower on-sale waits as much longer than its own arithmetic as the one this is sized by.
    let slower = course.minutes_selling / sized.load().minutes_to_sell_out;
    let course = Course { minutes_selling: sale.load().minutes_to_sell_out * slower, ..course };
    print!("{}", text(&sale, &course));
}

fn text(sale: &OnSale, course: &Course) -> String {
    let load = sale.load();
    let mut lines: Vec<String> = [
        ("orders until sold out", load.orders, 0),
        ("people per order", load.people_per_order, 1),
        ("map reads/s without a line", load.open_reads_per_s, 0),
        ("map bandwidth without a line, GB/s", load.open_bytes_per_s / 1e9, 2),
        ("holds/s without a line", load.open_holds_per_s, 0),
        ("shoppers inside", load.inside, 0),
        ("shoppers inside per order (above 1 clicks collide)", load.inside_per_order, 2),
        ("map reads/s", load.map_reads_per_s, 0),
        ("holds/s", load.holds_per_s, 0),
        ("minutes to sell out, by arithmetic", load.minutes_to_sell_out, 1),
        ("looks at the status, each s", load.status_per_s, 0),
        ("joins/s that the shards take", course.shards * JOINS_PER_SHARD, 0),
    ]
    .map(|(what, figure, digits)| format!("{what:<52}{figure:>14.digits$}"))
    .into();
    let items = bill(sale, course);
    lines.push(format!("\n{:<40}{:>12}{:>14}{:>10}", "at list prices", "millions", "USD a million", "USD"));
    lines.extend(items.iter().map(line));
    lines.push(format!("{:<66}{:>10.2}\n", "in all", items.iter().map(Item::usd).sum::<f64>()));
    lines.join("\n")
}

/// Joins a second that one shard is planned for; above them the door slows down.
const JOINS_PER_SHARD: f64 = 500.0;

fn line(item: &Item) -> String {
    format!("{:<40}{:>12.3}{:>14.3}{:>10.2}", item.what, item.millions, item.usd_per_million, item.usd())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_names_load_and_money() {
        let plan = text(&OnSale::SIZED_BY, &Course::SIZED_BY);
        for part in ["people per order", "100.0", "Worker requests", "in all"] {
            assert!(plan.contains(part), "{part} is missing:\n{plan}");
        }
    }
}
