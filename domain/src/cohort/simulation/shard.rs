//! A shard of the simulation: the worker's steps, with storage and memory kept apart.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::world::{Message, OPENING, Rows, SHARDS, Seal, Told, Without, World};
use crate::cohort::*;
use crate::time::WallMs;

#[derive(Default)]
pub struct Store {
    /// Durable: the logs' state (`None`: it must ask who it is), the logs, entries by fan, copies of the Pacer's facts, and
    /// the highest beat heard or promised.
    pub state: Option<Shard>,
    pub logs: BTreeMap<u32, Vec<Leaf>>,
    pub accounts: BTreeMap<usize, Entry>,
    pub rows: Rows,
    seal: Seal,
    pub admitted: u64,
    pub beat: u64,
    /// Durable: the beat that brought the copies.
    copied: u64,
    /// Memory: the question to the Pacer that is under way.
    asking: u64,
    /// What is durable where memory runs ahead of it (a guard is off).
    unsaved: Option<Shard>,
    /// The difference of its clock, which no crash changes.
    pub skew_ms: i64,
}

impl Store {
    pub fn empty(skew_ms: i64) -> Self {
        Self { skew_ms, ..Self::default() }
    }

    pub fn crash(&mut self) {
        self.asking = 0;
        let Some(old) = self.unsaved.take() else { return };
        let len = |epoch| {
            let log = self.logs.get(&epoch);
            let last = log.and_then(|log| log.last()).map_or(WallMs(0), |leaf| leaf.time);
            LogLen { len: log.map_or(0, Vec::len) as u64, last }
        };
        let (early, later) = (len(early_epoch(old.generation)), len(later_epoch(old.generation)));
        self.state = Some(old.with_logs(early, later));
    }

    /// Appends a fan to the log; its pseudonym here is its number.
    fn append(&mut self, fan: usize, at: WallMs, floor: bool) -> Option<Entry> {
        let state = self.state.as_mut()?;
        let mut entry = state.append(OPENING, at);
        if !floor && !is_early(entry.epoch) {
            entry.time = at.max(OPENING).max(state.later.last);
        }
        state.record(&entry);
        self.logs.entry(entry.epoch).or_default().push(Leaf { pseudonym: name(fan), time: entry.time });
        self.accounts.insert(fan, entry);
        Some(entry)
    }

    /// Whether an entry is sealed and waits for its draw.
    fn sealed(&self, shard: u16, epoch: u32, index: u64) -> bool {
        self.rows.is_empty() && self.seal.iter().flat_map(|list| &list.cuts).any(|cut| cut.has(shard, epoch, index))
    }

    /// Where a fan's entry is found.
    pub fn found(&self, fan: usize, shard: u16, epoch: u32, index: u64) -> Found {
        match self.in_log(fan, epoch, index) {
            true => Found::Log,
            false if self.sealed(shard, epoch, index) => Found::Seal,
            false => Found::Nowhere,
        }
    }

    fn in_log(&self, fan: usize, epoch: u32, index: u64) -> bool {
        let leaf = self.logs.get(&epoch).and_then(|log| log.get(index as usize));
        leaf.is_some_and(|leaf| leaf.pseudonym == name(fan))
    }
}

fn name(fan: usize) -> [u8; 32] {
    [fan as u8; 32]
}

impl World {
    pub fn store(&mut self, shard: u16) -> &mut Store {
        &mut self.shards[usize::from(shard)]
    }

    pub fn enter(&mut self, shard: u16, fan: usize, at: WallMs) -> Option<Entry> {
        let floor = self.without != Without::CutIsFloor;
        self.store(shard).append(fan, at, floor)
    }

    /// Whether the shard knows who it is; else it asks, and whoever called must come again.
    pub fn ready(&mut self, shard: u16) -> bool {
        if self.store(shard).state.is_some() {
            return true;
        }
        let call = self.next_call();
        self.store(shard).asking = call;
        self.network.push(Message::Hello { shard, call });
        false
    }

