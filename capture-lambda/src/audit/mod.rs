//! The nightly audit: walks the table and the provider's list in bounded steps, and keeps what it cannot explain for a person.
//!
//! What is compared is `domain::audit`'s, where the walk is `domain::audit::Walk`'s. Findings go to the table, each once, and a new
//! one to the log, where it is named by a number that says nothing about anybody.

mod judge;

use std::time::{Duration, Instant};

use checkout::client::{Provider, ProviderError};
use checkout::wall_now;
use domain::audit::{Counts, Finding, GoOn, Keep, Overtaken, Page, SEGMENTS, SeeAgain, Stage, Stored, Walk};
use domain::ids::EventId;
use domain::plan::Key;
use futures::stream::{self, StreamExt, TryStreamExt};
use serde::Serialize;
use table::{DecideError, Table, TableError};

use judge::{Judge, Suspect};

/// What the audit needs; built once.
#[derive(Debug)]
pub struct Auditor {
    table: Table,
    provider: Provider,
}

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Pages that were read.
    pub pages: u32,
    /// What the walk has looked at so far; none: none is due.
    pub counts: Option<Counts>,
    /// Whether the walk is at its end.
    pub done: bool,
}

/// Why a page was not read.
#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("table: {0}")]
    Table(#[from] TableError),
    #[error("payment provider: {0}")]
    Provider(#[from] ProviderError),
}

/// Between two walks, in ms: they begin at about the same time each night.
pub const NIGHT_MS: i64 = 20 * 60 * 60 * 1000;
/// The part of a run's minute in which pages are begun.
pub const STEP: Duration = Duration::from_secs(40);
/// Items of a page.
const PAGE: i32 = 100;
/// Items that are looked at at once.
const AT_ONCE: usize = 8;
/// After this pause a suspect is looked at again: by then whatever was under way is seen whole.
const PAUSE: Duration = Duration::from_millis(1_000);

impl Auditor {
    /// Over this table and provider.
    #[must_use]
    pub const fn new(table: Table, provider: Provider) -> Self {
        Self { table, provider }
    }

    /// Goes on with the walk that is due, if one is, by a page at least, and begins no other after `within`. Whatever ends it, what was read is
    /// written down and counted.
    ///
    /// # Errors
    /// The walk itself cannot be read or written.
    pub async fn step(&self, every_ms: i64, within: Duration) -> Result<Told, TableError> {
        let (begun, mut told) = (Instant::now(), Told::default());
        let Some(mut walk) = Walk::due(self.table.walk().await?, wall_now(), every_ms) else { return Ok(told) };
        while walk.stage != Stage::Done && (told.pages == 0 || begun.elapsed() < within) {
            let (next, read) = self.page(&walk).await;
            let Some(next) = self.write(next).await? else { break };
            walk = next;
            if !read && walk.tries > 0 {
                break; // it is tried again in the next run
            }
            told.pages += u32::from(read);
        }
        told.done = walk.stage == Stage::Done;
        told.counts = Some(walk.counts);
        let Counts { items, payments, findings, left_behind } = walk.counts;
        tracing::info!(items, payments, findings, left_behind, told.done, "audit");
        Ok(told)
    }

    /// `None`: somebody else walks.
    async fn write(&self, next: Walk) -> Result<Option<Walk>, TableError> {
        match self.table.decide(GoOn { next: next.clone() }).await {
            Ok(_) => Ok(Some(Walk { version: next.version + 1, ..next })),
            Err(DecideError::Refused(Overtaken)) => Ok(None),
            Err(DecideError::Table(error)) => Err(error),
        }
    }

    /// The walk after its next page, and whether that was read.
    async fn page(&self, walk: &Walk) -> (Walk, bool) {
        let read = match &walk.stage {
            Stage::Table { segment, after } => self.items(walk, *segment, after.clone()).await,
            Stage::Payments { after } => self.payments(walk, after.as_deref()).await,
            Stage::Done => Ok(walk.clone()),
        };
        match read {
            Ok(next) => (next, true),
            Err(lost) => (self.missed(walk, &lost).await, false),
        }
    }

    /// A page that was not read; left behind with a finding at last. If that cannot be kept, the page is tried once more.
    async fn missed(&self, walk: &Walk, lost: &Lost) -> Walk {
        tracing::warn!(%lost, walk.tries, "a page of the audit was not read");
        let (next, finding) = walk.failed(wall_now());
        let Some(finding) = finding else { return next };
        match self.keep(None, finding).await {
            Ok(()) => next,
            Err(_) => Walk { at: wall_now(), ..walk.clone() },
        }
    }

    async fn items(&self, walk: &Walk, segment: u32, after: Option<(String, String)>) -> Result<Walk, Lost> {
        let after = after.map(|(pk, sk)| Key::new(pk, sk));
        let (items, last) = self.table.part(segment, SEGMENTS, after.as_ref(), PAGE).await?;
        let read = items.len() as u64;
        let suspects = items.into_iter().map(Suspect::Item).collect();
        let page = Page { read, findings: self.look(suspects).await? };
        Ok(walk.read_items(page, last.map(|key| (key.pk, key.sk)), wall_now()))
    }

    async fn payments(&self, walk: &Walk, after: Option<&str>) -> Result<Walk, Lost> {
        let listed = self.provider.list(after).await?;
        let read = (listed.intents.len() + listed.unreadable.len()) as u64;
        for id in &listed.unreadable {
            self.keep(None, judge::unreadable_payment(id)).await?;
        }
        let suspects = listed.intents.into_iter().map(Suspect::Payment).collect();
        let findings = self.look(suspects).await? + listed.unreadable.len() as u64;
        let last = listed.last.filter(|last| listed.has_more && Some(last.as_str()) != after);
        Ok(walk.read_payments(Page { read, findings }, last, wall_now()))
    }

    /// Judges all, and those with findings once more, as they then are; keeps what both looks found, and answers how much that is.
    async fn look(&self, suspects: Vec<Suspect>) -> Result<u64, Lost> {
        let judge = Judge { table: &self.table, provider: &self.provider, wall: wall_now() };
        let judged = stream::iter(suspects).map(|suspect| judge.judged(suspect)).buffer_unordered(AT_ONCE);
        let judged: Vec<(Suspect, Vec<Finding>)> = judged.try_collect().await?;
        let found: Vec<_> = judged.into_iter().filter(|(_, findings)| !findings.is_empty()).collect();
        if found.is_empty() {
            return Ok(0);
        }
        tokio::time::sleep(PAUSE).await;
        let mut kept = 0;
        for (suspect, before) in found {
            let event = suspect.event();
            let again = judge.again(suspect).await?;
            for finding in again.into_iter().filter(|finding| before.iter().any(|seen| seen.is(finding))) {
                self.keep(event.clone(), finding).await?;
                kept += 1;
            }
        }
        Ok(kept)
    }

    /// Keeps a finding; a new one is logged by its number alone.
    async fn keep(&self, event: Option<EventId>, finding: Finding) -> Result<(), TableError> {
        let stored = Stored::new(event, finding, wall_now());
        match self.table.decide(Keep(stored.clone())).await {
            Ok(_) => {
                let event = stored.event.as_ref().map(EventId::as_str);
                tracing::error!(event, code = %stored.finding.code, finding = stored.id(), "a finding of the audit needs a person");
                Ok(())
            }
            Err(DecideError::Refused(_)) => match self.table.decide(SeeAgain(stored)).await {
                Ok(_) | Err(DecideError::Refused(_)) => Ok(()),
                Err(DecideError::Table(error)) => Err(error),
            },
            Err(DecideError::Table(error)) => Err(error),
        }
    }
}
