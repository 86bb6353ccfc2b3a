//! An account's orders, a page at a time.

use std::fmt;
use std::str::FromStr;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, BadId, OrderId};
use domain::items::{Order, attr, key};
use domain::plan::Key;

use crate::Table;
use crate::error::TableError;
use crate::read::failure;
use crate::schema::ACCOUNT_INDEX;
use crate::value::{SdkItem, item_from_sdk};

/// Where a page ended: the last order on it and when that was made, written `ms.order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    created_ms: i64,
    order: OrderId,
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.created_ms, self.order)
    }
}

impl FromStr for After {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = BadId { kind: "page" };
        let (ms, order) = text.split_once('.').ok_or(bad)?;
        Ok(Self { created_ms: ms.parse().map_err(|_| bad)?, order: order.parse()? })
    }
}

impl After {
    /// Where an entry of the index stands.
    fn of(entry: &SdkItem) -> Option<Self> {
        let order = entry.get(attr::PK)?.as_s().ok()?.strip_prefix("ORDER#")?.parse().ok()?;
        Some(Self { created_ms: entry.get(attr::AT)?.as_n().ok()?.parse().ok()?, order })
    }

    /// The index key where the page ended.
    fn start(self, account: &AccountId) -> SdkItem {
        let Key { pk, sk } = key::order(&self.order);
        SdkItem::from([
            (attr::PK.to_owned(), AttributeValue::S(pk)),
            (attr::SK.to_owned(), AttributeValue::S(sk)),
            (attr::ACCOUNT_PK.to_owned(), AttributeValue::S(key::account_orders(account))),
            (attr::AT.to_owned(), AttributeValue::N(self.created_ms.to_string())),
        ])
    }
}

impl Table {
    /// At most `limit` of an account's orders of every event, newest first, after where the last page ended; and where this
    /// one ended, if there may be more.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn orders_page(
        &self,
        account: &AccountId,
        after: Option<After>,
        limit: i32,
    ) -> Result<(Vec<Order>, Option<After>), TableError> {
        let query = self.client.query().table_name(&self.name).index_name(ACCOUNT_INDEX).scan_index_forward(false);
        let query = query.key_condition_expression("#pk = :pk").expression_attribute_names("#pk", attr::ACCOUNT_PK);
        let query = query.expression_attribute_values(":pk", AttributeValue::S(key::account_orders(account)));
        let query = query.limit(limit).set_exclusive_start_key(after.map(|after| after.start(account)));
        let reply = query.send().await.map_err(failure)?;
        let mut orders = Vec::new();
        for key in reply.items().iter().map(item_from_sdk).filter_map(|item| Key::of(&item)) {
            // The index lags: the item is what counts.
            orders.extend(self.get(&key).await?.as_ref().map(Order::from_item).transpose()?);
        }
        let more = reply.last_evaluated_key.is_some();
        Ok((orders, reply.items().last().filter(|_| more).and_then(After::of)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_page_ended_is_read_back_and_nonsense_is_not() {
        let after = After { created_ms: 1_800_000_000_123, order: OrderId::from_bytes([9; 16]) };
        assert_eq!(after.to_string().parse(), Ok(after));
        assert_eq!(After::of(&after.start(&AccountId::derive("bench", "ada"))), Some(after));
        for bad in ["", ".", "1", "x.CQkJCQkJCQkJCQkJCQkJCQ", "1.CQkJ", "1.2.CQkJCQkJCQkJCQkJCQkJCQ"] {
            assert!(bad.parse::<After>().is_err(), "{bad:?}");
        }
    }
}
