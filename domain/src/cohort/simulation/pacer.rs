//! The Pacer of the simulation: the worker's steps, each on its own, with storage and memory kept apart.

use std::rc::Rc;

use super::world::{GRACE_MS, Message, OPENING, Rows, SHARDS, Seal, Told, Without, World};
use crate::cohort::*;

pub const SECRET: [u8; 32] = [42; 32];

#[derive(Default)]
pub struct Pacer {
    /// Durable: whether there is an event; beat, rows, seal, generations, admitted places; the beat that a recovery asks with.
    pub alive: bool,
    pub beat: u64,
    pub rows: Rows,
    seal: Seal,
    pub grants: Grants,
    pub admitted: u64,
    recovery: u64,
    /// Memory: the cut of this beat, what was in force when it was sent, the answers.
    cut: Option<Cut>,
    asked: Grants,
    answers: Vec<CutAnswer>,
    /// Memory: the recovery's question, and what was told.
    call: u64,
    told: Vec<Told>,
    /// What is durable where memory runs ahead of it (a guard is off).
    unsaved: Option<Rows>,
}

impl Pacer {
    pub fn new() -> Self {
        Self { alive: true, ..Self::default() }
    }

    pub fn crash(&mut self) {
        (self.cut, self.answers, self.call, self.told) = (None, vec![], 0, vec![]);
        self.rows = self.unsaved.take().unwrap_or_else(|| Rc::clone(&self.rows));
    }
}

impl World {
    pub fn beat(&mut self) {
        if !self.pacer.alive {
            return self.ask_on(self.pacer.recovery);
        }
        self.pacer.beat += 1;
        self.pacer.asked = self.pacer.grants.clone();
        if self.without != Without::AnswerOfBeat {
            self.pacer.answers.clear();
        }
        let next = next_cut(self.pacer.rows.last(), OPENING, GRACE_MS, self.now);
        self.pacer.cut = next.filter(|_| self.pacer.seal.is_none());
        let (Some(cut), beat) = (self.pacer.cut, self.pacer.beat) else { return };
        let rows = &self.pacer.rows;
        let cut = |to| Message::Cut { to, beat, cut, rows: Rc::clone(rows) };
        self.network.extend((0..SHARDS).map(cut));
    }

    pub fn answered(&mut self, beat: u64, answer: CutAnswer) {
        let expected = beat == self.pacer.beat || self.without == Without::AnswerOfBeat;
        if expected && self.pacer.cut == Some(answer.cut) {
            self.pacer.answers.push(answer);
        }
    }

    /// Draws what is sealed, or closes what was cut; cohort 0 is sealed first.
    pub fn close(&mut self) {
        if let Some(list) = self.pacer.seal.take() {
            return self.insert(Sealed::clone(&list).draw(&SECRET, None));
        }
        let Some(cut) = self.pacer.cut.filter(|_| self.pacer.alive) else { return };
        let pacer = &mut self.pacer;
        pacer.grants.heard(&pacer.asked, &pacer.answers);
        let mut in_force = pacer.grants.in_force(SHARDS);
        if self.without == Without::Generations {
            let lives = |a: &CutAnswer| (usize::from(a.shard), generation_of(a.logs[0].epoch));
            pacer.answers.iter().map(lives).for_each(|(shard, lives)| in_force[shard] = lives);
        }
        if self.without == Without::DrawWaits {
            let answered = pacer.answers.iter().map(|a| a.shard + 1).max().unwrap_or(0);
            in_force.truncate(answered.into());
        }
        let Ok(Some(list)) = seal(pacer.rows.last(), &cut, &in_force, &pacer.answers) else { return };
        pacer.cut = None;
        match cut.k {
            0 => pacer.seal = Some(Rc::new(list)),
            _ => self.insert(list.draw(&SECRET, None)),
        }
    }

    fn insert(&mut self, row: Row) {
        let pacer = &mut self.pacer;
        if self.without == Without::InsertIsClose {
            pacer.unsaved.get_or_insert(Rc::clone(&pacer.rows));
        }
        Rc::make_mut(&mut pacer.rows).push(row);
    }

