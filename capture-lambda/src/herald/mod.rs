//! Herald: tells organisers of orders and tickets, at the address that their event names.
//!
//! What is told, in which order, and what follows a failure is `domain::outbox`'s. Settle tries a new message at once; whatever
//! did not arrive is the janitor's, whose runs are a minute apart. A receiver that fails is left alone by settle for a minute, and
//! by the janitor for the rest of its run, so that it costs others little.

mod wire;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use checkout::config::{ConfigError, Env};
use checkout::wall_now;
use domain::ids::{EventId, OrderId};
use domain::items::{BUCKETS, OutMessage};
use domain::keys::MasterKeys;
use domain::outbox::{Ended, SigningKeys, Take, Turn, ended, turn};
use domain::plan::Key;
use table::{CommitError, DecideError, Table, TableError};

pub use wire::{Lookup, Policy, Wire};

/// What telling needs; built once.
#[derive(Debug)]
pub struct Herald {
    table: Table,
    keys: MasterKeys,
    wire: Wire,
    /// Events' addresses, and when they were read.
    known: Mutex<HashMap<EventId, (Instant, Option<String>)>>,
    /// Events whose receiver failed, and when.
    failed: Mutex<HashMap<EventId, Instant>>,
}

/// How telling of an order went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Messages that were taken.
    pub sent: u32,
    /// Whether one was not.
    pub failed: bool,
}

/// How long an event's address is trusted.
const TRUSTED: Duration = Duration::from_secs(30);
/// How long settle leaves a receiver alone that failed.
const ALONE: Duration = Duration::from_secs(60);
/// Orders that are told of at once.
const AT_ONCE: usize = 8;
/// Messages of one bucket that one run looks at.
const MESSAGES: i32 = 50;

impl Herald {
    /// From the environment: `ONSALE_MASTER_KEYS`, `ONSALE_WEBHOOK_TARGETS`.
    ///
    /// # Errors
    /// A variable is missing or wrong; the error names it.
    pub fn from_env<F: Fn(&str) -> Option<String>>(env: &Env<F>, table: Table) -> Result<Self, ConfigError> {
        let policy = if env.tells_locally()? { Policy::LOCAL } else { Policy::PUBLIC };
        Ok(Self::new(table, env.master_keys()?, Wire::new(policy, wire::system())?))
    }

    /// From parts.
    #[must_use]
    pub fn new(table: Table, keys: MasterKeys, wire: Wire) -> Self {
        Self { table, keys, wire, known: Mutex::default(), failed: Mutex::default() }
    }

    /// Tells of an order with new messages, unless its receiver failed a moment ago. Trouble is logged: the janitor comes by.
    pub async fn first(&self, event: &EventId, order: &OrderId) {
        if lock(&self.failed).get(event).is_some_and(|at| at.elapsed() < ALONE) {
            return;
        }
        if let Err(error) = self.tell(event, order).await {
            tracing::warn!(%event, %order, %error, "an organiser is to be told later");
        }
    }

    /// Sends an event's messages that are due, until that time; answers how many were taken. A receiver that fails again and again
    /// is left for the next run.
    ///
    /// # Errors
    /// The table failed.
    pub async fn due(&self, event: &EventId, until: Instant) -> Result<u32, TableError> {
        let mut sent = 0;
        if self.url(event).await?.is_none() {
            return Ok(0);
        }
        for bucket in 0..BUCKETS {
            let due = self.table.due_messages(event, bucket, wall_now(), MESSAGES).await?;
            let orders: BTreeSet<OrderId> = due.iter().filter_map(order_of).collect();
            for some in orders.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
                let told = futures::future::try_join_all(some.iter().map(|order| self.tell(event, order))).await?;
                sent += told.iter().map(|told| told.sent).sum::<u32>();
                if told.iter().all(|told| told.failed) || Instant::now() > until {
                    return Ok(sent);
                }
            }
        }
        Ok(sent)
    }

    /// Sends an order's messages, one after the other, as far as they are due and taken.
    ///
    /// # Errors
    /// The table failed.
    pub async fn tell(&self, event: &EventId, order: &OrderId) -> Result<Told, TableError> {
        let mut told = Told { sent: 0, failed: false };
        let Some(url) = self.url(event).await? else { return Ok(told) };
        while !told.failed {
            let messages = self.table.messages(order).await?;
            let Turn::Send(message) = turn(&messages, wall_now()) else { break };
            match self.send(&url, message.clone()).await? {
                Some(Ended::Acknowledged(_)) => told.sent += 1,
                Some(Ended::Failed(_) | Ended::Hopeless(_)) => told.failed = true,
                None => break,
            }
        }
        self.remember(event, told);
        Ok(told)
    }

    /// Takes a message, sends it, and writes down what came of it. `None`: somebody else has it.
    async fn send(&self, url: &str, message: OutMessage) -> Result<Option<Ended>, TableError> {
        let take = Take { message, sender: format!("{:032x}", rand::random::<u128>()), now: wall_now() };
        match self.table.decide(take.clone()).await {
            Ok(_) => {}
            Err(DecideError::Refused(_)) => return Ok(None),
            Err(DecideError::Table(error)) => return Err(error),
        }
        let taken = take.taken();
        let end = self.wire.send(url, &taken, &SigningKeys::of(&self.keys, &taken.event), wall_now()).await;
        log(&taken, &end);
        match self.table.commit(&ended(&taken, &end, wall_now(), rand::random())).await {
            Ok(()) | Err(CommitError::Refused(_)) => Ok(Some(end)),
            Err(CommitError::Table(error)) => Err(error),
        }
    }

    fn remember(&self, event: &EventId, told: Told) {
        let mut failed = lock(&self.failed);
        if told.failed {
            failed.insert(event.clone(), Instant::now());
        } else if told.sent > 0 {
            failed.remove(event);
        }
    }

    async fn url(&self, event: &EventId) -> Result<Option<String>, TableError> {
        if let Some((at, url)) = lock(&self.known).get(event)
            && at.elapsed() < TRUSTED
        {
            return Ok(url.clone());
        }
        let webhook = self.table.definition(event).await?.and_then(|definition| definition.webhook);
        let url = webhook.map(|webhook| webhook.url);
        lock(&self.known).insert(event.clone(), (Instant::now(), url.clone()));
        Ok(url)
    }
}

fn order_of(key: &Key) -> Option<OrderId> {
    key.pk.strip_prefix("ORDER#")?.parse().ok()
}

fn log(message: &OutMessage, end: &Ended) {
    let OutMessage { event, order, rank, tries, .. } = message;
    match end {
        Ended::Acknowledged(status) => tracing::info!(%event, %order, rank, tries, status, "an organiser was told"),
        Ended::Failed(why) => tracing::warn!(%event, %order, rank, tries, why, "an organiser was not reached"),
        Ended::Hopeless(why) => tracing::error!(%event, %order, rank, why, "an organiser cannot be told"),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Every change is one insertion or removal: what a panic leaves behind is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
