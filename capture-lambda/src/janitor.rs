//! The janitor: sweeps overdue holds, and carries on every order that something left mid-step, whatever the
//! stream did. At last it sends the messages to organisers that are due.

use std::time::{Duration, Instant};

use checkout::sweep::{self, Broom};
use checkout::{Checkout, Terms, Unfinished, wall_now};
use domain::ids::{EventId, OrderId};
use domain::items::BUCKETS;
use domain::plan::Key;
use domain::time::{Clock, EventMs, WallMs};
use serde::Serialize;
use table::{Table, TableError};

use crate::herald::Herald;

/// What the janitor needs; built once.
#[derive(Debug)]
pub struct Janitor {
    table: Table,
    checkout: Checkout,
    herald: Option<Herald>,
}

/// What one run did.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Events looked after.
    pub events: u32,
    /// Overdue holds whose places were given back.
    pub swept: u32,
    /// Orders that were carried on.
    pub carried: u32,
    /// Orders that could not be carried on now.
    pub unfinished: u32,
    /// Messages that organisers took.
    pub told: u32,
}

/// An order that did not change for so long, in ms, has been left by whoever was at it: longer than a fan is kept waiting.
const LEFT_MS: i64 = 15_000;
/// The part of a run's minute in which new work is begun.
const BEGIN_WITHIN: Duration = Duration::from_secs(40);
/// Orders of one bucket that one run looks at.
const ORDERS: i32 = 50;
/// Holds of one bucket that one run sweeps.
const BROOM: Broom = Broom { per_bucket: 100, within_ms: 10_000 };

impl Janitor {
    /// Over this table and executor.
    #[must_use]
    pub const fn new(table: Table, checkout: Checkout) -> Self {
        Self { table, checkout, herald: None }
    }

    /// The same, which also sends messages to organisers.
    #[must_use]
    pub fn with_herald(self, herald: Herald) -> Self {
        Self { herald: Some(herald), ..self }
    }

    /// One run over all events.
    ///
    /// # Errors
    /// The events cannot be listed. Trouble with one event is logged and does not keep the others waiting.
    pub async fn run(&self) -> Result<Report, TableError> {
        let (begun, mut report) = (Instant::now(), Report::default());
        let events = self.table.noted_events().await?;
        for event in &events {
            match self.look_after(event, begun, &mut report).await {
                Ok(()) => report.events += 1,
                Err(error) => tracing::error!(%event, %error, "an event was not looked after"),
            }
        }
        report.told = self.tell(&events, begun + BEGIN_WITHIN).await;
        tracing::info!(report.events, report.swept, report.carried, report.unfinished, report.told, "janitor");
        Ok(report)
    }

    async fn tell(&self, events: &[EventId], until: Instant) -> u32 {
        let (Some(herald), mut told) = (&self.herald, 0) else { return 0 };
        for event in events {
            match herald.due(event, until).await {
                Ok(sent) => told += sent,
                Err(error) => tracing::error!(%event, %error, "an organiser was not told"),
            }
        }
        told
    }

    async fn look_after(&self, event: &EventId, begun: Instant, report: &mut Report) -> Result<(), TableError> {
        let Some(clock) = self.table.clock(event).await?.map(|item| item.clock) else { return Ok(()) };
        let card_limit = self.table.definition(event).await?.map(|definition| definition.limits.per_card);
        let (terms, wall) = (Terms { clock, card_limit }, wall_now());
        report.swept += sweep::holds(&self.table, event, sweep::ALL, clock.now(wall), BROOM).await;
        for bucket in 0..BUCKETS {
            for key in self.table.open_orders(event, bucket, left_before(&clock, wall), ORDERS).await? {
                if begun.elapsed() > BEGIN_WITHIN {
                    return Ok(());
                }
                self.carry(event, &key, &terms, report).await;
            }
        }
        Ok(())
    }

    async fn carry(&self, event: &EventId, key: &Key, terms: &Terms, report: &mut Report) {
        let Some(order) = key.pk.strip_prefix("ORDER#").and_then(|id| id.parse::<OrderId>().ok()) else { return };
        match self.checkout.advance(&order, terms).await {
            Ok(now) => {
                report.carried += 1;
                tracing::info!(%order, %event, state = %now.state, "an order was carried on");
            }
            Err(unfinished) => {
                report.unfinished += 1;
                tell(event, &order, &unfinished);
            }
        }
    }
}

/// What cannot be explained goes to a person.
fn tell(event: &EventId, order: &OrderId, unfinished: &Unfinished) {
    match unfinished {
        Unfinished::Provider(_) | Unfinished::Table(_) | Unfinished::Unsent(_) => {
            tracing::warn!(%order, %event, %unfinished, "an order is left for the next run")
        }
        _ => tracing::error!(%order, %event, %unfinished, "an order needs a person"),
    }
}

/// Orders that did not change since this event time have been left. While event time stands, all have: money does not wait
/// for an on-sale to be resumed, and whoever is still at one does the same steps.
fn left_before(clock: &Clock, wall: WallMs) -> EventMs {
    let stands = clock.run_ms == 0 || wall.since(clock.wall) > clock.run_ms + LEFT_MS;
    if stands { EventMs(i64::MAX) } else { clock.now(wall).plus(-LEFT_MS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_left_after_a_while_or_when_time_stands() {
        let clock = |run_ms| Clock { beat: 1, wall: WallMs(100_000), event: EventMs(50_000), run_ms };
        let table =
            [(3_000, 101_000, 36_000), (3_000, 110_000, 38_000), (3_000, 200_000, i64::MAX), (0, 101_000, i64::MAX)];
        for (run_ms, wall, before) in table {
            assert_eq!(left_before(&clock(run_ms), WallMs(wall)), EventMs(before), "{run_ms} {wall}");
        }
    }
}
