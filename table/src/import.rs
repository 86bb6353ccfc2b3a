//! Importing an event, for the first time or again: the rules are `domain::reimport`'s, the parts go under its fence.
//!
//! The definition is written last, so that nobody sells by a plan that is not all there.

use domain::items::{Seat, Share, key};
use domain::plan::{Cond, Write};
use domain::plan_import::{EventDefinition, Imported, seats_of};
use domain::reimport::{Begin, Changes, Fence, Obstacle, Overtaken, PART, Report, Wanted, compare, part};

use crate::error::{CommitError, TableError};
use crate::event::{layout_items, meta_item};
use crate::{DecideError, Table};

/// How often an import looks again after a sale that came in between.
const LOOKS: usize = 20;

/// Why an event was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The new plan would lose or move what somebody has. Unless that was sold while the import was going on, nothing was written.
    #[error("{}", lines(.0))]
    InTheWay(Vec<Obstacle>),
    /// Another import of the event began later, and goes on.
    #[error("IMPORT_OVERTAKEN: {0}")]
    Overtaken(#[from] Overtaken),
    /// The table failed. Importing again goes on where this ended.
    #[error(transparent)]
    Table(#[from] TableError),
}

fn lines(obstacles: &[Obstacle]) -> String {
    let lines: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
    format!("the plan would lose what is in use:\n  {}", lines.join("\n  "))
}

impl Table {
    /// Imports an event, or imports it again: nothing that somebody has is lost or moved. `progress` is told how many of
    /// how many items are done.
    ///
    /// # Errors
    /// What stands in the way, all of it.
    pub async fn import(
        &self,
        imported: &Imported,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Report, ImportError> {
        let event = &imported.definition.id;
        let wanted = seats_of(event, &imported.layout);
        let fence = self.take_fence(&imported.definition).await?;
        let mut report = None;
        for _ in 0..LOOKS {
            let changes = self.differences(&fence, imported, &wanted).await?;
            // What the first look found is what the import does; later ones find what a sale kept from being done.
            let report = *report.get_or_insert(changes.report);
            if self.write_parts(&fence, &changes, &mut progress).await? {
                self.put_all(&layout_items(event, &imported.layout), &mut |_, _| ()).await?;
                self.redraw(&imported.definition).await?;
                let ready = Write::put(meta_item(&imported.definition), Cond::Always);
                self.in_force(&fence, ready).await?;
                return Ok(report);
            }
        }
        Err(TableError::Busy("sales kept coming between").into())
    }

    /// Takes the import over from whoever had it.
    async fn take_fence(&self, new: &EventDefinition) -> Result<Fence, ImportError> {
        let stored = self.get(&key::import(&new.id)).await?;
        let known = stored.as_ref().map(Fence::from_item).transpose().map_err(TableError::from)?;
        let old = self.definition(&new.id).await?;
        let definitions = || old.iter().chain([new]);
        let fence = Fence {
            event: new.id.clone(),
            import: format!("{:032x}", rand::random::<u128>()),
            blocks: definitions().flat_map(|d| &d.sections).flat_map(|s| s.blocks.iter().cloned()).collect(),
            pools: definitions().flat_map(|d| &d.pools).map(|p| p.id.clone()).collect(),
        };
        let begin = Begin { fence, known };
        let joined = begin.joined();
        match self.decide(begin).await {
            Ok(_) => Ok(joined),
            Err(DecideError::Refused(overtaken)) => Err(overtaken.into()),
            Err(DecideError::Table(error)) => Err(error.into()),
        }
    }

    async fn differences(&self, fence: &Fence, new: &Imported, wanted: &[Seat]) -> Result<Changes, ImportError> {
        let event = &fence.event;
        let (mut seats, mut shares): (Vec<Seat>, Vec<Share>) = (Vec::new(), Vec::new());
        for block in &fence.blocks {
            seats.extend(self.seats(event, block).await?);
        }
        for pool in &fence.pools {
            shares.extend(self.shares(event, pool).await?);
        }
        let wanted = Wanted { event, seats: wanted, pools: &new.definition.pools };
        compare(wanted, &seats, &shares).map_err(ImportError::InTheWay)
    }

    /// Writes all parts; `false` when a sale came in between and all is to be looked at again.
    async fn write_parts(
        &self,
        fence: &Fence,
        changes: &Changes,
        progress: &mut impl FnMut(usize, usize),
    ) -> Result<bool, ImportError> {
        let parts = changes.parts(PART);
        let (mut done, all) = (0, parts.iter().map(Vec::len).sum());
        for part in parts {
            if !self.write_part(fence, &part).await? {
                return Ok(false);
            }
            done += part.len();
            progress(done, all);
        }
        Ok(true)
    }

    async fn write_part(&self, fence: &Fence, writes: &[Write]) -> Result<bool, ImportError> {
        match self.commit(&part(fence, writes)).await {
            Ok(()) => Ok(true),
            Err(CommitError::Table(error)) => Err(error.into()),
            Err(CommitError::Refused(refused)) if refused.of(&key::import(&fence.event)).is_some() => {
                Err(Overtaken.into())
            }
            Err(CommitError::Refused(_)) => Ok(false),
        }
    }

    /// The new definition is in force from here on.
    async fn in_force(&self, fence: &Fence, ready: Write) -> Result<(), ImportError> {
        // Its condition is the fence alone, so nothing else can refuse it.
        self.write_part(fence, &[ready]).await.map(drop)
    }
}
