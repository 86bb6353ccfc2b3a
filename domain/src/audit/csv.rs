//! The ledger as a table for other programs: RFC 4180, one line for each movement of money, oldest first.

use jiff::Timestamp;

use crate::items::LedgerLine;
use crate::time::WallMs;

/// The columns. Amounts are whole minor units of the currency; `line` counts an order's movements from 1.
const COLUMNS: [&str; 8] = ["time", "event", "order", "line", "movement", "amount_minor", "currency", "payment"];

/// These lines, in order of time, order and number, below a line of column names. Lines end in CR LF.
#[must_use]
pub fn ledger_csv(lines: &[LedgerLine]) -> String {
    let mut lines: Vec<&LedgerLine> = lines.iter().collect();
    lines.sort_by_key(|line| (line.wall, line.order, line.n));
    let head = record(&COLUMNS.map(str::to_owned));
    std::iter::once(head).chain(lines.into_iter().map(|line| record(&fields(line)))).collect()
}

fn fields(line: &LedgerLine) -> [String; 8] {
    [
        time(line.wall),
        line.event.to_string(),
        line.order.to_string(),
        line.n.to_string(),
        line.movement.to_string(),
        line.amount_minor.to_string(),
        line.currency.clone(),
        line.intent.clone(),
    ]
}

/// UTC, to the millisecond.
fn time(wall: WallMs) -> String {
    Timestamp::from_millisecond(wall.0).map_or_else(|_| wall.0.to_string(), |time| format!("{time:.3}"))
}

fn record(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\r\n"
}

/// In quotes where it must be.
fn quoted(field: &str) -> String {
    let plain = !field.contains([',', '"', '\r', '\n']);
    if plain { field.to_owned() } else { format!("\"{}\"", field.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{AccountId, OrderId};
    use crate::items::Movement;
    use crate::time::EventMs;

    fn line(n: u32, movement: Movement, wall: i64) -> LedgerLine {
        LedgerLine {
            event: "night".parse().expect("an id"),
            order: OrderId::derive(&AccountId::derive("test", "a"), "o"),
            n,
            movement,
            amount_minor: 10_450,
            currency: "EUR".into(),
            intent: "pi_1".into(),
            wall: WallMs(wall),
            at: EventMs(1),
        }
    }

    #[test]
    fn lines_come_in_order_below_the_columns() {
        let lines =
            [line(2, Movement::Capture, 1_796_032_923_456), line(1, Movement::Authorization, 1_796_032_920_000)];
        let order = lines[0].order;
        let expect = format!(
            "time,event,order,line,movement,amount_minor,currency,payment\r\n\
             2026-11-30T10:02:00.000Z,night,{order},1,authorization,10450,EUR,pi_1\r\n\
             2026-11-30T10:02:03.456Z,night,{order},2,capture,10450,EUR,pi_1\r\n"
        );
        assert_eq!(ledger_csv(&lines), expect);
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (field, written) in [("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\"")] {
            assert_eq!(quoted(field), written);
        }
    }
}
