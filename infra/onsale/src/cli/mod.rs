//! The command line.

mod account;
mod args;
mod audit;
mod build;
mod check_origin;
mod dead_letters;
mod event;
mod findings;
mod gate;
mod home;
mod ledger;
mod parts;
mod plan;
mod progress;
mod rehearse;
mod report;
mod search;
mod seats;
mod source;
mod up;
mod verify_draw;
mod webhooks;

pub use args::Cli;
pub use audit::Differences;

use args::Command;

/// 3 when the books differ, so that a script can tell that from a failure; 1 else.
#[must_use]
pub fn exit_status(error: &anyhow::Error) -> u8 {
    if error.is::<Differences>() { 3 } else { 1 }
}

/// Runs a command; the error says what to do about it.
///
/// # Errors
/// Whatever the command meets.
pub async fn run(cli: Cli) -> anyhow::Result<()> {
    let home = home::Home::new(cli.state);
    match cli.command.unwrap_or_default() {
        Command::Up(args) => up::run(&home, args).await,
        Command::Kill { part } => parts::ask(&home, part, "kill").await,
        Command::Start { part } => parts::ask(&home, part, "start").await,
        Command::Event { command } => event::run(&home, command).await,
        Command::Seats { command } => seats::run(&home, command).await,
        Command::Build { what, release } => build::run(what, release).await,
        Command::Rehearse(args) => rehearse::run(args).await,
        Command::Report(args) => report::run(&home, args).await,
        Command::Search { command } => search::run(&home, command).await,
        Command::Gate { command } => gate::run(&home, command).await,
        Command::Audit(args) => audit::run(&home, args).await,
        Command::Findings(args) => findings::run(&home, args).await,
        Command::DeadLetters { command } => dead_letters::run(&home, command).await,
        Command::Account { command } => account::run(&home, command).await,
        Command::Ledger(args) => ledger::run(&home, args).await,
        Command::Webhooks { command } => webhooks::run(&home, command).await,
        Command::CheckOrigin(args) => check_origin::run(args).await,
        Command::VerifyDraw(args) => verify_draw::run(args).await,
        Command::Plan(args) => {
            plan::run(&args);
            Ok(())
        }
    }
}
