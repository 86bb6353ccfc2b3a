//! Imports of the event: part by part, overtaken by one another, with fans in between.

use std::sync::OnceLock;

use super::op::{Op, Trouble};
use super::stage::{Fate, Stage};
use crate::promises::need;
use crate::shop::{SEATS, event, floor, line};
use domain::items::{Seat, Share, key};
use domain::plan::Write;
use domain::plan_import::PoolDef;
use domain::reimport::{Begin, Fence, Overtaken, Wanted, compare, part};

/// Layouts that schedules have. More are for scenarios: with a single share, without the pool, with a share more.
pub const LAYOUTS: u32 = 6;

/// One import.
#[derive(Clone, Debug)]
pub struct Import {
    fence: Fence,
    layout: u32,
    /// Most writes of a part.
    most: usize,
    /// What is still to be written.
    parts: Vec<Vec<Write>>,
}

/// Seats and pools of a layout. The 0th is what fans find first; others lack seats, move one to another block, or change levels.
fn layout(layout: u32) -> &'static (Vec<Seat>, Vec<PoolDef>) {
    static ALL: OnceLock<Vec<(Vec<Seat>, Vec<PoolDef>)>> = OnceLock::new();
    &ALL.get_or_init(|| (0..LAYOUTS + 3).map(|n| (seats(n), pools(n))).collect())[layout as usize]
}

fn seats(layout: u32) -> Vec<Seat> {
    let lacks = |n: &u32| (layout == 2 && n.is_multiple_of(3)) || (layout == 4 && *n == 1);
    let seat = |n: u32| {
        let block = if layout == 3 && n == 1 { "A~2".parse().unwrap() } else { line(n).block };
        let level = if layout == 1 && n.is_multiple_of(2) { "back" } else { "front" };
        Seat::fresh(&event(), &block, &line(n).seat, level, n, 0)
    };
    (0..SEATS).filter(|n| !lacks(n)).map(seat).collect()
}

fn pools(layout: u32) -> Vec<PoolDef> {
    let (capacity, shares) = [(5, 2), (7, 3), (4, 2), (5, 1), (5, 2), (8, 2), (5, 1), (0, 0), (7, 3)][layout as usize];
    let level = if layout == 1 { "gallery" } else { "standing" };
    let pool = PoolDef { id: floor(0).pool, name: "Floor".into(), capacity, shares, level: level.into() };
    if capacity > 0 { vec![pool] } else { vec![] }
}

impl Stage {
    fn fence(&self) -> Option<Fence> {
        self.world.get(&key::import(&event())).map(|item| Fence::from_item(item).unwrap())
    }

    pub fn plan(&mut self, op: &Op) {
        let stored = self.fence();
        let known = if op.stale { self.old_fence.clone() } else { stored.clone() };
        // Of the blocks each import knows those of its own layout, and of the one in force.
        let blocks = layout(op.nth).0.iter().map(|s| s.block.clone()).chain([line(0).block]).collect();
        let fence = Fence { event: event(), import: op.worker.to_string(), blocks, pools: [floor(0).pool].into() };
        let begin = Begin { fence, known: known.clone() };
        let fence = begin.joined();
        match self.decide(begin) {
            Fate::Committed | Fate::Already => {}
            Fate::Refused(Overtaken) if stored == known => return self.wrong("untrue: nobody overtook the import"),
            Fate::Refused(Overtaken) | Fate::Busy | Fate::Dead => return,
        }
        (self.old_fence, self.in_force) = (stored, None);
        self.imports
            .insert(op.worker, Import { fence, layout: op.nth, most: op.places.max(2) as usize, parts: vec![] });
        self.look_again(op.worker);
    }

