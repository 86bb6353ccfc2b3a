//! The seat map as the edge hands it out: whole, one section, or what changed since a version.
//!
//! A shop sends the whole map in plain words ([`Sheet`]). Whoever keeps it ([`Chart`]) notes for each section at which version
//! it changed, so a reader who names the version it has gets the sections that changed since, and nobody needs to remember
//! readers. The bytes that travel are in [`Document`].

mod bytes;
mod counts;
mod document;
mod sheet;

pub use counts::Counts;
pub use document::{Document, DocumentError, version_of};
pub use sheet::{MOST_SEATS, MOST_VERSION, Sheet, SheetError, SheetPool, SheetSection};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{PoolId, SectionId};

/// A seat map that tells what changed when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// Its version.
    pub version: i64,
    /// The oldest version of which it knows what changed since.
    pub from: i64,
    /// Sections.
    pub sections: BTreeMap<SectionId, ChartSection>,
    /// Pools.
    pub pools: BTreeMap<PoolId, SheetPool>,
}

/// A section of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartSection {
    /// The version with which it came to be as it is.
    pub changed: i64,
    /// What it is.
    pub now: SheetSection,
}

/// What a reader asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The version it has.
    pub since: Option<i64>,
    /// The one section it wants.
    pub section: Option<SectionId>,
}

/// What a reader gets: parts of the map by the position of their sections, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Every section.
    Whole,
    /// These sections, perhaps none.
    Some(Vec<usize>),
}

/// What there is for a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It has what it asks for.
    Unchanged,
    /// It gets this.
    Part(Part),
}

/// The map has no such section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the map has no such section")]
pub struct NoSuchSection;

impl Chart {
    /// The map after a shop has sent another.
    #[must_use]
    pub fn after(before: Option<&Self>, sheet: Sheet) -> Self {
        let version = sheet.version;
        let same = |known: &&Self| {
            known.sections.keys().eq(sheet.sections.keys()) && known.pools.keys().eq(sheet.pools.keys())
        };
        let known = before.filter(|known| known.version <= version).filter(same);
        // Versions that a map had before it went back mean something else from now on.
        let lost =
            before.filter(|_| known.is_none()).map_or(version, |lost| lost.version.saturating_add(1).max(lost.from));
        let from = known.map_or(lost.max(version), |known| known.from);
        let changed = |id: &SectionId, now: &SheetSection| {
            let known = known.and_then(|known| known.sections.get(id)).filter(|known| known.now == *now);
            known.map_or(version, |known| known.changed)
        };
        let stamp = |(id, now): (SectionId, SheetSection)| {
            let changed = changed(&id, &now);
            (id, ChartSection { changed, now })
        };
        Self { version, from, sections: sheet.sections.into_iter().map(stamp).collect(), pools: sheet.pools }
    }

    /// What there is for a reader. One whose version it does not know gets all of what it asks for.
    ///
    /// # Errors
    /// It asks for a section that the map does not have.
    pub fn find(&self, ask: &Ask) -> Result<Found, NoSuchSection> {
        let since = ask.since.filter(|since| (self.from..=self.version).contains(since));
        let wanted = ask.section.as_ref().map(|id| self.position(id)).transpose()?;
        if since == Some(self.version) {
            return Ok(Found::Unchanged);
        }
        Ok(match (wanted, since) {
            (None, None) => Found::Part(Part::Whole),
            (None, Some(since)) => Found::Part(Part::Some(self.changed_since(since).collect())),
            (Some(at), Some(since)) if !self.changed_since(since).any(|changed| changed == at) => Found::Unchanged,
            (Some(at), _) => Found::Part(Part::Some(vec![at])),
        })
    }

    fn position(&self, id: &SectionId) -> Result<usize, NoSuchSection> {
        self.sections.keys().position(|known| known == id).ok_or(NoSuchSection)
    }

    fn changed_since(&self, since: i64) -> impl Iterator<Item = usize> {
        let sections = self.sections.values().enumerate();
        sections.filter(move |(_, section)| section.changed > since).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests;
