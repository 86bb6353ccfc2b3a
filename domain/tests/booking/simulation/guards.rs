//! Which clauses of plans are missed: left out, some schedule shows the harm.
//!
//! First schedules are watched, and of each clause those are noted in which it decided, alone or in company. Then each clause is
//! left out in exactly those schedules, until a promise breaks or a refusal is untrue. A clause that is missed only once its
//! company is gone too is a second guard: with the company left out it still keeps every promise, without it one breaks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::lens::{Company, Lens, Notes};
use super::{scenario, schedule};

/// Schedules that are watched.
const WATCHED: u64 = 12_000;
/// Schedules that a second guard is tried in, for each company.
const SECOND: usize = 20;

/// What the watch found of each clause.
type Watch = BTreeMap<String, Company>;

fn watched() -> Watch {
    let parts: Vec<Notes> = std::thread::scope(|scope| {
        let watchers = [0, 1].map(|part| scope.spawn(move || watch((part..WATCHED).step_by(2))));
        watchers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    let mut all = Watch::new();
    for (clause, sets) in parts.into_iter().flat_map(|notes| notes.decisive) {
        let known = all.entry(clause).or_default();
        sets.into_iter().for_each(|(company, seeds)| known.entry(company).or_default().extend(seeds));
    }
    all
}

fn watch(seeds: impl Iterator<Item = u64>) -> Notes {
    let notes = Arc::new(Mutex::new(Notes::default()));
    for seed in seeds {
        notes.lock().unwrap().seed = seed;
        _ = schedule(seed, Lens::Watching(notes.clone()));
    }
    std::mem::take(&mut notes.lock().unwrap())
}

/// Who misses the clause.
fn judge(clause: &str, sets: &Company) -> Option<String> {
    let alone = sets.get(&vec![]).into_iter().flatten();
    let lens = Lens::without(&[clause]);
    alone
        .copied()
        .find_map(|seed| harm(seed, &lens))
        .or_else(|| second(clause, sets))
        .or_else(|| {
            let all: BTreeSet<u64> = sets.values().flatten().copied().collect();
            all.into_iter().find_map(|seed| harm(seed, &lens))
        })
        .or_else(|| scenario::all().iter().filter(|(_, s)| s.clause == clause).find_map(|(_, s)| s.told()))
}

/// As a second guard, to as few others as may be.
fn second(clause: &str, sets: &Company) -> Option<String> {
    let mut sets: Vec<_> = sets.iter().filter(|(company, _)| !company.is_empty()).collect();
    sets.sort_by_key(|(company, _)| company.len());
    sets.into_iter().find_map(|(company, seeds)| {
        let company: Vec<&str> = company.iter().map(String::as_str).collect();
        let (less, none) = (Lens::second(&company), Lens::second(&[company.as_slice(), &[clause]].concat()));
        let what = seeds.iter().take(SECOND).filter(|s| harm(**s, &less).is_none()).find_map(|s| harm(*s, &none))?;
        Some(format!("second to {}: {what}", company.join(", ")))
    })
}

fn harm(seed: u64, lens: &Lens) -> Option<String> {
    let (_, what) = schedule(seed, lens.clone()).err()?;
    Some(what.split_whitespace().take(9).collect::<Vec<_>>().join(" "))
}

#[test]
fn clauses_are_missed() {
    let watch = watched();
    let clauses: Vec<(&String, &Company)> = watch.iter().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((clause, sets)) = clauses.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = judge(clause, sets);
                    found.lock().unwrap().insert((*clause).clone(), verdict);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    found.iter().for_each(|(clause, what)| println!("{clause}\n    {}", what.as_deref().unwrap_or("NOBODY MISSES IT")));
    let dull: Vec<&String> = found.iter().filter(|(_, what)| what.is_none()).map(|(clause, _)| clause).collect();
    println!("{} of {} clauses are missed", found.len() - dull.len(), found.len());
    assert!(dull.is_empty(), "nobody misses {dull:#?}");
}
