//! The settle function: one reader of the table's stream.

use capture_lambda::records::Batch;
use capture_lambda::settle::Settle;
use checkout::client::Patience;
use checkout::config::Env;
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let env = Env::process();
    let table = env.table().await?;
    let settle = Settle::new(table.clone(), checkout::Checkout::new(table, env.provider(Patience::BACKGROUND)?));
    let settle = &settle;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Batch>| async move {
        Ok::<_, Error>(settle.handle(&event.payload).await)
    }))
    .await
}
