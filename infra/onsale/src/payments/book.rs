//! The books: intents, keys, movements of money and events, in one append-only file of JSON lines.
//!
//! One effect is one line, so a kill between any two bytes leaves either all of it or nothing.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::events::Event;
use super::idempotency::Remembered;
use super::intent::Intent;

/// What happened to money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Money {
    /// The card approved; the amount is set aside.
    Authorize,
    /// The card refused; nothing moved.
    Decline,
    /// Authorized money was taken.
    Capture,
    /// Authorized money was let go.
    Void,
    /// Captured money was given back.
    Refund,
}

/// One line of `GET /_ledger`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    /// Counts from 1 without gaps.
    pub n: u64,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// What happened.
    pub kind: Money,
    /// The intent's id.
    pub intent: String,
    /// Minor units.
    pub amount: i64,
    /// ISO 4217, lower case as Stripe writes it.
    pub currency: String,
    /// The order named in the intent's metadata, if any.
    pub order: Option<String>,
}

/// One effect: everything that changes together.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub intent: Option<Intent>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub money: Option<Movement>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key: Option<(String, Remembered)>,
    /// Events that tell of the effect.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub events: Vec<Event>,
    /// The id of an event that was taken.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub taken: Option<String>,
}

/// The books in memory and their file.
pub(super) struct Book {
    file: File,
    /// By id; ids count upwards, so the order is that of creation.
    pub intents: BTreeMap<String, Intent>,
    pub keys: BTreeMap<String, Remembered>,
    pub movements: Vec<Movement>,
    /// Events made so far.
    pub events_made: usize,
    /// Events that nobody has taken yet, by id.
    pub untaken: BTreeMap<String, Event>,
}

impl Book {
    /// Opens or creates the file and reads it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(io::SeekFrom::End(0))?;
        let (intents, keys, untaken) = Default::default();
        let mut book = Self { file, intents, keys, movements: Vec::new(), events_made: 0, untaken };
        for line in text[..whole].lines() {
            book.apply(serde_json::from_str(line)?);
        }
        Ok(book)
    }

    /// Writes the entry down, then lets it hold.
    pub fn record(&mut self, entry: Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.apply(entry);
        Ok(())
    }

    fn apply(&mut self, entry: Entry) {
        if let Some(intent) = entry.intent {
            self.intents.insert(intent.id.clone(), intent);
        }
        if let Some((key, remembered)) = entry.key {
            self.keys.insert(key, remembered);
        }
        self.movements.extend(entry.money);
        self.events_made += entry.events.len();
        self.untaken.extend(entry.events.into_iter().map(|event| (event.id.clone(), event)));
        if let Some(taken) = entry.taken {
            self.untaken.remove(&taken);
        }
    }

    /// The line that says `kind` happened to `amount` of `intent`.
    pub fn movement(&self, kind: Money, intent: &Intent, amount: i64, at_ms: i64) -> Movement {
        Movement {
            n: self.movements.len() as u64 + 1,
            at_ms,
            kind,
            intent: intent.id.clone(),
            amount,
            currency: intent.currency.clone(),
            order: intent.metadata.get("order").cloned(),
        }
    }
}
