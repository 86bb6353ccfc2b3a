//! The statements that fill the search index, on a SQLite beside the test: whatever comes twice, late and in another order, the
//! highest version of each event stays, and its words alone are found. Without the guard it does not, which shows that the test
//! would see it.

use domain::search::{Batch, Doc, SLOTS, fill};
use domain::time::WallMs;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rusqlite::Connection;
use serde_json::json;

const SCHEMA: &str = include_str!("../../../edge-worker/migrations/0001_search.sql");
const EVENTS: i64 = 3;
const VERSIONS: i64 = 4;
/// What keeps an older version from replacing a newer one.
const GUARD: &str = "WHERE e.version < j.value ->> 'version'";

/// Each version of each event has a word and a minute of its own, so that rows move.
fn doc(event: i64, version: i64) -> Doc {
    let value = json!({
        "id": format!("e{event}"), "version": version, "listed": true, "name": format!("word{event}x{version}"), "venue": "Hall",
        "zone": "UTC", "starts_local": format!("2027-06-12T20:0{}", version % 2), "starts_at_ms": 1_812_830_400_000_i64,
        "ends_at_ms": 1_812_834_000_000_i64, "opens_at_ms": 0, "currency": "EUR", "from_minor": 1, "to_minor": 2, "left": "few",
    });
    serde_json::from_value(value).expect("a document")
}

/// All versions of all events, each up to three times, shuffled, in batches.
fn deliveries(rng: &mut StdRng) -> Vec<Vec<Doc>> {
    let mut all: Vec<(i64, i64)> = (0..EVENTS).flat_map(|e| (1..=VERSIONS).map(move |v| (e, v))).collect();
    let again: Vec<_> = (0..2 * all.len()).map(|_| all[rng.random_range(0..all.len())]).collect();
    all.extend(again);
    all.shuffle(rng);
    let mut batches: Vec<Vec<Doc>> = Vec::new();
    for (event, version) in all {
        let doc = doc(event, version);
        match batches.last_mut() {
            Some(batch) if batch.iter().all(|known| known.id != doc.id) && rng.random_bool(0.5) => batch.push(doc),
            _ => batches.push(vec![doc]),
        }
    }
    batches
}

fn deliver(index: &mut Connection, docs: Vec<Doc>, statements: &[String]) -> rusqlite::Result<()> {
    let value = Batch::new(docs).expect("a batch").value();
    let transaction = index.transaction()?;
    for statement in statements {
        transaction.execute(statement, [&value])?;
    }
    transaction.commit()
}

/// Words that are found in a slot, of all versions there ever were.
fn found(index: &Connection, slot: u8) -> Vec<String> {
    let words = (0..EVENTS).flat_map(|e| (1..=VERSIONS).map(move |v| format!("word{e}x{v}")));
    let count = |word: &String| -> i64 {
        let query = format!(
            "SELECT count(*) FROM words_{slot} JOIN event_{slot} ON doc = words_{slot}.rowid WHERE words_{slot} MATCH ?"
        );
        index.query_row(&query, [word], |row| row.get(0)).expect("a count")
    };
    words.filter(|word| count(word) > 0).collect()
}

/// Whether exactly the highest versions are found, in both slots, after this many random histories.
fn newest_wins(statements: &[String], histories: u64) -> bool {
    let newest: Vec<String> = (0..EVENTS).map(|e| format!("word{e}x{VERSIONS}")).collect();
    (0..histories).all(|seed| {
        let mut index = Connection::open_in_memory().expect("a database");
        index.execute_batch(SCHEMA).expect("the tables");
        index.execute("UPDATE generation SET state = 'filling' WHERE slot = 1", []).expect("both are filled");
        for docs in deliveries(&mut StdRng::seed_from_u64(seed)) {
            deliver(&mut index, docs, statements).expect("a batch is taken");
        }
        SLOTS.iter().all(|slot| found(&index, *slot) == newest)
    })
}

#[test]
fn the_newest_word_wins_in_whatever_order_words_come() {
    assert!(newest_wins(&fill(), 60));
    let unguarded: Vec<String> = fill().iter().map(|statement| statement.replace(GUARD, "WHERE true")).collect();
    assert_ne!(unguarded, fill(), "the guard is where this test looks for it");
    assert!(!newest_wins(&unguarded, 60), "without the guard the last word wins");
}

/// An event that ended so many days ago.
fn over(event: i64, days: i64) -> Doc {
    let ended = WallMs(crate::edge::now() - days * 86_400_000);
    Doc { starts_at_ms: ended, ends_at_ms: ended, ..doc(event, 1) }
}

/// Rows and entries that are left when another batch came after events that are over.
fn left(statements: &[String]) -> [i64; 2] {
    let mut index = Connection::open_in_memory().expect("a database");
    index.execute_batch(SCHEMA).expect("the tables");
    deliver(&mut index, vec![over(0, 31), over(1, 29), doc(2, 1)], statements).expect("a batch is taken");
    deliver(&mut index, vec![doc(2, 2)], statements).expect("a batch is taken");
    ["event_0", "words_0"]
        .map(|table| index.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).expect("a count"))
}

#[test]
fn events_that_have_been_over_for_a_month_leave_the_index() {
    assert_eq!(left(&fill()), [2, 2]);
    let unswept: Vec<String> = fill().into_iter().filter(|statement| !statement.contains("unixepoch()")).collect();
    assert_eq!(left(&unswept), [3, 3], "nothing else takes them out");
}
