//! The janitor function, run by two schedules: each minute it sweeps and carries on, and through the night it audits.

use capture_lambda::audit::{Auditor, NIGHT_MS, STEP};
use capture_lambda::herald::Herald;
use capture_lambda::janitor::Janitor;
use capture_lambda::post::Post;
use checkout::Checkout;
use checkout::client::Patience;
use checkout::config::Env;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::Deserialize;
use serde_json::{Value, json};

/// What a schedule asks for. The usual schedule's own event has none of it.
#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(default)]
    job: Option<String>,
    /// Between two audits, in ms.
    #[serde(default)]
    every_ms: Option<i64>,
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let env = Env::process();
    let (table, provider) = (env.table().await?, env.provider(Patience::BACKGROUND)?);
    let courier = Post::from_env(&env, table.clone()).await?.courier();
    let auditor = Auditor::new(table.clone(), provider.clone());
    let checkout = Checkout::new(table.clone(), provider).with_courier(courier);
    let janitor = Janitor::new(table.clone(), checkout).with_herald(Herald::from_env(&env, table)?);
    let (auditor, janitor) = (&auditor, &janitor);
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Asked>| async move {
        Ok::<Value, Error>(match event.payload.job.as_deref() {
            Some("audit") => json!(auditor.step(event.payload.every_ms.unwrap_or(NIGHT_MS), STEP).await?),
            _ => json!(janitor.run().await?),
        })
    }))
    .await
}
