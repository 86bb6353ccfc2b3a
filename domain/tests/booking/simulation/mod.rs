//! Seeded schedules: fans, operators, the bank and executors over one table and one provider, with lost replies,
//! conflicts, crashes at every step, stale reads and duplicates. After each step every promise holds; at the end nothing
//! is left over.
//!
//! A failing schedule prints a short list of operations. Saved as a file under `reproductions/` it is run for ever.

mod choose;
mod clauses;
mod dice;
mod drain;
mod fans;
mod guards;
mod honest;
mod import;
mod lens;
mod model;
mod op;
mod operator;
mod scenario;
mod shrink;
mod stage;
mod workers;

use std::collections::BTreeSet;

use choose::Chooser;
use domain::items::{HoldState, OrderState};
use lens::Lens;
use op::Op;
use stage::Stage;

const SCHEDULES: u64 = 100_000;
const STEPS: usize = 40;

/// Draws and runs one schedule; a failure comes with what was done.
fn schedule(seed: u64, lens: Lens) -> Result<Stage, (Vec<Op>, String)> {
    let (mut stage, mut chooser, mut ops) = (Stage::new(lens), Chooser::new(seed), Vec::new());
    for _ in 0..STEPS {
        let op = chooser.next(&stage);
        ops.push(op.clone());
        if let Err(what) = stage.run(&op) {
            return Err((ops, what));
        }
    }
    match stage.drain() {
        Ok(()) => Ok(stage),
        Err(what) => Err((ops, what)),
    }
}

fn tell(seed: u64, ops: &[Op]) -> ! {
    let (ops, what) = shrink::shrunk(ops, &Lens::default());
    panic!("seed {seed}: {what}\nsave this under domain/tests/booking/reproductions/:\n{}", shrink::text(&ops))
}

/// `ONSALE_SEED` begins elsewhere.
#[test]
fn schedules_with_faults_keep_every_promise() {
    let first: u64 = std::env::var("ONSALE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for n in 0..threads {
            scope.spawn(move || {
                for seed in (first + n..first + SCHEDULES).step_by(threads as usize) {
                    if let Err((ops, _)) = schedule(seed, Lens::default()) {
                        tell(seed, &ops);
                    }
                }
            });
        }
    });
    println!("{SCHEDULES} schedules of {STEPS} operations kept every promise");
}

#[test]
fn reproductions_stay_mended() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/booking/reproductions");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let ops: Vec<Op> = lines.map(|line| line.parse().unwrap_or_else(|e| panic!("{path:?}: {e}"))).collect();
        shrink::replay(&ops, Lens::default()).unwrap_or_else(|what| panic!("{path:?}: {what}"));
    }
}

/// Schedules reach every state of holds and orders, or they prove little.
#[test]
fn schedules_reach_every_state() {
    let (mut orders, mut holds) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..4_000 {
        let (mut stage, mut chooser) = (Stage::new(Lens::default()), Chooser::new(seed));
        for _ in 0..STEPS {
            stage.run(&chooser.next(&stage)).unwrap();
            orders.extend(stage.books.orders.values().map(|s| s.order.state));
            holds.extend(stage.books.holds.values().map(|h| h.state));
        }
    }
    let missing: Vec<_> = OrderState::ALL.iter().filter(|s| !orders.contains(s)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(holds.len(), HoldState::ALL.len());
}
