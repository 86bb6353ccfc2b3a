//! The checks at the door: who may get a place, who has to do something first, and what is certainly a bot.
//!
//! The door is asked once, before an account gets its place; what was passed is bound into the place and never asked
//! again. An account that already has a place is past the door, whatever its checks would say today.
//!
//! | step of [`decide`] | the answer |
//! |---|---|
//! | 1. the network is on the event's deny list | [`Refusal::Network`] |
//! | 2. the address presses faster than its limit | [`Refusal::TooFast`] |
//! | 3. the account lacks a claim that the event requires | [`Refusal::Claims`] |
//! | 4. the event wants a challenge, and none was passed | [`Verdict::Prove`]: equal ways to choose from |
//! | 5. certainly a bot | [`Verdict::Enter`] with [`Door::SLOWED`]: a place whose turn never opens a session |
//! | 6. everybody else | [`Verdict::Enter`] |
//!
//! **Certainly a bot** takes two signals that are independent of each other, and no sign of a person: the platform calls
//! the request automated beyond doubt (score 1 of 99), its address floods the door (ten times its limit), and neither a
//! challenge nor a code by mail was passed. Each signal alone is met by people: shared addresses flood, odd browsers and
//! embedded web views score 1.

pub mod checks;
pub mod mail;
pub mod rate;
#[cfg(test)]
mod tests;
pub mod turnstile;
pub mod work;

pub use checks::{Challenge, Checks, Claim};

use core::net::IpAddr;

use crate::token::{Claims, Door};
use serde::{Deserialize, Serialize};

/// The platform's score of a request that is automated beyond doubt; its scale goes to 99, certainly a person.
const AUTOMATED: u8 = 1;
/// Below this score the platform takes a request for probably automated.
const DOUBTFUL: u8 = 30;
/// What each sign of suspicion adds to the difficulty of a proof of work, in bits.
const SUSPICION_BITS: u8 = 2;
/// What the proof of work costs more, in bits, where the challenge could not be shown though the platform works.
const UNSEEN_BITS: u8 = 3;
/// The most that a proof of work may ask, in bits: half a minute or two on a phone.
pub const BITS_MAX: u8 = 18;

/// How an address presses the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Press {
    /// How long it has to wait, in milliseconds, if it is over its limit.
    pub wait_ms: Option<i64>,
    /// Whether it is far over it.
    pub flood: bool,
}

/// Whether the platform's challenge can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Platform {
    /// It can.
    #[default]
    Up,
    /// It cannot: not configured, or it does not answer.
    Down,
    /// It can, but this fan's browser says that it could not show it.
    Unseen,
}

/// What is known of somebody at the door.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts {
    /// The address, where the platform tells one.
    pub address: Option<IpAddr>,
    /// How that address presses.
    pub press: Press,
    /// The platform's bot score, 1 to 99, where it gives one.
    pub bot_score: Option<u8>,
    /// The account's verified claims.
    pub claims: Claims,
    /// Proofs that were shown and are good.
    pub passed: Door,
    /// Whether the platform's challenge can be had.
    pub platform: Platform,
    /// Whether codes can be sent by mail.
    pub mail: bool,
}

/// One way to pass a challenge. Those offered together are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The platform's challenge, Turnstile.
    Turnstile,
    /// A proof of work, see [`work`].
    Work,
    /// A one-time code by mail; needs no JavaScript.
    Mail,
}

/// Why somebody does not get in. Each has a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The network is on the deny list. Remedy: another network, or the organiser.
    Network,
    /// Too many calls from this address. Remedy: wait so many milliseconds.
    TooFast(i64),
    /// The account lacks these. Remedy: have them verified where the account is kept, then sign in again.
    Claims(Vec<Claim>),
}

/// What the door says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Come in; this is bound into the place.
    Enter(Door),
    /// One of these first. `bits` is the difficulty of a proof of work.
    Prove {
        /// Equal alternatives.
        ways: Vec<Way>,
        /// Difficulty, see [`work`].
        bits: u8,
    },
    /// No.
    Refused(Refusal),
}

/// The ladder, see the module's documentation.
pub fn decide(checks: &Checks, facts: &Facts) -> Verdict {
    if facts.address.is_some_and(|address| checks.denies(address)) {
        return Verdict::Refused(Refusal::Network);
    }
    if let Some(wait_ms) = facts.press.wait_ms {
        return Verdict::Refused(Refusal::TooFast(wait_ms));
    }
    let missing = missing(checks, facts);
    if !missing.is_empty() {
        return Verdict::Refused(Refusal::Claims(missing));
    }
    if checks.challenge != Challenge::None && !proven(facts.passed) {
        return Verdict::Prove { ways: ways(checks, facts), bits: bits(checks, facts) };
    }
    let claims = if checks.claims.is_empty() { Door::NONE } else { Door::CLAIMS };
    let slowed = if certainly_a_bot(facts) { Door::SLOWED } else { Door::NONE };
    Verdict::Enter(facts.passed.with(claims).with(slowed))
}

/// Whether any challenge was passed.
pub const fn proven(passed: Door) -> bool {
    passed.has(Door::CHALLENGE) || passed.has(Door::WORK) || passed.has(Door::MAIL_CODE)
}

fn missing(checks: &Checks, facts: &Facts) -> Vec<Claim> {
    checks.claims.iter().filter(|claim| !facts.claims.has(claim.set())).copied().collect()
}

fn ways(checks: &Checks, facts: &Facts) -> Vec<Way> {
    let first = match (checks.challenge, facts.platform) {
        (Challenge::Turnstile, Platform::Up) => Way::Turnstile,
        _ => Way::Work,
    };
    if facts.mail { vec![first, Way::Mail] } else { vec![first] }
}

/// The difficulty follows suspicion.
fn bits(checks: &Checks, facts: &Facts) -> u8 {
    let doubtful = facts.bot_score.is_some_and(|score| score < DOUBTFUL);
    let automated = facts.bot_score == Some(AUTOMATED);
    let signs = [doubtful, automated, facts.press.flood].into_iter().filter(|sign| *sign).count();
    let signs = u8::try_from(signs).unwrap_or(u8::MAX);
    let unseen = if facts.platform == Platform::Unseen { UNSEEN_BITS } else { 0 };
    let more = signs.saturating_mul(SUSPICION_BITS).saturating_add(unseen);
    checks.work_bits.saturating_add(more).min(BITS_MAX)
}

fn certainly_a_bot(facts: &Facts) -> bool {
    let person = facts.passed.has(Door::CHALLENGE) || facts.passed.has(Door::MAIL_CODE);
    facts.bot_score == Some(AUTOMATED) && facts.press.flood && !person
}
