//! What the nightly audit reads, and what it keeps.

use domain::audit::{Stored, Walk};
use domain::ids::EventId;
use domain::items::key;
use domain::plan::{Item, Key};

use crate::Table;
use crate::error::TableError;
use crate::read::failure;
use crate::value::{item_from_sdk, key_to_sdk};

impl Table {
    /// A page of one of `of` parts of the table, from the item after `after`, of at most `limit` items; and its last key unless
    /// the part ends there. It may be a moment old.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn part(
        &self,
        segment: u32,
        of: u32,
        after: Option<&Key>,
        limit: i32,
    ) -> Result<(Vec<Item>, Option<Key>), TableError> {
        let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        let scan = self.client.scan().table_name(&self.name).segment(number(segment)).total_segments(number(of));
        let reply = scan.limit(limit).set_exclusive_start_key(after.map(key_to_sdk)).send().await.map_err(failure)?;
        let last = reply.last_evaluated_key.as_ref().and_then(|key| Key::of(&item_from_sdk(key)));
        Ok((reply.items().iter().map(item_from_sdk).collect(), last))
    }

    /// Where the nightly audit is.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn walk(&self) -> Result<Option<Walk>, TableError> {
        Ok(self.get(&key::walk()).await?.as_ref().map(Walk::from_item).transpose()?)
    }

    /// What the audit keeps about an event, or about none that is known.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn findings(&self, event: Option<&EventId>) -> Result<Vec<Stored>, TableError> {
        let first = key::finding(event, "");
        let items = self.query(&first.pk, &first.sk).await?;
        Ok(items.iter().map(Stored::from_item).collect::<Result<_, _>>()?)
    }
}
