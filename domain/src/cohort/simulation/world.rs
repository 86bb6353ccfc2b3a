//! Shards, a Pacer, fans and a network that does its worst. What is durable and what only memory is kept apart.

use crate::cohort::*;
use crate::ids::AccountId;
use crate::testing::Dice;
use crate::time::WallMs;
use crate::token::{Entrance, PlaceToken};
use std::collections::BTreeMap;

pub const SHARDS: u16 = 3;
pub const OPENING: WallMs = WallMs(10_000);
pub const SECRET: [u8; 32] = [42; 32];
const GRACE_MS: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faults {
    Crashes,
    WipedShards,
    WipedPacer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    On,
    Removed,
}

/// A shard's durable storage; `None` state means it was wiped (or is new) and must ask for a generation.
#[derive(Default)]
pub struct Store {
    pub state: Option<Shard>,
    pub logs: BTreeMap<u32, Vec<Leaf>>,
    pub accounts: BTreeMap<usize, Entry>,
    pub rows: Vec<Row>,
    pub beat: u64,
    pub skew_ms: i64,
}

#[derive(Default)]
pub struct Pacer {
    /// Durable: closed cohorts, generations granted (0 = none yet, else generation + 1), beat.
    pub rows: Vec<Row>,
    pub generations: Vec<u32>,
    pub beat: u64,
    /// Memory: the cut being made and the answers so far.
    pub cut: Option<Cut>,
    pub answers: Vec<CutAnswer>,
}

pub struct Fan {
    pub shard: u16,
    pub token: PlaceToken,
    pub place: Option<u64>,
    /// Came before the opening (by the shard's word) and its shard has never been wiped.
    pub early: bool,
}

#[derive(Clone)]
pub enum Message {
    Cut { to: u16, cut: Cut, beat: u64, rows: Vec<Row> },
    Answer(CutAnswer),
}

pub struct World {
    pub dice: Dice,
    pub faults: Faults,
    pub guard: Guard,
    pub now: WallMs,
    pub pacer: Pacer,
    pub shards: Vec<Store>,
    pub fans: Vec<Fan>,
    pub network: Vec<Message>,
}

impl World {
    pub fn new(seed: u64, faults: Faults, guard: Guard) -> Self {
        let mut dice = Dice(seed);
        let mut store = || Store { skew_ms: dice.below(401) as i64 - 200, ..Store::default() };
        let shards = (0..SHARDS).map(|_| store()).collect();
        let pacer = Pacer { generations: vec![0; SHARDS.into()], ..Pacer::default() };
        Self { dice, faults, guard, now: WallMs(9_300), pacer, shards, fans: vec![], network: vec![] }
    }

    pub fn step(&mut self) {
        self.now = self.now.plus(self.dice.below(40) as i64);
        match self.dice.below(100) {
            0..14 => self.join(),
            14..19 => self.beat(),
            19..79 => self.deliver(),
            79..92 => self.try_close(),
            92..97 => self.show_token(),
            97..99 => self.pacer.forget(),
            _ => self.wipe(),
        }
    }

    /// Faults end: messages arrive, everybody shows a token, beats go on until all is numbered.
    pub fn settle(&mut self) {
        self.now = self.now.max(OPENING.plus(GRACE_MS));
        for _ in 0..4 {
            let unnumbered = |fan: &usize| self.fans[*fan].place.is_none();
            (0..self.fans.len()).filter(unnumbered).collect::<Vec<_>>().into_iter().for_each(|fan| self.show(fan));
            self.now = self.now.plus(1_000);
            self.beat();
            while let Some(message) = self.network.pop() {
                self.receive(message, true);
            }
            self.try_close();
        }
        self.pacer.forget();
        self.beat();
        while let Some(message) = self.network.pop() {
            self.receive(message, true);
        }
        let again = |fan: &usize| self.fans[*fan].place.is_none() || fan.is_multiple_of(4);
        (0..self.fans.len()).filter(again).collect::<Vec<_>>().into_iter().for_each(|fan| self.show(fan));
    }

    fn shard_now(&self, shard: u16) -> WallMs {
        self.now.plus(self.shards[usize::from(shard)].skew_ms)
    }

    /// A fresh or wiped shard asks the Pacer for a generation. The answer may be lost: that generation is then never used.
    fn ready(&mut self, shard: u16, lossy: bool) -> bool {
        let at = usize::from(shard);
        if self.shards[at].state.is_some() {
            return true;
        }
        let granted = self.pacer.generations[at];
        self.pacer.generations[at] += 1;
        if lossy && self.dice.chance(20) {
            return false;
        }
        self.shards[at].state = Some(Shard::new(shard, granted, self.pacer.rows.last().map(Row::cut)));
        self.shards[at].rows = self.pacer.rows.clone();
        true
    }

    fn join(&mut self) {
        let name = self.fans.len();
        let account = AccountId::derive("sim", &name.to_string());
        let shard = shard_of(&account, SHARDS);
        let stamp_ms = if self.dice.chance(20) { self.dice.below(600) as i64 } else { 0 };
        if self.ready(shard, true) {
            let entry = self.append(shard, name, self.shard_now(shard).plus(-stamp_ms));
            let token = PlaceToken {
                account,
                shard,
                epoch: entry.epoch,
                index: entry.index,
                joined: entry.time,
                place: 0,
                cohort: 0,
                entrance: Entrance::default(),
                rev: 0,
                expires: WallMs(i64::MAX),
            };
            self.fans.push(Fan { shard, token, place: None, early: is_early(entry.epoch) });
        }
    }

