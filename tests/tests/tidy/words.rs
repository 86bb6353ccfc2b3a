//! Words that must not be in a file: skipped tests, unfinished code, places that exist on one machine only.

use crate::tree::File;

/// Written in two halves, so that this file does not find itself.
const UNFINISHED: [(&str, &str); 8] = [
    ("#[igno", "re"),
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("test.sk", "ip"),
    ("it.sk", "ip"),
    ("test.to", "do"),
    ("debugge", "r;"),
];

/// Folders of one machine, hosts of package registries, and lock-file lines that name such hosts.
const PLACES: [(&str, &str); 12] = [
    ("/work", "/"),
    ("/root", "/"),
    ("/home", "/"),
    ("/Users", "/"),
    ("/tmp", "/bash"),
    ("registry.npm", "js.org"),
    ("pypi", ".org"),
    ("static.crates", ".io"),
    ("index.crates", ".io"),
    ("deb.debian", ".org"),
    ("\"resolv", "ed\": \"http"),
    ("index-", "url"),
];

/// Skipped tests and unfinished code.
pub fn unfinished(sources: &[File]) -> Vec<String> {
    search(sources, &UNFINISHED)
}

/// Places that mean nothing to anybody else.
pub fn places(texts: &[File]) -> Vec<String> {
    search(texts, &PLACES)
}

fn search(files: &[File], words: &[(&str, &str)]) -> Vec<String> {
    let words: Vec<String> = words.iter().map(|(a, b)| format!("{a}{b}")).collect();
    files.iter().flat_map(|file| of_file(file, &words)).collect()
}

fn of_file(file: &File, words: &[String]) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines
        .flat_map(|(at, line)| words.iter().filter(|word| line.contains(*word)).map(move |word| (at, word)))
        .map(|(at, word)| format!("{}:{}: {word}", file.path, at + 1))
        .collect()
}

#[test]
fn a_skipped_test_is_found() {
    let skipped = format!("#[test]\n{}{}]\nfn later() {{}}", UNFINISHED[0].0, UNFINISHED[0].1);
    let file = File { path: "a.rs".to_owned(), text: skipped };
    assert_eq!(unfinished(&[file]).len(), 1);
}
