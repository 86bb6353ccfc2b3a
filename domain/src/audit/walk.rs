//! The nightly walk: where it is, and how it goes on.
//!
//! It reads the table in parts that never change, each a page at a time, then the provider's list. After every page its place and
//! its counts are written, on condition that nobody wrote meanwhile; so it may be killed anywhere, two may walk at once, and
//! nothing is counted twice. A page that stays unreadable is left behind with a finding: one bad page must not keep all that lies
//! behind it unread for ever.

use serde::{Deserialize, Serialize};

use super::{Code, Finding};
use crate::items::{Reader, Unreadable, attr, key};
use crate::plan::{Cond, Item, Next, Plan, Refused, Rule, Value, Write};
use crate::time::WallMs;

/// Parts of the table. Each is at most a few thousand items of a stadium.
pub const SEGMENTS: u32 = 32;
/// Tries after which a page is left behind.
pub const MOST_TRIES: u32 = 10;

/// What is read next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A part of the table, from the item after this key.
    Table {
        /// Which part, from 0.
        segment: u32,
        /// The last key that was read, both parts.
        after: Option<(String, String)>,
    },
    /// The provider's list, from the payment after this one.
    Payments {
        /// The last payment that was read.
        after: Option<String>,
    },
    /// It is at its end.
    Done,
}

/// What a walk has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Items of the table, of any kind.
    pub items: u64,
    /// Payments of the provider's list.
    pub payments: u64,
    /// Findings, also those that were known.
    pub findings: u64,
    /// Pages that were left behind unread.
    pub left_behind: u64,
}

/// A walk as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    /// When it began.
    pub began: WallMs,
    /// When it last got on.
    pub at: WallMs,
    /// What is read next.
    pub stage: Stage,
    /// How often the next page could not be read.
    pub tries: u32,
    /// What it has looked at.
    pub counts: Counts,
    /// Rises with every write; 0: never written.
    #[serde(skip)]
    pub version: i64,
}

/// A page that was read and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Items or payments.
    pub read: u64,
    /// Findings.
    pub findings: u64,
}

impl Walk {
    /// The value of `k`.
    pub const KIND: &'static str = "walk";

    /// The walk to go on with: the stored one if it is under way; a new one once `every_ms` are over since that began.
    #[must_use]
    pub fn due(stored: Option<Self>, wall: WallMs, every_ms: i64) -> Option<Self> {
        let version = stored.as_ref().map_or(0, |walk| walk.version);
        match stored {
            Some(walk) if walk.stage != Stage::Done => Some(walk),
            Some(walk) if wall.since(walk.began) < every_ms => None,
            _ => Some(Self {
                began: wall,
                at: wall,
                stage: Stage::Table { segment: 0, after: None },
                tries: 0,
                counts: Counts::default(),
                version,
            }),
        }
    }

    /// After a page of the table, whose last key is told unless the part is at its end.
    #[must_use]
    pub fn read_items(&self, page: Page, last: Option<(String, String)>, wall: WallMs) -> Self {
        let mut next = self.on(page, wall);
        next.counts.items += page.read;
        if let Stage::Table { segment, .. } = self.stage {
            next.stage = match last {
                Some(last) => Stage::Table { segment, after: Some(last) },
                None => after_segment(segment),
            };
        }
        next
    }

    /// After a page of the provider's list, whose last payment is told unless the list is at its end.
    #[must_use]
    pub fn read_payments(&self, page: Page, last: Option<String>, wall: WallMs) -> Self {
        let mut next = self.on(page, wall);
        next.counts.payments += page.read;
        next.stage = last.map_or(Stage::Done, |last| Stage::Payments { after: Some(last) });
        next
    }

    fn on(&self, page: Page, wall: WallMs) -> Self {
        let mut next = Self { at: wall, tries: 0, ..self.clone() };
        next.counts.findings += page.findings;
        next
    }

    /// After a page that could not be read: it is tried again, or at last left behind with a finding.
    #[must_use]
    pub fn failed(&self, wall: WallMs) -> (Self, Option<Finding>) {
        let tries = self.tries + 1;
        if tries < MOST_TRIES {
            return (Self { at: wall, tries, ..self.clone() }, None);
        }
        let (stage, what) = match &self.stage {
            Stage::Table { segment, after } => {
                let from = after.as_ref().map_or("its begin".to_owned(), |(pk, sk)| format!("{pk} {sk}"));
                (after_segment(*segment), format!("table part {segment} of {SEGMENTS} from {from}"))
            }
            Stage::Payments { after } => {
                let from = after.as_deref().unwrap_or("the newest");
                (Stage::Done, format!("payments from {from}"))
            }
            Stage::Done => (Stage::Done, "nothing".to_owned()),
        };
        let mut next = Self { at: wall, tries: 0, stage, ..self.clone() };
        next.counts.left_behind += 1;
        next.counts.findings += 1;
        (next, Some(Finding::new(Code::Unreadable, what, format!("not read in {MOST_TRIES} tries, so left behind"))))
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let key = key::walk();
        // Plain data: it always serialises.
        let body = serde_json::to_string(self).unwrap_or_default();
        Item::from([
            (attr::PK.to_owned(), key.pk.into()),
            (attr::SK.to_owned(), key.sk.into()),
            (attr::KIND.to_owned(), Self::KIND.into()),
            (attr::VERSION.to_owned(), Value::N(self.version)),
            (attr::BODY.to_owned(), body.into()),
        ])
    }

    /// Reads a stored walk.
    ///
    /// # Errors
    /// When it is unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let walk: Self = serde_json::from_str(r.text(attr::BODY)?).map_err(|_| r.bad(attr::BODY))?;
        Ok(Self { version: r.number(attr::VERSION)?, ..walk })
    }
}

const fn after_segment(segment: u32) -> Stage {
    if segment + 1 < SEGMENTS {
        Stage::Table { segment: segment + 1, after: None }
    } else {
        Stage::Payments { after: None }
    }
}

/// Writes a walk's next place down, unless somebody wrote meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoOn {
    /// Where it goes, with the version that was read.
    pub next: Walk,
}

/// Another janitor walks too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("somebody else goes on with the walk")]
pub struct Overtaken;

impl Rule for GoOn {
    type Refusal = Overtaken;

    fn plan(&self) -> Result<Plan, Overtaken> {
        let before = self.next.version;
        let expect = if before == 0 { Cond::Absent } else { Cond::eq(attr::VERSION, before) };
        let next = Walk { version: before + 1, ..self.next.clone() };
        Ok(Plan::new(vec![Write::put(next.to_item(), expect)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Overtaken> {
        // A lost reply: what stands there is what was to be written.
        let stands = refused.of(&key::walk()).and_then(|failed| Walk::from_item(failed.old.as_ref()?).ok());
        let ours = stands.is_some_and(|walk| walk == Walk { version: self.next.version + 1, ..self.next.clone() });
        if ours { Next::Done } else { Next::No(Overtaken) }
    }
}

#[cfg(test)]
mod tests;
