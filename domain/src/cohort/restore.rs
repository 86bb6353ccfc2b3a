//! What a shown place token means to a shard that may have lost its storage. Tokens are signed, so they are facts.

use super::{Entry, Row, covering};
use crate::time::WallMs;
use crate::token::PlaceToken;

/// Where a shard finds the entry of a shown token, beside the closed cohorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// In its log, under this very account.
    Log,
    /// Among the sealed people of cohort 0, who are not drawn yet; the log itself was lost.
    Seal,
    /// Nowhere.
    Nowhere,
}

/// What to do with a shown token's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The account's entry is already known, and it stands: answer with it.
    Known(Entry),
    /// Remember this entry as the account's (a lost mapping comes back, or an earlier place wins over a later one).
    Restore(Entry),
    /// Answer with this entry and remember nothing: the draw that it waits for will number it.
    Sealed(Entry),
    /// The entry was lost with its log before it was numbered: append the account again, with this time.
    Reenter(WallMs),
}

/// Judges a verified `token` of this shard. `known` is the account's entry as stored, `found` where the shard has the token's
/// entry; `rows` the closed cohorts in any order.
///
/// Ladder: same entry; an entry that is numbered, or still in the log, wins unless the stored one has the better number;
/// one that is sealed waits for its draw; an account that has already re-entered keeps that entry; otherwise it re-enters.
pub fn shown(token: &PlaceToken, known: Option<&Entry>, found: Found, rows: &[Row]) -> Shown {
    let entry = Entry { epoch: token.epoch, index: token.index, time: token.joined };
    if let Some(known) = known.filter(|k| (k.epoch, k.index) == (entry.epoch, entry.index)) {
        return Shown::Known(*known);
    }
    let place = token.number().or_else(|| place_of(rows, token.shard, &entry));
    let lasting = place.is_some() || found == Found::Log;
    if !lasting && found == Found::Seal {
        return Shown::Sealed(entry);
    }
    match known {
        Some(known)
            if !lasting || place_of(rows, token.shard, known).is_some_and(|mine| place.is_none_or(|p| mine < p)) =>
        {
            Shown::Known(*known)
        }
        _ if lasting => Shown::Restore(entry),
        _ => Shown::Reenter(entry.time),
    }
}

fn place_of(rows: &[Row], shard: u16, entry: &Entry) -> Option<u64> {
    covering(rows, shard, entry.epoch, entry.index)?.place_of_entry(shard, entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cohort::LogCut;
    use crate::ids::AccountId;
    use crate::token::Entrance;

    fn token(epoch: u32, index: u64, place: u64) -> PlaceToken {
        let account = AccountId::from_bytes([1; 16]);
        PlaceToken {
            account,
            shard: 0,
            epoch,
            index,
            joined: WallMs(5),
            place,
            cohort: 0,
            entrance: Entrance::default(),
            rev: 0,
            expires: WallMs(i64::MAX),
        }
    }

    fn entry(epoch: u32, index: u64) -> Entry {
        Entry { epoch, index, time: WallMs(5) }
    }

    /// Cohort 0 numbers the entries 0..2 of epoch 0 and 0..1 of epoch 2, all of shard 0.
    fn rows() -> Vec<Row> {
        let cut = |epoch, to| LogCut { shard: 0, epoch, from: 0, to, root: [0; 32] };
        vec![Row { k: 0, t: WallMs(9), cuts: vec![cut(0, 2), cut(2, 1)], n: 3, base: 0, seed: [3; 32], beacon: None }]
    }

    #[test]
    fn every_case() {
        let place = |e: &Entry| rows()[0].place_of_entry(0, e).expect("numbered");
        let (first, second) = if place(&entry(0, 0)) < place(&entry(2, 0)) { (0, 2) } else { (2, 0) };
        let cases = [
            ("same entry", token(2, 7, 0), Some(entry(2, 7)), Shown::Known(entry(2, 7))),
            ("mapping lost, in the log", token(2, 7, 0), None, Shown::Restore(entry(2, 7))),
            ("somebody else's by now", token(2, 6, 0), None, Shown::Reenter(WallMs(5))),
            ("old log, numbered by a row", token(0, 1, 0), None, Shown::Restore(entry(0, 1))),
            ("old log, numbered in the token", token(0, 9, 77), None, Shown::Restore(entry(0, 9))),
            ("old log, lost", token(0, 9, 0), None, Shown::Reenter(WallMs(5))),
            ("old log, lost, already re-entered", token(0, 9, 0), Some(entry(2, 8)), Shown::Known(entry(2, 8))),
            ("old log, lost, sealed", token(4, 0, 0), None, Shown::Sealed(entry(4, 0))),
            ("sealed, already re-entered", token(4, 0, 0), Some(entry(7, 8)), Shown::Sealed(entry(4, 0))),
            ("sealed, numbered in the token", token(4, 0, 77), None, Shown::Restore(entry(4, 0))),
            ("numbered wins over not numbered", token(0, 1, 0), Some(entry(2, 8)), Shown::Restore(entry(0, 1))),
            ("better number shown", token(first, 0, 0), Some(entry(second, 0)), Shown::Restore(entry(first, 0))),
            ("better number stored", token(second, 0, 0), Some(entry(first, 0)), Shown::Known(entry(first, 0))),
        ];
        for (name, token, known, want) in cases {
            let found = match (token.epoch, token.index) {
                (2, 7) => Found::Log,
                (4, 0) => Found::Seal,
                _ => Found::Nowhere,
            };
            assert_eq!(shown(&token, known.as_ref(), found, &rows()), want, "{name}");
        }
    }
}
