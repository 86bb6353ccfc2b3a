//! `GET …/draw/{k}.json`: how a cohort was drawn. Immutable while the on-sale lives.

use domain::ids::EventId;
use domain::lane::{self, REGISTRATION};

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::document::Document;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::shelf::Shelf;
use crate::wire::{RowAsk, shard_op};

thread_local! {
    static FILES: Shelf<Document> = const { Shelf::of(32) };
}

/// `GET …/draw/seal.json`: who is in cohort 0, from before the beacon's round was there. Never changes once it is there.
pub async fn seal(call: &Call, event: &EventId) -> Answer {
    let key = format!("{event}/draw/seal");
    let file = cache::for_ever(&call.env, &FILES, &key, async || cache::ask(&call.env, event, shard_op::SEAL).await);
    answer::document(call, "public, max-age=31536000, immutable", &*file.await?)
}

/// `GET …/lanes/{lane}/draw/{k}.json`: the same of a lane, or of those who registered (`registration`).
pub async fn of_lane(call: &Call, event: &EventId, lane: &str, name: &str) -> Answer {
    let k = number(name)?;
    let view = cache::view(&call.env, event).await?;
    let line = match lane {
        "registration" => REGISTRATION,
        id => lane::find(&view.event.lanes, id).ok_or(Code::LaneUnknown)?.0,
    };
    let key = format!("{event}/draw/{k}/{line}");
    let file = cache::for_ever(&call.env, &FILES, &key, async || {
        objects::ask(&objects::line_shard(&call.env, event, line, 0)?, shard_op::DRAW, &RowAsk { k }).await
    });
    answer::document(call, "public, max-age=31536000, immutable", &*file.await?)
}

fn number(name: &str) -> Result<u32, Problem> {
    name.strip_suffix(".json").and_then(|k| k.parse().ok()).ok_or_else(|| Code::NotFound.into())
}

/// The draw file of cohort `k`.
pub async fn file(call: &Call, event: &EventId, name: &str) -> Answer {
    let k = number(name)?;
    let key = format!("{event}/draw/{k}");
    let file = cache::for_ever(&call.env, &FILES, &key, async || {
        objects::ask(&objects::shard(&call.env, event, 0)?, shard_op::DRAW, &RowAsk { k }).await
    });
    answer::document(call, "public, max-age=31536000, immutable", &*file.await?)
}
