//! Post: tickets by mail, one mail for each order and revision.
//!
//! Claim, send, note: the rules are `domain::mailing`. The mail service is asked once a claim, never by a retry of the SDK: whether
//! a lost answer was a yes is not known, and the lease of the claim is what keeps a second mail away meanwhile.

mod letter;
mod service;
mod terms;

use std::sync::Arc;

use checkout::config::{ConfigError, Env};
use checkout::{Courier, Unsent, wall_now};
use domain::items::{Contact, Mailing, Order, Ticket, key};
use domain::keys::MasterKeys;
use domain::mailing::{ClaimMail, MailEnd, NotNow, note};
use table::{CommitError, DecideError, Table};

pub use service::{MailService, Outcome};

use terms::Known;

/// What sending needs; built once.
#[derive(Debug)]
pub struct Post {
    table: Table,
    keys: MasterKeys,
    service: MailService,
    pages: String,
    known: Known,
}

impl Post {
    /// From the environment: the mail service as the standard `AWS_*` variables say, `ONSALE_MAIL_FROM`, `ONSALE_PAGES_URL`.
    ///
    /// # Errors
    /// A variable is missing or wrong; the error names it.
    pub async fn from_env<F: Fn(&str) -> Option<String>>(env: &Env<F>, table: Table) -> Result<Self, ConfigError> {
        let (keys, pages, from) = (env.master_keys()?, env.pages()?, env.mail_from()?);
        Ok(Self::new(table, keys, MailService::from_env(from).await, pages))
    }

    /// From parts; `pages` is where fans see the pages, without a slash at its end.
    #[must_use]
    pub fn new(table: Table, keys: MasterKeys, service: MailService, pages: String) -> Self {
        Self { table, keys, service, pages, known: Known::default() }
    }

    /// A courier that sends through this post.
    #[must_use]
    pub fn courier(self) -> Courier {
        let post = Arc::new(self);
        Courier::new(move |order, tickets| {
            let post = Arc::clone(&post);
            Box::pin(async move { post.send(&order, &tickets).await })
        })
    }

    /// Sends an order's tickets, unless that was done, or nobody said where to.
    async fn send(&self, order: &Order, tickets: &[Ticket]) -> Result<(), Unsent> {
        let stored = self.table.get(&key::contact(&order.id)).await.map_err(unsent)?;
        let Some(contact) = stored.as_ref().map(Contact::from_item).transpose().map_err(unsent)? else { return Ok(()) };
        let sender = format!("{:032x}", rand::random::<u128>());
        let claim =
            ClaimMail { event: order.event.clone(), order: order.id, n: order.revision(), sender, now: wall_now() };
        match self.table.decide(claim.clone()).await {
            Ok(_) => self.claimed(&claim.record(), order, tickets, &contact.to).await,
            Err(DecideError::Refused(NotNow::Done(_))) => Ok(()),
            Err(DecideError::Refused(refusal)) => Err(unsent(refusal)),
            Err(DecideError::Table(error)) => Err(unsent(error)),
        }
    }

    /// Sends a claimed mail and notes what came of it. Nothing is noted where nobody knows: the lease runs out then.
    async fn claimed(&self, claim: &Mailing, order: &Order, tickets: &[Ticket], to: &str) -> Result<(), Unsent> {
        let outcome = match self.letter(order, tickets, to).await {
            Ok(letter) => self.service.send(to, letter).await,
            Err(Unsent(why)) => Outcome::NotNow(why),
        };
        let (end, result) = match outcome {
            Outcome::Sent(id) => (MailEnd::Sent(id), Ok(())),
            Outcome::Refused(code) => {
                tracing::warn!(order = %claim.order, code, "the mail service refuses a mail for good");
                (MailEnd::Refused, Ok(()))
            }
            Outcome::NotNow(why) => (MailEnd::NotSent, Err(Unsent(why))),
            Outcome::Unknown(what) => return Err(Unsent(what)),
        };
        match self.table.commit(&note(claim, end)).await {
            Ok(()) | Err(CommitError::Refused(_)) => result,
            Err(CommitError::Table(error)) => Err(unsent(error)),
        }
    }

    async fn letter(&self, order: &Order, tickets: &[Ticket], to: &str) -> Result<Vec<u8>, Unsent> {
        let known = self.known.of(&self.table, &order.event).await.map_err(unsent)?;
        let known = known.ok_or_else(|| Unsent("the event is not there".into()))?;
        let papers = known.papers(order, tickets, &self.keys);
        letter::write(&papers, to, &self.service.from, &self.pages, order.revision()).map_err(unsent)
    }
}

fn unsent(error: impl std::fmt::Display) -> Unsent {
    Unsent(error.to_string())
}
