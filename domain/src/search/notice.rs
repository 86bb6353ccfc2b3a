//! What the home region last said of an event to the search index, beside the event's definition.
//!
//! A version is given before it is told, and only to what was read after the version before was written. So a higher version
//! is never older news, whoever reads the stream at the same time, and whatever is told twice or late loses at the index.

use super::doc::Doc;
use crate::ids::EventId;
use crate::items::{Reader, Unreadable, attr, key};
use crate::plan::{Cond, Item, Next, Plan, Refused, Rule, Update, Value, Write};
use crate::time::WallMs;

/// The value of `k`.
const KIND: &str = "notice";

/// The last word on an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// It, with its version.
    pub doc: Doc,
    /// Whether the index has taken it.
    pub told: bool,
}

impl Notice {
    /// Reads a stored notice.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(KIND, item)?;
        let doc = serde_json::from_str(r.text(attr::BODY)?).map_err(|_| r.bad(attr::BODY))?;
        Ok(Self { doc, told: r.opt_number(attr::NUMBER) == Some(1) })
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let key = key::notice(&self.doc.id);
        // A document is plain data: it always serialises.
        let body = serde_json::to_string(&self.doc).unwrap_or_default();
        let texts = [(attr::PK, key.pk), (attr::SK, key.sk), (attr::KIND, KIND.to_owned()), (attr::BODY, body)];
        let mut item: Item = texts.into_iter().map(|(name, text)| (name.to_owned(), Value::S(text))).collect();
        item.insert(attr::VERSION.to_owned(), self.doc.version.into());
        item.insert(attr::NUMBER.to_owned(), i64::from(self.told).into());
        item
    }
}

/// Somebody else has said something newer meanwhile; nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("something newer was said meanwhile")]
pub struct Overtaken;

/// What is to be done about an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The index has this already.
    Rest,
    /// This was given a version before; the index is to be told.
    Tell(Doc),
    /// This is news: it gets a version first.
    Note(Note),
}

/// Compares how an event is at `at` with what was last said of it. The version of `now` does not matter, nor when it says that
/// it was changed.
#[must_use]
pub fn step(last: Option<&Notice>, now: Doc, at: WallMs) -> Step {
    let version = last.map_or(0, |last| last.doc.version);
    let now = Doc { changed_at_ms: changed_at(last, &now, at), ..now };
    let same = last.filter(|last| last.doc == Doc { version, ..now.clone() });
    match same {
        Some(last) if last.told => Step::Rest,
        Some(last) => Step::Tell(last.doc.clone()),
        None => Step::Note(Note { doc: Doc { version: version + 1, ..now }, after: last.map(|_| version) }),
    }
}

/// When anything but what is left was last changed: what sells all day is not a new page each time.
fn changed_at(last: Option<&Notice>, now: &Doc, at: WallMs) -> Option<WallMs> {
    let same = |known: &Doc| {
        let Doc { version, left, changed_at_ms, .. } = *known;
        *known == Doc { version, left, changed_at_ms, ..now.clone() }
    };
    last.map(|last| &last.doc).filter(|known| same(known)).map_or(Some(at), |known| known.changed_at_ms)
}

/// Gives news the next version.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The news.
    pub doc: Doc,
    /// The version that was read before the news were; none where there was none.
    after: Option<i64>,
}

impl Rule for Note {
    type Refusal = Overtaken;

    fn plan(&self) -> Result<Plan, Overtaken> {
        let notice = Notice { doc: self.doc.clone(), told: false };
        let unchanged = self.after.map_or(Cond::Absent, |version| Cond::Eq(attr::VERSION, version.into()));
        Ok(Plan::new(vec![Write::put(notice.to_item(), unchanged)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, Overtaken> {
        Next::No(Overtaken)
    }
}

/// Notes that the index has taken a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Of which event.
    pub event: EventId,
    /// Which version.
    pub version: i64,
}

impl Rule for Told {
    type Refusal = Overtaken;

    fn plan(&self) -> Result<Plan, Overtaken> {
        let still = Cond::Eq(attr::VERSION, self.version.into());
        Ok(Plan::new(vec![Write::update(key::notice(&self.event), still, Update::new().set(attr::NUMBER, 1))]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, Overtaken> {
        Next::No(Overtaken)
    }
}
