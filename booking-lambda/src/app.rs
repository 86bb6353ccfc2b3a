//! What every call needs; built once per process.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use checkout::client::Patience;
use checkout::config::{ConfigError, Env};
use checkout::{Checkout, registry};
use domain::ids::EventId;
use domain::keys::MasterKeys;
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
    noted: Mutex<HashSet<EventId>>,
}

impl App {
    /// Built from the environment.
    ///
    /// # Errors
    /// A variable is missing or wrong; the error names it.
    pub async fn from_env<F: Fn(&str) -> Option<String>>(env: &Env<F>) -> Result<Self, ConfigError> {
        let (keys, provider) = (env.master_keys()?, env.provider(Patience::FAN)?);
        let table = env.table().await?;
        Ok(Self::new(table, keys, provider))
    }

    /// Built from parts.
    #[must_use]
    pub fn new(table: Table, keys: MasterKeys, provider: checkout::client::Provider) -> Self {
        let checkout = Checkout::new(table.clone(), provider);
        Self { table, keys, checkout, events: Events::default(), noted: Mutex::default() }
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

    fn noted(&self) -> MutexGuard<'_, HashSet<EventId>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
