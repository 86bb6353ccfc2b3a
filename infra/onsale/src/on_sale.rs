//! Putting an event on sale, and ending that. First its items into the table, then its definition to the edge.
//! In this order, so that the line never opens before there is something to sell.

use domain::plan_import::{EventDefinition, Imported};

use crate::stack::{Stack, StackError};

/// Why an event is not on sale.
#[derive(Debug, thiserror::Error)]
pub enum NotOnSale {
    /// The table did not take it.
    #[error(transparent)]
    Table(#[from] StackError),
    /// The edge did not answer.
    #[error("the edge does not answer: {0}")]
    Silent(#[from] reqwest::Error),
    /// The edge refused; its problem document says why.
    #[error("the edge refused: {0}")]
    Refused(String),
}

/// Imports an event into a running stack and opens its line.
///
/// # Errors
/// [`NotOnSale`]; repeating it with the same event is harmless.
pub async fn put_on_sale(stack: &Stack, event: &Imported, progress: impl FnMut(usize, usize)) -> Result<(), NotOnSale> {
    stack.import(event, progress).await?;
    announce(stack.edge_url(), stack.operator_key(), &event.definition).await
}

/// Tells the edge of an event that the table has.
///
/// # Errors
/// [`NotOnSale::Silent`] or [`NotOnSale::Refused`].
pub async fn announce(edge_url: &str, operator_key: &str, event: &EventDefinition) -> Result<(), NotOnSale> {
    let url = format!("{edge_url}/v1/operator/events/{}", event.id);
    let put = reqwest::Client::new().put(url).bearer_auth(operator_key).json(&event.to_edge_json());
    accepted(put.send().await?).await
}

/// Ends an event's on-sale at the edge.
///
/// # Errors
/// [`NotOnSale::Silent`] or [`NotOnSale::Refused`].
pub async fn close(edge_url: &str, operator_key: &str, event: &str) -> Result<(), NotOnSale> {
    let url = format!("{edge_url}/v1/operator/events/{event}/close");
    let post = reqwest::Client::new().post(url).bearer_auth(operator_key).json(&serde_json::json!({}));
    accepted(post.send().await?).await
}

async fn accepted(answer: reqwest::Response) -> Result<(), NotOnSale> {
    if answer.status().is_success() { Ok(()) } else { Err(NotOnSale::Refused(answer.text().await?)) }
}
