//! How files look: what they open with and how long they are.

use crate::tree::{self, File, Package};

/// A file longer than this holds two things.
const MOST_LINES: usize = 300;

/// Any of these says what a crate deliberately leaves to others.
const IGNORANCE: [&str; 5] = ["othing here knows", "does not know", "knows nothing", "know nothing", "do not know"];

/// Rust files without a `//!` opening, and scripts without any comment at the top. A module of unit tests needs none.
pub fn without_docs(sources: &[File]) -> Vec<String> {
    let wanted = sources.iter().filter(|file| !file.path.ends_with("/tests.rs"));
    wanted.filter(|file| !opens_with_docs(file)).map(|file| file.path.clone()).collect()
}

fn opens_with_docs(file: &File) -> bool {
    let first = file.text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("#!")).unwrap_or_default();
    if file.path.ends_with(".rs") {
        first.starts_with("//! ")
    } else {
        first.starts_with("//") || first.starts_with("/*")
    }
}

/// Crates whose root file does not say what it knows nothing of.
pub fn without_ignorance(packages: &[Package]) -> Vec<String> {
    packages.iter().filter_map(root_file).filter(|file| !tells_ignorance(&file.text)).map(|file| file.path).collect()
}

fn root_file(package: &Package) -> Option<File> {
    let paths = ["src/lib.rs", "src/main.rs"].map(|file| format!("{}/{file}", package.folder));
    let path = paths.into_iter().find(|path| tree::root().join(path).exists())?;
    Some(File { text: tree::text(&path), path })
}

fn tells_ignorance(text: &str) -> bool {
    let opening = text.lines().take_while(|line| line.starts_with("//!"));
    let words = opening.map(|line| line.trim_start_matches("//!").trim()).collect::<Vec<_>>().join(" ");
    IGNORANCE.iter().any(|phrase| words.contains(phrase))
}

/// Files over the limit. Lists of translations are data.
pub fn too_long(sources: &[File]) -> Vec<String> {
    let counted = sources
        .iter()
        .filter(|file| !file.path.contains("/locales/"))
        .map(|file| (file.text.lines().count(), &file.path));
    counted.filter(|(lines, _)| *lines > MOST_LINES).map(|(lines, path)| format!("{path}: {lines} lines")).collect()
}

#[test]
fn a_bare_or_long_file_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let bare = [
        file("a.rs", "use x;"),
        file("a/tests.rs", ""),
        file("b.rs", "//! B."),
        file("c.js", "// C."),
        file("d.js", "let d;"),
    ];
    assert_eq!(without_docs(&bare), ["a.rs", "d.js"]);
    assert_eq!(too_long(&[file("a.rs", &"x\n".repeat(301)), file("b.rs", &"x\n".repeat(300))]), ["a.rs: 301 lines"]);
}

#[test]
fn ignorance_may_be_told_across_two_lines() {
    assert!(tells_ignorance("//! Seats.\n//! This crate knows\n//! nothing of HTTP.\nuse x;"));
    assert!(!tells_ignorance("//! Seats.\nuse x; // does not know"));
}