    fn append(&mut self, shard: u16, name: usize, at: WallMs) -> Entry {
        let (guard, store) = (self.guard, &mut self.shards[usize::from(shard)]);
        let state = store.state.as_mut().expect("the shard is ready");
        let mut entry = state.append(OPENING, at);
        if guard == Guard::Removed && !is_early(entry.epoch) {
            entry.time = at.max(OPENING);
        }
        state.record(&entry);
        let pseudonym = pseudonym(&[1; 32], &AccountId::derive("sim", &name.to_string()));
        store.logs.entry(entry.epoch).or_default().push(Leaf { pseudonym, time: entry.time });
        store.accounts.insert(name, entry);
        entry
    }

    fn show_token(&mut self) {
        if !self.fans.is_empty() {
            let fan = self.dice.below(self.fans.len() as u64) as usize;
            self.show(fan);
        }
    }

    fn show(&mut self, name: usize) {
        let shard = self.fans[name].shard;
        if !self.ready(shard, false) {
            return;
        }
        let store = &self.shards[usize::from(shard)];
        let generation = store.state.as_ref().expect("the shard is ready").generation;
        let entry = match shown(&self.fans[name].token, store.accounts.get(&name), generation, &store.rows) {
            Shown::Known(entry) | Shown::Restore(entry) => entry,
            Shown::Reenter(time) => self.append(shard, name, time),
        };
        let store = &mut self.shards[usize::from(shard)];
        store.accounts.insert(name, entry);
        let row = covering(&store.rows, shard, entry.epoch, entry.index);
        let place = row.map(|row| row.place_of_entry(shard, &entry).expect("the row covers it"));
        let fan = &mut self.fans[name];
        (fan.token.epoch, fan.token.index, fan.token.joined) = (entry.epoch, entry.index, entry.time);
        if let Some(place) = place {
            assert!(fan.place.is_none_or(|known| known == place), "the place of fan {name} changed");
            fan.place = Some(place);
            (fan.token.place, fan.token.cohort) = (place, row.map_or(0, |r| r.k));
        }
    }

    fn beat(&mut self) {
        self.pacer.beat += 1;
        let Some(cut) = next_cut(self.pacer.rows.last(), OPENING, GRACE_MS, self.now) else { return };
        if self.pacer.cut != Some(cut) {
            (self.pacer.cut, self.pacer.answers) = (Some(cut), vec![]);
        }
        for to in 0..SHARDS {
            let message = Message::Cut { to, cut, beat: self.pacer.beat, rows: self.pacer.rows.clone() };
            self.network.push(message);
        }
    }

    /// One message arrives (any, so late ones too), gets lost, or arrives and stays in the network to arrive again.
    fn deliver(&mut self) {
        if self.network.is_empty() {
            return;
        }
        let newest = if self.dice.chance(60) { self.network.len().min(4) } else { self.network.len() };
        let at = self.network.len() - 1 - self.dice.below(newest as u64) as usize;
        let message = if self.dice.chance(15) { self.network[at].clone() } else { self.network.swap_remove(at) };
        if !self.dice.chance(15) {
            let stored = !self.dice.chance(10);
            self.receive(message, stored);
        }
    }

    /// `stored: false` is a crash of the receiver before it wrote anything.
    fn receive(&mut self, message: Message, stored: bool) {
        match message {
            Message::Answer(answer) if self.pacer.cut == Some(answer.cut) => self.pacer.answers.push(answer),
            Message::Cut { to, cut, beat, rows } if stored && self.ready(to, false) => {
                self.receive_cut(to, cut, beat, rows)
            }
            _ => {}
        }
    }

    fn receive_cut(&mut self, to: u16, cut: Cut, beat: u64, rows: Vec<Row>) {
        let store = &mut self.shards[usize::from(to)];
        if self.faults == Faults::WipedPacer && beat < store.beat {
            return;
        }
        store.beat = beat.max(store.beat);
        if rows.len() > store.rows.len() {
            store.rows = rows;
        }
        let state = store.state.as_ref().expect("the shard is ready");
        let range = state.cut_range(&cut);
        let log = store.logs.get(&range.epoch).map_or(&[][..], |log| &log[range.from as usize..]);
        let leaves: Vec<_> = log.iter().take_while(|l| range.below.is_none_or(|t| l.time < t)).copied().collect();
        if let Ok((next, answer)) = state.cut(&cut, &leaves) {
            store.state = Some(next);
            self.network.push(Message::Answer(answer)); // a crash after storing is this message's loss
        }
    }

    fn try_close(&mut self) {
        let Some(cut) = self.pacer.cut else { return };
        let generations: Vec<_> = self.pacer.generations.iter().map(|g| g.saturating_sub(1)).collect();
        if let Ok(Some(row)) = close(self.pacer.rows.last(), &cut, &generations, &self.pacer.answers, &SECRET) {
            self.pacer.rows.push(row);
            self.pacer.forget();
        }
    }
}
