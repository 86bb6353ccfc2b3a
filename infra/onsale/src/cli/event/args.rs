//! What can be typed after `onsale event`.

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::ImportArgs;

/// Commands about events.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum EventCommand {
    /// Import an event, or import it again after a change
    Import(ImportArgs),
    /// List the events of the table, with their phases
    List(ListArgs),
    /// Show what was announced: opening, end, prices, keys
    Show(At),
    /// Show how the on-sale stands right now
    Status(At),
    /// Let nobody in and let event time stand; places are safe
    Pause {
        /// Why; everybody in line reads it
        reason: String,
        #[command(flatten)]
        at: At,
    },
    /// Go on after a pause
    Resume(At),
    /// Let this many people in a minute
    Rate {
        /// People a minute
        #[arg(value_name = "PER_MINUTE")]
        per_minute: u32,
        #[command(flatten)]
        at: At,
    },
    /// Open before the announced time; fans get a minute's notice at least
    OpenEarly {
        /// The new opening: 2027-03-01T10:00 in the event's zone, or with an offset (…Z)
        #[arg(value_name = "TIME")]
        opens: String,
        #[command(flatten)]
        at: At,
    },
    /// Open after the announced time
    Postpone {
        /// The new opening: 2027-03-01T10:00 in the event's zone, or with an offset (…Z)
        #[arg(value_name = "TIME")]
        opens: String,
        #[command(flatten)]
        at: At,
    },
    /// Tell everybody in line something, or take the message back
    Message {
        /// The message; without one the present message is taken back
        text: Option<String>,
        #[command(flatten)]
        at: At,
    },
    /// Emergency stop: nobody is let in, nobody can book or pay; everybody's time stands
    Stop {
        /// Why; everybody reads it
        reason: String,
        #[command(flatten)]
        at: At,
    },
    /// Go on after an emergency stop
    Lift(At),
    /// Draw without the public random number that the event names; the draw is then the organiser's
    DrawWithoutBeacon(At),
    /// Refuse all place and access tokens issued so far; fans get theirs again by their account
    Revoke(At),
    /// Import presale codes: lines code,lane,uses[,from[,until]]
    ImportCodes {
        /// The file
        file: std::path::PathBuf,
        #[command(flatten)]
        at: At,
    },
    /// Invite so many more of those who registered, in drawn order
    Invite {
        /// People
        count: u64,
        #[command(flatten)]
        at: At,
    },
    /// End the on-sale for good
    Close {
        /// Do not ask
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        at: At,
    },
    /// Show everything that operators did, and check that nothing of it was changed
    Log(At),
    /// Who may operate the event
    Operators {
        #[command(subcommand)]
        command: OperatorsCommand,
    },
}

/// Which event, where, and how to print.
#[derive(Debug, Args)]
pub(in crate::cli) struct At {
    /// The event (default: the running stack's)
    #[arg(long, value_name = "ID")]
    pub event: Option<String>,
    /// An edge that is not the local stack's; ONSALE_OPERATOR_KEY has the operator's key (it also goes before the
    /// local stack's own)
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// How to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    /// An edge that is not the local stack's; the table is then the one of TABLE_NAME and AWS_*
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Commands about operators.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OperatorsCommand {
    /// Name an operator, or give one a new key and role; the key is shown this once
    Add {
        /// a-z, 0-9, '.', '_', '-'
        name: String,
        #[arg(long, value_enum)]
        role: RoleArg,
        #[command(flatten)]
        at: At,
    },
    /// List the operators with their roles
    List(At),
    /// Withdraw an operator's key, at once
    Remove {
        name: String,
        #[command(flatten)]
        at: At,
    },
}

/// What an operator may do.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum RoleArg {
    /// Look
    View,
    /// Also pause, resume, rate, message, stop, lift
    Run,
    /// Also change the event and its opening, close, and name operators
    Admin,
}
