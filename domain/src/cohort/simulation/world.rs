//! Fans, shards, a Pacer, and a network that does its worst. Time passes only by [`Op::Wait`].

use std::rc::Rc;

use super::fan::Fan;
use super::op::Op;
use super::pacer::Pacer;
use super::shard::Store;
use crate::cohort::{Cut, CutAnswer, Remains, Row, Sealed};
use crate::time::WallMs;

pub const SHARDS: u16 = 3;
pub const OPENING: WallMs = WallMs(2_000);
pub const GRACE_MS: i64 = 200;

/// Rows from the first on. Shared, since every message about them carries all.
pub type Rows = Rc<Vec<Row>>;

/// A guard that can be taken away, to see whether the simulation notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Without {
    /// Nothing is taken away.
    Nothing,
    /// A shard that has cut takes nobody below the cut.
    CutIsFloor,
    /// A cut is durable before its answer leaves.
    DurableCut,
    /// The insert is the close: a row is told only once it is written.
    InsertIsClose,
    /// Answers count only in the generation in force.
    Generations,
    /// Answers count only in the beat that asked.
    AnswerOfBeat,
    /// Cohort 0 waits for every shard.
    DrawWaits,
    /// A shard cuts cohort k only when it has row k − 1.
    RowBeforeCut,
    /// A Pacer without storage waits for every shard.
    RestoreWaits,
    /// Shards promise to refuse the lost life's messages.
    Promise,
    /// A restored Pacer grants generations above all earlier ones.
    FreshGenerations,
    /// A shard that begins between seal and draw takes nobody into the draw any more.
    SealIsFloor,
    /// Such a shard knows who is sealed.
    SealTold,
    /// A sealed entry that the shard lost is answered, not remembered: the seal may be lost too.
    SealForgotten,
}

/// Who is sealed and waits for the draw.
pub type Seal = Option<Rc<Sealed>>;

/// What a shard tells a Pacer without storage: its copies, and the beat that brought seal and admitted places.
#[derive(Clone)]
pub struct Told {
    pub remains: Remains,
    pub rows: Rows,
    pub copied: u64,
    pub seal: Seal,
    pub admitted: u64,
}

/// A message on its way.
#[derive(Clone)]
pub enum Message {
    Hello { shard: u16, call: u64 },
    Granted { to: u16, call: u64, beat: u64, generation: u32, rows: Rows, seal: Seal },
    Cut { to: u16, beat: u64, cut: Cut, rows: Rows },
    Answer { beat: u64, answer: CutAnswer },
    Relay { to: u16, beat: u64, rows: Rows, seal: Seal, admitted: u64 },
    Ask { to: u16, call: u64, beat: u64 },
    Told { call: u64, told: Told },
}

pub struct World {
    pub without: Without,
    /// Whether places are computed by the shuffle; else a place is the position before it, which is as unique.
    pub shuffled: bool,
    pub now: WallMs,
    pub pacer: Pacer,
    pub shards: Vec<Store>,
    pub fans: Vec<Fan>,
    pub network: Vec<Message>,
    /// Numbers the questions, so that an answer belongs to one.
    pub calls: u64,
    /// What fans were told: rows by cohort, and the highest admitted place.
    pub told: Vec<Option<Row>>,
    pub admitted: u64,
    /// The first thing that went wrong.
    pub fault: Option<String>,
}

impl World {
    pub fn new(without: Without, shuffled: bool) -> Self {
        let shards = [-150, 0, 130].map(Store::empty).into();
        Self {
            without,
            shuffled,
            now: WallMs(1_700),
            pacer: Pacer::new(),
            shards,
            fans: vec![],
            network: vec![],
            calls: 0,
            told: vec![],
            admitted: 0,
            fault: None,
        }
    }

    pub fn apply(&mut self, op: Op) {
        match op {
            Op::Wait(ms) => self.now = self.now.plus(ms),
            Op::Join(stamp_ms) => self.join(stamp_ms, true),
            Op::JoinUnheard => self.join(0, false),
            Op::Show(fan) if !self.fans.is_empty() => self.show((fan % self.fans.len() as u64) as usize),
            Op::Show(_) => {}
            Op::Beat => self.beat(),
            Op::Close => self.close(),
            Op::Relay => self.relay(),
            Op::Deliver(back) => self.take(back).into_iter().for_each(|message| self.receive(message)),
            Op::Calm => self.deliver_all(),
            Op::Repeat(back) => self.copy(back).into_iter().for_each(|message| self.receive(message)),
            Op::Lose(back) => drop(self.take(back)),
            Op::CrashPacer => self.pacer.crash(),
            Op::CrashShard(shard) => self.shards[(shard % u64::from(SHARDS)) as usize].crash(),
            Op::WipePacer => self.wipe_pacer(),
            Op::WipeShard(shard) => self.wipe_shard((shard % u64::from(SHARDS)) as u16),
        }
    }

    fn at(&self, back: u64) -> Option<usize> {
        let len = self.network.len() as u64;
        (len > 0).then(|| (len - 1 - back % len) as usize)
    }

    fn take(&mut self, back: u64) -> Option<Message> {
        self.at(back).map(|at| self.network.remove(at))
    }

    fn copy(&self, back: u64) -> Option<Message> {
        self.at(back).map(|at| self.network[at].clone())
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Hello { shard, call } => self.hello(shard, call),
            Message::Answer { beat, answer } => self.answered(beat, answer),
            Message::Told { call, told } => self.told_remains(call, told),
            Message::Granted { to, call, beat, generation, rows, seal } => {
                self.granted(to, call, beat, generation, (rows, seal));
            }
            Message::Cut { to, beat, cut, rows } => self.cut(to, beat, &cut, rows),
            Message::Relay { to, beat, rows, seal, admitted } => self.relayed(to, beat, rows, (seal, admitted)),
            Message::Ask { to, call, beat } => self.remains(to, call, beat),
        }
    }

    /// Faults end: everything on the way arrives, everybody shows a token, beats go on until all is numbered.
    pub fn settle(&mut self) {
        self.now = self.now.max(OPENING.plus(GRACE_MS));
        self.deliver_all();
        for _ in 0..6 {
            self.now = self.now.plus(1_000);
            for op in [Op::Beat, Op::Close, Op::Relay] {
                self.apply(op);
                self.deliver_all();
            }
            (0..self.fans.len()).for_each(|fan| self.show(fan));
            self.deliver_all();
        }
    }

    /// Oldest last, which is as late as it gets.
    fn deliver_all(&mut self) {
        while let Some(message) = self.network.pop() {
            self.receive(message);
        }
    }

    pub fn fail(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }

    pub fn next_call(&mut self) -> u64 {
        self.calls += 1;
        self.calls
    }
}
