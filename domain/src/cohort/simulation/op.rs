//! The operations a schedule is made of. Their text can be pasted into a test and run again.

use crate::testing::Dice;

/// One thing that happens. Numbers of fans, shards and messages wrap around, so that any part of a schedule is one too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Milliseconds pass.
    Wait(i64),
    /// A new fan joins, with an arrival stamp this old (0: none).
    Join(i64),
    /// The same, and the answer is lost.
    JoinUnheard,
    /// A fan asks for its number, with the token it has.
    Show(u64),
    /// The Pacer's alarm: it writes the next beat and sends the cut; or asks on, if it lost its storage.
    Beat,
    /// The Pacer closes with the answers it has.
    Close,
    /// The Pacer sends rows and admitted places to all shards.
    Relay,
    /// A message arrives, counted back from the newest.
    Deliver(u64),
    /// Everything on the way arrives, newest first.
    Calm,
    /// A message arrives, and it stays on the way to arrive again.
    Repeat(u64),
    /// A message is lost; so is what its receiver would have done, had it crashed before writing.
    Lose(u64),
    /// The Pacer forgets what is only in its memory.
    CrashPacer,
    /// A shard forgets what is only in its memory.
    CrashShard(u64),
    /// The Pacer's storage is lost.
    WipePacer,
    /// A shard's storage is lost.
    WipeShard(u64),
}

/// Which storage may be lost. Crashes, and lost, repeated and late messages there are always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Losses {
    None,
    Shards,
    Pacer,
    /// Both, as long as what was told to a fan is left somewhere.
    Both,
}

/// The schedule of a seed: so many beats, with whatever comes between their steps.
pub fn schedule(seed: u64, losses: Losses, beats: u64) -> Vec<Op> {
    let mut dice = Dice(seed);
    let mut ops = vec![];
    for _ in 0..beats {
        for step in [Op::Beat, Op::Close, Op::Relay] {
            if !dice.chance(8) {
                ops.push(step);
            }
            let between = dice.below(10);
            ops.extend((0..between).map(|_| pick(&mut dice, losses)));
        }
    }
    ops
}

/// The same with neighbouring waits in one.
pub fn joined(ops: &[Op]) -> Vec<Op> {
    let mut joined: Vec<Op> = vec![];
    for op in ops {
        match (joined.last_mut(), op) {
            (Some(Op::Wait(sum)), Op::Wait(ms)) => *sum += ms,
            _ => joined.push(*op),
        }
    }
    joined
}

fn pick(dice: &mut Dice, losses: Losses) -> Op {
    match dice.below(100) {
        0..16 => Op::Wait(1 + dice.below(120) as i64),
        16..26 => Op::Join(if dice.chance(20) { dice.below(600) as i64 } else { 0 }),
        26 => Op::JoinUnheard,
        27..33 => Op::Show(dice.below(32)),
        33..75 => Op::Deliver(if dice.chance(80) { dice.below(3) } else { dice.below(64) }),
        75..84 => Op::Calm,
        84..90 => Op::Repeat(dice.below(16)),
        90..95 => Op::Lose(dice.below(16)),
        95 => Op::CrashPacer,
        96 => Op::CrashShard(dice.below(8)),
        97 => Op::Calm,
        n => loss(dice, losses, n % 2 == 0),
    }
}

fn loss(dice: &mut Dice, losses: Losses, first: bool) -> Op {
    match (losses, first) {
        (Losses::None, true) => Op::CrashPacer,
        (Losses::None, false) => Op::CrashShard(dice.below(8)),
        (Losses::Shards, _) | (Losses::Both, false) => Op::WipeShard(dice.below(8)),
        (Losses::Pacer, _) | (Losses::Both, true) => Op::WipePacer,
    }
}
