//! One call at a time does a thing; its end, however it comes, lets the next one do it.

use std::cell::Cell;

/// Held by the call that is at it.
pub struct Alone<'a>(&'a Cell<bool>);

impl<'a> Alone<'a> {
    /// Begins, unless another call is at it.
    pub fn at(busy: &'a Cell<bool>) -> Option<Self> {
        // Lazily: a value made in vain would end the other's turn when it is dropped.
        (!busy.replace(true)).then(|| Self(busy))
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_the_next_when_it_ends() {
        let busy = Cell::new(false);
        let first = Alone::at(&busy);
        assert!(first.is_some() && Alone::at(&busy).is_none() && busy.get(), "a call in vain ends nobody's turn");
        drop(first);
        assert!(Alone::at(&busy).is_some());
    }
}
