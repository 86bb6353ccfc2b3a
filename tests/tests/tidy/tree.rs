//! The repository as the rules see it: files with their text, and packages as cargo describes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A file: its path from the repository's root, with `/`, and its text.
pub struct File {
    /// Path from the root.
    pub path: String,
    /// Whole text.
    pub text: String,
}

const SKIPPED_FOLDERS: [&str; 6] = [".git", "target", "node_modules", ".onsale", "vendor", ".wrangler"];
const SOURCE_ENDINGS: [&str; 3] = [".rs", ".js", ".mjs"];
const TEXT_ENDINGS: [&str; 12] =
    [".rs", ".js", ".mjs", ".md", ".toml", ".yaml", ".json", ".html", ".css", ".sql", ".lock", "run"];

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in the root").to_path_buf()
}

/// Text of one file; a missing file fails the test that asks for it.
pub fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Rust and JavaScript files under a folder (empty for all).
pub fn sources(under: &str) -> Vec<File> {
    files(under, &SOURCE_ENDINGS)
}

/// All text files of the repository.
pub fn texts() -> Vec<File> {
    files("", &TEXT_ENDINGS)
}

fn files(under: &str, endings: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    walk(&root().join(under), endings, &mut found);
    assert!(!found.is_empty(), "no file found under '{under}'");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walk(folder: &Path, endings: &[&str], found: &mut Vec<File>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(|entry| entry.expect("a readable folder entry")) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().expect("a file type");
        if kind.is_dir() && !SKIPPED_FOLDERS.contains(&name.as_str()) {
            walk(&path, endings, found);
        } else if kind.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            // A file that vanishes between listing and reading, or is not UTF-8, has nothing to check.
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let path = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
            found.push(File { path, text });
        }
    }
}

/// A package as `cargo metadata` tells it.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Licence expression, if any.
    pub licence: Option<String>,
    /// Folder from the root.
    pub folder: String,
    /// Names of normal and build dependencies.
    pub needs: Vec<String>,
}

/// The packages of this workspace.
pub fn packages() -> Vec<Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    all["packages"].as_array().expect("a list of packages").iter().map(package).collect()
}

fn package(value: &Value) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(text(&value["manifest_path"]));
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root()).ok());
    let needs = value["dependencies"].as_array().into_iter().flatten();
    Package {
        name: text(&value["name"]),
        licence: value["license"].as_str().map(str::to_owned),
        folder: folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default(),
        needs: needs.filter(|need| need["kind"] != "dev").map(|need| text(&need["name"])).collect(),
    }
}
