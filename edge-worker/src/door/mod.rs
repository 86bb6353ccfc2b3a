//! The shell of `domain::door`: gathers what is known of somebody at the door, and words what the door says.
//!
//! It keeps nothing but meters of addresses; whether an account is known already its shard knows.

pub mod address;
mod busy;
pub mod mail;
mod proof;
mod turnstile;
mod words;

pub use busy::{Flight, turned_away};
pub use proof::Proof;

use domain::door::{Facts, Platform, Verdict, decide};
use domain::ids::EventId;
use domain::lane::MAIN;
use domain::time::WallMs;
use domain::token::{AccountToken, Door, Entrance};

use crate::call::Call;
use crate::problem::Problem;
use crate::wire::{Entering, View};

/// Somebody at the door, judged.
pub struct Arrival {
    /// How it may enter, or what stands against it if it has no place yet.
    pub entering: Result<Entering, Problem>,
}

impl Arrival {
    /// One whose place token was shown: past the door.
    pub fn known(now: WallMs, door: Door) -> Self {
        let entrance = Entrance { lane: MAIN, door };
        Self { entering: Ok(Entering { since: now, stamped: false, entrance, grant: None }) }
    }
}

/// Judges an account that shows no place.
pub async fn arrive(
    call: &Call,
    event: &EventId,
    view: &View,
    account: &AccountToken,
    proof: Option<Proof>,
    now: WallMs,
) -> Result<Arrival, Problem> {
    let checks = &view.event.checks;
    let stamp = busy::stamp(call, event, &account.account, now);
    let shown = match stamp {
        // What was passed before the door was too busy needs no second proof: some can be shown once only.
        Some(stamp) if domain::door::proven(stamp.door) => {
            proof::Shown { passed: stamp.door, ..proof::Shown::default() }
        }
        _ => proof::check(call, event, &account.account, proof, now).await?,
    };
    let address = address::of(call);
    let press = match address {
        // Accounts of a rehearsal come from one machine.
        Some(address) if !account.rehearsal => address::press(call, event, checks, address, now).await,
        _ => domain::door::Press::default(),
    };
    let facts = Facts {
        address,
        press,
        bot_score: address::bot_score(call),
        claims: account.claims,
        passed: shown.passed,
        platform: platform(call, shown.unseen),
        mail: call.config.mail.is_some(),
    };
    let since = stamp.map_or(now, |stamp| stamp.at);
    let entering = match decide(checks, &facts) {
        Verdict::Enter(door) => {
            Ok(Entering { since, stamped: stamp.is_some(), entrance: Entrance { lane: MAIN, door }, grant: None })
        }
        verdict => Err(words::problem(call, event, account, verdict, shown.failed, now)),
    };
    Ok(Arrival { entering })
}

fn platform(call: &Call, unseen: bool) -> Platform {
    if call.config.turnstile.is_none() || turnstile::is_down(crate::clock::now()) {
        Platform::Down
    } else if unseen {
        Platform::Unseen
    } else {
        Platform::Up
    }
}
