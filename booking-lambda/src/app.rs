//! What every call needs; built once per process.

use checkout::Checkout;
use checkout::client::Patience;
use checkout::config::{ConfigError, Env};
use domain::keys::MasterKeys;
use table::Table;

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
        Self { table, keys, checkout, events: Events::default() }
    }
}
