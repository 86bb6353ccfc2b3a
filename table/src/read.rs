//! Reading items and indexes.

use std::fmt::Debug;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, BlockId, EventId, HoldId, OrderId, PoolId};
use domain::items::{BUCKETS, ClockItem, Hold, Order, Seat, Share, Usage, attr, key};
use domain::plan::{Item, Key};
use domain::time::EventMs;

use crate::Table;
use crate::error::TableError;
use crate::schema::{ACCOUNT_INDEX, OPEN_INDEX};
use crate::value::{SdkItem, item_from_sdk, key_to_sdk};

impl Table {
    /// One item, consistently.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn get(&self, key: &Key) -> Result<Option<Item>, TableError> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let reply = request.set_key(Some(key_to_sdk(key))).send().await.map_err(failure)?;
        Ok(reply.item.as_ref().map(item_from_sdk))
    }

    /// The items of a partition whose sort key starts with `prefix` (empty: all), consistently, in order.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn query(&self, pk: &str, prefix: &str) -> Result<Vec<Item>, TableError> {
        let query = self.client.query().table_name(&self.name).consistent_read(true);
        let query = query.expression_attribute_values(":pk", text(pk));
        let query = if prefix.is_empty() {
            query.key_condition_expression("pk = :pk")
        } else {
            query
                .key_condition_expression("pk = :pk AND begins_with(sk, :sk)")
                .expression_attribute_values(":sk", text(prefix))
        };
        all_pages(query).await
    }

    /// The event's clock.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn clock(&self, event: &EventId) -> Result<Option<ClockItem>, TableError> {
        typed(self.get(&key::clock(event)).await?, ClockItem::from_item)
    }

    /// A hold.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn hold(&self, hold: &HoldId) -> Result<Option<Hold>, TableError> {
        typed(self.get(&key::hold(hold)).await?, Hold::from_item)
    }

    /// An order.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn order(&self, order: &OrderId) -> Result<Option<Order>, TableError> {
        typed(self.get(&key::order(order)).await?, Order::from_item)
    }

    /// What an account has of an event.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn usage(&self, account: &AccountId, event: &EventId) -> Result<Option<Usage>, TableError> {
        typed(self.get(&key::usage(account, event)).await?, Usage::from_item)
    }

    /// The seats of a block, consistently, sorted by id as text.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn seats(&self, event: &EventId, block: &BlockId) -> Result<Vec<Seat>, TableError> {
        let items = self.query(&key::block(event, block), "SEAT#").await?;
        Ok(items.iter().map(Seat::from_item).collect::<Result<_, _>>()?)
    }

    /// The shares of a pool, consistently.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn shares(&self, event: &EventId, pool: &PoolId) -> Result<Vec<Share>, TableError> {
        let items = self.query(&key::pool(event, pool), "SHARE#").await?;
        Ok(items.iter().map(Share::from_item).collect::<Result<_, _>>()?)
    }

    /// Keys of live holds of one bucket whose time passed before `before`, earliest first, at most `limit`. An index
    /// lags: read the hold before acting on it.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn due_holds(
        &self,
        event: &EventId,
        bucket: u8,
        before: EventMs,
        limit: i32,
    ) -> Result<Vec<Key>, TableError> {
        self.open(&key::open_holds(event, bucket % BUCKETS), before, limit).await
    }

    /// Keys of orders of one bucket that have steps left and did not change since `before`, earliest first, at most
    /// `limit`. An index lags: read the order before acting on it.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn open_orders(
        &self,
        event: &EventId,
        bucket: u8,
        before: EventMs,
        limit: i32,
    ) -> Result<Vec<Key>, TableError> {
        self.open(&key::open_orders(event, bucket % BUCKETS), before, limit).await
    }

    pub(crate) async fn open(&self, pk: &str, before: EventMs, limit: i32) -> Result<Vec<Key>, TableError> {
        let query = self.client.query().table_name(&self.name).index_name(OPEN_INDEX).limit(limit);
        let query = query
            .key_condition_expression("#pk = :pk AND #at < :before")
            .expression_attribute_names("#pk", attr::OPEN_PK);
        let query = query.expression_attribute_names("#at", attr::OPEN_AT).expression_attribute_values(":pk", text(pk));
        let query = query.expression_attribute_values(":before", AttributeValue::N(before.0.to_string()));
        let reply = query.send().await.map_err(failure)?;
        Ok(keys(reply.items()))
    }

    /// An account's orders, newest first, of every event.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn orders_of(&self, account: &AccountId) -> Result<Vec<Order>, TableError> {
        let query = self.client.query().table_name(&self.name).index_name(ACCOUNT_INDEX).scan_index_forward(false);
        let query = query.key_condition_expression("#pk = :pk").expression_attribute_names("#pk", attr::ACCOUNT_PK);
        let items = all_pages(query.expression_attribute_values(":pk", text(&key::account_orders(account)))).await?;
        let mut orders = Vec::new();
        for key in items.iter().filter_map(Key::of) {
            orders.extend(typed(self.get(&key).await?, Order::from_item)?);
        }
        Ok(orders)
    }

    /// Every item of the table, in no order: for audits.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn scan(&self) -> Result<Vec<Item>, TableError> {
        let mut items = Vec::new();
        let mut from: Option<SdkItem> = None;
        loop {
            let scan = self.client.scan().table_name(&self.name).consistent_read(true).set_exclusive_start_key(from);
            let reply = scan.send().await.map_err(failure)?;
            items.extend(reply.items().iter().map(item_from_sdk));
            from = reply.last_evaluated_key;
            if from.is_none() {
                return Ok(items);
            }
        }
    }
}

async fn all_pages(query: QueryFluentBuilder) -> Result<Vec<Item>, TableError> {
    let mut items = Vec::new();
    let mut from: Option<SdkItem> = None;
    loop {
        let reply = query.clone().set_exclusive_start_key(from).send().await.map_err(failure)?;
        items.extend(reply.items().iter().map(item_from_sdk));
        from = reply.last_evaluated_key;
        if from.is_none() {
            return Ok(items);
        }
    }
}

fn typed<T>(
    item: Option<Item>,
    read: impl Fn(&Item) -> Result<T, domain::items::Unreadable>,
) -> Result<Option<T>, TableError> {
    Ok(item.as_ref().map(read).transpose()?)
}

fn keys(items: &[SdkItem]) -> Vec<Key> {
    items.iter().map(item_from_sdk).filter_map(|item| Key::of(&item)).collect()
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// What a failed read or unconditional write means, after the SDK's own retries.
pub(crate) fn failure<E: ProvideErrorMetadata + Debug, R: Debug>(error: SdkError<E, R>) -> TableError {
    match error {
        SdkError::ServiceError(service) => match service.err().code().unwrap_or("unknown") {
            "ThrottlingException" | "RequestLimitExceeded" | "ProvisionedThroughputExceededException" => {
                TableError::Busy("throttle")
            }
            "InternalServerError" | "ServiceUnavailable" => TableError::Unreachable("service".into()),
            code => TableError::Broken(code.to_owned()),
        },
        SdkError::ConstructionFailure(_) => TableError::Broken("construction".into()),
        SdkError::TimeoutError(_) => TableError::Unreachable("timeout".into()),
        _ => TableError::Unreachable("no reply".into()),
    }
}
