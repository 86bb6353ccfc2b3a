//! Findings that are kept for a person: each once, with the first and the last time it was seen.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Code, Finding};
use crate::ids::EventId;
use crate::items::{Reader, Unreadable, attr, key};
use crate::plan::{Cond, Item, Next, Plan, Refused, Rule, Update, Write};
use crate::time::WallMs;

/// A finding as stored: beside its event, or among the events if nothing tells whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// Whose.
    pub event: Option<EventId>,
    /// What.
    #[serde(flatten)]
    pub finding: Finding,
    /// When it was first seen.
    pub first: WallMs,
    /// When it was last seen.
    pub last: WallMs,
}

#[derive(Serialize, Deserialize)]
struct Body {
    code: String,
    subject: String,
    note: String,
}

impl Stored {
    /// The value of `k`.
    pub const KIND: &'static str = "finding";

    /// Seen now for the first time.
    #[must_use]
    pub const fn new(event: Option<EventId>, finding: Finding, now: WallMs) -> Self {
        Self { event, finding, first: now, last: now }
    }

    /// Names it in logs: it says nothing about whom or what it is.
    #[must_use]
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.finding.code.as_str());
        hash.update([0]);
        hash.update(&self.finding.subject);
        URL_SAFE_NO_PAD.encode(&hash.finalize()[..16])
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let key = key::finding(self.event.as_ref(), &self.id());
        Item::from([
            (attr::PK.to_owned(), key.pk.into()),
            (attr::SK.to_owned(), key.sk.into()),
            (attr::KIND.to_owned(), Self::KIND.into()),
            (attr::BODY.to_owned(), self.body().into()),
            (attr::WALL.to_owned(), self.first.0.into()),
            (attr::LAST.to_owned(), self.last.0.into()),
        ])
    }

    fn body(&self) -> String {
        let Finding { code, subject, note } = self.finding.clone();
        // Plain data: it always serialises.
        serde_json::to_string(&Body { code: code.to_string(), subject, note }).unwrap_or_default()
    }

    /// Reads a stored finding.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let body: Body = serde_json::from_str(r.text(attr::BODY)?).map_err(|_| r.bad(attr::BODY))?;
        let code = Code::from_word(&body.code).ok_or_else(|| r.bad(attr::BODY))?;
        Ok(Self {
            event: r.text(attr::PK)?.strip_prefix("EVENT#").and_then(|id| id.parse().ok()),
            finding: Finding::new(code, body.subject, body.note),
            first: WallMs(r.number(attr::WALL)?),
            last: WallMs(r.number(attr::LAST)?),
        })
    }
}

/// Keeps a finding that was not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep(pub Stored);

/// A known finding was seen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeeAgain(pub Stored);

/// The finding is kept already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the finding is known")]
pub struct Known;

/// The finding is not kept any more: somebody has dealt with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the finding is not kept any more")]
pub struct Gone;

impl Rule for Keep {
    type Refusal = Known;

    fn plan(&self) -> Result<Plan, Known> {
        Ok(Plan::new(vec![Write::put(self.0.to_item(), Cond::Absent)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, Known> {
        Next::No(Known)
    }
}

impl Rule for SeeAgain {
    type Refusal = Gone;

    fn plan(&self) -> Result<Plan, Gone> {
        let update = Update::new().set(attr::BODY, self.0.body()).set(attr::LAST, self.0.last.0);
        let key = key::finding(self.0.event.as_ref(), &self.0.id());
        Ok(Plan::new(vec![Write::update(key, Cond::Exists, update)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, Gone> {
        Next::No(Gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::memory::World;

    fn finding(note: &str, now: i64) -> Stored {
        let event = Some("night".parse().expect("an id"));
        Stored::new(event, Finding::new(Code::MoneyDiffers, "order o", note), WallMs(now))
    }

    #[test]
    fn a_finding_is_kept_once_with_its_first_and_last_time() {
        let mut world = World::new();
        world.decide(Keep(finding("100 kept", 5))).expect("new");
        assert_eq!(world.decide(Keep(finding("200 kept", 9))), Err(Known));
        world.decide(SeeAgain(finding("200 kept", 9))).expect("known");
        let kept: Vec<_> = world.items().map(|item| Stored::from_item(item).expect("readable")).collect();
        assert_eq!(kept, [Stored { first: WallMs(5), ..finding("200 kept", 9) }]);
    }

    #[test]
    fn what_a_person_has_put_away_does_not_come_back_half() {
        assert_eq!(World::new().decide(SeeAgain(finding("", 1))), Err(Gone));
    }

    #[test]
    fn nothing_of_the_subject_shows_in_the_id() {
        let id = finding("", 1).id();
        assert!(id.len() == 22 && !id.contains("order"), "{id}");
    }
}
