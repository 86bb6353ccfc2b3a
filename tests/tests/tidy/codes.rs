//! Problem codes: each one that the edge or the origin can answer with stands in docs/formats.md.

use crate::tree;

/// Codes that the document lacks.
pub fn findings(document: &str) -> Vec<String> {
    let missing = all().into_iter().filter(|code| !document.contains(&format!("`{code}`")));
    missing.map(|code| format!("{code} is not documented")).collect()
}

/// Every code, the origin's and the edge's.
pub fn all() -> Vec<String> {
    let origin = of_literals(&tree::text("booking-lambda/src/problem.rs"));
    let edge = of_variants(&tree::text("edge-worker/src/problem.rs"));
    assert!(origin.len() > 20 && edge.len() > 15, "the codes could not be read");
    origin.into_iter().chain(edge).collect()
}

/// Codes of audit findings that the document lacks.
pub fn of_audit(document: &str) -> Vec<String> {
    let missing = domain::audit::Code::ALL.iter().filter(|code| !document.contains(&format!("`{code}`")));
    missing.map(|code| format!("{code} is not documented")).collect()
}

/// The second element of `(400, "BAD_REQUEST", "…")`.
fn of_literals(source: &str) -> Vec<String> {
    let words = source.split('"').skip(1).step_by(2);
    let is_code = |word: &&str| word.contains('_') && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let lone = ["NOT_FOUND", "BUSY", "UNAVAILABLE", "INTERNAL"].map(str::to_owned);
    words.filter(is_code).map(str::to_owned).chain(lone).collect()
}

/// The variants of `enum Code`, as serde writes them.
fn of_variants(source: &str) -> Vec<String> {
    let body = source.split("pub enum Code {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let variants = body.lines().map(str::trim).filter(|line| line.ends_with(',') && !line.starts_with("//"));
    variants.map(|line| shout(line.trim_end_matches(','))).collect()
}

fn shout(variant: &str) -> String {
    let mut word = String::new();
    for c in variant.chars() {
        if c.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(c.to_ascii_uppercase());
    }
    word
}

#[test]
fn a_code_that_is_not_told_is_found() {
    assert_eq!(of_audit("`SEAT_SOLD_TWICE`").len(), domain::audit::Code::ALL.len() - 1);
}

#[test]
fn codes_are_read() {
    assert_eq!(of_variants("pub enum Code {\n    /// No.\n    NotFound,\n    Paused,\n}\n"), ["NOT_FOUND", "PAUSED"]);
    assert!(of_literals("(400, \"BAD_REQUEST\", \"The request.\")").contains(&"BAD_REQUEST".to_owned()));
}
