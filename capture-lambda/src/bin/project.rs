//! The project function: one reader of the table's stream.

use capture_lambda::project::Project;
use capture_lambda::records::Batch;
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let project = Project::new(checkout::config::Env::process().table().await?);
    let project = &project;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Batch>| async move {
        Ok::<_, Error>(project.handle(&event.payload).await)
    }))
    .await
}