    pub fn granted(&mut self, to: u16, call: u64, beat: u64, generation: u32, (rows, seal): (Rows, Seal)) {
        let floor = self.without != Without::SealIsFloor;
        let store = self.store(to);
        if store.state.is_some() || store.asking != call || is_late(beat, store.beat) {
            return;
        }
        let sealed = seal.as_ref().filter(|_| floor).map(|list| list.cut());
        store.state = Some(Shard::new(to, generation, rows.last().map(Row::cut).or(sealed)));
        store.seal = seal;
        // One less: the beat that is under way is news to this shard.
        (store.rows, store.beat) = (rows, store.beat.max(beat.saturating_sub(1)));
    }

    /// Whether a message of this beat may act here. If so the rows it brings are taken in.
    fn takes(&mut self, to: u16, beat: u64, rows: Rows) -> bool {
        let fenced = self.without != Without::Promise;
        let acts = self.ready(to) && !(fenced && is_late(beat, self.store(to).beat));
        if acts && rows.len() > self.store(to).rows.len() {
            self.store(to).rows = rows;
        }
        acts
    }

    pub fn cut(&mut self, to: u16, beat: u64, cut: &Cut, rows: Rows) {
        let durable = self.without != Without::DurableCut;
        let rows = if self.without == Without::RowBeforeCut { Rows::default() } else { rows };
        if !self.takes(to, beat, rows) {
            return;
        }
        let store = self.store(to);
        let Some(state) = store.state.clone() else { return };
        let range = state.cut_range(cut);
        let log = store.logs.get(&range.epoch).and_then(|log| log.get(range.from as usize..)).unwrap_or_default();
        let leaves: Vec<_> = log.iter().take_while(|l| range.below.is_none_or(|t| l.time < t)).copied().collect();
        if let Ok((next, answer)) = state.cut(cut, &leaves) {
            if !durable {
                store.unsaved.get_or_insert(state);
            }
            store.state = Some(next);
            self.network.push(Message::Answer { beat, answer });
        }
    }

    pub fn relayed(&mut self, to: u16, beat: u64, rows: Rows, (seal, admitted): (Seal, u64)) {
        if self.takes(to, beat, rows) && beat > self.store(to).beat {
            let store = self.store(to);
            (store.beat, store.copied, store.admitted) = (beat, beat, admitted);
            store.seal = seal.or(store.seal.take());
        }
    }

    /// Promises, then tells what is left. A shard without storage does so too.
    pub fn remains(&mut self, to: u16, call: u64, beat: u64) {
        let promise = self.without != Without::Promise;
        let store = self.store(to);
        let seen = store.beat;
        if promise {
            store.beat = store.beat.max(beat);
        }
        let generation = store.state.as_ref().map(|state| state.generation);
        let remains = Remains { shard: to, seen, generation, newest: store.rows.last().cloned() };
        let &mut Store { ref rows, copied, ref seal, admitted, .. } = store;
        let told = Told { remains, rows: Rc::clone(rows), copied, seal: seal.clone(), admitted };
        self.network.push(Message::Told { call, told });
    }

    pub fn wipe_shard(&mut self, shard: u16) {
        if self.left_without(Some(shard)) {
            *self.store(shard) = Store::empty(self.store(shard).skew_ms);
            self.fans.iter_mut().filter(|fan| fan.shard == shard).for_each(super::fan::Fan::lost);
        }
    }

    /// Whether what fans were told is left somewhere, if the Pacer's (`None`) or a shard's storage is lost as well.
    pub fn left_without(&self, lost: Option<u16>) -> bool {
        let holds = |rows: &Rows, admitted| rows.len() >= self.told.len() && admitted >= self.admitted;
        let pacer = lost.is_some() && self.pacer.alive && holds(&self.pacer.rows, self.pacer.admitted);
        let other = |shard: &u16| Some(*shard) != lost && self.shards[usize::from(*shard)].state.is_some();
        let shards = (0..SHARDS).filter(other).map(|shard| &self.shards[usize::from(shard)]);
        pacer || shards.into_iter().any(|store| holds(&store.rows, store.admitted))
    }
}
