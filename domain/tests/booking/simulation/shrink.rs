//! A failing list of operations, made short.

use super::lens::Lens;
use super::op::{Fault, Op};
use super::stage::Stage;

/// Runs a list to its end and drains it.
pub fn replay(ops: &[Op], lens: Lens) -> Result<(), String> {
    let mut stage = Stage::new(lens);
    ops.iter().try_for_each(|op| stage.run(op))?;
    stage.drain()
}

/// A list from which nothing more can be left out, with what it still breaks.
pub fn shrunk(ops: &[Op], lens: &Lens) -> (Vec<Op>, String) {
    let fails = |ops: &[Op]| replay(ops, lens.clone()).err();
    let (mut ops, mut what) = (ops.to_vec(), fails(ops).unwrap_or_default());
    let mut part = ops.len() / 2;
    while part > 0 {
        let mut at = 0;
        while at < ops.len() {
            let less: Vec<Op> = ops[..at].iter().chain(&ops[(at + part).min(ops.len())..]).cloned().collect();
            match fails(&less) {
                Some(still) => (ops, what) = (less, still),
                None => at += part,
            }
        }
        part /= 2;
    }
    for at in 0..ops.len() {
        let plain = Op { fault: Fault::NONE, stale: false, ..ops[at].clone() };
        let easier: Vec<Op> = ops[..at].iter().chain([&plain]).chain(&ops[at + 1..]).cloned().collect();
        if let Some(still) = fails(&easier) {
            (ops, what) = (easier, still);
        }
    }
    (ops, what)
}

/// As a file under `reproductions/`.
pub fn text(ops: &[Op]) -> String {
    ops.iter().map(|op| format!("{op}\n")).collect()
}
