//! Which clauses of plans are missed: left out, some schedule shows the harm.
//!
//! First schedules are watched, and of each clause those are noted in which it alone decided. Then each clause is left out
//! in exactly those schedules, until a promise breaks or a refusal is untrue.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::lens::{Lens, Notes};
use super::schedule;

/// Schedules that are watched.
const WATCHED: u64 = 12_000;
/// Clauses of 100 that must be missed. The others are printed: schedules do not reach where they alone would matter.
const SCORE: usize = 45;

type Seeds = BTreeMap<String, Vec<u64>>;

/// What the watch found: of each clause the schedules in which it decided, of each rule those in which it was refused.
struct Watch {
    decisive: Seeds,
    refused: Seeds,
}

impl Watch {
    fn new() -> Self {
        let parts: Vec<Notes> = std::thread::scope(|scope| {
            let watchers = [0, 1].map(|part| scope.spawn(move || watch((part..WATCHED).step_by(2))));
            watchers.into_iter().map(|w| w.join().unwrap()).collect()
        });
        let (mut decisive, mut refused) = (Seeds::new(), Seeds::new());
        for notes in parts {
            notes.decisive.into_iter().for_each(|(clause, seeds)| decisive.entry(clause).or_default().extend(seeds));
            notes.refused.into_iter().for_each(|(rule, seeds)| refused.entry(rule).or_default().extend(seeds));
        }
        Self { decisive, refused }
    }

    /// Other clauses of the rule of `clause` on items that `on` picks.
    fn others(&self, clause: &str, on: impl Fn(&str) -> bool) -> Vec<&str> {
        let rule = rule_of(clause);
        let all = self.decisive.keys().map(String::as_str).filter(|c| *c != clause && rule_of(c) == rule);
        all.filter(|c| on(item_of(c))).collect()
    }

    fn judge(&self, clause: &str) -> Option<String> {
        harm(&[clause], &self.decisive[clause]).or_else(|| self.second(clause))
    }

    /// Why a clause is a second guard: with others gone it alone still prevents harm. The others are those on the same item,
    /// or those on the order and the hold, or all of its rule.
    fn second(&self, clause: &str) -> Option<String> {
        let item = item_of(clause);
        let same = self.others(clause, |i| i == item);
        let heads = self.others(clause, |i| i.starts_with("order") || i.starts_with("hold"));
        let rest = self.others(clause, |_| true);
        let seeds = self.refused.get(rule_of(clause))?;
        [same, heads, rest].iter().filter(|o| !o.is_empty()).find_map(|others| {
            let what = saves(clause, others, seeds)?;
            Some(format!("second to {} more: {what}", others.len()))
        })
    }
}

fn rule_of(clause: &str) -> &str {
    clause.split(" · ").next().unwrap_or_default()
}

fn item_of(clause: &str) -> &str {
    clause.split(" · ").nth(1).unwrap_or_default()
}

/// Some schedule in which the other clauses are not missed as long as this one is there.
fn saves(clause: &str, others: &[&str], seeds: &[u64]) -> Option<String> {
    let (less, none) = (Lens::without(others), Lens::without(&[others, &[clause]].concat()));
    let saved = |seed: &&u64| schedule(**seed, less.clone()).is_ok();
    seeds.iter().filter(saved).find_map(|seed| schedule(*seed, none.clone()).err()).map(|(_, what)| short(&what))
}

fn watch(seeds: impl Iterator<Item = u64>) -> Notes {
    let notes = Arc::new(Mutex::new(Notes::default()));
    for seed in seeds {
        notes.lock().unwrap().seed = seed;
        _ = schedule(seed, Lens::Watching(notes.clone()));
    }
    std::mem::take(&mut notes.lock().unwrap())
}

/// What goes wrong without these clauses.
fn harm(clauses: &[&str], seeds: &[u64]) -> Option<String> {
    let lens = Lens::without(clauses);
    seeds.iter().find_map(|seed| schedule(*seed, lens.clone()).err()).map(|(_, what)| short(&what))
}

fn short(what: &str) -> String {
    what.split_whitespace().take(9).collect::<Vec<_>>().join(" ")
}

#[test]
fn clauses_are_missed() {
    let watch = Watch::new();
    let clauses: Vec<&String> = watch.decisive.keys().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(clause) = clauses.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = watch.judge(clause);
                    found.lock().unwrap().insert((*clause).clone(), verdict);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    let missed = found.values().flatten().count();
    found.iter().for_each(|(clause, what)| println!("{clause}\n    {}", what.as_deref().unwrap_or("NOBODY MISSES IT")));
    println!("{missed} of {} clauses are missed", found.len());
    assert!(missed * 100 >= found.len() * SCORE, "fewer than {SCORE} of 100 clauses are missed");
}
