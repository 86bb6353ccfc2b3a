//! Telling the shards. A shard that fails catches up with a later beat and does not fail this one.

use std::collections::BTreeMap;

use domain::cohort::Row;
use domain::lane::{MAIN, MAX_LANES};
use domain::pace::share_late;
use domain::time::EventMs;
use futures_util::future::join_all;

use super::Pacer;
use super::lanes::LaneRows;
use super::store::Facts;
use crate::event::Edition;
use crate::objects::{self, BEAT_PATIENCE_MS};
use crate::problem::Problem;
use crate::wire::{Copy, MapText, Relay, RelayAnswer, shard_op};

/// What this beat has to say.
pub struct News {
    /// The beat.
    pub beat: u64,
    /// Time to the next.
    pub beat_ms: i64,
    /// Whether the on-sale is over.
    pub closed: bool,
    /// Event time of the decision.
    pub event_ms: EventMs,
    /// Places up to this one have let their turn lapse.
    pub lapsed: u64,
    /// The same for each lane beside the main line.
    pub lapsed_lanes: [u64; MAX_LANES],
    /// The rank up to which those who registered are invited.
    pub invited: u64,
    /// Revocation epoch.
    pub rev: u32,
    /// Turns for the late lane, by shard.
    pub turns: BTreeMap<u16, u64>,
    /// The status.
    pub status: Copy,
    /// The newest row.
    pub row: Option<Row>,
    /// The newest row of every other line.
    pub lanes: LaneRows,
    /// The seal file, while cohort 0 waits for the beacon.
    pub seal: Option<String>,
    /// What the shards keep for a Pacer that lost its storage.
    pub facts: Facts,
}

impl Pacer {
    /// Sends the news to every shard of every line, with map and event where the shard's are old.
    pub(super) async fn fan_out(&self, event: &Edition, news: &News) -> Result<(), Problem> {
        let lines = event.lines().map(|line| self.tell_line(event, news, line));
        join_all(lines).await.into_iter().collect()
    }

    async fn tell_line(&self, event: &Edition, news: &News, line: u8) -> Result<(), Problem> {
        let store = self.store()?;
        let mut known = store.line(line).shards()?;
        let maps = match line {
            MAIN => Maps {
                map: store.course()?.map.zip(store.map_text()?).map(|(version, text)| MapText { version, text }),
                counts: store.counts()?,
            },
            _ => Maps { map: None, counts: None },
        };
        let mut sent = Vec::new();
        for number in 0..event.shards_of(line) {
            let has = known.get(&number).cloned().unwrap_or_default();
            let relay = relay(event, news, (line, number), &has, &maps);
            sent.push((number, objects::line_shard(&self.env, &event.id, line, number)?, relay));
        }
        let calls =
            sent.iter().map(|(_, shard, relay)| objects::ask_within(shard, shard_op::RELAY, relay, BEAT_PATIENCE_MS));
        let answers: Vec<Result<RelayAnswer, Problem>> = join_all(calls).await;
        for ((number, ..), answer) in sent.iter().zip(answers) {
            // Unknown state: the next relay brings everything.
            let answer =
                answer.unwrap_or_else(|_| RelayAnswer { map: None, counts: None, edition: 0, ..has(&known, *number) });
            let before = has(&known, *number);
            if before.generation != answer.generation && !before.tally.is_empty() {
                store.add_tally_gone(&before.tally)?;
            }
            known.insert(*number, answer);
        }
        Ok(store.line(line).put_shards(&known)?)
    }
}

/// The map of this beat and its counts, read once for all shards.
struct Maps {
    map: Option<MapText>,
    counts: Option<MapText>,
}

/// What a shard does not have yet.
fn lacks(has: Option<i64>, text: Option<&MapText>) -> Option<MapText> {
    text.filter(|text| has != Some(text.version)).cloned()
}

/// The news for one shard. Only those of the main line keep copies for readers, late turns and the Pacer's facts.
fn relay(event: &Edition, news: &News, (line, number): (u8, u16), has: &RelayAnswer, maps: &Maps) -> Relay {
    let main = line == MAIN;
    let row = news.lanes.iter().find(|(lane, _)| *lane == line).and_then(|(_, row)| row.clone());
    Relay {
        beat: news.beat,
        beat_ms: news.beat_ms,
        closed: news.closed,
        event_ms: news.event_ms,
        lapsed: news.lapsed,
        rev: news.rev,
        lapsed_lanes: news.lapsed_lanes,
        invited: news.invited,
        turns: news.turns.get(&number).copied().filter(|_| main).unwrap_or_default(),
        status: news.status.clone(),
        map: lacks(has.map, maps.map.as_ref()),
        counts: lacks(has.counts, maps.counts.as_ref()),
        row: if main { news.row.clone() } else { row },
        seal: news.seal.clone().filter(|_| main),
        facts: if main { news.facts.clone() } else { Facts::new() },
        event: (event.edition != has.edition).then(|| event.clone()),
    }
}

/// Late turns by shard: to those who have waited longest.
pub fn late_turns(shards: &BTreeMap<u16, RelayAnswer>, turns: u64) -> BTreeMap<u16, u64> {
    let waiting =
        |(shard, answer): (&u16, &RelayAnswer)| answer.late.iter().map(|since| (*shard, *since)).collect::<Vec<_>>();
    share_late(turns, shards.iter().flat_map(waiting).collect())
}

fn has(known: &BTreeMap<u16, RelayAnswer>, number: u16) -> RelayAnswer {
    known.get(&number).cloned().unwrap_or_default()
}
