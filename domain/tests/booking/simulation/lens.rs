//! How the stage sees plans: as they are, with a clause left out, or noting which clause alone decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::clauses::{kind, left_out};
use domain::plan::memory::World;
use domain::plan::{Plan, Rule, Write};

/// Schedules kept for each clause.
const MOST_SEEDS: usize = 60;
/// Schedules kept for each rule.
const MOST_REFUSED: usize = 200;
/// Schedules in which every clause is noted, also where it decides nothing.
const FULLY: u64 = 500;

/// What was noted: of each clause the schedules in which it alone decided.
#[derive(Default)]
pub struct Notes {
    pub seed: u64,
    pub decisive: BTreeMap<String, BTreeSet<u64>>,
    /// Of each rule the schedules in which a plan of it was refused.
    pub refused: BTreeMap<String, BTreeSet<u64>>,
}

#[derive(Clone, Default)]
pub enum Lens {
    #[default]
    Clear,
    /// These clauses are left out.
    Without(Arc<Vec<String>>),
    Watching(Arc<Mutex<Notes>>),
}

impl Lens {
    pub fn without(clauses: &[&str]) -> Self {
        Self::Without(Arc::new(clauses.iter().map(|c| (*c).to_owned()).collect()))
    }

    pub fn bend<R: Rule>(&mut self, mut plan: Plan, world: &World) -> Plan {
        let name = std::any::type_name::<R>();
        let rule = name.rsplit("::").next().unwrap_or(name);
        match self {
            Self::Clear => {}
            Self::Without(clauses) => clauses.iter().for_each(|clause| leave_out(&mut plan, rule, clause)),
            Self::Watching(notes) => watch(&mut notes.lock().unwrap(), rule, &plan, world),
        }
        plan
    }
}

/// What a clause is called: its rule, its item, and what is left out.
fn called(rule: &str, write: &Write, what: &str) -> String {
    format!("{rule} · {} · {what}", kind(write))
}

fn leave_out(plan: &mut Plan, rule: &str, clause: &str) {
    if clause.split(" · ").next() != Some(rule) {
        return;
    }
    for write in &mut plan.writes {
        let bent = left_out(&write.expect).into_iter().find(|(what, _)| called(rule, write, what) == clause);
        if let Some((_, expect)) = bent {
            write.expect = expect;
        }
    }
}

/// A clause decides when without it the plan would be refused instead of committed, or committed instead of refused.
fn watch(notes: &mut Notes, rule: &str, plan: &Plan, world: &World) {
    let holds: Vec<bool> = plan.writes.iter().map(|w| w.expect.holds(world.get(&w.key))).collect();
    let failing = holds.iter().filter(|h| !**h).count();
    if failing > 0 {
        keep(&mut notes.refused, rule, notes.seed, MOST_REFUSED);
    }
    let (fully, seed) = (notes.seed < FULLY, notes.seed);
    for (write, own) in plan.writes.iter().zip(&holds) {
        let others = failing == usize::from(!own);
        if !fully && !others {
            continue;
        }
        for (what, bent) in left_out(&write.expect) {
            let decides = others && bent.holds(world.get(&write.key)) != *own;
            if fully || decides {
                let most = if decides { MOST_SEEDS } else { 0 };
                keep(&mut notes.decisive, &called(rule, write, &what), seed, most);
            }
        }
    }
}

fn keep(seeds: &mut BTreeMap<String, BTreeSet<u64>>, name: &str, seed: u64, most: usize) {
    let seeds = seeds.entry(name.to_owned()).or_default();
    if seeds.len() < most {
        seeds.insert(seed);
    }
}
