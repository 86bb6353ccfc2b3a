//! The janitor function, run by a schedule.

use capture_lambda::janitor::Janitor;
use checkout::client::Patience;
use checkout::config::Env;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let env = Env::process();
    let table = env.table().await?;
    let janitor = Janitor::new(table.clone(), checkout::Checkout::new(table, env.provider(Patience::BACKGROUND)?));
    let janitor = &janitor;
    lambda_runtime::run(service_fn(move |_: LambdaEvent<Value>| async move { Ok::<_, Error>(janitor.run().await?) }))
        .await
}
