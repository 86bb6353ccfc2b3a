//! What a fan shows at the door, and whether it is good.

use domain::door::{turnstile::Outcome, work};
use domain::ids::{AccountId, EventId};
use domain::time::WallMs;
use domain::token::{Door, MailToken, Token, WorkToken};
use serde::Deserialize;

use super::{mail, turnstile};
use crate::call::Call;
use crate::problem::Problem;

/// A proof, as the body of a join carries it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The widget's token.
    Turnstile(String),
    /// The answer to a riddle.
    Work {
        /// The riddle.
        riddle: String,
        /// One number a part.
        answer: Vec<u64>,
    },
    /// The code of a ticket.
    Mail {
        /// The ticket.
        ticket: String,
        /// What the mail said.
        code: String,
    },
    /// The platform's challenge could not be shown.
    Unseen,
}

/// What came of it.
#[derive(Default)]
pub struct Shown {
    /// What was passed.
    pub passed: Door,
    /// Why it was not, in a word that is shown.
    pub failed: Option<&'static str>,
    /// Whether the browser could not show the challenge.
    pub unseen: bool,
}

impl Shown {
    fn of(good: bool, passed: Door, why: &'static str) -> Self {
        if good { Self { passed, ..Self::default() } } else { Self { failed: Some(why), ..Self::default() } }
    }
}

/// Checks a proof. A proof that is not good is no error: it only proves nothing.
pub async fn check(
    call: &Call,
    event: &EventId,
    account: &AccountId,
    proof: Option<Proof>,
    now: WallMs,
) -> Result<Shown, Problem> {
    Ok(match proof {
        None => Shown::default(),
        Some(Proof::Unseen) => Shown { unseen: true, ..Shown::default() },
        Some(Proof::Turnstile(token)) => match turnstile::verify(call, event, account, &token).await {
            Outcome::Passed => Shown::of(true, Door::CHALLENGE, ""),
            Outcome::Failed(why) => Shown::of(false, Door::CHALLENGE, why),
            Outcome::Down => Shown::of(false, Door::CHALLENGE, "down"),
        },
        Some(Proof::Work { riddle, answer }) => worked(call, event, account, &riddle, &answer, now),
        Some(Proof::Mail { ticket, code }) => {
            let token = MailToken::decode(&ticket, &call.config.keys, event);
            match token.ok().filter(|token| token.counts(account, now)) {
                Some(_) => {
                    let good = mail::is_code(call, event, account, &ticket, &code).await?;
                    Shown::of(good, Door::MAIL_CODE, "wrong")
                }
                None => Shown::of(false, Door::MAIL_CODE, "expired"),
            }
        }
    })
}

fn worked(call: &Call, event: &EventId, account: &AccountId, riddle: &str, answer: &[u64], now: WallMs) -> Shown {
    let token = WorkToken::decode(riddle, &call.config.keys, event);
    match token.ok().filter(|token| token.counts(account, now)) {
        Some(token) => Shown::of(work::is_solved(riddle, token.bits, answer), Door::WORK, "wrong"),
        None => Shown::of(false, Door::WORK, "expired"),
    }
}
