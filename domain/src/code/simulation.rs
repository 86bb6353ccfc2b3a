//! One code, its shard, and shards of accounts that lose messages and crash between the two steps. Every schedule repeats from
//! its seed. Each guard has a twin without it, and the simulation must see the difference.

use super::*;
use crate::testing::Dice;
use std::collections::BTreeMap;

const USES: u32 = 5;
const SCHEDULES: u64 = 2_000;

/// Which guard is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Nothing,
    /// The use is counted in a later turn than it was checked.
    CountWithTheCheck,
    /// Entries are written with grants that are over.
    GrantEnds,
    /// A use is freed without asking whether it was entered.
    AskBeforeFreeing,
    /// A use is freed although it was renewed while the account's shard was asked.
    SameGrantAfterAsking,
    /// A repeated claim is a new use.
    OneUseAnAccount,
    /// Uses without an entry stay taken.
    Freeing,
}

/// A message on its way; it may be lost, repeated and late.
#[derive(Debug, Clone, Copy)]
enum Message {
    Claim {
        account: u32,
    },
    Count {
        account: u32,
    },
    Granted {
        account: u32,
        until: WallMs,
    },
    Entered {
        account: u32,
    },
    /// The answer to "entered?", asked when the use was granted until then.
    NotEntered {
        account: u32,
        until: WallMs,
    },
}

#[derive(Debug, Clone, Copy)]
struct Use {
    until: WallMs,
    entered: bool,
}

struct World {
    dice: Dice,
    missing: Missing,
    now: WallMs,
    lossy: bool,
    /// The code's shard.
    uses: BTreeMap<u32, Use>,
    /// The accounts' shards.
    entries: BTreeMap<u32, u32>,
    wire: Vec<Message>,
}

impl World {
    fn send(&mut self, message: Message) {
        let copies = if !self.lossy { 1 } else { [0, 1, 1, 2][self.dice.below(4) as usize] };
        self.wire.extend(std::iter::repeat_n(message, copies));
    }

    fn deliver(&mut self) {
        if self.wire.is_empty() {
            return;
        }
        let at = self.dice.below(self.wire.len() as u64) as usize;
        match self.wire.swap_remove(at) {
            Message::Claim { account } => self.claim(account),
            Message::Count { account } => self.count(account),
            Message::Granted { account, until } => self.enter(account, until),
            Message::Entered { account } => {
                self.uses.get_mut(&account).into_iter().for_each(|noted| noted.entered = true);
            }
            Message::NotEntered { account, until } => self.free(account, until),
        }
    }

    fn claim(&mut self, account: u32) {
        let terms = Terms { lane: 1, uses: USES, from_ms: None, until_ms: None };
        let mine = self.missing != Missing::OneUseAnAccount && self.uses.contains_key(&account);
        let facts = Facts { terms: Some(&terms), lane: Some(1), used: self.uses.len() as u32, mine, now: self.now };
        match claim(&facts) {
            Ok(()) if self.missing == Missing::CountWithTheCheck => self.send(Message::Count { account }),
            Ok(()) => self.count(account),
            Err(_) => self.look_for_unused(),
        }
    }

    fn count(&mut self, account: u32) {
        let until = self.now.plus(GRANT_MS);
        // Without the guard the same account takes a further use: noted under a name of its own.
        let again = self.missing == Missing::OneUseAnAccount && self.uses.contains_key(&account);
        let name = if again { account + 1_000 * (1 + self.dice.below(1_000) as u32) } else { account };
        let noted = self.uses.entry(name).or_insert(Use { until, entered: again });
        noted.until = until;
        self.send(Message::Granted { account, until });
    }

    fn enter(&mut self, account: u32, until: WallMs) {
        let may = self.missing == Missing::GrantEnds || may_enter(until, self.now);
        let known = self.entries.contains_key(&account);
        if known || may {
            *self.entries.entry(account).or_default() += u32::from(!known);
            self.send(Message::Entered { account });
        }
    }

    /// The code is full: uses whose grant is over and which were not entered are asked about.
    fn look_for_unused(&mut self) {
        if self.missing == Missing::Freeing {
            return;
        }
        let open = |noted: &Use| !noted.entered && may_free(noted.until, self.now);
        let asked: Vec<(u32, WallMs)> =
            self.uses.iter().filter(|(_, noted)| open(noted)).map(|(account, noted)| (*account, noted.until)).collect();
        for (account, until) in asked {
            let entered = self.entries.contains_key(&account) && self.missing != Missing::AskBeforeFreeing;
            self.send(if entered { Message::Entered { account } } else { Message::NotEntered { account, until } });
        }
    }

    fn free(&mut self, account: u32, until: WallMs) {
        let same = |noted: &Use| noted.until == until || self.missing == Missing::SameGrantAfterAsking;
        if self.uses.get(&account).is_some_and(|noted| !noted.entered && same(noted)) {
            self.uses.remove(&account);
        }
    }
}

/// Runs one schedule: how many entered in the end, when messages were lost for a while and then not any more.
fn run(seed: u64, missing: Missing) -> usize {
    let mut world = World {
        dice: Dice(seed),
        missing,
        now: WallMs(0),
        lossy: true,
        uses: BTreeMap::new(),
        entries: BTreeMap::new(),
        wire: Vec::new(),
    };
    for step in 0..400 {
        world.lossy = step < 200;
        world.now = world.now.plus(world.dice.below(2_000) as i64);
        if world.dice.chance(40) {
            // Half of the people never come back once messages arrive.
            let account = if world.lossy { world.dice.below(12) } else { 6 + world.dice.below(6) } as u32;
            world.send(Message::Claim { account });
        }
        world.deliver();
    }
    world.settle();
    world.entries.len()
}

impl World {
    /// Everything arrives, and those who are still there press until nothing changes any more.
    fn settle(&mut self) {
        for _ in 0..6 {
            self.now = self.now.plus(GRANT_MS + CLOCKS_APART_MS);
            for account in 6..12 {
                self.send(Message::Claim { account });
                while !self.wire.is_empty() {
                    self.deliver();
                }
            }
        }
    }
}

#[test]
fn exactly_as_many_enter_as_the_code_has_uses() {
    for seed in 0..SCHEDULES {
        assert_eq!(run(seed, Missing::Nothing), USES as usize, "seed {seed}");
    }
}

#[test]
fn twins_without_a_guard_let_in_more() {
    let missing =
        [Missing::CountWithTheCheck, Missing::GrantEnds, Missing::AskBeforeFreeing, Missing::SameGrantAfterAsking];
    for missing in missing {
        assert!((0..SCHEDULES).any(|seed| run(seed, missing) > USES as usize), "{missing:?} is not seen");
    }
}

#[test]
fn twins_without_a_guard_leak_uses() {
    for missing in [Missing::OneUseAnAccount, Missing::Freeing] {
        assert!((0..SCHEDULES).any(|seed| run(seed, missing) < USES as usize), "{missing:?} is not seen");
    }
}
