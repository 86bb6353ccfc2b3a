//! The single steps, and who is told about them.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use super::error::BuildError;

/// A step of setup or build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Another process is building.
    Waiting,
    /// `npm ci`.
    Npm,
    /// The compiler's WebAssembly target.
    Target,
    /// The function binaries.
    Functions,
    /// The worker.
    Edge,
}

impl Step {
    /// What to tell a person.
    pub fn text(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for another build",
            Self::Npm => "installing the Workers runtime (npm ci, once)",
            Self::Target => "installing the WebAssembly target (rustup, once)",
            Self::Functions => "building the functions (the first time takes minutes)",
            Self::Edge => "building the worker",
        }
    }
}

/// Is told when steps begin and end.
pub trait Steps: Sync {
    /// A step begins.
    fn begin(&self, step: Step);
    /// A step is done.
    fn done(&self, step: Step);
}

/// Tells nobody.
impl Steps for () {
    fn begin(&self, _: Step) {}
    fn done(&self, _: Step) {}
}

/// Runs cargo in the workspace.
pub(super) fn cargo(root: &Path, args: &[&str]) -> Result<(), BuildError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(args);
    run(command, "cargo", "install Rust from https://rustup.rs", "Mend what the compiler names and run again.")
}

/// Adds the WebAssembly target where it is missing. Without rustup it must be there already; the
/// worker's build says so if not.
pub(super) fn wasm_target(root: &Path, steps: &dyn super::Steps) -> Result<(), BuildError> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let listed = Command::new("rustup").current_dir(root).args(["target", "list", "--installed"]).output();
    let Ok(listed) = listed else { return Ok(()) };
    if String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.trim() == TARGET) {
        return Ok(());
    }
    steps.begin(Step::Target);
    let mut command = Command::new("rustup");
    command.current_dir(root).args(["target", "add", TARGET]);
    run(command, "rustup", "install it from https://rustup.rs", "Is the network reachable?")?;
    steps.done(Step::Target);
    Ok(())
}

pub(super) fn run(
    mut command: Command,
    program: &'static str,
    missing: &'static str,
    hint: &'static str,
) -> Result<(), BuildError> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(BuildError::Failed { command: shown(&command), hint }),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(BuildError::Missing { program, hint: missing }),
        Err(error) => Err(error.into()),
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
