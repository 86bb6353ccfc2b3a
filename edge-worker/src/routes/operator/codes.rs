//! `POST /codes`: presale codes. The whole list is checked before anything, the journal's line too, is written.

use std::collections::BTreeMap;

use domain::code::{self, Line, Terms};
use domain::draw::file_hash;
use domain::ids::EventId;
use domain::keys::{KeyKind, MasterKeys};
use domain::lane::{self, Access};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Desk;
use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{Call, OPERATOR_BODY_MAX};
use crate::objects;
use crate::operator::Act;
use crate::problem::{Code, Problem};
use crate::wire::{KeptCode, Use, View, shard_op};

/// Most findings that are named.
const FINDINGS_MAX: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Import {
    /// Lines `code,lane,uses[,from[,until]]`.
    codes: String,
}

/// Imports codes; one that is known gets its new terms and keeps its uses. Sent again it changes nothing.
pub async fn import(call: &mut Call, desk: &Desk<'_>) -> Answer {
    // Who may not is told nothing of the list.
    desk.ask::<Value>(call, Act::May).await?;
    let Import { codes } = call.json(OPERATOR_BODY_MAX).await?;
    let view = cache::view(&call.env, desk.event).await?;
    let lines = code::read_file(&codes).map_err(wrong)?;
    let kept = keep(&lines, &view, &call.config.keys)?;
    let by_lane = lines.iter().fold(BTreeMap::<&str, u64>::new(), |mut sum, line| {
        *sum.entry(line.lane.as_str()).or_default() += 1;
        sum
    });
    let what = json!({ "codes": lines.len(), "lanes": by_lane, "sha256": file_hash(codes.as_bytes()) });
    desk.ask::<Value>(call, Act::Pass { what }).await?;
    restore_uses(call, desk.event, &view).await?;
    let imported = lines.len();
    for (shard, codes) in group(kept, |kept| code::shard_of(&kept.code, view.event.shards)) {
        let stub = objects::shard(&call.env, desk.event, shard)?;
        let _: u64 = objects::ask(&stub, shard_op::CODES, &codes).await?;
    }
    answer::json(200, &json!({ "imported": imported }))
}

fn keep(lines: &[Line], view: &View, keys: &MasterKeys) -> Result<Vec<KeptCode>, Problem> {
    let key = view.event.lasting_key(keys, KeyKind::Code)?;
    let mut unknown = Vec::new();
    let mut kept = Vec::new();
    for line in lines {
        match lane::find(&view.event.lanes, &line.lane).filter(|(_, lane)| lane.access == Access::Codes) {
            Some((lane, _)) => {
                let terms = Terms { lane, uses: line.uses, from_ms: line.from_ms, until_ms: line.until_ms };
                kept.push(KeptCode { code: code::hash(&key, &line.code), terms });
            }
            None => unknown.push(format!("{:?} is not a lane of this event that takes codes", line.lane)),
        }
    }
    unknown.dedup();
    if unknown.is_empty() { Ok(kept) } else { Err(wrong(unknown)) }
}

fn wrong(mut findings: Vec<String>) -> Problem {
    findings.truncate(FINDINGS_MAX);
    Problem::from(Code::BadCodes).with("findings", findings)
}

/// A shard that lost its storage forgot who used its codes; the entries tell.
async fn restore_uses(call: &Call, event: &EventId, view: &View) -> Result<(), Problem> {
    let lanes = (1..).zip(&view.event.lanes).filter(|(_, lane)| lane.access == Access::Codes);
    for (line, _) in lanes {
        for shard in 0..view.event.shards_of(line) {
            let stub = objects::line_shard(&call.env, event, line, shard)?;
            let uses: Vec<Use> = objects::ask(&stub, shard_op::USES, &()).await?;
            for (shard, uses) in group(uses, |used| code::shard_of(&used.code, view.event.shards)) {
                let _: () = objects::ask(&objects::shard(&call.env, event, shard)?, shard_op::FOUND, &uses).await?;
            }
        }
    }
    Ok(())
}

fn group<T>(all: Vec<T>, shard: impl Fn(&T) -> u16) -> BTreeMap<u16, Vec<T>> {
    all.into_iter().fold(BTreeMap::new(), |mut groups, one| {
        groups.entry(shard(&one)).or_default().push(one);
        groups
    })
}
