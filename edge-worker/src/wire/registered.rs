//! Messages about those who registered for the lottery.

use domain::ids::AccountId;
use serde::{Deserialize, Serialize};

use super::ShownPlace;

/// What an account wants of its registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// To know how it stands.
    Know,
    /// To withdraw it.
    Withdraw,
    /// To have it again after all, as long as people may register.
    Return,
}

/// An account asks how its registration stands, or changes that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RegisteredAsk {
    /// Who.
    pub account: AccountId,
    /// What the token shown with it says; it restores a registration the shard has lost.
    pub shown: Option<ShownPlace>,
    /// What for.
    pub wish: Wish,
}

/// How a registration stands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Registered {
    /// Its rank, once it is drawn.
    pub rank: Option<u64>,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
    /// Whether it is invited.
    pub invited: bool,
    /// The rank up to which people are invited.
    pub invited_up_to: u64,
}
