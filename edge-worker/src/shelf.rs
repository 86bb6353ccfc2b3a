//! Shelves: copies in the isolate's memory, and the one rule by which a copy is shown or refreshed.
//!
//! While one request refreshes a copy, the others are served the last one; nobody waits for another request, because
//! the runtime cancels such waits. A copy past its fresh-until is refreshed by everyone who asks.

use std::cell::RefCell;
use std::rc::Rc;

use domain::time::WallMs;
use serde::{Deserialize, Serialize};

/// How long one request may take to refresh a copy before another tries, in milliseconds.
const REFRESH_MS: i64 = 2_000;

/// A copy and how long it is good.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lot<T> {
    /// The copy.
    pub value: T,
    /// When it is to be refreshed.
    pub due: WallMs,
    /// Until when it may be shown while somebody refreshes it.
    pub fresh: WallMs,
    /// When somebody began to refresh it.
    pub refresh: WallMs,
}

impl<T> Lot<T> {
    /// A copy that nobody refreshes yet.
    pub fn new(value: T, due: WallMs, fresh: WallMs) -> Self {
        Self { value, due, fresh, refresh: WallMs(0) }
    }

    /// Whether it may be shown by a request that does not refresh it.
    pub fn serves(&self, now: WallMs) -> bool {
        now < self.due || (now.since(self.refresh) < REFRESH_MS && now < self.fresh)
    }

    /// The same life for what was made of the copy.
    pub fn map<R>(self, make: impl FnOnce(T) -> R) -> Lot<R> {
        Lot { value: make(self.value), due: self.due, fresh: self.fresh, refresh: self.refresh }
    }

    /// The same for what may not be possible to make.
    pub fn try_map<R, E>(self, make: impl FnOnce(T) -> Result<R, E>) -> Result<Lot<R>, E> {
        let Self { value, due, fresh, refresh } = self;
        Ok(Lot { value: make(value)?, due, fresh, refresh })
    }
}

/// The last copies of one kind, by key; those kept longest go first.
pub struct Shelf<T> {
    most: usize,
    lots: RefCell<Vec<(String, Lot<Rc<T>>)>>,
}

impl<T> Shelf<T> {
    /// An empty shelf for that many copies.
    pub const fn of(most: usize) -> Self {
        Self { most, lots: RefCell::new(Vec::new()) }
    }

    /// The copy if it need not be refreshed by this request. Asking promises nothing.
    pub fn peek(&self, key: &str, now: WallMs) -> Option<Rc<T>> {
        let lots = self.lots.borrow();
        lots.iter().find(|(known, lot)| known == key && lot.serves(now)).map(|(_, lot)| Rc::clone(&lot.value))
    }

    /// As [`Self::peek`]; a request that is not answered has promised to refresh the copy.
    pub fn look(&self, key: &str, now: WallMs) -> Option<Rc<T>> {
        let copy = self.peek(key, now);
        if copy.is_none()
            && let Some((_, lot)) = self.lots.borrow_mut().iter_mut().find(|(known, _)| known == key)
        {
            lot.refresh = now;
        }
        copy
    }

    /// The copy if it may still be shown to somebody.
    pub fn fresh(&self, key: &str, now: WallMs) -> Option<Rc<T>> {
        let lots = self.lots.borrow();
        lots.iter().find(|(known, lot)| known == key && now < lot.fresh).map(|(_, lot)| Rc::clone(&lot.value))
    }

    /// The copy, however old.
    pub fn last(&self, key: &str) -> Option<Rc<T>> {
        let lots = self.lots.borrow();
        lots.iter().find(|(known, _)| known == key).map(|(_, lot)| Rc::clone(&lot.value))
    }

    /// Puts a copy in the place of the one before.
    pub fn keep(&self, key: &str, lot: Lot<T>) -> Rc<T> {
        let lot = Lot { refresh: WallMs(0), ..lot.map(Rc::new) };
        let value = Rc::clone(&lot.value);
        let mut lots = self.lots.borrow_mut();
        lots.retain(|(known, _)| known != key);
        lots.truncate(self.most.saturating_sub(1));
        lots.insert(0, (key.to_owned(), lot));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "demo";

    fn at(ms: i64) -> WallMs {
        WallMs(1_800_000_000_000 + ms)
    }

    fn shelf() -> Shelf<u8> {
        let shelf = Shelf::of(2);
        shelf.keep(KEY, Lot::new(1, at(1_000), at(5_000)));
        shelf
    }

    #[test]
    fn while_one_refreshes_the_others_get_the_last_copy() {
        let shelf = shelf();
        assert_eq!(shelf.look(KEY, at(999)).as_deref(), Some(&1), "not due");
        assert_eq!(shelf.look(KEY, at(1_000)), None, "the first one refreshes");
        assert_eq!(shelf.look(KEY, at(1_001)).as_deref(), Some(&1), "the others need not");
        assert_eq!(shelf.look(KEY, at(3_000)), None, "the refresher is lost");
        assert_eq!(shelf.look(KEY, at(3_001)).as_deref(), Some(&1), "another one tries");
    }

    #[test]
    fn past_its_fresh_until_a_copy_is_shown_to_nobody() {
        let shelf = shelf();
        assert_eq!(shelf.look(KEY, at(4_999)), None);
        assert_eq!(shelf.look(KEY, at(5_000)), None);
        assert_eq!(shelf.last(KEY).as_deref(), Some(&1));
        assert_eq!((shelf.fresh(KEY, at(4_999)).as_deref(), shelf.fresh(KEY, at(5_000))), (Some(&1), None));
    }

    #[test]
    fn peeking_promises_nothing() {
        let shelf = shelf();
        assert_eq!(shelf.peek(KEY, at(1_000)), None);
        assert_eq!(shelf.peek(KEY, at(1_001)), None, "nobody refreshes");
    }

    #[test]
    fn the_copy_kept_longest_goes_first() {
        let shelf = shelf();
        for key in ["b", "c"] {
            shelf.keep(key, Lot::new(2, at(1_000), at(5_000)));
        }
        assert_eq!(shelf.last(KEY), None);
        assert_eq!(shelf.last("b").as_deref(), Some(&2));
    }
}
