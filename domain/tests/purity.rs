//! The lint behind "pure": `domain` may not mention the clock, the environment, randomness, files or the network.

use std::path::{Path, PathBuf};

/// Words that have no place in `domain/src`, and what to do instead.
const BANNED: &[(&str, &str)] = &[
    ("SystemTime", "take `now` as an argument"),
    ("Instant", "take `now` as an argument"),
    ("Timestamp::now", "take `now` as an argument"),
    ("Zoned::now", "take `now` as an argument"),
    ("Utc::now", "take `now` as an argument"),
    ("std::env", "take settings as arguments"),
    ("env!(", "take settings as arguments"),
    ("TimeZone::system", "take the zone as an argument"),
    ("rand::", "take random bytes as an argument"),
    ("thread_rng", "take random bytes as an argument"),
    ("getrandom", "take random bytes as an argument"),
    ("OsRng", "take random bytes as an argument"),
    ("RandomState", "use ordered maps, or take the seed as an argument"),
    ("HashMap", "its order is random; use BTreeMap"),
    ("HashSet", "its order is random; use BTreeSet"),
    ("std::fs", "the caller reads and writes"),
    ("std::io", "the caller reads and writes"),
    ("File::", "the caller reads and writes"),
    ("std::net", "the caller talks to the network"),
    ("std::process", "the caller runs things"),
    ("std::thread", "the caller decides what runs where"),
    ("tokio", "no executor here"),
    ("async fn", "decisions do not wait"),
    ("worker::", "the edge is the caller"),
    ("aws_", "the table is the caller"),
];

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("domain/src is readable") {
        let path = entry.expect("its entries too").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            into.push(path);
        }
    }
}

/// A line's code, without a trailing `//` comment: words in prose are no use of anything.
fn code(line: &str) -> &str {
    line.find("//").map_or(line, |at| &line[..at])
}

/// Whether `word` stands in `line` as a word of its own (`brand::` is not `rand::`).
fn mentions(line: &str, word: &str) -> bool {
    let own = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let ends = |at: usize| {
        !word.ends_with(char::is_alphanumeric) || !line[at + word.len()..].starts_with(char::is_alphanumeric)
    };
    line.match_indices(word).any(|(at, _)| own(at) && ends(at))
}

#[test]
fn domain_is_pure() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 10, "the sources were found");
    let mut found = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("sources are text");
        for (number, line) in text.lines().enumerate() {
            for (word, instead) in BANNED.iter().filter(|(word, _)| mentions(code(line), word)) {
                found.push(format!("{}:{}: `{word}`: {instead}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "domain must stay pure:\n{}", found.join("\n"));
}

#[test]
fn the_lint_sees_words_and_only_words() {
    assert!(mentions("let t = SystemTime::now();", "SystemTime"));
    assert!(mentions("use rand::Rng;", "rand::"));
    assert!(!mentions("use brand::Rng;", "rand::"));
    assert!(!mentions("struct Instantly;", "Instant"));
    assert!(!mentions(code("x(); // like SystemTime"), "SystemTime"));
}
