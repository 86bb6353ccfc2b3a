//! The schedule that runs the janitor, as EventBridge does.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::lambda_host::{Function, InvokeError};

/// Invokes `function` every `every`; a run that takes longer delays the next.
pub(super) fn start(function: Arc<Function>, every: Duration) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(every).await;
            match function.invoke(event()).await {
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
