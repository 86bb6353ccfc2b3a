//! Sizes of what is deployed, and memory of what runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use onsale::build::Artifacts;

/// The worker's module as it is uploaded, and each function's binary.
pub fn sizes(built: &Artifacts) -> anyhow::Result<()> {
    for entry in fs::read_dir(&built.edge.folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "wasm") {
            let bytes = fs::read(&path)?;
            println!("| worker, WebAssembly, raw / gzip | {} / {} KB |", bytes.len() / 1000, gzip(&bytes)? / 1000);
        }
    }
    for function in ["booking-lambda", "settle", "project", "janitor"] {
        let bytes = fs::read(built.functions.join(function))?;
        let mb = |bytes: usize| bytes as f64 / 1e6;
        println!("| {function}, binary / gzip | {:.1} / {:.1} MB |", mb(bytes.len()), mb(gzip(&bytes)?));
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> anyhow::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// Resident memory of this process (emulator, simulator, hosts) and of its children, by name.
pub fn memory() -> anyhow::Result<()> {
    let mut by_name: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        if let Some((name, kb)) = resident(&entry.path()) {
            let sum = by_name.entry(name).or_default();
            *sum = (sum.0 + 1, sum.1 + kb);
        }
    }
    let all: u64 = by_name.values().map(|(_, kb)| kb).sum();
    for (name, (count, kb)) in &by_name {
        println!("| memory of {name} ({count} running) | {} MB |", kb / 1000);
    }
    println!("| memory of the running stack, everything | {} MB |", all / 1000);
    Ok(())
}

/// Name and resident KB of this process or a child of it.
fn resident(process: &Path) -> Option<(String, u64)> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let own = std::process::id().to_string();
    let ours = field("PPid:") == Some(&own) || field("Pid:") == Some(&own);
    let kb = field("VmRSS:")?.strip_suffix(" kB")?.trim().parse().ok()?;
    ours.then(|| Some((field("Name:")?.to_owned(), kb)))?
}
