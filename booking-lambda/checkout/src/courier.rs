//! Who hands tickets out: a function that the one who carries orders to their end brings along.

use std::fmt;
use std::sync::Arc;

use domain::items::{Order, Ticket};
use futures::future::BoxFuture;

/// Why tickets were not handed out now. They are tried again later.
#[derive(Debug, thiserror::Error)]
#[error("tickets were not sent: {0}")]
pub struct Unsent(pub String);

type Hand = dyn Fn(Order, Vec<Ticket>) -> BoxFuture<'static, Result<(), Unsent>> + Send + Sync;

/// Hands out the tickets of an order. Told more than once, it does so once for each revision of the order.
#[derive(Clone)]
pub struct Courier(Arc<Hand>);

impl Courier {
    /// A courier that does this.
    pub fn new(
        hand: impl Fn(Order, Vec<Ticket>) -> BoxFuture<'static, Result<(), Unsent>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(hand))
    }

    pub(crate) async fn hand_out(&self, order: &Order, tickets: Vec<Ticket>) -> Result<(), Unsent> {
        (self.0)(order.clone(), tickets).await
    }
}

impl fmt::Debug for Courier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Courier")
    }
}
