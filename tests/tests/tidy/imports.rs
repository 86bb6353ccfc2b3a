//! Who may import whom (docs/architecture.md). That `domain` reads no clock and no environment is domain/tests/purity.rs.

use crate::tree::Package;

/// Each package with the packages of this workspace that it may name.
const MAY_IMPORT: [(&str, &[&str]); 9] = [
    ("domain", &[]),
    ("table", &["domain"]),
    ("checkout", &["table", "domain"]),
    ("documents", &["domain"]),
    ("edge-worker", &["domain"]),
    ("booking-lambda", &["checkout", "documents", "table", "domain"]),
    ("capture-lambda", &["checkout", "documents", "table", "domain"]),
    ("onsale", &["table", "domain"]),
    (
        "tests",
        &["domain", "table", "checkout", "documents", "onsale", "edge-worker", "booking-lambda", "capture-lambda"],
    ),
];

/// The DynamoDB SDK is named by the table, and by the tools that stand beside it: never by a lambda or the edge.
const MAY_NAME_DYNAMODB: [&str; 3] = ["table", "onsale", "tests"];

/// Everything the pure crate needs: encodings, hashes, signatures, parsers. A new line here is a decision.
const PURE: [&str; 17] = [
    "base64",
    "bls12_381",
    "crc32fast",
    "ed25519-dalek",
    "flate2",
    "hex",
    "hmac",
    "icu_normalizer",
    "ipnet",
    "jiff",
    "rand_core",
    "serde",
    "serde_json",
    "sha2",
    "subtle",
    "thiserror",
    "toml",
];

/// Imports that the architecture does not allow.
pub fn findings(packages: &[Package]) -> Vec<String> {
    packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<String> {
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!("{} is not in the table of imports", package.name)];
    };
    let ours = |need: &&String| MAY_IMPORT.iter().any(|(name, _)| name == *need);
    let foreign = package.needs.iter().filter(ours).filter(|need| !allowed.contains(&need.as_str()));
    let sdk = package.needs.iter().filter(|need| need.starts_with("aws-sdk-dynamodb"));
    let sdk = sdk.filter(|_| !MAY_NAME_DYNAMODB.contains(&package.name.as_str()));
    let impure = package.needs.iter().filter(|need| package.name == "domain" && !PURE.contains(&need.as_str()));
    foreign.chain(sdk).chain(impure).map(|need| format!("{} must not import {need}", package.name)).collect()
}

#[test]
fn a_foreign_import_is_found() {
    let package = |name: &str, needs: &[&str]| Package {
        name: name.to_owned(),
        licence: None,
        folder: String::new(),
        needs: needs.iter().map(|need| (*need).to_owned()).collect(),
    };
    for (name, needs, found) in [
        ("edge-worker", ["table", "serde"], 1),
        ("booking-lambda", ["capture-lambda", "aws-sdk-dynamodb"], 2),
        ("domain", ["tokio", "rand"], 2),
        ("table", ["domain", "aws-sdk-dynamodb"], 0),
        ("another", ["serde", "serde"], 1),
    ] {
        assert_eq!(findings(&[package(name, &needs)]).len(), found, "{name}");
    }
}
