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
mod tests {
    use super::*;
    use crate::plan::memory::World;

    const NIGHT_MS: i64 = 20 * 60 * 60 * 1000;

    fn fresh() -> Walk {
        Walk::due(None, WallMs(1_000), NIGHT_MS).expect("nothing was walked yet")
    }

    fn stored(world: &World) -> Option<Walk> {
        world.get(&key::walk()).map(|item| Walk::from_item(item).expect("readable"))
    }

    fn write(world: &mut World, next: Walk) -> Walk {
        world.decide(GoOn { next }).expect("nobody else walks");
        stored(world).expect("written")
    }

    /// Killed after any page, it goes on where it was; every part of the table and every page of the list is read once.
    #[test]
    fn every_part_is_read_once_though_it_is_killed_after_every_page() {
        let (mut world, mut seen) = (World::new(), Vec::new());
        write(&mut world, fresh());
        loop {
            // Nothing but the table is kept from one page to the next.
            let walk = Walk::due(stored(&world), WallMs(2_000), NIGHT_MS).expect("under way");
            let page = Page { read: 2, findings: 1 };
            let next = match &walk.stage {
                Stage::Table { segment, after } => {
                    seen.push(format!("{segment} {}", after.is_some()));
                    let last = after.is_none().then(|| ("pk".to_owned(), "sk".to_owned()));
                    walk.read_items(page, last, WallMs(3_000))
                }
                Stage::Payments { after } => {
                    seen.push(format!("list {after:?}"));
                    walk.read_payments(page, after.is_none().then(|| "pi_1".to_owned()), WallMs(3_000))
                }
                Stage::Done => unreachable!("a walk that is done is not due"),
            };
            if write(&mut world, next).stage == Stage::Done {
                break;
            }
        }
        let parts = (0..SEGMENTS).flat_map(|n| [format!("{n} false"), format!("{n} true")]);
        let expect: Vec<_> = parts.chain(["list None".into(), "list Some(\"pi_1\")".into()]).collect();
        assert_eq!(seen, expect);
        let counts = stored(&world).expect("stored").counts;
        let pages = u64::from(SEGMENTS) * 2;
        assert_eq!(counts, Counts { items: pages * 2, payments: 4, findings: pages + 2, left_behind: 0 });
    }

    #[test]
    fn a_page_that_cannot_be_read_is_left_behind_at_last_and_counts_stay() {
        let mut walk = fresh().read_items(Page { read: 7, findings: 0 }, Some(("a".into(), "b".into())), WallMs(1));
        for _ in 1..MOST_TRIES {
            let (next, finding) = walk.failed(WallMs(2));
            assert_eq!((finding, &next.stage, next.counts), (None, &walk.stage, walk.counts));
            walk = next;
        }
        let (next, finding) = walk.failed(WallMs(3));
        assert_eq!(
            finding.map(|f| (f.code, f.subject)),
            Some((Code::Unreadable, "table part 0 of 32 from a b".into()))
        );
        assert_eq!(next.stage, Stage::Table { segment: 1, after: None });
        assert_eq!((next.tries, next.counts.items, next.counts.left_behind), (0, 7, 1));
        let mut list = Walk { stage: Stage::Payments { after: None }, tries: MOST_TRIES - 1, ..fresh() };
        (list, _) = list.failed(WallMs(3));
        assert_eq!(list.stage, Stage::Done);
    }

    #[test]
    fn two_who_walk_at_once_count_once() {
        let mut world = World::new();
        let walk = write(&mut world, fresh());
        let page = |read| walk.read_items(Page { read, findings: 0 }, None, WallMs(5));
        write(&mut world, page(3));
        assert_eq!(world.decide(GoOn { next: page(4) }), Err(Overtaken));
        assert!(world.decide(GoOn { next: page(3) }).is_ok(), "a lost reply is no other walker");
        assert_eq!(stored(&world).map(|walk| walk.counts.items), Some(3));
    }

    #[test]
    fn the_next_walk_is_due_a_night_later() {
        let done = Walk { stage: Stage::Done, version: 9, ..fresh() };
        assert_eq!(Walk::due(Some(done.clone()), WallMs(999 + NIGHT_MS), NIGHT_MS), None);
        let next = Walk::due(Some(done), WallMs(1_000 + NIGHT_MS), NIGHT_MS).expect("due");
        assert_eq!((next.version, next.stage), (9, Stage::Table { segment: 0, after: None }));
    }
}
