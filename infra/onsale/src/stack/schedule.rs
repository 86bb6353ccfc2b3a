//! The schedules that run the janitor, as EventBridge does.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::lambda_host::{Function, InvokeError};

/// What `function` is invoked with: the schedule's own event, or an input that is set for it.
pub(super) enum Input {
    /// EventBridge's event.
    Event,
    /// A JSON text.
    Set(String),
}

/// Invokes `function` every `every`; a run that takes longer delays the next.
pub(super) fn start(function: Arc<Function>, every: Duration, input: Input) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(every).await;
            let payload = match &input {
                Input::Event => event(),
                Input::Set(text) => Bytes::from(text.clone()),
            };
            match function.invoke(payload).await {
                Ok(_) | Err(InvokeError::NoInstance) => {}
                Err(error) => tracing::warn!(function = function.name(), %error, "the scheduled run failed"),
            }
        }
    })
}

fn event() -> Bytes {
    let event = json!({
        "version": "0",
        "id": format!("{:032x}", rand::random::<u128>()),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": jiff::Timestamp::now().to_string(),
        "region": super::REGION,
        "resources": [],
        "detail": {},
    });
    Bytes::from(event.to_string())
}
