//! Whose turn it is, and what comes of a try.

use crate::items::{OutMessage, OutState, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::WallMs;

/// How long whoever took a message has for it, in ms: longer than a receiver is waited for.
pub const LEASE_MS: i64 = 30_000;

/// The pauses after the tries of a message, in seconds; after the last try it is given up. In all that is about 28 hours.
pub const WAITS_S: [i64; 7] = [60, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

/// Tries of a message.
pub const MOST_TRIES: u32 = 8;

/// What is to be done for an order's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn<'a> {
    /// Send this one.
    Send(&'a OutMessage),
    /// Nothing before this time.
    Wait(WallMs),
    /// Nothing.
    Rest,
}

/// The turn among an order's messages, which are in the order of their ranks. One that waits keeps all later ones waiting.
#[must_use]
pub fn turn(messages: &[OutMessage], now: WallMs) -> Turn<'_> {
    match messages.iter().find(|message| message.state == OutState::Pending) {
        None => Turn::Rest,
        Some(first) if first.due <= now => Turn::Send(first),
        Some(first) => Turn::Wait(first.due),
    }
}

/// Takes a message for a try: nobody else has until the lease is over, whatever becomes of the taker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// The message, as read.
    pub message: OutMessage,
    /// A word that no other sender has.
    pub sender: String,
    /// Wall time now.
    pub now: WallMs,
}

/// Somebody else took it, or it is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message is another sender's, or settled")]
pub struct Taken;

impl Take {
    /// The message as taken.
    #[must_use]
    pub fn taken(&self) -> OutMessage {
        let message = self.message.clone();
        OutMessage {
            due: self.now.plus(LEASE_MS),
            tries: message.tries + 1,
            sender: Some(self.sender.clone()),
            ..message
        }
    }
}

impl Rule for Take {
    type Refusal = Taken;

    fn plan(&self) -> Result<Plan, Taken> {
        let as_read = Cond::eq(attr::STATE, OutState::Pending).and(Cond::eq(attr::OPEN_AT, self.message.due.0));
        let update = Update::new().set(attr::OPEN_AT, self.now.plus(LEASE_MS).0);
        let update = update.set(attr::SENDER, self.sender.as_str()).set(attr::TRIES, self.message.tries + 1);
        Ok(Plan::new(vec![Write::update(key::out(&self.message.order, self.message.rank), as_read, update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Taken> {
        let found = refused.failed.first().and_then(|failed| OutMessage::from_item(failed.old.as_ref()?).ok());
        match found {
            Some(message) if message == self.taken() => Next::Done,
            _ => Next::No(Taken),
        }
    }
}

/// How a try ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The receiver took it, with this status.
    Acknowledged(u16),
    /// It did not, or nobody knows: a status, or a word.
    Failed(String),
    /// Nobody will ever: there is no sense in another try.
    Hopeless(String),
}

/// Writes down how a try of a taken message ended. If it was taken by somebody else meanwhile, or settled, nothing is changed.
/// `jitter` is any number; by it the pause is up to a fifth longer, so that what failed together does not come again together.
#[must_use]
pub fn ended(taken: &OutMessage, end: &Ended, now: WallMs, jitter: u32) -> Plan {
    let own =
        Cond::eq(attr::STATE, OutState::Pending).and(Cond::eq(attr::SENDER, taken.sender.clone().unwrap_or_default()));
    let word = match end {
        Ended::Acknowledged(status) => status.to_string(),
        Ended::Failed(word) | Ended::Hopeless(word) => word.clone(),
    };
    let update = Update::new().set(attr::REASON, word);
    let update = match end {
        Ended::Acknowledged(_) => settled(update, OutState::Acknowledged).remove(attr::OPEN_PK).remove(attr::OPEN_AT),
        Ended::Failed(_) => match pause_ms(taken.tries, jitter) {
            Some(pause) => update.set(attr::OPEN_AT, now.plus(pause).0),
            None => parked(update, taken, now),
        },
        Ended::Hopeless(_) => parked(update, taken, now),
    };
    Plan::new(vec![Write::update(key::out(&taken.order, taken.rank), own, update)])
}

fn settled(update: Update, state: OutState) -> Update {
    update.set(attr::STATE, state)
}

fn parked(update: Update, message: &OutMessage, now: WallMs) -> Update {
    let update = settled(update, OutState::Parked).set(attr::OPEN_AT, now.0);
    update.set(attr::OPEN_PK, key::parked_out(&message.event))
}

/// The pause after the `tries`-th try; none after the last.
fn pause_ms(tries: u32, jitter: u32) -> Option<i64> {
    let pause = WAITS_S.get(usize::try_from(tries.saturating_sub(1)).ok()?)? * 1_000;
    Some(pause + pause / 5 * i64::from(jitter % 1_000) / 1_000)
}

/// Has a message sent again from the beginning, whatever became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The message, as read.
    pub message: OutMessage,
    /// Wall time now.
    pub now: WallMs,
}

impl Rule for Replay {
    type Refusal = Taken;

    fn plan(&self) -> Result<Plan, Taken> {
        let message = &self.message;
        let update = settled(Update::new(), OutState::Pending).set(attr::TRIES, 0).set(attr::OPEN_AT, self.now.0);
        let update = update.set(attr::OPEN_PK, message.open_pk()).remove(attr::SENDER);
        let as_read = Cond::eq(attr::STATE, message.state).and(Cond::eq(attr::TRIES, message.tries));
        Ok(Plan::new(vec![Write::update(key::out(&message.order, message.rank), as_read, update)]))
    }

    fn explain(&self, _refused: &Refused) -> Next<Self, Taken> {
        Next::No(Taken)
    }
}
