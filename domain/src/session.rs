//! Sessions: how long whoever had a turn may shop, and that it can be made longer once, by whoever needs more time.
//!
//! A longer session takes room from nobody: the line counts a shopper without hold and order for some minutes only
//! ([`crate::pace::ACTIVE_MS`]), however long the session lasts.

use crate::time::EventMs;

/// Why a session is not made longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is over.
    #[error("the session is over")]
    Over,
    /// It was made longer before.
    #[error("the session was made longer before")]
    Already,
}

/// The new end of a session that ends at `expires`: once, by another `length_ms`, and only while it lasts.
pub fn longer(expires: EventMs, now: EventMs, length_ms: i64, already: bool) -> Result<EventMs, Refused> {
    match () {
        () if expires <= now => Err(Refused::Over),
        () if already => Err(Refused::Already),
        () => Ok(expires.plus(length_ms.max(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_and_only_while_it_lasts() {
        let at = |now, already| longer(EventMs(100), EventMs(now), 60, already);
        assert_eq!([at(99, false), at(0, false)], [Ok(EventMs(160)); 2]);
        assert_eq!(
            [at(99, true), at(100, false), at(100, true)],
            [Err(Refused::Already), Err(Refused::Over), Err(Refused::Over)]
        );
    }
}
