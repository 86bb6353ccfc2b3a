//! What can be typed after `onsale seats`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::ids::EventId;

use crate::cli::event::At;

/// Commands about seats.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SeatsCommand {
    /// Show what is blocked, kept for the house or assigned to channels
    List {
        /// Name every seat
        #[arg(long)]
        ids: bool,
        #[command(flatten)]
        at: At,
    },
    /// Show who waits for seats that come back, in the order of the line
    Waiting {
        /// The event
        event: EventId,
        /// Not the local stack, but the table of TABLE_NAME and AWS_*
        #[arg(long)]
        deployed: bool,
    },
    /// Take seats out of sale
    Block {
        #[command(flatten)]
        which: Which,
        /// Why; operators read it
        #[arg(long)]
        reason: String,
        /// Also seats that are held or being paid: their buyers lose them, and pay nothing
        #[arg(long)]
        held_too: bool,
        #[command(flatten)]
        at: At,
    },
    /// Keep seats for somebody
    House {
        #[command(flatten)]
        which: Which,
        /// For whom
        #[arg(long)]
        name: String,
        /// Until when: 2027-03-01T10:00 in the event's zone, or with an offset (…Z). Nothing happens by itself then
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
        /// Also seats that are held or being paid: their buyers lose them, and pay nothing
        #[arg(long)]
        held_too: bool,
        #[command(flatten)]
        at: At,
    },
    /// Put blocked seats and house holds on sale again
    Release {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        kept: KeptFor,
        #[command(flatten)]
        at: At,
    },
    /// Let only the buyers of a channel take seats
    Assign {
        #[command(flatten)]
        which: Which,
        /// The channel: a-z, 0-9 and -; lane-1 to lane-4 are those who came in by that lane, box-office the box office
        #[arg(long, conflicts_with = "everybody", required_unless_present = "everybody")]
        channel: Option<String>,
        /// Take them out of their channel
        #[arg(long)]
        everybody: bool,
        #[command(flatten)]
        at: At,
    },
    /// Make a key of a channel: whoever has it may take the channel's seats
    Key {
        /// The channel
        channel: String,
        /// Until when: 2027-03-01T10:00 in the event's zone, or with an offset (…Z)
        #[arg(long, value_name = "TIME")]
        until: String,
        #[command(flatten)]
        at: At,
    },
    /// Get an access token in the name of a buyer at the box office; the buyer's own limit counts
    BoxOffice {
        /// What the buyer is known by: a name, a customer's number
        buyer: String,
        #[command(flatten)]
        at: At,
    },
}

/// Which seats.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct Which {
    /// Seats by id
    pub seats: Vec<String>,
    /// Whole sections
    #[arg(long, value_name = "ID")]
    pub section: Vec<String>,
    /// Of these sections only rows from one to another, in the plan's order: 3..7, or one row: 3
    #[arg(long, value_name = "FROM..TO", requires = "section")]
    pub rows: Option<String>,
    /// Seats in a file, one a line
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// Which of the kept seats.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct KeptFor {
    /// House holds of this name
    #[arg(long, value_name = "NAME")]
    pub house: Option<String>,
    /// House holds whose time has passed
    #[arg(long)]
    pub due: bool,
    /// Seats that are blocked for this reason
    #[arg(long)]
    pub reason: Option<String>,
}
