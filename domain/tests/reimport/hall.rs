//! A small hall in memory: random plans, fans who come and go, and what each of them must still have.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{BlockId, EventId, HoldId, OrderId, PoolId, SeatId};
use domain::items::{Kept, Seat, SeatState, Share};
use domain::plan::memory::World;
use domain::plan::{Cond, Plan, Write};
use domain::plan_import::PoolDef;
use domain::reimport::{Begin, Changes, Fence, Obstacle, Overtaken, PART, Wanted, compare, part};

/// Seeded choices.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn between(&mut self, from: usize, to: usize) -> usize {
        from + (self.next() % (to - from + 1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.between(1, n) == 1
    }
}

/// What a plan wants: seats with block, level and index, and one pool.
pub struct Layout {
    pub seats: Vec<Seat>,
    pub pools: Vec<PoolDef>,
}

fn event() -> EventId {
    "night".parse().unwrap()
}

fn id(n: usize) -> SeatId {
    format!("S-{n}").parse().unwrap()
}

fn pool() -> PoolId {
    "floor".parse().unwrap()
}

impl Layout {
    /// Seats by block, number and level; a pool of this capacity and these shares.
    pub fn of(seats: &[(&str, usize, &str)], capacity: u32, shares: u32) -> Self {
        let seat = |(index, (block, n, level)): (u32, &(&str, usize, &str))| {
            Seat::fresh(&event(), &block.parse().unwrap(), &id(*n), level, index, 0)
        };
        let mut seats: Vec<Seat> = (0..).zip(seats).map(seat).collect();
        seats.sort_by(|a, b| a.seat.cmp(&b.seat));
        let pools = vec![PoolDef { id: pool(), name: "Floor".into(), capacity, shares, level: "standing".into() }];
        Self { seats, pools: if capacity > 0 { pools } else { vec![] } }
    }

    pub fn random(dice: &mut Dice) -> Self {
        let mut seats = Vec::new();
        for n in 0..8 {
            if !dice.one_in(6) {
                let block = ["A", "A", "A", "A~2", "B"][dice.between(0, 4)];
                seats.push((block, n, ["front", "back"][dice.between(0, 1)]));
            }
        }
        let capacity = dice.between(0, 9) as u32;
        Self::of(&seats, capacity, dice.between(1, 3) as u32)
    }
}

/// What somebody has: a seat in a state for a hold or order, or places of a share.
type Has = (SeatState, Option<HoldId>, Option<OrderId>, Option<Kept>);

/// One import.
pub struct Import {
    pub fence: Fence,
    seats: Vec<Seat>,
    pools: Vec<PoolDef>,
}

pub struct Hall {
    pub world: World,
    imports: u32,
    /// What fans and operators believe to have, by seat and block; they alone change it.
    has: BTreeMap<(SeatId, BlockId), Has>,
    taken: BTreeMap<u32, u32>,
}

impl Hall {
    /// A hall after its first import.
    pub fn new(layout: &Layout) -> Self {
        let mut hall = Self { world: World::new(), imports: 0, has: BTreeMap::new(), taken: BTreeMap::new() };
        let import = hall.begin(layout).unwrap();
        let changes = hall.differences(&import).unwrap();
        hall.write_all(&import, &changes);
        hall
    }

    pub fn fence(layout: &Layout, import: &str) -> Fence {
        let blocks = layout.seats.iter().map(|s| s.block.clone()).collect();
        let pools = layout.pools.iter().map(|p| p.id.clone()).collect();
        Fence { event: event(), import: import.to_owned(), blocks, pools }
    }

    pub fn begin(&mut self, layout: &Layout) -> Result<Import, Overtaken> {
        self.imports += 1;
        let known = self.world.get(&domain::items::key::import(&event())).map(|item| Fence::from_item(item).unwrap());
        let begin = Begin { fence: Self::fence(layout, &self.imports.to_string()), known };
        let fence = begin.joined();
        assert_eq!(Fence::from_item(&fence.to_item()), Ok(fence.clone()));
        self.world.decide(begin)?;
        Ok(Import { fence, seats: layout.seats.clone(), pools: layout.pools.clone() })
    }

    fn seats(&self) -> Vec<Seat> {
        self.world.items().filter_map(|item| Seat::from_item(item).ok()).collect()
    }

    fn shares(&self) -> Vec<Share> {
        self.world.items().filter_map(|item| Share::from_item(item).ok()).collect()
    }

    /// As the table finds it: only what lies in blocks and pools that the fence knows.
    pub fn differences(&self, import: &Import) -> Result<Changes, Vec<Obstacle>> {
        let seats: Vec<Seat> = self.seats().into_iter().filter(|s| import.fence.blocks.contains(&s.block)).collect();
        let shares: Vec<Share> = self.shares().into_iter().filter(|s| import.fence.pools.contains(&s.pool)).collect();
        let event = event();
        compare(Wanted { event: &event, seats: &import.seats, pools: &import.pools }, &seats, &shares)
    }

    /// Writes a part; `Err(true)` when the import was overtaken, `Err(false)` when something else came in between.
    pub fn write(&mut self, import: &Import, writes: &[Write], guarded: bool) -> Result<(), bool> {
        let mut plan = part(&import.fence, writes);
        if !guarded {
            plan.writes.iter_mut().for_each(|w| w.expect = Cond::Always);
        }
        let plan = Plan::new(plan.writes);
        self.world.commit(&plan).map_err(|refused| refused.of(&plan.writes[0].key).is_some())
    }

