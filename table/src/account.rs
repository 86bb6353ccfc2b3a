//! Everything that the table holds of one account.

use domain::erasure::OrderFile;
use domain::ids::AccountId;
use domain::items::{CardUse, Hold, Order, Usage, key};
use domain::plan::Item;

use crate::Table;
use crate::error::TableError;

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
