//! The five experiments of README.md and the example of docs/operating.md, run as they are printed there, on the demo that
//! `onsale up` starts.
//!
//! What README shows is compared with what came out: digits stand for any number, and `…` for anything.

mod readme;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use readme::{example, experiments, looks_like};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lies in the workspace").to_owned()
}

/// `onsale up` in a process group of its own, ended with it.
struct Up(Child);

impl Up {
    fn start(state: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(root()).args(["run", "-q", "--", "--state"]).arg(state);
        command.args(["up", "--crowd", "20", "--listen", "127.0.0.1:0"]).process_group(0);
        let mut up = Self(command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).spawn()?);
        up.wait_until_ready(&state.join("ready.json"))?;
        Ok(up)
    }

    fn wait_until_ready(&mut self, file: &Path) -> anyhow::Result<()> {
        let deadline = Instant::now() + Duration::from_secs(900);
        while !file.exists() {
            ensure!(self.0.try_wait()?.is_none(), "`onsale up` ended before it was ready");
            ensure!(Instant::now() < deadline, "`onsale up` is not ready after 15 minutes");
            std::thread::sleep(Duration::from_millis(300));
        }
        Ok(())
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        // The whole group: cargo does not pass a signal on to what it runs.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        let _ = self.0.wait();
    }
}

/// Runs all commands in one shell and answers what each experiment printed.
fn run(commands: &[String], state: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    const NEXT: &str = "=== next experiment ===";
    let script = commands.join(&format!("\necho '{NEXT}'\n"));
    let shell = Command::new("bash")
        .current_dir(root())
        .args(["-c", &format!(". docs/try.sh\n{script}")])
        .env("ONSALE_STATE", state)
        .env("READY", state.join("ready.json"))
        .stdin(Stdio::null())
        .output()?;
    let printed = String::from_utf8(shell.stdout)?;
    eprintln!("{printed}\n{}", String::from_utf8_lossy(&shell.stderr));
    let parts = printed.split(NEXT).map(|part| part.trim().lines().map(str::to_owned).collect());
    Ok(parts.collect())
}

#[test]
fn the_readme_shows_what_happens() -> anyhow::Result<()> {
    let state = tempfile::tempdir()?;
    let experiments = experiments(&std::fs::read_to_string(root().join("README.md"))?);
    ensure!(experiments.len() == 5, "README has five experiments, found {}", experiments.len());
    let _up = Up::start(state.path())?;
    let commands: Vec<String> = experiments.iter().map(|e| e.commands.clone()).collect();
    let printed = run(&commands, state.path())?;
    for (number, (experiment, printed)) in experiments.iter().zip(&printed).enumerate() {
        let same = experiment.shows.len() == printed.len()
            && experiment.shows.iter().zip(printed).all(|(shown, line)| looks_like(shown, line));
        ensure!(same, "experiment {}: README shows {:#?}, printed was {printed:#?}", number + 1, experiment.shows);
    }
    check_numbers(&printed)?;
    operating_shows_what_happens(state.path())
}

/// The example of docs/operating.md, on the same stack. What it says in error goes where the rest goes.
fn operating_shows_what_happens(state: &Path) -> anyhow::Result<()> {
    let example = example(&std::fs::read_to_string(root().join("docs/operating.md"))?);
    ensure!(example.shows.len() > 10, "docs/operating.md has an example");
    let commands = format!("onsale() {{ cargo run -q -- \"$@\"; }}\nexec 2>&1\n{}", example.commands);
    let printed = run(&[commands], state)?.concat();
    let same = printed.len() == example.shows.len()
        && example.shows.iter().zip(&printed).all(|(shown, line)| looks_like(shown.trim(), line.trim()));
    ensure!(same, "docs/operating.md shows {:#?}, printed was {printed:#?}", example.shows);
    Ok(())
}

/// What numbers alone do not show: the same place twice, event time that stands, the place computed again.
fn check_numbers(printed: &[Vec<String>]) -> anyhow::Result<()> {
    let [tabs, race, outage, _, place] = printed else { anyhow::bail!("five experiments printed something") };
    ensure!(tabs[0] == tabs[1], "two tabs keep one place: {tabs:?}");
    ensure!(race[0].ends_with(" 201") && race[1].ends_with(" 409"), "one gets the seat, one does not: {race:?}");
    ensure!(outage[1] == outage[2], "event time stands: {outage:?}");
    let [.., entry, _, told] = &place[..] else { anyhow::bail!("a draw was verified: {place:?}") };
    let computed =
        entry.split("place ").nth(1).and_then(|rest| rest.split(' ').next()).context("a place was computed")?;
    ensure!(computed == told, "the place computed again is the place: {place:?}");
    Ok(())
}
