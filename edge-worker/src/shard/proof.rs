//! The Merkle proof of a fan's own entry under the root that its cohort's draw file shows.

use domain::cohort::{CutRange, entry_leaf, generation_of, pseudonym};
use domain::draw::{EntryProof, HexHash};
use domain::keys::KeyKind;
use domain::merkle::Tree;
use domain::time::WallMs;

use super::{Inner, numbers};
use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::wire::ProofAsk;

/// The proof. Entries of a log that was lost with its storage have none: their places rest on their tokens.
pub fn prove(inner: &Inner, config: &Config, ask: &ProofAsk) -> Result<EntryProof, Problem> {
    let row = numbers::covering(inner, ask.epoch, ask.index)?.ok_or(Code::NotNumbered)?;
    let len = row.log(inner.number, ask.epoch).map(|cut| cut.to).ok_or(Code::NotFound)?;
    let event = inner.facts.borrow().event.clone().ok_or(Code::NotFound)?;
    let key = event.lasting_key(&config.keys, KeyKind::Pseudonym)?;
    grow(inner, &key, ask.epoch)?;
    let trees = inner.trees.borrow();
    let path = trees.get(&ask.epoch).and_then(|tree| tree.proof(ask.index, len)).ok_or(Code::NotFound)?;
    Ok(EntryProof {
        event: inner.event.clone(),
        shard: inner.number,
        epoch: ask.epoch,
        index: ask.index,
        time_ms: ask.joined,
        pseudonym: pseudonym(&key, &ask.account),
        k: row.k,
        path: path.into_iter().map(HexHash).collect(),
    })
}

/// Brings the tree of a present log up to its last entry: kept in memory, 64 bytes an entry, built once in a shard's life.
fn grow(inner: &Inner, key: &[u8; 32], epoch: u32) -> Result<(), Problem> {
    let lives = inner.facts.borrow().shard.as_ref().map(|shard| shard.generation);
    if lives != Some(generation_of(epoch)) {
        return Err(Code::NotFound.into());
    }
    let mut trees = inner.trees.borrow_mut();
    let tree: &mut Tree = trees.entry(epoch).or_default();
    let range = CutRange { epoch, from: tree.len(), below: None::<WallMs> };
    let leaves = inner.store.leaves(&range, key)?;
    leaves.iter().for_each(|leaf| tree.push(entry_leaf(&leaf.pseudonym, leaf.time)));
    Ok(())
}
