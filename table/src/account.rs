//! Everything that the table holds of one account, and having it erased.

use std::collections::BTreeSet;

use domain::erasure::{OrderFile, StillNeeded, forget};
use domain::ids::{AccountId, EventId, OrderId};
use domain::items::{CardUse, Hold, Order, Usage, key};
use domain::plan::{Item, Plan};
use domain::time::WallMs;

use crate::Table;
use crate::error::{CommitError, TableError};

/// What names an account, directly or by one of its orders.
#[derive(Debug, Default)]
pub struct AccountFile {
    /// Its counts.
    pub usages: Vec<Usage>,
    /// Its orders.
    pub orders: Vec<OrderFile>,
    /// All of it as stored, with everything that lies beside the orders.
    pub items: Vec<Item>,
}

impl AccountFile {
    /// The events that it is about.
    #[must_use]
    pub fn events(&self) -> BTreeSet<EventId> {
        let of_orders = self.orders.iter().map(|file| &file.order.event);
        self.usages.iter().map(|usage| &usage.event).chain(of_orders).cloned().collect()
    }
}

/// What an erasure did.
#[derive(Debug, Default)]
pub struct Erased {
    /// The events that the account had something in.
    pub events: BTreeSet<EventId>,
    /// Orders that are nobody's now.
    pub orders: Vec<OrderId>,
    /// Orders that are still needed, and why.
    pub kept: Vec<StillNeeded>,
    /// Counts of events that stay, because an order or a hold still counts there.
    pub counts: Vec<Usage>,
}

impl Table {
    /// Reads it. Holds that led to no order are named by nothing but themselves: they are not found here, and end by themselves.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn account(&self, account: &AccountId) -> Result<AccountFile, TableError> {
        let mut file = AccountFile::default();
        file.items = self.query(&key::usages(account), "EVENT#").await?;
        file.usages = file.items.iter().map(Usage::from_item).collect::<Result<_, _>>()?;
        for order in self.orders_of(account).await? {
            let (order, items) = self.order_file(order).await?;
            file.items.extend(items);
            file.orders.push(order);
        }
        Ok(file)
    }

    /// Erases an account's orders as far as they are needed no more, each in one transaction, then its counts. May be
    /// interrupted and asked again at any time; an order that changes meanwhile is under way and stays.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn erase_account(&self, account: &AccountId, now: WallMs) -> Result<Erased, TableError> {
        let found = self.account(account).await?;
        let mut erased = Erased { events: found.events(), ..Erased::default() };
        for file in found.orders {
            match self.erase_order(&file, now).await? {
                Ok(()) => erased.orders.push(file.order.id),
                Err(needed) => erased.kept.push(needed),
            }
        }
        for usage in self.account(account).await?.usages {
            let idle = usage.committed == 0 && self.is_over(&usage, now).await?;
            if !idle || !self.is_done(&forget(&usage)).await? {
                erased.counts.push(usage);
            }
        }
        Ok(erased)
    }

    async fn erase_order(&self, file: &OrderFile, now: WallMs) -> Result<Result<(), StillNeeded>, TableError> {
        let plan = match file.erase(now) {
            Ok(plan) => plan,
            Err(needed) => return Ok(Err(needed)),
        };
        let done = self.is_done(&plan).await?;
        Ok(if done { Ok(()) } else { Err(StillNeeded::Unfinished(file.order.id)) })
    }

    async fn is_over(&self, usage: &Usage, now: WallMs) -> Result<bool, TableError> {
        Ok(self.definition(&usage.event).await?.is_none_or(|definition| definition.ends_at_ms <= now))
    }

    /// Commits; whether all stood as it was read.
    async fn is_done(&self, plan: &Plan) -> Result<bool, TableError> {
        match self.commit(plan).await {
            Ok(()) => Ok(true),
            Err(CommitError::Refused(_)) => Ok(false),
            Err(CommitError::Table(error)) => Err(error),
        }
    }

    async fn order_file(&self, order: Order) -> Result<(OrderFile, Vec<Item>), TableError> {
        let mut items = self.query(&key::order(&order.id).pk, "").await?;
        let hold = self.get(&key::hold(&order.hold)).await?;
        let card = match &order.card {
            Some(card) => self.get(&key::card(card, &order.event)).await?,
            None => None,
        };
        let file = OrderFile {
            hold: hold.as_ref().map(Hold::from_item).transpose()?,
            card: card.as_ref().map(CardUse::from_item).transpose()?,
            ends: self.definition(&order.event).await?.map(|definition| definition.ends_at_ms),
            order,
        };
        items.extend(hold.into_iter().chain(card));
        Ok((file, items))
    }
}
