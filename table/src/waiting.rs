//! Who waits for returned seats.

use domain::ids::{AccountId, EventId};
use domain::items::{WaitState, Waiting, key};
use domain::time::EventMs;

use crate::{Table, TableError};

impl Table {
    /// Those who wait, in the order of the line, at most `limit`. The index lags: somebody who came a moment ago may be missing.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn waiting(&self, event: &EventId, limit: i32) -> Result<Vec<Waiting>, TableError> {
        let mut waiting = Vec::new();
        for key in self.open(&key::open_waiting(event), EventMs(i64::MAX), limit).await? {
            let item = self.get(&key).await?;
            waiting.extend(item.as_ref().map(Waiting::from_item).transpose()?);
        }
        waiting.retain(|one| one.state == WaitState::Waiting);
        Ok(waiting)
    }

    /// Whether anybody waits, as far as the index tells.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn anybody_waits(&self, event: &EventId) -> Result<bool, TableError> {
        Ok(!self.open(&key::open_waiting(event), EventMs(i64::MAX), 1).await?.is_empty())
    }

    /// How many wait in front of somebody, as far as the index tells; those beyond `most` are not counted.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn wait_before(&self, one: &Waiting, most: i32) -> Result<usize, TableError> {
        let place = EventMs(Waiting::order(one.place, one.lane));
        Ok(self.open(&key::open_waiting(&one.event), place, most).await?.len())
    }

    /// How an account stands on the list.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn waits(&self, event: &EventId, account: &AccountId) -> Result<Option<Waiting>, TableError> {
        let item = self.get(&key::waiting(event, account)).await?;
        Ok(item.as_ref().map(Waiting::from_item).transpose()?)
    }
}
