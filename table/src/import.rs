//! Importing an event: every seat written explicitly, as free.
//!
//! The first import of an event owns its definition in state `importing`, so nobody can sell yet and items can be written in
//! bulk. Every later one, also after a first one that broke off, goes seat by seat under conditions (`reimport`).

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use domain::ids::{EventId, SeatId};
use domain::items::{Seat, Share};
use domain::layout::{Layout, SeatIndex, section_of_block};
use domain::map;
use domain::plan::{Cond, Item, Plan, Write};
use domain::plan_import::{EventDefinition, Imported};
use tokio::task::JoinSet;

use crate::error::{CommitError, TableError};
use crate::event::{IMPORTING, READY, layout_items, meta_item};
use crate::read::failure;
use crate::value::item_to_sdk;
use crate::{Table, retry};

/// Items of one batch write, DynamoDB's limit.
const BATCH: usize = 25;
/// Batches under way at once.
const PARALLEL: usize = 8;

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Seats written for the first time.
    pub added: usize,
    /// Seats whose level, kind or index changed.
    pub changed: usize,
    /// Free seats that are no longer in the plan.
    pub removed: usize,
}

/// Why an event was not imported. Nothing was written that anybody sees.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Held, claimed or sold seats are missing in the new plan or would move to another block.
    #[error("seats in use would be lost or moved: {0:?}")]
    SeatsInUse(Vec<SeatId>),
    /// A pool would get fewer places than are taken, or fewer shares.
    #[error("places in use would be lost: {0}")]
    PoolInUse(String),
    /// The table failed.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Table {
    /// Imports an event, or imports it again: held and sold seats are neither lost nor moved. `progress` is told how many of
    /// how many items are done.
    ///
    /// # Errors
    /// What stands in the way, all of it.
    pub async fn import(
        &self,
        imported: &Imported,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<ImportReport, ImportError> {
        let definition = &imported.definition;
        let claim = Write::put(meta_item(definition, IMPORTING), Cond::Absent);
        let report = match self.commit(&Plan::new(vec![claim])).await {
            Ok(()) => self.first_import(imported, &mut progress).await?,
            Err(CommitError::Refused(_)) => self.reimport(imported, &mut progress).await?,
            Err(CommitError::Table(error)) => return Err(error.into()),
        };
        let ready = Write::put(meta_item(definition, READY), Cond::Exists);
        self.commit(&Plan::new(vec![ready])).await.map_err(table_error)?;
        Ok(report)
    }

    async fn first_import(
        &self,
        imported: &Imported,
        progress: &mut impl FnMut(usize, usize),
    ) -> Result<ImportReport, ImportError> {
        let items = places_and_maps(imported);
        self.put_all(&items, progress).await?;
        Ok(ImportReport { added: imported.layout.seat_count(), ..ImportReport::default() })
    }

    /// Writes items without conditions, several batches at once.
    ///
    /// # Errors
    /// That the table failed; some items may have been written.
    pub async fn put_all(&self, items: &[Item], progress: &mut impl FnMut(usize, usize)) -> Result<(), TableError> {
        let mut under_way = JoinSet::new();
        let mut done = 0;
        for batch in items.chunks(BATCH) {
            if under_way.len() >= PARALLEL {
                done += finished(under_way.join_next().await)?;
                progress(done, items.len());
            }
            let (table, batch) = (self.clone(), batch.to_vec());
            under_way.spawn(async move { table.put_batch(&batch).await });
        }
        while !under_way.is_empty() {
            done += finished(under_way.join_next().await)?;
            progress(done, items.len());
        }
        Ok(())
    }

    async fn put_batch(&self, items: &[Item]) -> Result<usize, TableError> {
        let mut requests = put_requests(items)?;
        for n in 1..=retry::TRIES {
            let reply =
                self.client.batch_write_item().request_items(&self.name, requests).send().await.map_err(failure)?;
            requests = reply.unprocessed_items.and_then(|mut left| left.remove(&self.name)).unwrap_or_default();
            if requests.is_empty() {
                return Ok(items.len());
            }
            retry::wait(n).await;
        }
        Err(TableError::Busy("throttle"))
    }
}

