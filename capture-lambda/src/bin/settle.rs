//! The settle function: one reader of the table's stream.

use capture_lambda::herald::Herald;
use capture_lambda::post::Post;
use capture_lambda::records::Batch;
use capture_lambda::settle::Settle;
use checkout::Checkout;
use checkout::client::Patience;
use checkout::config::Env;
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let env = Env::process();
    let table = env.table().await?;
    let courier = Post::from_env(&env, table.clone()).await?.courier();
    let checkout = Checkout::new(table.clone(), env.provider(Patience::BACKGROUND)?).with_courier(courier);
    let settle = Settle::new(table.clone(), checkout).with_herald(Herald::from_env(&env, table)?);
    let settle = &settle;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Batch>| async move {
        Ok::<_, Error>(settle.handle(&event.payload).await)
    }))
    .await
}
