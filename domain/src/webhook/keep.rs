//! Keep: a hint is stored under its order's key, before it is acknowledged.

use crate::items::{InboxItem, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::WallMs;
use crate::webhook::Hint;

/// One inbox item for each event of the provider; an event that comes again counts up, and so passes through the stream again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// What was told.
    pub hint: Hint,
    /// Wall time now.
    pub wall: WallMs,
}

/// There is no such order here: it belongs to another deployment at the same provider, or to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such order")]
pub struct NoOrder;

impl Rule for Keep {
    type Refusal = NoOrder;

    fn plan(&self) -> Result<Plan, NoOrder> {
        let Hint { event, kind, order } = &self.hint;
        let update = Update::new().set(attr::KIND, InboxItem::KIND).set(attr::TOLD, kind.as_str());
        let update = update.set(attr::WALL, self.wall.0).add(attr::NUMBER, 1);
        let kept = Write::update(key::inbox(order, event), Cond::Always, update);
        Ok(Plan::new(vec![Write::check(key::order(order), Cond::Exists), kept]))
    }

    fn explain(&self, _refused: &Refused) -> Next<Self, NoOrder> {
        Next::No(NoOrder) // the order's existence is the only condition
    }
}
