//! Money lines: append-only, one per movement at the provider, written in the transaction that changes the order's state.
//!
//! An order's first line is its authorization and its second, if money was taken, the capture; an order that ends unsold gets
//! all its lines when it ends, from what the provider then says of its intent. So no line rests on a guess, and a sum
//! over the lines is what the provider's own list must show.

use crate::items::{LedgerLine, Movement, Order, attr};
use crate::plan::{Cond, Update, Write};
use crate::provider::Intent;
use crate::time::{EventMs, WallMs};

/// When a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Event time.
    pub now: EventMs,
    /// Wall time.
    pub wall: WallMs,
}

/// What became of an order's money when nothing is set aside or kept any more, in minor units: what was authorized and not
/// captured is void, what was captured is given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Set aside on the card.
    pub authorized_minor: i64,
    /// Taken of it, and given back.
    pub captured_minor: i64,
}

impl Ended {
    /// No card was asked, or none said yes.
    pub const UNTOUCHED: Self = Self { authorized_minor: 0, captured_minor: 0 };

    /// As the provider's answer shows it. What it says of refunds is not asked: one may be done and not written down yet.
    #[must_use]
    pub const fn of(intent: &Intent) -> Self {
        Self { authorized_minor: intent.authorized_minor, captured_minor: intent.received_minor }
    }

    /// The lines that an order with `before` lines still lacks; `kept_minor` is what it paid less what went back before.
    fn lines(self, before: u32, kept_minor: i64) -> Vec<(Movement, i64)> {
        let back = if before < 2 { self.captured_minor } else { kept_minor.min(self.captured_minor) };
        let lines = [
            (Movement::Authorization, if before < 1 { self.authorized_minor } else { 0 }),
            (Movement::Capture, if before < 2 { self.captured_minor } else { 0 }),
            (Movement::Void, self.authorized_minor - self.captured_minor),
            (Movement::Refund, back),
        ];
        // A capture in full leaves nothing to void; amounts of nothing are no movement.
        lines.into_iter().filter(|(_, minor)| *minor > 0).collect()
    }
}

/// Writes the lines that the order lacks at its end.
pub(super) fn ending(order: &Order, ended: Ended, moment: Moment) -> Vec<Write> {
    let lines = ended.lines(order.lines, order.total_minor).into_iter().zip(order.lines..);
    lines.map(|((movement, minor), before)| line(order, before, movement, minor, moment)).collect()
}

/// The order's update, which counts its new lines too.
pub(super) fn counting(update: Update, lines: &[Write]) -> Update {
    match i64::try_from(lines.len()) {
        Ok(more @ 1..) => update.add(attr::NUMBER, more),
        _ => update,
    }
}

/// The line after the `before` ones that the order has.
pub(super) fn line(order: &Order, before: u32, movement: Movement, minor: i64, moment: Moment) -> Write {
    let line = LedgerLine {
        event: order.event.clone(),
        order: order.id,
        n: before + 1,
        movement,
        amount_minor: minor,
        currency: order.currency.clone(),
        intent: order.intent.clone().unwrap_or_default(),
        wall: moment.wall,
        at: moment.now,
    };
    Write::put(line.to_item(), Cond::Absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ended_order_gets_the_lines_it_lacks() {
        use Movement::{Authorization as A, Capture as C, Refund as R, Void as V};
        let ended = |authorized_minor, captured_minor| Ended { authorized_minor, captured_minor };
        let table = [
            (Ended::UNTOUCHED, 0, vec![]),
            (ended(900, 0), 0, vec![(A, 900), (V, 900)]),
            (ended(900, 0), 1, vec![(V, 900)]),
            (ended(900, 900), 0, vec![(A, 900), (C, 900), (R, 900)]),
            (ended(900, 900), 1, vec![(C, 900), (R, 900)]),
            (ended(900, 900), 3, vec![(R, 700)]),
            (ended(900, 600), 0, vec![(A, 900), (C, 600), (V, 300), (R, 600)]),
        ];
        for (ended, before, lines) in table {
            assert_eq!(ended.lines(before, 700), lines, "{ended:?} after {before}");
        }
    }
}
