//! Builds what the stack runs and installs the npm pins: once, under a file lock, with the dev
//! profile unless asked otherwise.

mod error;
mod npm;
mod steps;

use std::fs::File;
use std::path::{Path, PathBuf};

pub use error::BuildError;
pub use steps::{Step, Steps};

use crate::edge::{self, EdgeBundle, Profile};

/// What a stack runs.
#[derive(Debug, Clone)]
pub struct Artifacts {
    /// The worker and its runtime.
    pub edge: EdgeBundle,
    /// The folder with the function binaries.
    pub functions: PathBuf,
}

/// Which artifacts to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The worker.
    Edge,
    /// The functions.
    Lambdas,
    /// Everything, ready to run.
    All,
}

/// Builds everything and returns where it is. Blocks for as long as it takes; `steps` is told what
/// is going on.
///
/// # Errors
/// [`BuildError`], each with what to do.
pub fn all(profile: Profile, steps: &dyn Steps) -> Result<Artifacts, BuildError> {
    setup(steps)?;
    let functions = functions(profile, steps)?;
    let edge = edge(profile, steps)?;
    Ok(Artifacts { edge, functions })
}

/// What is installed once: the npm pins and the compiler's WebAssembly target.
fn setup(steps: &dyn Steps) -> Result<(), BuildError> {
    let _lock = lock("setup", steps)?;
    npm::install(&workspace(), steps)?;
    steps::wasm_target(&workspace(), steps)
}

/// Builds only a part.
///
/// # Errors
/// [`BuildError`].
pub fn only(what: What, profile: Profile, steps: &dyn Steps) -> Result<(), BuildError> {
    match what {
        What::All => all(profile, steps).map(drop),
        What::Lambdas => functions(profile, steps).map(drop),
        What::Edge => {
            setup(steps)?;
            edge(profile, steps).map(drop)
        }
    }
}

/// The bundle's folder is written anew, so only one may build it at a time.
fn edge(profile: Profile, steps: &dyn Steps) -> Result<EdgeBundle, BuildError> {
    let _lock = lock(profile.folder(), steps)?;
    steps.begin(Step::Edge);
    let bundle = edge::build(profile)?;
    steps.done(Step::Edge);
    Ok(bundle)
}

/// The function binaries.
const FUNCTIONS: [&str; 4] = ["booking-lambda", "settle", "project", "janitor"];

/// Cargo itself keeps two builds apart.
fn functions(profile: Profile, steps: &dyn Steps) -> Result<PathBuf, BuildError> {
    steps.begin(Step::Functions);
    // Over the whole workspace, as `cargo run` and the tests resolve features: no dependency is compiled twice.
    let mut args = vec!["build", "--quiet", "--workspace"];
    args.extend(FUNCTIONS.iter().flat_map(|name| ["--bin", *name]));
    if profile == Profile::Release {
        args.push("--release");
    }
    steps::cargo(&workspace(), &args)?;
    steps.done(Step::Functions);
    Ok(target().join(profile.folder()))
}

/// The workspace this tool was built from: it builds and runs the sources beside it.
pub fn workspace() -> PathBuf {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn target() -> PathBuf {
    let root = workspace();
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// Waits until nobody else does what is called `what`. Held until the file is dropped.
fn lock(what: &str, steps: &dyn Steps) -> Result<File, BuildError> {
    std::fs::create_dir_all(target())?;
    let file = File::create(target().join(format!("onsale-{what}.lock")))?;
    if file.try_lock().is_err() {
        steps.begin(Step::Waiting);
        file.lock()?;
        steps.done(Step::Waiting);
    }
    Ok(file)
}
