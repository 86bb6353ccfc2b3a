//! What an import writes, part by part.

use std::collections::BTreeMap;

use crate::items::attr;
use crate::plan::{Change, Cond, Key, Update, Write};

/// What an import does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Seats written for the first time.
    pub added: usize,
    /// Seats whose level, kind or index changed.
    pub changed: usize,
    /// Free seats that are no longer in the plan.
    pub removed: usize,
}

/// The writes of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub(super) gone: Vec<Gone>,
    pub(super) writes: Vec<Write>,
    /// What they do.
    pub report: Report,
}

/// An item that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    /// Which.
    pub key: Key,
    /// Its version, as read.
    pub version: i64,
    /// The item that its versions pass to; none when nothing of its map is left.
    pub heir: Option<Key>,
}

impl Gone {
    /// As read: whoever takes it, changes it.
    fn write(&self) -> Write {
        Write::delete(self.key.clone(), Cond::eq(attr::VERSION, self.version))
    }
}

/// A part with removals: what goes, and what passes to whom.
#[derive(Default)]
struct Removals {
    writes: Vec<Write>,
    sums: BTreeMap<Key, i64>,
}

impl Removals {
    fn fits(&self, gone: &Gone, most: usize) -> bool {
        let heirs = self.sums.keys().chain(&gone.heir).collect::<std::collections::BTreeSet<_>>();
        self.writes.len() + 1 + heirs.len() <= most
    }

    fn add(&mut self, gone: &Gone) {
        self.writes.push(gone.write());
        if let Some(heir) = &gone.heir {
            *self.sums.entry(heir.clone()).or_default() += gone.version;
        }
    }

    /// An heir that is not there yet comes with this part.
    fn close(self, others: &mut Vec<Write>) -> Vec<Write> {
        let mut writes = self.writes;
        writes.extend(self.sums.into_iter().map(|(heir, sum)| inherit(heir, sum + 1, others)));
        writes
    }
}

fn inherit(heir: Key, by: i64, others: &mut Vec<Write>) -> Write {
    let fresh = others.iter().position(|w| w.key == heir && matches!(w.change, Change::Put(_)));
    let Some(mut write) = fresh.map(|at| others.remove(at)) else {
        return Write::update(heir, Cond::Exists, Update::new().add(attr::VERSION, by));
    };
    if let Change::Put(item) = &mut write.change {
        item.insert(attr::VERSION.to_owned(), (1 + by).into());
    }
    write
}

impl Changes {
    /// How many items differ.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gone.len() + self.writes.len()
    }

    /// Whether the table is as the plan wants it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All writes in their order, removals first, in parts of at most `most` writes, at least two.
    #[must_use]
    pub fn parts(&self, most: usize) -> Vec<Vec<Write>> {
        let (mut parts, mut part, mut others) = (Vec::new(), Removals::default(), self.writes.clone());
        for gone in &self.gone {
            if !part.fits(gone, most) && !part.writes.is_empty() {
                parts.push(std::mem::take(&mut part).close(&mut others));
            }
            part.add(gone);
        }
        if !part.writes.is_empty() {
            parts.push(part.close(&mut others));
        }
        parts.extend(others.chunks(most).map(<[Write]>::to_vec));
        parts
    }
}
