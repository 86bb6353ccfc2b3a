//! Licences of dependencies, against the list in deny.toml.

use crate::tree::Package;

/// The names in `allow = [ … ]` of deny.toml's `[licenses]`.
pub fn allowed(deny: &str) -> Vec<String> {
    let list = deny.split("\nallow = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Packages that cannot be used under any licence of the list.
pub fn findings(packages: &[Package], allow: &[String]) -> Vec<String> {
    let refused = packages.iter().filter(|package| !package.licence.as_deref().is_some_and(|text| permits(text, allow)));
    refused.map(|package| format!("{}: {}", package.name, package.licence.as_deref().unwrap_or("no licence"))).collect()
}

/// Whether an SPDX expression can be met: one side of an OR, both sides of an AND.
fn permits(expression: &str, allow: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ").replace(" WITH ", "+WITH+");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let permitted = either(&words, &mut at, allow);
    permitted && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allow: &[String]) -> bool {
    let mut permitted = both(words, at, allow);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        permitted |= both(words, at, allow);
    }
    permitted
}

fn both(words: &[&str], at: &mut usize, allow: &[String]) -> bool {
    let mut permitted = one(words, at, allow);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        permitted &= one(words, at, allow);
    }
    permitted
}

fn one(words: &[&str], at: &mut usize, allow: &[String]) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    if word != "(" {
        return allow.iter().any(|name| *name == word.replace("+WITH+", " WITH "));
    }
    let permitted = either(words, at, allow);
    let closed = words.get(*at) == Some(&")");
    *at += 1;
    permitted && closed
}

#[test]
fn expressions_are_read_as_spdx_does() {
    let allow = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("ISC AND (GPL-3.0 OR MIT)", true),
        ("(MIT OR ISC) AND GPL-3.0", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
        ("(MIT", false),
        ("", false),
    ] {
        assert_eq!(permits(expression, &allow), expected, "{expression}");
    }
}
