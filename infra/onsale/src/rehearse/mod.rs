//! A rehearsal: scripted fans against a running stack, and a report from three witnesses.
//!
//! It knows the public API, and reads the table and the provider's list only afterwards, to judge.

pub mod event;
pub mod report;

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use table::Table;
use tokio::task::JoinSet;

pub use event::hall;
pub use report::Report;

use crate::audit::{self, Books, Payments};
use crate::fan::{Api, Fan, FanLog, Habits};

/// Longest wait for orders, holds and the stream to come to rest after the last fan has left.
const REST: Duration = Duration::from_secs(90);

/// Where the rehearsed event lives, and who may look into the books.
pub struct Target {
    /// A client of the event at its edge.
    pub api: Api,
    /// The operator's key: mints the fans' accounts.
    pub operator_key: String,
    /// The table.
    pub table: Table,
    /// The payment provider's list.
    pub payments: Payments,
}

/// How the fans come and behave.
#[derive(Debug, Clone)]
pub struct Script {
    /// How many fans.
    pub fans: u32,
    /// Decides every choice of every fan.
    pub seed: u64,
    /// Over what time the later half arrives; the earlier half is there at once.
    pub arrive_over: Duration,
    /// The fans' habits.
    pub habits: Habits,
    /// A fan who is not done by then gives up, which counts as a fault.
    pub patience: Duration,
}

impl Script {
    /// A brisk evening for `fans` fans.
    pub fn brisk(fans: u32, seed: u64) -> Self {
        let habits =
            Habits { buys_percent: 80, declined_percent: 10, most_seats: 4, thinking: Duration::from_millis(800) };
        let arrive_over = Duration::from_secs(15);
        Self { fans, seed, arrive_over, habits, patience: Duration::from_secs(240) }
    }
}

/// Runs the script and answers the report.
///
/// # Errors
/// When accounts cannot be minted, or the table or the provider's list cannot be read. What goes wrong for fans is in the
/// report instead.
pub async fn rehearse(target: &Target, script: &Script) -> anyhow::Result<Report> {
    let started = Instant::now();
    let accounts = mint(target, script.fans).await?;
    let logs = run_fans(target, script, accounts).await;
    let books = books_at_rest(target).await?;
    Ok(report::report(&logs, &books, started.elapsed()))
}

/// Mints accounts in portions that the operator's route accepts.
async fn mint(target: &Target, fans: u32) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = (0..fans).map(|number| format!("fan-{number}")).collect();
    let mut accounts = Vec::new();
    for portion in names.chunks(200) {
        accounts.extend(target.api.rehearsal_accounts(&target.operator_key, portion).await?);
    }
    anyhow::ensure!(accounts.len() == names.len(), "the operator minted {} of {fans} accounts", accounts.len());
    Ok(accounts)
}

async fn run_fans(target: &Target, script: &Script, accounts: Vec<String>) -> Vec<FanLog> {
    let mut rng = StdRng::seed_from_u64(script.seed);
    let bar = ProgressBar::new(u64::from(script.fans));
    let mut running = JoinSet::new();
    for (number, account) in accounts.into_iter().enumerate() {
        let late = if number % 2 == 0 { 0.0 } else { rng.random::<f64>() };
        let arrives = script.arrive_over.mul_f64(late);
        let fan = Fan::new(target.api.clone(), account, script.habits.clone(), rng.random());
        running.spawn(patient(fan, arrives, script.patience));
    }
    let mut logs = Vec::new();
    while let Some(log) = running.join_next().await {
        logs.push(log.unwrap_or_default());
        bar.inc(1);
    }
    bar.finish_and_clear();
    logs
}

async fn patient(fan: Fan, arrives: Duration, patience: Duration) -> FanLog {
    tokio::time::sleep(arrives).await;
    fan.run_for(patience).await
}

/// Reads the books until nothing is left over, or until [`REST`] has passed and what is left counts.
async fn books_at_rest(target: &Target) -> anyhow::Result<Books> {
    let deadline = Instant::now() + REST;
    let event = target.api.event().parse()?;
    loop {
        let books = audit::read_books(&target.table, &target.payments, &event).await?;
        if audit::check_at_rest(&books).is_empty() || Instant::now() > deadline {
            return Ok(books);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
