//! The rights of a person over what the table holds of its account: to have all of it, and to have it erased.

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::erasure::{StillNeeded, forget};
use domain::ids::{AccountId, OrderId};
use domain::items::{Usage, attr};
use domain::plan::{Item, Value as Stored};
use domain::time::WallMs;
use serde_json::{Value, json};
use table::{AccountFile, Table};

/// Everything that is stored of an account, item by item, under the names of docs/formats.md.
///
/// # Errors
/// When the table cannot be read.
pub async fn export(table: &Table, account: &AccountId) -> Result<Value> {
    let AccountFile { items, .. } = table.account(account).await?;
    Ok(json!({ "account": account, "items": items.iter().map(shown).collect::<Vec<_>>() }))
}

fn shown(item: &Item) -> Value {
    let index = [attr::OPEN_PK, attr::OPEN_AT];
    let own = item.iter().filter(|(name, _)| !index.contains(&name.as_str()));
    own.map(|(name, value)| (name.clone(), plain(value))).collect()
}

fn plain(value: &Stored) -> Value {
    match value {
        Stored::S(text) => json!(text),
        Stored::N(number) => json!(number),
        Stored::Bool(is) => json!(is),
        Stored::B(bytes) => json!(STANDARD.encode(bytes)),
        Stored::L(list) => list.iter().map(plain).collect(),
    }
}

/// What an erasure did.
#[derive(Debug, Default)]
pub struct Erased {
    /// Orders that are nobody's now.
    pub orders: Vec<OrderId>,
    /// Orders that are still needed, and why.
    pub kept: Vec<StillNeeded>,
    /// Counts of events that stay, because an order or a hold still counts there.
    pub counts: Vec<Usage>,
}

/// Erases an account's orders as far as they are needed no more, each in one transaction, then its counts. May be
/// interrupted and asked again at any time.
///
/// # Errors
/// When the table cannot be read, or an order changed meanwhile: then ask again.
pub async fn erase(table: &Table, account: &AccountId, now: WallMs) -> Result<Erased> {
    let mut erased = Erased::default();
    for file in table.account(account).await?.orders {
        match file.erase(now) {
            Ok(plan) => {
                table.commit(&plan).await?;
                erased.orders.push(file.order.id);
            }
            Err(needed) => erased.kept.push(needed),
        }
    }
    for usage in table.account(account).await?.usages {
        if usage.committed == 0 && is_over(table, &usage, now).await? {
            table.commit(&forget(&usage)).await?;
        } else {
            erased.counts.push(usage);
        }
    }
    Ok(erased)
}

async fn is_over(table: &Table, usage: &Usage, now: WallMs) -> Result<bool> {
    Ok(table.definition(&usage.event).await?.is_none_or(|definition| definition.ends_at_ms <= now))
}
