//! `GET …/line/proof`: the fan's own entry, proved to be in the draw.

use domain::draw::EntryProof;
use domain::ids::EventId;

use super::line;
use crate::answer::{self, Answer};
use crate::call::Call;
use crate::objects;
use crate::problem::Code;
use crate::wire::{ProofAsk, shard_op};

/// The proof for the place that is shown, or for the account's.
pub async fn proof(call: &Call, event: &EventId) -> Answer {
    let (token, place) = line::place(call, event).await?;
    if place.number.is_none() {
        return Err(Code::NotNumbered.into());
    }
    let ask = ProofAsk { account: token.account, epoch: token.epoch, index: token.index, joined: token.joined };
    let shard = objects::line_shard(&call.env, event, token.entrance.lane, token.shard)?;
    let proof: EntryProof = objects::ask(&shard, shard_op::PROOF, &ask).await?;
    answer::json(200, &proof)
}
