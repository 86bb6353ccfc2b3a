//! What an answer to a transaction means.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError as Error;
use aws_sdk_dynamodb::types::CancellationReason;
use domain::plan::{Failed, Plan, Refused};

use crate::error::TableError;
use crate::value::item_from_sdk;

/// What to do about a transaction that was not answered with success.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Conditions failed: an answer.
    Refused(Refused),
    /// Worth another try with the same token.
    Retry(Cause),
    /// The token was used for a request that reads differently: try with a new one; conditions tell what was done.
    NewToken,
    /// Not worth another try.
    Fatal(TableError),
}

/// Why it is worth another try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Another transaction had one of the items.
    Conflict,
    /// Too many requests.
    Throttle,
    /// An earlier try with this token is still going on.
    InProgress,
    /// No reply, or the service failed: it may have been done.
    Lost(String),
}

pub(crate) fn verdict<R>(plan: &Plan, error: SdkError<Error, R>) -> Verdict {
    match error {
        SdkError::ServiceError(service) => of_service(plan, service.into_err()),
        SdkError::ConstructionFailure(_) => Verdict::Fatal(TableError::Broken("construction".into())),
        SdkError::TimeoutError(_) => Verdict::Retry(Cause::Lost("timeout".into())),
        SdkError::DispatchFailure(_) => Verdict::Retry(Cause::Lost("dispatch".into())),
        _ => Verdict::Retry(Cause::Lost("response".into())),
    }
}

fn of_service(plan: &Plan, error: Error) -> Verdict {
    match error {
        Error::TransactionCanceledException(canceled) => of_reasons(plan, canceled.cancellation_reasons()),
        Error::TransactionInProgressException(_) => Verdict::Retry(Cause::InProgress),
        Error::IdempotentParameterMismatchException(_) => Verdict::NewToken,
        Error::ProvisionedThroughputExceededException(_) | Error::RequestLimitExceeded(_) => {
            Verdict::Retry(Cause::Throttle)
        }
        Error::ThrottlingException(_) => Verdict::Retry(Cause::Throttle),
        Error::InternalServerError(_) => Verdict::Retry(Cause::Lost("internal server error".into())),
        other => of_code(other.code().unwrap_or("unknown")),
    }
}

fn of_code(code: &str) -> Verdict {
    match code {
        "TransactionConflictException" => Verdict::Retry(Cause::Conflict),
        "ThrottlingException" | "RequestLimitExceeded" => Verdict::Retry(Cause::Throttle),
        "ServiceUnavailable" | "InternalFailure" => Verdict::Retry(Cause::Lost(code.to_owned())),
        other => Verdict::Fatal(TableError::Broken(other.to_owned())),
    }
}

/// Reasons come one for each write. A failed condition decides, whatever else is among them: the state that it saw
/// will not come back by trying again. Next a mistake of ours, then what may pass.
fn of_reasons(plan: &Plan, reasons: &[CancellationReason]) -> Verdict {
    let codes: Vec<&str> = reasons.iter().map(|r| r.code().unwrap_or("None")).collect();
    let transient = |code: &&str| cause(code).is_some();
    if codes.contains(&"ConditionalCheckFailed") {
        return Verdict::Refused(Refused { failed: failed(plan, reasons), partial: codes.iter().any(transient) });
    }
    if let Some(odd) = codes.iter().find(|c| **c != "None" && !transient(c)) {
        return Verdict::Fatal(TableError::Broken((*odd).to_owned()));
    }
    match codes.iter().find_map(|c| cause(c)) {
        Some(cause) => Verdict::Retry(cause),
        None => Verdict::Fatal(TableError::Broken("canceled without a reason".into())),
    }
}

fn cause(code: &str) -> Option<Cause> {
    match code {
        "TransactionConflict" => Some(Cause::Conflict),
        "ThrottlingError" | "ProvisionedThroughputExceeded" => Some(Cause::Throttle),
        _ => None,
    }
}

fn failed(plan: &Plan, reasons: &[CancellationReason]) -> Vec<Failed> {
    let pairs = plan.writes.iter().zip(reasons);
    let failed = pairs.filter(|(_, r)| r.code() == Some("ConditionalCheckFailed"));
    let old = |r: &CancellationReason| r.item().filter(|i| !i.is_empty()).map(item_from_sdk);
    failed.map(|(w, r)| Failed { key: w.key.clone(), old: old(r) }).collect()
}
