//! What clouds count of an on-sale, and charge by their lists.
//!
//! Counts per request follow from the code; what stands behind each is said beside it. Included amounts, taxes, discounts
//! and traffic are left out.

use super::OnSale;

/// How an on-sale runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// How long before the opening people wait, in minutes, on average.
    pub minutes_before: f64,
    /// From the opening until all is sold, in minutes.
    pub minutes_selling: f64,
    /// Shards of the line.
    pub shards: f64,
    /// Data centres with readers.
    pub data_centres: f64,
}

impl Course {
    /// The course that this system is sized by: 99 % are sold 18 minutes after the opening.
    pub const SIZED_BY: Self = Self { minutes_before: 12.0, minutes_selling: 18.0, shards: 64.0, data_centres: 300.0 };

    fn seconds(&self) -> f64 {
        (self.minutes_before + self.minutes_selling) * 60.0
    }
}

/// A counted thing and its price.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What is counted.
    pub what: &'static str,
    /// How many, in millions.
    pub millions: f64,
    /// Price of a million, in US dollars.
    pub usd_per_million: f64,
}

impl Item {
    /// What it costs, in US dollars.
    pub fn usd(&self) -> f64 {
        self.millions * self.usd_per_million
    }
}

/// Calls of the Worker that a fan makes once: page, event, joining, and the draw file or the number.
const CALLS_OF_A_FAN: f64 = 4.0;
/// Calls of a shopper beside map and holds: admission, layout, an order and two looks at it.
const CALLS_OF_A_SHOPPER: f64 = 5.0;
/// CPU of a call, in milliseconds: above what the hottest ones took on the bare runtime (docs/figures.md).
const CPU_MS: f64 = 0.2;
/// Calls to shards a second by the readers of a data centre: a status, two maps, and now and then the event.
const READS_PER_S: f64 = 3.5;
/// Gigabytes of an object's memory that are charged.
const OBJECT_GB: f64 = 0.128;
/// Rows that a join writes: the entry, and its line in the index by account.
const ROWS_OF_A_JOIN: f64 = 2.0;
/// Rows that a beat writes in a shard: cut, row, reach, status, mark, and now and then the map.
const ROWS_OF_A_BEAT: f64 = 6.0;
/// Write units of a hold: 2.5 seats, hold and usage, each twice in a transaction, and one for the index.
const UNITS_OF_A_HOLD: f64 = 10.0;
/// Write units of an order from claim to delivery: some 18 items, each twice.
const UNITS_OF_AN_ORDER: f64 = 36.0;
/// Calls of functions by an order: itself, two looks at it, and its records in the stream.
const CALLS_OF_AN_ORDER: f64 = 5.0;
/// Gigabyte-seconds of a function's call: half a gigabyte for a tenth of a second.
const CALL_GB_S: f64 = 0.05;

/// What is counted, at list prices:
/// * Cloudflare Workers and Durable Objects, paid plan, as their price pages said in August 2026
///   (developers.cloudflare.com/workers/platform/pricing and …/durable-objects/platform/pricing);
/// * DynamoDB on demand in us-east-1, in force since November 2024 (aws.amazon.com/dynamodb/pricing/on-demand);
/// * Lambda on arm64, as of September 2026 (aws.amazon.com/lambda/pricing).
pub fn bill(sale: &OnSale, course: &Course) -> Vec<Item> {
    let (load, shoppers, seconds) = (sale.load(), sale.admitted(), course.seconds());
    let holds = shoppers * sale.attempts;
    let inside = sale.map_loads_per_minute * sale.minutes_inside + sale.attempts + CALLS_OF_A_SHOPPER;
    let looks = load.status_per_s * seconds;
    let calls = looks + sale.people * CALLS_OF_A_FAN + shoppers * inside;
    // Each beat cuts and tells every shard.
    let beats = seconds * (2.0 * course.shards + 1.0);
    // Joining, and for those who come after the opening asking for the number: at most everybody.
    let objects = 2.0 * sale.people + shoppers + beats + course.data_centres * READS_PER_S * seconds;
    let rows = sale.people * ROWS_OF_A_JOIN + seconds * course.shards * ROWS_OF_A_BEAT;
    let units = holds * UNITS_OF_A_HOLD + load.orders * UNITS_OF_AN_ORDER + 2.0 * seconds;
    let functions = holds + load.orders * CALLS_OF_AN_ORDER + seconds;
    let item = |what, count: f64, usd_per_million| Item { what, millions: count / 1e6, usd_per_million };
    vec![
        item("Worker requests", calls, 0.30),
        item("Worker CPU, ms", calls * CPU_MS, 0.02),
        item("Durable Object requests", objects, 0.15),
        item("Durable Object time, GB-s", (course.shards + 1.0) * OBJECT_GB * seconds, 12.50),
        item("Durable Object rows written", rows, 1.00),
        item("DynamoDB write units", units, 0.625),
        item("Lambda requests", functions, 0.20),
        item("Lambda time, GB-s", functions * CALL_GB_S, 13.3334),
    ]
}
