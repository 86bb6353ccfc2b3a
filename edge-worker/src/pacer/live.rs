//! The operator's view: what the Pacer itself acts on.

use serde_json::json;

use super::Pacer;
use crate::problem::{Code, Problem};

/// Lines of the log in one view.
const LINES: i64 = 50;

impl Pacer {
    /// The on-sale as of the last beat.
    pub(super) fn live(&self) -> Result<String, Problem> {
        let store = self.store()?;
        let event = store.event()?.ok_or(Code::NotFound)?;
        let (course, orders) = (store.course()?, store.orders()?);
        let live = json!({
            "event": event.event,
            "beat": store.beat()?,
            "pulse": course.pulse,
            "orders": orders,
            "shards": store.shards()?,
            "log": store.log_lines(LINES)?,
        });
        Ok(live.to_string())
    }
}