    pub fn relay(&mut self) {
        if !self.pacer.alive {
            return;
        }
        let given = self.pacer.rows.last().map_or(0, Row::given);
        self.pacer.admitted = (self.pacer.admitted + 1).min(given);
        let Pacer { beat, admitted, .. } = self.pacer;
        for to in 0..SHARDS {
            let (rows, seal) = (Rc::clone(&self.pacer.rows), self.pacer.seal.clone());
            self.network.push(Message::Relay { to, beat, rows, seal, admitted });
        }
    }

    pub fn hello(&mut self, shard: u16, call: u64) {
        let (beat, pacer) = (self.pacer.beat, &mut self.pacer);
        if let Some(generation) = pacer.grants.grant(shard, beat).filter(|_| pacer.alive) {
            let (rows, seal) = (Rc::clone(&pacer.rows), pacer.seal.clone());
            self.network.push(Message::Granted { to: shard, call, beat, generation, rows, seal });
        }
    }

    pub fn wipe_pacer(&mut self) {
        if self.left_without(None) {
            self.pacer = Pacer::default();
        }
    }

    /// Asks every shard what it has, and to promise this beat.
    fn ask_on(&mut self, beat: u64) {
        let call = self.next_call();
        (self.pacer.recovery, self.pacer.call, self.pacer.told) = (beat, call, vec![]);
        (0..SHARDS).for_each(|to| self.network.push(Message::Ask { to, call, beat }));
    }

    pub fn told_remains(&mut self, call: u64, told: Told) {
        if self.pacer.alive || call != self.pacer.call {
            return;
        }
        self.pacer.told.retain(|other| other.remains.shard != told.remains.shard);
        self.pacer.told.push(told);
        let mut told: Vec<_> = self.pacer.told.iter().map(|told| told.remains.clone()).collect();
        if self.without == Without::RestoreWaits && told.iter().any(|told| told.generation.is_some()) {
            let missing = |shard: &u16| told.iter().all(|t| t.shard != *shard);
            let nothing = |shard| Remains { shard, seen: 0, generation: None, newest: None };
            told.extend((0..SHARDS).filter(missing).map(nothing).collect::<Vec<_>>());
        }
        match recover(SHARDS, self.pacer.recovery, &told) {
            Ok(Recovery::New) => self.pacer = Pacer::new(),
            Ok(Recovery::Ask(beat)) => self.ask_on(beat),
            Ok(Recovery::Restore { beat, rows, grants }) => self.restore(beat, rows, grants),
            Err(CannotRecover::Silent(_)) => {}
            Err(torn @ CannotRecover::Torn(_)) => self.fail(torn.to_string()),
        }
    }

    fn restore(&mut self, beat: u64, from: Option<u16>, grants: Grants) {
        let told = std::mem::take(&mut self.pacer.told);
        let rows = told.iter().find(|told| Some(told.remains.shard) == from).map(|told| Rc::clone(&told.rows));
        let admitted = told.iter().map(|told| told.admitted).max().unwrap_or_default();
        let newest = told.iter().max_by_key(|told| (told.copied, told.seal.is_some()));
        let seal =
            newest.and_then(|told| told.seal.clone()).filter(|_| rows.as_ref().is_none_or(|rows| rows.is_empty()));
        let fresh = self.without != Without::FreshGenerations;
        let grants = if fresh { grants } else { as_told(told.iter().map(|told| &told.remains)) };
        self.pacer = Pacer { beat, rows: rows.unwrap_or_default(), seal, grants, admitted, ..Pacer::new() };
        if admitted < self.admitted {
            self.fail(format!("place {} was admitted, and now {admitted} is the last", self.admitted));
        }
    }
}

/// Generations that go on where the shards' own words end: a shard without storage begins at the first again.
fn as_told<'a>(told: impl Iterator<Item = &'a Remains>) -> Grants {
    let mut grants = Grants::default();
    for told in told {
        let again = told.generation.map_or(0, |lives| lives + 1);
        assert!((0..again).all(|_| grants.grant(told.shard, u64::MAX).is_some()), "beats enough");
    }
    grants
}
