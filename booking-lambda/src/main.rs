//! The booking function: holds, orders and the pulse, behind a function URL.

use booking_lambda::app::App;
use booking_lambda::handle;
use lambda_http::{Error, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let app = App::from_env(&checkout::config::Env::process()).await?;
    let app = &app;
    lambda_http::run(service_fn(move |request| async move { Ok::<_, Error>(handle(app, &request).await) })).await
}
