//! Search for events: what the index keeps of an event, how words are compared, and which statements fill and ask the index.
//!
//! The index is one SQLite database with full-text search at the edge (D1). It is filled from what the home region says of its
//! events ([`Doc`]) and can be thrown away and filled anew at any time; nothing that sells reads it.
//!
//! An event's row is numbered by when it takes place on the clock of its venue ([`Doc::first_row`]), and the full-text index answers
//! in the order of rows. So the next events that fit come first and a search ends as soon as it has enough: it costs the same
//! among a hundred events and a hundred thousand. What can be asked for beside words (a place, a price, that there is something
//! left) is therefore kept as words too ([`Doc::tags`]).

mod doc;
mod fill;
mod find;
mod fold;
mod generation;
mod notice;
mod place;
mod query;
mod signature;
mod sitemap;

use crate::door::rate::Rate;

pub use doc::{BadDoc, Doc, Left};
pub use fill::{BATCH, BadBatch, Batch, fill};
pub use find::{Arg, Found, Statement, find};
pub use fold::{Word, fold, words};
pub use generation::{Generation, Refusal, SETTLE_MS, State, begin, switch};
pub use notice::{Note, Notice, Overtaken, Step, Told, step};
pub use place::Point;
pub use query::{BadQuery, LIMIT_MAX, Query};
pub use signature::{NotSigned, sign, verify};
pub use sitemap::{Entry, Month, Part, index_xml, months, pages_xml, part_xml, robots};

/// Searches that one address may make in a minute of which no copy is at hand. Families, schools and offices stand behind one.
pub const ADDRESS_RATE: Rate = Rate { count: 300, per_ms: 60_000 };

/// Tables exist twice: one is searched while the other one is filled anew.
pub const SLOTS: [u8; 2] = [0, 1];

#[cfg(test)]
mod tests;
