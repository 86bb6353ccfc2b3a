//! `onsale`: see `onsale --help`.

use std::process::ExitCode;

use clap::Parser;
use onsale::cli::{Cli, exit_status, run};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("ONSALE_LOG").unwrap_or_else(|_| EnvFilter::new("error,onsale=warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("onsale: {error:#}");
            ExitCode::from(exit_status(&error))
        }
    }
}
