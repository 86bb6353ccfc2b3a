//! Importing again: one item at a time, each under a condition, so that a sale in between always wins.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{BlockId, EventId, SeatId};
use domain::items::{Seat, SeatState, Share, attr, key};
use domain::layout::section_of_block;
use domain::map;
use domain::plan::{Cond, Plan, Update, Write};
use domain::plan_import::{EventDefinition, Imported};

use crate::Table;
use crate::error::{CommitError, TableError};
use crate::event::layout_items;
use crate::import::{ImportError, ImportReport, seats_of, shares_of, table_error};

/// Independent writes that travel in one transaction; refused together, they are tried one by one.
const TOGETHER: usize = 50;

/// What is to be done about seats.
#[derive(Default)]
struct Changes {
    writes: Vec<Write>,
    report: ImportReport,
    in_use: Vec<SeatId>,
}

impl Table {
    pub(crate) async fn reimport(
        &self,
        new: &Imported,
        progress: &mut impl FnMut(usize, usize),
    ) -> Result<ImportReport, ImportError> {
        let event = &new.definition.id;
        let wanted = seats_of(event, &new.layout);
        let stored = self.stored_seats(event, &wanted).await?;
        let changes = compare(event, &wanted, &stored);
        if !changes.in_use.is_empty() {
            return Err(ImportError::SeatsInUse(changes.in_use));
        }
        let pools = self.pool_writes(&new.definition).await?;
        self.put_all(&layout_items(event, &new.layout), &mut |_, _| ()).await?;
        let writes: Vec<Write> = changes.writes.into_iter().chain(pools).collect();
        for (n, some) in writes.chunks(TOGETHER).enumerate() {
            self.apply(some).await?;
            progress((n * TOGETHER + some.len()).min(writes.len()), writes.len());
        }
        self.redraw(&new.definition).await?;
        Ok(changes.report)
    }

    /// Every stored seat of the event, in blocks of the new plan and of the one in force.
    async fn stored_seats(&self, event: &EventId, wanted: &[Seat]) -> Result<BTreeMap<SeatId, Seat>, TableError> {
        let mut blocks: BTreeSet<BlockId> = wanted.iter().map(|s| s.block.clone()).collect();
        let old = self.definition(event).await?;
        blocks.extend(old.iter().flat_map(|d| &d.sections).flat_map(|s| s.blocks.iter().cloned()));
        let mut stored = BTreeMap::new();
        for block in blocks {
            stored.extend(self.seats(event, &block).await?.into_iter().map(|s| (s.seat.clone(), s)));
        }
        Ok(stored)
    }

    /// All of them, or, when one is refused, each by itself: what the condition protects stays as it is.
    async fn apply(&self, writes: &[Write]) -> Result<(), ImportError> {
        match self.commit(&Plan::new(writes.to_vec())).await {
            Ok(()) => return Ok(()),
            Err(CommitError::Table(error)) => return Err(error.into()),
            Err(CommitError::Refused(_)) => {}
        }
        for write in writes {
            self.commit(&Plan::new(vec![write.clone()])).await.map_err(table_error)?;
        }
        Ok(())
    }

    async fn pool_writes(&self, definition: &EventDefinition) -> Result<Vec<Write>, ImportError> {
        let mut stored = Vec::new();
        for pool in &definition.pools {
            stored.extend(self.shares(&definition.id, &pool.id).await?);
        }
        let wanted = shares_of(definition);
        let gone = stored.iter().find(|s| wanted.iter().all(|w| (&w.pool, w.share) != (&s.pool, s.share)));
        if let Some(share) = gone {
            return Err(ImportError::PoolInUse(format!("{} has more shares", share.pool)));
        }
        wanted
            .iter()
            .filter_map(|w| share_write(w, stored.iter().find(|s| (&s.pool, s.share) == (&w.pool, w.share))))
            .collect()
    }

    /// Draws every section and pool from the seats as they are now.
    async fn redraw(&self, definition: &EventDefinition) -> Result<(), ImportError> {
        for section in &definition.sections {
            let mut seats = Vec::new();
            for block in &section.blocks {
                seats.extend(self.seats(&definition.id, block).await?);
            }
            self.draw(map::Refresh::section(&map::section(&definition.id, &section.section, &seats))).await?;
        }
        for pool in &definition.pools {
            let shares = self.shares(&definition.id, &pool.id).await?;
            self.draw(map::Refresh::pool(&map::pool(&definition.id, &pool.id, &shares))).await?;
        }
        Ok(())
    }

