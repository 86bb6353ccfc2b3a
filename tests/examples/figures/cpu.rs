//! How much processor time a process has used, as Linux counts it.

use std::fs;

use anyhow::Context;

/// Milliseconds of one tick: Linux shows times in hundredths of a second, whatever it counts in.
const TICK_MS: f64 = 10.0;

/// Processor time of a process so far, in milliseconds; user and system together.
pub fn used_ms(pid: u32) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field is a name in brackets, which may contain anything.
    let fields = stat.rsplit_once(") ").context("a process's times")?.1.split(' ').collect::<Vec<_>>();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok()).context("ticks");
    Ok((ticks(11)? + ticks(12)?) * TICK_MS)
}

/// The child of this process with that name.
pub fn child(name: &str) -> anyhow::Result<u32> {
    let own = std::process::id().to_string();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        if stat.contains(&format!("({name})")) && parent == Some(&own) {
            return Ok(pid);
        }
    }
    anyhow::bail!("no child is called {name}")
}
