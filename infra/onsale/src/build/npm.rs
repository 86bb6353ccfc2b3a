//! The npm pins: the Workers runtime and its deployment tool.

use std::path::Path;
use std::process::Command;

use super::error::BuildError;
use super::steps::{Step, Steps, run};

/// Where npm notes what it has installed.
const INSTALLED: &str = "node_modules/.package-lock.json";

/// Runs `npm ci` if the pins are not installed, or are older than the lock file.
pub(super) fn install(root: &Path, steps: &dyn Steps) -> Result<(), BuildError> {
    let folder = root.join("infra/npm");
    if up_to_date(&folder) {
        return Ok(());
    }
    steps.begin(Step::Npm);
    let mut command = Command::new("npm");
    command.current_dir(&folder).args(["ci", "--silent", "--no-audit", "--no-fund"]);
    run(command, "npm", "install Node 20 or newer from https://nodejs.org", "Is the npm registry reachable?")?;
    steps.done(Step::Npm);
    Ok(())
}

fn up_to_date(folder: &Path) -> bool {
    let modified = |name: &str| std::fs::metadata(folder.join(name)).and_then(|m| m.modified());
    matches!((modified(INSTALLED), modified("package-lock.json")), (Ok(installed), Ok(lock)) if installed >= lock)
}
