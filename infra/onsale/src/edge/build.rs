//! From the crate `edge-worker` to a folder that the Workers runtime loads.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use wasm_bindgen_cli_support::Bindgen;

use super::{EdgeError, config, io, workspace};

const TARGET: &str = "wasm32-unknown-unknown";
const WASM: &str = "index_bg.wasm";
/// Names what the bundle was made from.
const STAMP: &str = "made-from";

/// How much the compiler optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Fast to build; the local stack's.
    Dev,
    /// What is deployed and measured.
    Release,
}

impl Profile {
    /// The folder below `target/…` that cargo uses for this profile.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Dev => &[],
            Self::Release => &["--release"],
        }
    }
}

/// A built Worker and what it needs to run.
#[derive(Clone, Debug)]
pub struct EdgeBundle {
    /// Modules and `config.capnp`.
    pub folder: PathBuf,
    /// The pages' files, served as they are.
    pub pages: PathBuf,
    /// The pinned runtime's program.
    pub workerd: PathBuf,
    /// Bytes of the WebAssembly module, not compressed.
    pub wasm_bytes: u64,
}

/// Builds the Worker of this workspace into `target/edge/<profile>`; does nothing if that is up to date.
///
/// Builds of several processes wait for each other. The npm pins (see [`EdgeBundle::workerd`]) are the caller's.
pub fn build(profile: Profile) -> Result<EdgeBundle, EdgeError> {
    let root = workspace().canonicalize().map_err(io("finding the workspace"))?;
    let target = target_folder(&root);
    let folder = target.join("edge").join(profile.folder());
    let _lock = lock(&target.join("edge"))?;
    compile(&root, &target, profile)?;
    let wasm = target.join(TARGET).join(profile.folder()).join("edge_worker.wasm");
    let shim = root.join("edge-worker/shim.mjs");
    let stamp = stamp(&[&wasm, &shim])?;
    if std::fs::read_to_string(folder.join(STAMP)).ok().as_ref() != Some(&stamp) {
        assemble(&wasm, &shim, &folder)?;
        write(&folder.join(STAMP), &stamp)?;
    }
    let wasm_bytes = std::fs::metadata(folder.join(WASM)).map_err(io(WASM))?.len();
    Ok(EdgeBundle { folder, pages: root.join("edge-worker/pages"), workerd: workerd(&root), wasm_bytes })
}

/// Held while a build runs; the system gives it back when the process ends, however it ends.
fn lock(folder: &Path) -> Result<File, EdgeError> {
    std::fs::create_dir_all(folder).map_err(io("making the bundles' folder"))?;
    let lock = File::create(folder.join("build.lock")).map_err(io("opening the build lock"))?;
    lock.lock().map_err(io("waiting for another build"))?;
    Ok(lock)
}

/// What a bundle was made from, and by which version of this module.
fn stamp(inputs: &[&Path]) -> Result<String, EdgeError> {
    let mut hash = Sha256::new();
    hash.update(config::capnp(&[]));
    for input in inputs {
        hash.update(std::fs::read(input).map_err(io(format!("reading {}", input.display())))?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn assemble(wasm: &Path, shim: &Path, folder: &Path) -> Result<(), EdgeError> {
    generate(wasm, folder)?;
    copy(shim, &folder.join("shim.mjs"))?;
    write(&folder.join("config.capnp"), &config::capnp(&modules(folder)?))
}

fn workerd(root: &Path) -> PathBuf {
    root.join("infra/npm/node_modules/@cloudflare/workerd-linux-64/bin/workerd")
}

fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

fn compile(root: &Path, target: &Path, profile: Profile) -> Result<(), EdgeError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        // The glue crate's newer code path, without which worker's async exports do not link.
        .env("WASM_BINDGEN_USE_JS_SYS", "1")
        .args(["build", "--quiet", "--package", "edge-worker", "--lib", "--target", TARGET])
        .arg("--target-dir")
        .arg(target)
        .args(profile.flags())
        .status()
        .map_err(io("starting cargo"))?;
    let ok = status.success();
    ok.then_some(()).ok_or_else(|| EdgeError::Command("cargo build -p edge-worker".into()))
}

/// Writes `index.js`, its snippets and the WebAssembly module into a fresh `folder`.
fn generate(wasm: &Path, folder: &Path) -> Result<(), EdgeError> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(io("making the bundle's folder"))?;
    let glue = |error: anyhow::Error| EdgeError::Glue(format!("{error:#}"));
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name("index").typescript(false).keep_debug(false);
    bindgen.module(true).map_err(glue)?;
    bindgen.reset_state_function(true).force_enable_abort_handler(true);
    bindgen.generate(folder).map_err(glue)?;
    // The runtime already hands over a compiled module; the proposal's keyword it does not know.
    let index = folder.join("index.js");
    let text = std::fs::read_to_string(&index).map_err(io("index.js"))?;
    write(&index, &text.replace("import source ", "import "))
}

/// Every module of the folder, relative to it, in a stable order.
fn modules(folder: &Path) -> Result<Vec<String>, EdgeError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).map_err(io("reading the bundle"))? {
            let path = entry.map_err(io("reading the bundle"))?.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn copy(from: &Path, to: &Path) -> Result<(), EdgeError> {
    std::fs::copy(from, to).map(|_| ()).map_err(io(format!("copying {}", from.display())))
}

fn write(path: &Path, text: &str) -> Result<(), EdgeError> {
    std::fs::write(path, text).map_err(io(format!("writing {}", path.display())))
}
