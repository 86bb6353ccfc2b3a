//! Whose books are read: the local stack's, or a deployment's.

use anyhow::Context;
use domain::ids::EventId;
use table::Table;

use super::home::Home;
use crate::audit::Payments;
use crate::stack::State;

/// A table and a payment provider.
pub(super) struct Source {
    pub table: Table,
    pub payments: Payments,
    event: Option<String>,
}

impl Source {
    /// The local stack's, or the deployment's that `TABLE_NAME`, `AWS_*`, `PROVIDER_URL` and `PROVIDER_KEY` name.
    pub async fn of(home: &Home, deployed: bool) -> anyhow::Result<Self> {
        let table = Self::table(home, deployed).await?;
        if deployed {
            return Ok(Self { table, payments: Payments::from_env()?, event: None });
        }
        let ready = home.ready()?;
        let payments = Payments::new(&ready.payments, State::provider_key_of(&ready)?)?;
        Ok(Self { table, payments, event: ready.event })
    }

    /// The table alone.
    pub async fn table(home: &Home, deployed: bool) -> anyhow::Result<Table> {
        if deployed {
            return Ok(Table::from_env(std::env::var("TABLE_NAME").context("TABLE_NAME is not set")?).await);
        }
        Ok(State::table_of(&home.ready()?)?)
    }

    /// The event that was named, or the running stack's.
    pub fn event(&self, named: Option<String>) -> anyhow::Result<EventId> {
        let id = named.or_else(|| self.event.clone()).context("name the event with --event")?;
        id.parse().with_context(|| format!("`{id}` is no event id"))
    }
}