    /// Compares; with something in the way the import ends, with nothing left to do it is in force.
    fn look_again(&mut self, number: u32) {
        let Some(import) = self.imports.get(&number) else { return };
        let Fence { blocks, pools: known, .. } = &import.fence;
        let stored: Vec<Seat> = self.world.items().filter_map(|item| Seat::from_item(item).ok()).collect();
        let stored: Vec<Seat> = stored.into_iter().filter(|s| blocks.contains(&s.block)).collect();
        let shares: Vec<Share> = self.books.shares.values().filter(|s| known.contains(&s.pool)).cloned().collect();
        let (event, (seats, pools)) = (event(), layout(import.layout));
        let wanted = Wanted { event: &event, seats, pools };
        match compare(wanted, &stored, &shares) {
            Err(_) => drop(self.imports.remove(&number)),
            Ok(changes) => {
                if changes.is_empty() {
                    self.ends(number);
                } else if let Some(import) = self.imports.get_mut(&number) {
                    import.parts = changes.parts(import.most);
                }
            }
        }
    }

    fn ends(&mut self, number: u32) {
        let Some(import) = self.imports.remove(&number) else { return };
        if self.fence().is_some_and(|fence| fence.import == import.fence.import) {
            self.in_force = Some(import.layout);
        }
    }

    pub fn part(&mut self, op: &Op) {
        let Some(import) = self.imports.get(&op.worker) else { return };
        let Some(some) = import.parts.first() else { return };
        let (fence, whole) = (import.fence.clone(), part(&import.fence, some));
        let trouble = self.trouble().trouble;
        if matches!(trouble, Trouble::Busy | Trouble::Before) {
            self.imports.retain(|n, _| *n != op.worker || trouble == Trouble::Busy);
            return;
        }
        let plan = self.lens.bend("Import", whole.clone(), &self.world);
        let done = self.commit(&plan).map_err(|refused| self.lens.heard(refused, &whole, &self.world));
        let own = self.fence().is_some_and(|stored| stored.import == fence.import);
        match done {
            Ok(()) if trouble == Trouble::After => drop(self.imports.remove(&op.worker)),
            Ok(()) => self.wrote(op.worker),
            Err(refused) if refused.of(&key::import(&event())).is_some() => {
                self.imports.remove(&op.worker);
                if own {
                    self.wrong("untrue: nobody overtook the import");
                }
            }
            Err(_) => self.look_again(op.worker),
        }
    }

    fn wrote(&mut self, number: u32) {
        let Some(import) = self.imports.get_mut(&number) else { return };
        import.parts.remove(0);
        if import.parts.is_empty() {
            self.ends(number);
        }
    }

    /// Once an import has ended, the table has exactly its seats and places, whatever earlier ones still want to write.
    pub fn as_imported(&self) -> Result<(), String> {
        let Some(number) = self.in_force else { return Ok(()) };
        let (seats, pools) = layout(number);
        let same =
            |(a, b): (&Seat, &Seat)| (&a.seat, &a.block, &a.level, a.index) == (&b.seat, &b.block, &b.level, b.index);
        let same = self.books.seats.len() == seats.len() && self.books.seats.values().zip(seats).all(same);
        need(same, || format!("the seats are not those of layout {number}"))?;
        let places = pools.first().map_or((0, 0), |p| (p.capacity, p.shares as usize));
        let shares = self.books.shares.values();
        let found = (shares.clone().map(|s| s.capacity).sum(), shares.count());
        need(found == places, || format!("{found:?} places and shares, layout {number} has {places:?}"))
    }

    /// Without faults any more an import comes to its end, if nothing is in its way.
    pub fn imports_end(&mut self) -> Result<(), String> {
        self.imports.clear();
        let worker = 1_000;
        self.run(&Op { worker, places: 50, ..Op::new(super::op::Verb::Plan) })?;
        need(!self.imports.contains_key(&worker) || self.fence().is_some(), || "an import has no fence".into())?;
        let mut parts = 0;
        while self.imports.contains_key(&worker) {
            parts += 1;
            need(parts < 10, || "an import does not end".into())?;
            self.run(&Op { worker, ..Op::new(super::op::Verb::Part) })?;
        }
        Ok(())
    }
}
