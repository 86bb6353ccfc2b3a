//! An operator's call on its way from the front to the Pacer, which keeps the list of operators and the journal.
//!
//! The front tells genuine keys from made-up ones; the Pacer tells who holds a key now and what that role may do. It decides
//! and acts without waiting in between, so a key that is withdrawn is worth nothing from that moment on.

use domain::operate::{Action, Command, OperatorName, Role};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::EdgeEvent;

/// Whose key was shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The deployment's own key.
    Bootstrap,
    /// A key that was once given to an operator of this event, by its hash.
    Key(#[serde(with = "domain::bytes32")] [u8; 32]),
}

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OperatorCall {
    /// Whose key was shown.
    pub shown: Shown,
    /// What is asked for.
    pub action: Action,
    /// The call's correlation id.
    pub correlation: String,
    /// What the Pacer does about it.
    pub act: Act,
}

/// What the Pacer does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// → the live view.
    Look,
    /// → journal lines after this one, as one text.
    Log {
        /// The last line known, 0 for none.
        after: u64,
    },
    /// → marks of the line's course after this time, as one text.
    Course {
        /// The last time known, 0 for none.
        after: i64,
    },
    /// Stores the event. → the event.
    Define {
        /// As checked by the front.
        event: Box<EdgeEvent>,
    },
    /// → the operators, without their keys.
    Operators,
    /// Names an operator, or gives one a new key.
    Add {
        /// Who.
        name: OperatorName,
        /// What they may do.
        role: Role,
        /// The new key's hash.
        #[serde(with = "domain::bytes32")]
        hash: [u8; 32],
    },
    /// Withdraws an operator's key.
    Remove {
        /// Who.
        name: OperatorName,
    },
    /// Takes a command. → what is ordered now.
    Order {
        /// It.
        command: Command,
    },
    /// Says whether the caller may; nothing is kept of it but a refusal.
    May,
    /// The front does it; this only says whether it may, and keeps the line in the journal, but for looking.
    Pass {
        /// The particulars, as they are told there.
        what: Value,
    },
}
