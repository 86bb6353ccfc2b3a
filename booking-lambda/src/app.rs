//! What every call needs; built once per process.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use checkout::client::Patience;
use checkout::config::{ConfigError, Env};
use checkout::{Checkout, registry};
use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::webhook::Secrets;
use table::{Table, TableError};

use crate::events::Events;

/// Clients, keys and what is remembered of events.
#[derive(Debug)]
pub struct App {
    /// The table.
    pub table: Table,
    /// Master keys; their `Debug` shows ids only.
    pub keys: MasterKeys,
    /// The executor of orders.
    pub checkout: Checkout,
    /// Events by id.
    pub events: Events,
    /// What the payment provider signs its events with; `None`: it tells nothing here.
    pub webhook_secrets: Option<Secrets>,
    noted: Mutex<HashSet<EventId>>,
    swept: Mutex<HashMap<EventId, Instant>>,
}

/// How long one process waits until it looks for overdue holds of an event again: those who ask for places of a pool that is
/// sold out may be many.
const BETWEEN_SWEEPS: Duration = Duration::from_millis(500);

impl App {
    /// Built from the environment.
    ///
    /// # Errors
    /// A variable is missing or wrong; the error names it.
    pub async fn from_env<F: Fn(&str) -> Option<String>>(env: &Env<F>) -> Result<Self, ConfigError> {
        let (keys, provider) = (env.master_keys()?, env.provider(Patience::FAN)?);
        let (secrets, table) = (env.webhook_secrets()?, env.table().await?);
        Ok(Self { webhook_secrets: secrets, ..Self::new(table, keys, provider) })
    }

    /// Built from parts; the payment provider tells nothing.
    #[must_use]
    pub fn new(table: Table, keys: MasterKeys, provider: checkout::client::Provider) -> Self {
        let checkout = Checkout::new(table.clone(), provider);
        let (events, webhook_secrets) = (Events::default(), None);
        Self { table, keys, checkout, events, webhook_secrets, noted: Mutex::default(), swept: Mutex::default() }
    }

    /// Notes the event for the janitor, once per process.
    ///
    /// # Errors
    /// The table failed.
    pub async fn note(&self, event: &EventId) -> Result<(), TableError> {
        if !self.noted().contains(event) {
            registry::note(&self.table, event).await?;
            self.noted().insert(event.clone());
        }
        Ok(())
    }

    /// Whether it is time to look for overdue holds of an event; if so, it is not for a while.
    #[must_use]
    pub fn may_sweep(&self, event: &EventId) -> bool {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        let due = swept.get(event).is_none_or(|at| at.elapsed() >= BETWEEN_SWEEPS);
        if due {
            swept.insert(event.clone(), Instant::now());
        }
        due
    }

    fn noted(&self) -> MutexGuard<'_, HashSet<EventId>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
