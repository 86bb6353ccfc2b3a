//! What operators order. An order is written before it is acknowledged, and beats read it after every await.

use domain::edge_event::check_change;

use super::Pacer;
use crate::clock;
use crate::event::{EdgeEvent, Edition, findings};
use crate::problem::{Code, Problem};
use crate::wire::Command;

impl Pacer {
    /// Takes an order.
    pub(super) async fn command(&self, command: Command) -> Result<String, Problem> {
        let store = self.store()?;
        store.event()?.ok_or(Code::NotFound)?;
        let mut orders = store.orders()?;
        let line = match command {
            Command::Pause { reason } => {
                let line = format!("paused: {reason}");
                orders.paused = Some(reason);
                line
            }
            Command::Resume => {
                orders.paused = None;
                "resumed".into()
            }
            Command::Rate { per_minute } => {
                orders.rate = Some(per_minute);
                format!("rate set to {per_minute} a minute")
            }
            Command::Close => {
                orders.closed = true;
                "closed".into()
            }
        };
        store.put_orders(&orders)?;
        store.log(clock::now(), &line)?;
        self.arm_soon().await?;
        Ok(serde_json::to_string(&orders)?)
    }

    /// Stores the event, as a new edition if it differs, and starts the heart.
    pub(super) async fn put(&self, event: EdgeEvent) -> Result<String, Problem> {
        let store = self.store()?;
        let known = store.event()?;
        let joined = store.shards()?.values().map(|shard| shard.entries).sum();
        if let Some(known) = &known {
            findings(&check_change(known, &event, joined, clock::now()))?;
        }
        let edition = known.as_ref().map_or(0, |known| known.edition);
        if known.as_ref().is_none_or(|known| known.event != event) {
            store.put_event(&Edition { edition: edition + 1, event: event.clone() })?;
            store.log(clock::now(), &format!("edition {}", edition + 1))?;
        }
        self.arm_soon().await?;
        Ok(serde_json::to_string(&event)?)
    }
}
