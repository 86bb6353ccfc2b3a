//! What can be typed.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::ids::EventId;

use super::account::AccountCommand;
use super::dead_letters::LettersCommand;
use super::event::EventCommand;
use super::gate::GateCommand;
use super::report::ReportArgs;
use super::search::SearchCommand;
use super::seats::SeatsCommand;
use super::webhooks::WebhooksCommand;
use crate::stack::Part;

/// Onsale on one machine: run it, break it, check it.
#[derive(Debug, Parser)]
#[command(name = "onsale", version)]
pub struct Cli {
    /// Where the stack keeps its state
    #[arg(long, global = true, value_name = "DIR", env = "ONSALE_STATE")]
    pub(super) state: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// The commands; `up` when none is given.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Build and run everything, with a fresh demo event
    Up(UpArgs),
    /// Kill a part of the running stack: edge, booking, settle, project, janitor, payments, beacon
    Kill { part: Part },
    /// Start a part that was killed
    Start { part: Part },
    /// Import, watch and operate events
    Event {
        #[command(subcommand)]
        command: EventCommand,
    },
    /// Block seats, keep them for the house, assign them to channels
    Seats {
        #[command(subcommand)]
        command: SeatsCommand,
    },
    /// Fill the search index anew
    Search {
        #[command(subcommand)]
        command: SearchCommand,
    },
    /// Build without running
    Build {
        #[arg(value_enum, default_value_t = Target::All)]
        what: Target,
        /// Optimised, as it is deployed and measured
        #[arg(long)]
        release: bool,
    },
    /// Let scripted fans through line, hold and payment, and check the outcome
    Rehearse(RehearseArgs),
    /// Compare seats, tickets, orders, counts and ledger with each other and with the payment provider's list;
    /// ends with status 3 if they differ
    Audit(AuditArgs),
    /// Show what the nightly audit found and could not explain; ends with status 3 if there is anything
    Findings(FindingsArgs),
    /// Show the records of the stream that no retry could deliver, and deliver them again
    DeadLetters {
        #[command(subcommand)]
        command: LettersCommand,
    },
    /// Tell what happened in an on-sale: draw, line, waits, sales, money, refusals, trouble
    Report(ReportArgs),
    /// Show every movement of an event's money
    Ledger(LedgerArgs),
    /// See what organisers were told, and have it told again
    Webhooks {
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Export or erase what is stored of one account
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Let people in with their tickets, also without a network
    Gate {
        #[command(subcommand)]
        command: GateCommand,
    },
    /// Check that a shop keeps the contract with the line: pulses and access tokens. It sends beats of its own, so
    /// only while no line stands before that shop
    CheckOrigin(CheckOriginArgs),
    /// Recompute an on-sale's draws from what was published, and one's own place
    VerifyDraw(VerifyDrawArgs),
    /// Say what an on-sale of some size asks of the system and costs in the cloud
    Plan(PlanArgs),
}

impl Default for Command {
    fn default() -> Self {
        Self::Up(UpArgs {
            dynamodb_endpoint: None,
            listen: None,
            crowd: CROWD,
            ready_file: None,
            oidc_issuer: None,
            oidc_client: None,
        })
    }
}

/// Scripted fans in the demo, unless told otherwise.
const CROWD: u32 = 300;

#[derive(Debug, Args)]
pub(super) struct UpArgs {
    /// Use this DynamoDB instead of the embedded one
    #[arg(long, value_name = "URL")]
    pub dynamodb_endpoint: Option<String>,
    /// Where the edge listens (default: a free port of 127.0.0.1, kept for the next time)
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Scripted fans who come and buy; 0 for none
    #[arg(long, value_name = "N", default_value_t = CROWD)]
    pub crowd: u32,
    /// Write the addresses here, as one JSON object, when all is ready
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Let fans sign in at this OpenID Connect provider too
    #[arg(long, value_name = "URL", requires = "oidc_client")]
    pub oidc_issuer: Option<String>,
    /// The client's id there; its way back is <edge>/v1/session/callback
    #[arg(long, value_name = "ID", requires = "oidc_issuer")]
    pub oidc_client: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The event's file; the plan it names lies beside it
    pub file: PathBuf,
    /// An edge that is not the local stack's; the table is then the one of TABLE_NAME and AWS_*, and
    /// the operator's key that of ONSALE_OPERATOR_KEY
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Target {
    Edge,
    Lambdas,
    All,
}

#[derive(Debug, Args)]
pub(super) struct RehearseArgs {
    /// Scripted fans
    #[arg(long, value_name = "F", default_value_t = 300)]
    pub fans: u32,
    /// Seats of the hall
    #[arg(long, value_name = "S", default_value_t = 100)]
    pub seats: u32,
    /// Decides every choice of every fan
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Use this DynamoDB instead of the embedded one
    #[arg(long, value_name = "URL")]
    pub dynamodb_endpoint: Option<String>,
    /// Rehearse on a running edge; table, payment provider and operator's key come from TABLE_NAME,
    /// AWS_*, PROVIDER_URL, PROVIDER_KEY and ONSALE_OPERATOR_KEY
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    /// The event (default: the running stack's)
    #[arg(long)]
    pub event: Option<String>,
    /// Print the findings as JSON
    #[arg(long)]
    pub json: bool,
    /// Not the local stack, but the table of TABLE_NAME and AWS_* and the provider of PROVIDER_URL and PROVIDER_KEY
    #[arg(long, requires = "event")]
    pub deployed: bool,
}

#[derive(Debug, Args)]
pub(super) struct FindingsArgs {
    /// The event
    pub event: EventId,
    /// Print findings and walk as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Not the local stack, but the table of TABLE_NAME and AWS_*
    #[arg(long)]
    pub deployed: bool,
}

#[derive(Debug, Args)]
pub(super) struct LedgerArgs {
    /// The event
    pub event: EventId,
    /// As RFC 4180 has it, amounts in minor units
    #[arg(long)]
    pub csv: bool,
    /// Not the local stack, but the table of TABLE_NAME and AWS_*
    #[arg(long)]
    pub deployed: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckOriginArgs {
    /// The shop's address; ONSALE_MASTER_KEYS has the keys that edge and shop share, AWS_* those that sign calls, if it
    /// wants them signed
    pub url: String,
    /// An event that it sells
    #[arg(long, value_name = "ID")]
    pub event: String,
    /// Print the clauses as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct VerifyDrawArgs {
    /// The event's address (…/v1/events/ID or …/e/ID), or a folder that --save has filled
    pub from: String,
    /// Also prove the entry of this place token, and compare the place that the line tells
    #[arg(long)]
    pub token: Option<String>,
    /// Also prove the entry of this file, a copy of …/line/proof
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub proof: Option<PathBuf>,
    /// Check a lane's draws instead of the main line's: its id, or `registration`
    #[arg(long, value_name = "ID")]
    pub lane: Option<String>,
    /// Keep a copy of every published file in this folder
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// People at the opening
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub people: u32,
    /// Seats and standing places
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub seats: u32,
    /// Tickets per order
    #[arg(long, value_name = "N", default_value_t = 2.5)]
    pub tickets_per_order: f64,
    /// People admitted in a minute
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub rate_per_minute: u32,
    /// Shards of the line
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub shards: u16,
}