    /// Writes a part of the map; one that is as new already is no failure.
    async fn draw(&self, refresh: map::Refresh) -> Result<(), TableError> {
        match self.decide(refresh).await {
            Ok(_) | Err(crate::DecideError::Refused(map::NotNewer)) => Ok(()),
            Err(crate::DecideError::Table(error)) => Err(error),
        }
    }
}

fn compare(event: &EventId, wanted: &[Seat], stored: &BTreeMap<SeatId, Seat>) -> Changes {
    let mut changes = Changes::default();
    for seat in wanted {
        changes.want(seat, stored.get(&seat.seat));
    }
    let ids: BTreeSet<&SeatId> = wanted.iter().map(|s| &s.seat).collect();
    for seat in stored.values().filter(|s| !ids.contains(&s.seat)) {
        changes.drop_seat(seat);
    }
    changes.keep_sums_rising(event, wanted, stored);
    changes
}

impl Changes {
    fn want(&mut self, seat: &Seat, stored: Option<&Seat>) {
        match stored {
            None => self.add(seat),
            Some(old) if old.block != seat.block && old.state != SeatState::Free => self.in_use.push(seat.seat.clone()),
            Some(old) if old.block != seat.block => {
                self.drop_seat(old);
                self.add(seat);
            }
            Some(old) if (&old.level, old.index, old.kind) != (&seat.level, seat.index, seat.kind) => self.change(seat),
            Some(_) => {}
        }
    }

    fn add(&mut self, seat: &Seat) {
        self.report.added += 1;
        self.writes.push(Write::put(seat.to_item(), Cond::Absent));
    }

    /// Its state, hold and order stay as they are.
    fn change(&mut self, seat: &Seat) {
        self.report.changed += 1;
        let update = Update::new().set(attr::LEVEL, seat.level.as_str()).set(attr::INDEX, seat.index);
        let update = update.set(attr::SEAT_KIND, i64::from(seat.kind)).add(attr::VERSION, 1);
        self.writes.push(Write::update(key::seat(&seat.event, &seat.block, &seat.seat), Cond::Exists, update));
    }

    fn drop_seat(&mut self, old: &Seat) {
        if old.state != SeatState::Free {
            self.in_use.push(old.seat.clone());
            return;
        }
        self.report.removed += 1;
        let free = Cond::eq(attr::STATE, SeatState::Free);
        self.writes.push(Write::delete(key::seat(&old.event, &old.block, &old.seat), free));
    }

    /// A section's map is replaced only by a higher sum of versions, so what removed seats counted passes to one that stays.
    fn keep_sums_rising(&mut self, event: &EventId, wanted: &[Seat], stored: &BTreeMap<SeatId, Seat>) {
        let mut lost: BTreeMap<_, i64> = BTreeMap::new();
        let deleted = |old: &&Seat| {
            wanted.binary_search_by(|w| w.seat.cmp(&old.seat)).map_or(true, |at| wanted[at].block != old.block)
        };
        for old in stored.values().filter(deleted) {
            *lost.entry(section_of_block(&old.block)).or_default() += old.version;
        }
        for (section, versions) in lost {
            let Some(heir) = wanted.iter().find(|w| section_of_block(&w.block) == section) else { continue };
            self.bump(event, heir, versions + 1);
        }
    }

    fn bump(&mut self, event: &EventId, heir: &Seat, by: i64) {
        let key = key::seat(event, &heir.block, &heir.seat);
        match self.writes.iter_mut().find(|w| w.key == key) {
            Some(write) => match &mut write.change {
                domain::plan::Change::Put(item) => {
                    drop(item.insert(attr::VERSION.to_owned(), (heir.version + by).into()))
                }
                domain::plan::Change::Update(update) => update.add = vec![(attr::VERSION, by + 1)],
                domain::plan::Change::Delete | domain::plan::Change::Check => {}
            },
            None => self.writes.push(Write::update(key, Cond::Exists, Update::new().add(attr::VERSION, by))),
        }
    }
}

/// Adds or removes free places of a share; never more than are free.
fn share_write(wanted: &Share, stored: Option<&Share>) -> Option<Result<Write, ImportError>> {
    let Some(old) = stored else { return Some(Ok(Write::put(wanted.to_item(), Cond::Absent))) };
    let more = i64::from(wanted.capacity) - i64::from(old.capacity);
    if more == 0 {
        return None;
    }
    if i64::from(old.free) + more < 0 {
        return Some(Err(ImportError::PoolInUse(format!("{} share {}", wanted.pool, wanted.share))));
    }
    let update = Update::new().add(attr::CAPACITY, more).add(attr::FREE, more).add(attr::VERSION, 1);
    let enough = Cond::Ge(attr::FREE, (-more).max(0).into());
    Some(Ok(Write::update(key::share(&wanted.event, &wanted.pool, wanted.share), enough, update)))
}
