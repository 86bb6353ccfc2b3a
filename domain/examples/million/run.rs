//! The numbering of a whole line, as shards, Pacer and readers do it, without network or storage.

use domain::cohort::{Cut, Entry, Leaf, Row, Shard, close, is_early, pseudonym, shard_of};
use domain::ids::AccountId;
use domain::shuffle::shuffled_list;
use domain::time::WallMs;

/// How large.
pub struct Size {
    /// Accounts that join, a third of them before the opening.
    pub accounts: u64,
    /// Shards of the line.
    pub shards: u16,
    /// Cohorts, cohort 0 included.
    pub cohorts: u32,
}

/// What came of it.
pub struct Numbered {
    /// The closed cohorts.
    pub rows: Vec<Row>,
    /// Accounts whose place was computed singly and compared with the whole permutation.
    pub compared: u64,
}

const OPENING: WallMs = WallMs(1_800_000_000_000);
const SECRET: [u8; 32] = [7; 32];
/// One place in so many is also computed singly: that costs 180 hashes.
const COMPARED: u64 = 997;

/// One shard: its state, and those who are not cut yet.
struct Part {
    state: Shard,
    uncut: Vec<(Entry, Leaf)>,
}

impl Part {
    fn join(&mut self, account: &AccountId, at: WallMs) {
        let entry = self.state.append(OPENING, at);
        self.state.record(&entry);
        self.uncut.push((entry, Leaf { pseudonym: pseudonym(&SECRET, account), time: entry.time }));
    }

    fn cut(&mut self, cut: &Cut) -> domain::cohort::CutAnswer {
        let range = self.state.cut_range(cut);
        let below = |entry: &Entry| entry.epoch == range.epoch && range.below.is_none_or(|t| entry.time < t);
        let leaves: Vec<_> = self.uncut.iter().filter(|(entry, _)| below(entry)).map(|(_, leaf)| *leaf).collect();
        self.uncut.retain(|(entry, _)| !below(entry));
        let (next, answer) = self.state.cut(cut, &leaves).expect("cuts follow each other");
        self.state = next;
        answer
    }
}

/// Joins everybody, cuts and closes all cohorts, and checks every place.
pub fn number(size: &Size) -> Numbered {
    let part = |shard| Part { state: Shard::new(shard, 0, None), uncut: vec![] };
    let mut parts: Vec<_> = (0..size.shards).map(part).collect();
    let (early, later) = (size.accounts / 3, size.accounts - size.accounts / 3);
    let mut rows: Vec<Row> = vec![];
    let mut joined = 0;
    for k in 0..size.cohorts {
        let t = OPENING.plus(i64::from(k) * 1_000);
        let until = if k == 0 { early } else { early + later * u64::from(k) / u64::from(size.cohorts - 1) };
        for number in joined..until {
            let account = AccountId::derive("million", &number.to_string());
            parts[usize::from(shard_of(&account, size.shards))].join(&account, t.plus(-500));
        }
        joined = until;
        let cut = Cut { k, t };
        let answers: Vec<_> = parts.iter_mut().map(|part| part.cut(&cut)).collect();
        let generations = vec![0; size.shards.into()];
        let row = close(rows.last(), &cut, &generations, &answers, &SECRET);
        rows.push(row.expect("all answered").expect("people in every cohort"));
    }
    let compared = check(&rows, size.accounts);
    Numbered { rows, compared }
}

/// Every place from 1 to the last is given exactly once, in its cohort's range.
fn check(rows: &[Row], accounts: u64) -> u64 {
    let mut given = vec![false; accounts as usize];
    let mut compared = 0;
    for row in rows {
        let list = shuffled_list(row.n, &row.seed).expect("it fits");
        let moved = row.cuts.iter().filter(|cut| cut.to > cut.from);
        let entries = moved.flat_map(|cut| (cut.from..cut.to).map(move |index| (cut.shard, cut.epoch, index)));
        for ((shard, epoch, index), shuffled) in entries.zip(&list) {
            assert_eq!(is_early(epoch), row.k == 0, "cohort 0 is those who came before the opening");
            let place = row.base + u64::from(*shuffled) + 1;
            assert!(!std::mem::replace(&mut given[place as usize - 1], true), "place {place} twice");
            if place.is_multiple_of(COMPARED) {
                assert_eq!(row.place_of(shard, epoch, index), Some(place));
                compared += 1;
            }
        }
    }
    assert!(given.iter().all(|given| *given), "every place is somebody's");
    compared
}
