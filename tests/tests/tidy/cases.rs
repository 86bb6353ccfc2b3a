//! docs/cases.md: every test that it names exists, every case has one, and every case that a test's comment names is told.

use std::collections::BTreeSet;

use crate::tree::File;

/// How numbers of cases begin: of booking, of the line.
const KINDS: [&str; 2] = ["B-", "L-"];

/// What is missing on either side.
pub fn findings(document: &str, sources: &[File]) -> Vec<String> {
    let rows: Vec<&str> =
        document.lines().filter(|line| KINDS.iter().any(|kind| line.starts_with(&format!("| {kind}")))).collect();
    let told: BTreeSet<String> = rows.iter().flat_map(|row| cases(row)).collect();
    let bare = rows.iter().filter(|row| names(row).is_empty()).map(|row| format!("no test: {row}"));
    let wrong = rows.iter().flat_map(|row| names(row)).filter(|name| !exists(name, sources));
    let wrong = wrong.map(|name| format!("there is no test {name}"));
    let named = sources.iter().filter(|file| file.path.contains("tests")).flat_map(|file| comments(&file.text));
    let untold = named.filter(|case| !told.contains(case)).map(|case| format!("{case} is not told"));
    bare.chain(wrong).chain(untold).collect()
}

/// Words of a kind and two digits; `CLUB-2027` is none.
fn cases(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let is_case = |word: &&str| {
        let number = KINDS.iter().find_map(|kind| word.strip_prefix(kind)).filter(|number| number.len() == 2);
        number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    words.filter(is_case).map(str::to_owned).collect()
}

fn comments(source: &str) -> Vec<String> {
    let lines = source.lines().map(str::trim_start).filter(|line| line.starts_with("///"));
    lines.flat_map(cases).collect()
}

/// Names in backticks.
fn names(row: &str) -> Vec<&str> {
    row.split('`').skip(1).step_by(2).collect()
}

fn exists(name: &str, sources: &[File]) -> bool {
    let function = format!("fn {name}()");
    sources.iter().any(|file| file.path.ends_with(&format!("/{name}")) || file.text.contains(&function))
}

#[test]
fn a_test_that_is_gone_and_a_case_that_is_not_told_are_found() {
    let text = "/// B-02: below zero.\nfn there() {}\n/// B-03: both, with CLUB-2027.\n".to_owned();
    let sources = [File { path: "tests/x.rs".into(), text }];
    assert_eq!(findings("| B-02, B-03 | | `there` |\n", &sources), Vec::<String>::new());
    assert_eq!(
        findings("| B-02 | what | `there`, `gone` |\n| B-04 | what | |\n", &sources),
        ["no test: | B-04 | what | |", "there is no test gone", "B-03 is not told"]
    );
}
