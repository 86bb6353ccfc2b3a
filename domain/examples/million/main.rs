//! How long numbering a million accounts takes, and how much memory: `cargo run --release -p domain --example million`.

mod run;

use std::time::Instant;

use run::{Size, number};

/// Most memory this process has had, as the kernel tells it.
fn peak_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn main() {
    let size = Size { accounts: 1_000_000, shards: 64, cohorts: 600 };
    let start = Instant::now();
    let numbered = number(&size);
    let seconds = start.elapsed().as_secs_f64();
    let given = numbered.rows.last().map_or(0, domain::cohort::Row::given);
    println!("{given} places, {} shards, {} cohorts; every place given once", size.shards, numbered.rows.len());
    println!("{} places also computed singly", numbered.compared);
    println!("{seconds:.1} s; peak memory {} MB", peak_mb().map_or("?".into(), |mb| mb.to_string()));
}