/// Everything that the first import of an event writes, its definition in force included: for a database that takes all
/// of it in one piece, as the local stack's embedded one does.
#[must_use]
pub fn first_items(imported: &Imported) -> Vec<Item> {
    let mut items = places_and_maps(imported);
    items.push(meta_item(&imported.definition, READY));
    items
}

fn places_and_maps(imported: &Imported) -> Vec<Item> {
    let definition = &imported.definition;
    let (seats, shares) = (seats_of(&definition.id, &imported.layout), shares_of(definition));
    let mut items: Vec<Item> = seats.iter().map(Seat::to_item).collect();
    items.extend(shares.iter().map(Share::to_item));
    items.extend(map_items(definition, &seats, &shares));
    items.extend(layout_items(&definition.id, &imported.layout));
    items
}

fn put_requests(items: &[Item]) -> Result<Vec<WriteRequest>, TableError> {
    let put = |item: &Item| PutRequest::builder().set_item(Some(item_to_sdk(item))).build();
    let request = |item| Ok(WriteRequest::builder().put_request(put(item)?).build());
    let requests: Result<_, aws_sdk_dynamodb::error::BuildError> = items.iter().map(request).collect();
    requests.map_err(|e| TableError::Broken(e.to_string()))
}

fn finished(joined: Option<Result<Result<usize, TableError>, tokio::task::JoinError>>) -> Result<usize, TableError> {
    match joined {
        None => Ok(0),
        Some(Ok(result)) => result,
        Some(Err(error)) => Err(TableError::Broken(error.to_string())),
    }
}

/// All seats of a layout, never held.
pub(crate) fn seats_of(event: &EventId, layout: &Layout) -> Vec<Seat> {
    let index = SeatIndex::of(layout);
    let seat = |(id, p): (&SeatId, &domain::layout::SeatPlace)| {
        Seat::fresh(event, &p.block, id, &layout.levels[p.level].id, p.index, p.kind)
    };
    index.iter().map(seat).collect()
}

/// All shares of an event's pools; the first ones have a place more when it does not divide.
pub(crate) fn shares_of(definition: &EventDefinition) -> Vec<Share> {
    let of = |pool: &domain::plan_import::PoolDef| {
        let (each, more) = (pool.capacity / pool.shares, pool.capacity % pool.shares);
        let share = |n| Share::fresh(&definition.id, &pool.id, n, each + u32::from(n < more), &pool.level);
        (0..pool.shares).map(share).collect::<Vec<_>>()
    };
    definition.pools.iter().flat_map(of).collect()
}

/// The map of seats and shares as they are.
pub(crate) fn map_items(definition: &EventDefinition, seats: &[Seat], shares: &[Share]) -> Vec<Item> {
    let event = &definition.id;
    let mut by_section: BTreeMap<_, Vec<Seat>> = BTreeMap::new();
    for seat in seats {
        by_section.entry(section_of_block(&seat.block)).or_default().push(seat.clone());
    }
    let sections = by_section.iter().filter_map(|(id, seats)| Some(map::section(event, id.as_ref()?, seats).to_item()));
    let of_pool = |pool: &domain::plan_import::PoolDef| {
        let own: Vec<Share> = shares.iter().filter(|s| s.pool == pool.id).cloned().collect();
        map::pool(event, &pool.id, &own).to_item()
    };
    sections.chain(definition.pools.iter().map(of_pool)).collect()
}

pub(crate) fn table_error(error: CommitError) -> ImportError {
    match error {
        CommitError::Table(error) => error.into(),
        CommitError::Refused(refused) => {
            let key = refused.failed.first().map_or_else(String::new, |f| format!("{} {}", f.key.pk, f.key.sk));
            TableError::Broken(format!("changed during import: {key}")).into()
        }
    }
}
