//! Committing plans and carrying rules to their end.

use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsInputBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::plan::{Decided, MAX_ROUNDS, Next, Plan, Rule};

use crate::error::{CommitError, TableError};
use crate::reason::{Cause, Verdict, verdict};
use crate::{Table, compile, retry};

/// How a rule ended badly.
#[derive(Debug, thiserror::Error)]
pub enum DecideError<R> {
    /// The rule says no.
    #[error("refused")]
    Refused(R),
    /// The table failed.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Table {
    /// Commits a plan: all of it or nothing.
    ///
    /// Conflicts, throttles and lost replies are retried under one client token, so that a try that had succeeded
    /// unseen is not done twice.
    ///
    /// # Errors
    /// Failed conditions with the old items, or that the table failed.
    pub async fn commit(&self, plan: &Plan) -> Result<(), CommitError> {
        plan.check().map_err(TableError::from)?;
        let items = compile::plan(plan, &self.name).map_err(|e| TableError::Broken(e.to_string()))?;
        let mut token = new_token(plan);
        let mut last = Cause::Conflict;
        for n in 1..=retry::TRIES {
            match self.once(plan, &items, &token).await {
                Ok(()) => return Ok(()),
                Err(Verdict::Refused(refused)) => return Err(CommitError::Refused(refused)),
                Err(Verdict::Fatal(error)) => return Err(error.into()),
                Err(Verdict::NewToken) => token = new_token(plan),
                Err(Verdict::Retry(cause)) => last = cause,
            }
            tracing::debug!(attempt = n, cause = ?last, "transaction retried");
            retry::wait(n).await;
        }
        Err(given_up(last).into())
    }

    /// Commits what is noted once: that it was noted before is as good.
    ///
    /// # Errors
    /// The table failed.
    pub async fn note(&self, plan: &Plan) -> Result<(), TableError> {
        match self.commit(plan).await {
            Ok(()) | Err(CommitError::Refused(_)) => Ok(()),
            Err(CommitError::Table(error)) => Err(error),
        }
    }

    async fn once(&self, plan: &Plan, items: &[TransactWriteItem], token: &str) -> Result<(), Verdict> {
        let input = TransactWriteItemsInputBuilder::default();
        let request = input.set_transact_items(Some(items.to_vec())).client_request_token(token);
        // The SDK's own retries would hide conflicts from the bound above, so it makes one attempt.
        let once = aws_sdk_dynamodb::config::Builder::new()
            .retry_config(aws_sdk_dynamodb::config::retry::RetryConfig::disabled());
        let sent = self.client.transact_write_items();
        let built = request.build().map_err(|e| Verdict::Fatal(TableError::Broken(e.to_string())))?;
        let call = sent.set_transact_items(built.transact_items).set_client_request_token(built.client_request_token);
        match call.customize().config_override(once).send().await {
            Ok(_) => Ok(()),
            Err(error) => Err(verdict(plan, error)),
        }
    }

    /// Carries a rule to its end: commits its plan, lets it explain a refusal, and tries what it says next.
    ///
    /// # Errors
    /// The rule's refusal, or that the table failed.
    pub async fn decide<R: Rule>(&self, mut rule: R) -> Result<Decided, DecideError<R::Refusal>> {
        for _ in 0..MAX_ROUNDS {
            let plan = rule.plan().map_err(DecideError::Refused)?;
            let refused = match self.commit(&plan).await {
                Ok(()) => return Ok(Decided::Committed),
                Err(CommitError::Table(error)) => return Err(error.into()),
                Err(CommitError::Refused(refused)) => refused,
            };
            rule = match rule.explain(&refused) {
                Next::Done => return Ok(Decided::Already),
                Next::No(refusal) => return Err(DecideError::Refused(refusal)),
                Next::Again(next) => next,
            };
        }
        Err(TableError::Busy("the rule did not come to an end").into())
    }
}

/// A client token for one commit: at most 36 characters. Not the plan's own token, since the same plan may rightly be
/// committed again within DynamoDB's ten minutes and must then be checked again.
fn new_token(plan: &Plan) -> String {
    let head: String = plan.token().chars().take(16).collect();
    format!("{head}{:016x}", rand::random::<u64>())
}

fn given_up(cause: Cause) -> TableError {
    match cause {
        Cause::Conflict => TableError::Busy("conflict"),
        Cause::Throttle => TableError::Busy("throttle"),
        Cause::InProgress => TableError::Busy("in progress"),
        Cause::Lost(how) => TableError::Unreachable(how),
    }
}
