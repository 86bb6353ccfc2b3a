//! `GET …/draw/{k}.json`: how a cohort was drawn. Immutable while the on-sale lives.

use std::cell::RefCell;
use std::rc::Rc;

use domain::ids::EventId;

use crate::answer::{self, Answer};
use crate::call::Call;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{RowAsk, shard_op};

/// Draw files kept in an isolate's memory.
const KEPT: usize = 32;

thread_local! {
    static FILES: RefCell<Vec<(String, Rc<String>)>> = const { RefCell::new(Vec::new()) };
}

/// The draw file of cohort `k`.
pub async fn file(call: &Call, event: &EventId, name: &str) -> Answer {
    let k: u32 = name.strip_suffix(".json").and_then(|k| k.parse().ok()).ok_or(Code::NotFound)?;
    let key = format!("{event}/{k}");
    let known = FILES.with_borrow(|kept| kept.iter().find(|(at, _)| *at == key).map(|(_, text)| Rc::clone(text)));
    let text = match known {
        Some(text) => text,
        None => fetch(call, event, key, k).await?,
    };
    answer::json_cached("public, max-age=31536000, immutable", &text)
}

async fn fetch(call: &Call, event: &EventId, key: String, k: u32) -> Result<Rc<String>, Problem> {
    let text: String = objects::ask(&objects::shard(&call.env, event, 0)?, shard_op::DRAW, &RowAsk { k }).await?;
    let text = Rc::new(text);
    FILES.with_borrow_mut(|kept| {
        kept.truncate(KEPT - 1);
        kept.insert(0, (key, Rc::clone(&text)));
    });
    Ok(text)
}
