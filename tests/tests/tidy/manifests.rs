//! Manifests: one version of each dependency, one licence, one set of lints, for the whole workspace.

use crate::tree::{self, Package};

const LICENCE: &str = "MIT OR Apache-2.0";

/// Manifests that go their own way.
pub fn findings(packages: &[Package]) -> Vec<String> {
    packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<String> {
    let path = format!("{}/Cargo.toml", package.folder);
    let mut found = of_manifest(&tree::text(&path));
    if package.licence.as_deref() != Some(LICENCE) {
        found.push(format!("licence is not {LICENCE}"));
    }
    found.into_iter().map(|finding| format!("{path}: {finding}")).collect()
}

fn of_manifest(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if section.ends_with("dependencies") && line.contains('=') && !is_shared(line) {
            found.push(format!("`{line}` must take its version from the workspace"));
        }
    }
    if !text.contains("[lints]\nworkspace = true") {
        found.push("the workspace's lints are not taken over".to_owned());
    }
    found
}

fn is_shared(line: &str) -> bool {
    line.starts_with('#') || line.replace(' ', "").contains("workspace=true")
}

#[test]
fn a_private_version_is_found() {
    let lints = "[lints]\nworkspace = true\n";
    let private = of_manifest(&format!("[dependencies]\na.workspace = true\nb = \"1\"\n{lints}"));
    assert_eq!(private, ["`b = \"1\"` must take its version from the workspace"]);
    assert!(of_manifest(&format!("[dependencies]\na = {{ workspace = true, features = [] }}\n{lints}")).is_empty());
    assert_eq!(of_manifest("[package]\nname = \"a\"\n").len(), 1);
}