    /// Writes all parts at once.
    pub fn write_all(&mut self, import: &Import, changes: &Changes) {
        changes.parts(PART).iter().for_each(|some| self.write(import, some, true).unwrap());
    }

    /// Some fans take, buy, lose or give back seats and places; operators block some.
    pub fn fans(&mut self, dice: &mut Dice) {
        for _ in 0..dice.between(0, 2) {
            let seats = self.seats();
            if !seats.is_empty() {
                let seat = seats[dice.between(0, seats.len() - 1)].clone();
                let state = match seat.state {
                    SeatState::Free if dice.one_in(4) => SeatState::Blocked,
                    SeatState::Free => SeatState::Held,
                    SeatState::Held if dice.one_in(2) => SeatState::Claimed,
                    SeatState::Claimed if dice.one_in(2) => SeatState::Sold,
                    _ => SeatState::Free,
                };
                self.becomes(seat, state);
            }
            let (share, n) = (dice.between(0, 2) as u32, dice.between(1, 3) as u32);
            if dice.one_in(2) { self.take_places(share, n) } else { self.give_places(share) }
        }
    }

    fn becomes(&mut self, seat: Seat, state: SeatState) {
        let carried = matches!(state, SeatState::Held | SeatState::Claimed | SeatState::Sold);
        let seat = Seat {
            state,
            hold: carried.then(|| seat.hold.unwrap_or(HoldId::from_bytes([7; 16]))),
            order: (state == SeatState::Sold).then_some(OrderId::from_bytes([9; 16])),
            kept: (state == SeatState::Blocked).then(|| Kept::Blocked { reason: "broken".into() }),
            version: seat.version + 1,
            ..seat
        };
        let place = (seat.seat.clone(), seat.block.clone());
        if state == SeatState::Free {
            self.has.remove(&place);
        } else {
            self.has.insert(place, (state, seat.hold, seat.order, seat.kept.clone()));
        }
        self.world.put(seat.to_item());
    }

    /// Puts the `n`-th seat into a state.
    pub fn put(&mut self, n: usize, state: SeatState) {
        let seat = self.seats().into_iter().find(|s| s.seat == id(n)).unwrap();
        self.becomes(seat, state);
    }

    fn share(&self, share: u32) -> Option<Share> {
        self.shares().into_iter().find(|s| s.share == share)
    }

    /// Takes places of a share, as far as there are any.
    pub fn take_places(&mut self, share: u32, n: u32) {
        let Some(old) = self.share(share) else { return };
        let n = n.min(old.free);
        *self.taken.entry(share).or_default() += n;
        self.world.put(Share { free: old.free - n, sold: old.sold + n, version: old.version + 1, ..old }.to_item());
    }

    fn give_places(&mut self, share: u32) {
        let Some(old) = self.share(share) else { return };
        self.taken.remove(&share);
        self.world.put(Share { free: old.free + old.sold, sold: 0, version: old.version + 1, ..old }.to_item());
    }

    pub fn everybody_leaves(&mut self) {
        for seat in self.seats() {
            self.becomes(seat, SeatState::Free);
        }
        (0..3).for_each(|share| self.give_places(share));
    }

    /// Everybody still has exactly what they took, and nobody else has anything.
    pub fn nobody_lost_anything(&self) -> Result<(), String> {
        let used = self.seats().into_iter().filter(|s| s.state != SeatState::Free);
        let found: BTreeMap<_, Has> = used.map(|s| ((s.seat, s.block), (s.state, s.hold, s.order, s.kept))).collect();
        if found != self.has {
            return Err(format!("seats are {found:?}, fans have {:?}", self.has));
        }
        let sold: BTreeMap<u32, u32> = self.shares().iter().filter(|s| s.sold > 0).map(|s| (s.share, s.sold)).collect();
        let taken: BTreeMap<u32, u32> = self.taken.clone().into_iter().filter(|(_, n)| *n > 0).collect();
        let whole = self.shares().iter().all(|s| s.free + s.sold == s.capacity);
        if sold == taken && whole { Ok(()) } else { Err(format!("shares have {sold:?}, fans {taken:?}")) }
    }

    /// The table has the seats of the plan, as the plan says, and no others; and the pool's capacity.
    pub fn is_exactly(&self, layout: &Layout) -> Result<(), String> {
        let seat = |s: &Seat| (s.seat.clone(), s.block.clone(), s.level.clone(), s.index);
        let (found, wanted): (BTreeSet<_>, BTreeSet<_>) =
            (self.seats().iter().map(seat).collect(), layout.seats.iter().map(seat).collect());
        if found != wanted {
            return Err(format!("seats {found:?}, wanted {wanted:?}"));
        }
        let capacity: u32 = self.shares().iter().map(|s| s.capacity).sum();
        let wanted: u32 = layout.pools.iter().map(|p| p.capacity).sum();
        let shares = self.shares().len() as u32 == layout.pools.iter().map(|p| p.shares).sum::<u32>();
        if capacity == wanted && shares { Ok(()) } else { Err(format!("{capacity} places, wanted {wanted}")) }
    }
}
