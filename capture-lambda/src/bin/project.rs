//! The project function: one reader of the table's stream.

use capture_lambda::project::Project;
use capture_lambda::records::Batch;
use capture_lambda::search::Teller;
use checkout::config::Env;
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    checkout::log::start();
    let env = Env::process();
    let table = env.table().await?;
    let teller = Teller::new(table.clone(), env.pages()?, env.master_keys()?)?;
    let project = Project::new(table).with_teller(teller);
    let project = &project;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Batch>| async move {
        Ok::<_, Error>(project.handle(&event.payload).await)
    }))
    .await
}
