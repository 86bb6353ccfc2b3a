//! Paying a hold, while its fan waits.

use std::time::Duration;

use domain::items::Order;
use domain::order::{Claim, ClaimRefusal};
use table::DecideError;

use crate::executor::{Carried, Checkout, Goal, Unfinished};
use crate::terms::Terms;

/// How long a fan waits for an answer before being told to come back. The executor may be dropped at any await.
const ANSWER_WITHIN: Duration = Duration::from_secs(6);

/// Why nothing is being paid.
#[derive(Debug, thiserror::Error)]
pub enum PayError {
    /// The hold cannot be claimed for this order; no money was asked for.
    #[error(transparent)]
    Claim(#[from] ClaimRefusal),
    /// The table or the provider gave no result before there was an order.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
}

impl Checkout {
    /// Claims the hold and carries its order until the fan can be told. An order that is still paying when
    /// this answers is carried on by whoever comes next.
    ///
    /// # Errors
    /// See [`PayError`]; once there is an order, the answer is the order.
    pub async fn pay(&self, claim: Claim, terms: &Terms) -> Result<Carried, PayError> {
        let order = self.claim(claim).await?;
        self.settle_answer(order, terms).await
    }

    /// Carries an order that was placed before, if its fan cannot be told yet.
    ///
    /// # Errors
    /// See [`PayError`].
    pub async fn settle_answer(&self, order: Order, terms: &Terms) -> Result<Carried, PayError> {
        let id = order.id;
        match tokio::time::timeout(ANSWER_WITHIN, self.carry(order, terms, Goal::Answer)).await {
            Ok(Ok(carried)) => return Ok(carried),
            Ok(Err(unfinished)) => tracing::warn!(order = %id, %unfinished, "an order is left for later"),
            Err(_) => tracing::warn!(order = %id, "the provider is slow; an order is left for later"),
        }
        Ok(Carried { order: self.read(&id).await?.ok_or(Unfinished::NoOrder(id))?, action: None })
    }

    async fn claim(&self, claim: Claim) -> Result<Order, PayError> {
        let id = claim.order;
        match self.table.decide(claim).await {
            Ok(_) => Ok(self.read(&id).await?.ok_or(Unfinished::NoOrder(id))?),
            Err(DecideError::Refused(refusal)) => Err(refusal.into()),
            Err(DecideError::Table(error)) => Err(Unfinished::from(error).into()),
        }
    }
}
