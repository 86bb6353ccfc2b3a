//! How the stage sees plans: as they are, with clauses left out, or noting which clauses decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::clauses::{has_ways, kind, left_out, unmet};
use domain::plan::memory::World;
use domain::plan::{Cond, Failed, Plan, Refused, Write};

/// Schedules kept for each clause and what else was unmet with it.
const MOST_SEEDS: usize = 60;
/// Different company kept for each clause.
const MOST_SETS: usize = 40;
/// Schedules in which every clause is noted, also where it decides nothing.
const FULLY: u64 = 4_000;

/// Schedules by what else was unmet.
pub type Company = BTreeMap<Vec<String>, BTreeSet<u64>>;

/// What was noted: of each clause the schedules in which it decided, alone or with others.
#[derive(Default)]
pub struct Notes {
    pub seed: u64,
    pub decisive: BTreeMap<String, Company>,
}

#[derive(Clone, Default)]
pub enum Lens {
    #[default]
    Clear,
    /// These clauses are left out.
    Without(Arc<Vec<String>>),
    /// The same, but who is refused hears what the whole plan would have said: what counts is what happens.
    Second(Arc<Vec<String>>),
    Watching(Arc<Mutex<Notes>>),
}

impl Lens {
    pub fn without(clauses: &[&str]) -> Self {
        Self::Without(owned(clauses))
    }

    pub fn second(clauses: &[&str]) -> Self {
        Self::Second(owned(clauses))
    }

    pub fn bend(&self, rule: &str, mut plan: Plan, world: &World) -> Plan {
        match self {
            Self::Clear => {}
            Self::Without(clauses) | Self::Second(clauses) => {
                clauses.iter().for_each(|clause| leave_out(&mut plan, rule, clause));
            }
            Self::Watching(notes) => notes.lock().unwrap().watch(rule, &plan, world),
        }
        plan
    }

    /// What is heard of a refusal.
    pub fn heard(&self, refused: Refused, plan: &Plan, world: &World) -> Refused {
        let Self::Second(_) = self else { return refused };
        let old = |write: &Write| world.get(&write.key).cloned();
        let failed = plan.writes.iter().filter(|w| !w.expect.holds(world.get(&w.key)));
        let failed: Vec<Failed> = failed.map(|w| Failed { key: w.key.clone(), old: old(w) }).collect();
        if failed.is_empty() { refused } else { Refused { failed, partial: false } }
    }
}

fn owned(clauses: &[&str]) -> Arc<Vec<String>> {
    Arc::new(clauses.iter().map(|c| (*c).to_owned()).collect())
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

impl Notes {
    /// A clause decides when without it the plan would be refused instead of committed, or, perhaps with others left out too,
    /// committed instead of refused.
    fn watch(&mut self, rule: &str, plan: &Plan, world: &World) {
        let (met, unmet): (Vec<&Write>, Vec<&Write>) =
            plan.writes.iter().partition(|w| w.expect.holds(world.get(&w.key)));
        if self.seed < FULLY {
            self.name_all(rule, plan);
        }
        if unmet.is_empty() { self.committed(rule, &met, world) } else { self.refused(rule, &unmet, world) }
    }

    fn name_all(&mut self, rule: &str, plan: &Plan) {
        for write in &plan.writes {
            for (what, _) in left_out(&write.expect) {
                self.decisive.entry(called(rule, write, &what)).or_default();
            }
        }
    }

    fn committed(&mut self, rule: &str, writes: &[&Write], world: &World) {
        for write in writes.iter().filter(|w| has_ways(&w.expect)) {
            for (what, bent) in left_out(&write.expect) {
                if !bent.holds(world.get(&write.key)) {
                    self.keep(called(rule, write, &what), vec![]);
                }
            }
        }
    }

    fn refused(&mut self, rule: &str, writes: &[&Write], world: &World) {
        let mut clauses = BTreeSet::new();
        for write in writes {
            let before = unmet(&write.expect, world.get(&write.key));
            let helps = |(what, bent): (String, Cond)| {
                (unmet(&bent, world.get(&write.key)) != before).then(|| called(rule, write, &what))
            };
            clauses.extend(left_out(&write.expect).into_iter().filter_map(helps));
        }
        for clause in clauses {
            let mut company = BTreeSet::new();
            for write in writes {
                let bent = left_out(&write.expect).into_iter().find(|(what, _)| called(rule, write, what) == clause);
                let left = unmet(&bent.map_or_else(|| write.expect.clone(), |(_, bent)| bent), world.get(&write.key));
                company.extend(left.iter().map(|what| called(rule, write, what)));
            }
            self.keep(clause, company.into_iter().collect());
        }
    }

    fn keep(&mut self, clause: String, company: Vec<String>) {
        let sets = self.decisive.entry(clause).or_default();
        if sets.len() >= MOST_SETS && !sets.contains_key(&company) {
            return;
        }
        let seeds = sets.entry(company).or_default();
        if seeds.len() < MOST_SEEDS {
            seeds.insert(self.seed);
        }
    }
}
