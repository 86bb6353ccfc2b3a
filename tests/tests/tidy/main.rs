//! Architecture rules as tests: who may import whom, where words live, how long a file may be, and that the deployment
//! template names what the code names. Reads files and `cargo metadata` only; starts nothing.
//!
//! Each rule returns what it found, one line a finding, and has a small test with a sample that must be found.

mod cases;
mod codes;
mod formats;
mod imports;
mod layout;
mod manifests;
mod names;
mod openapi;
mod retention;
mod roles;
mod template;
mod tree;
mod words;

/// Fails with every finding named, not only the first.
#[track_caller]
fn assert_none(rule: &str, findings: Vec<String>) {
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}

#[test]
fn crates_import_only_what_the_architecture_allows() {
    assert_none("imports", imports::findings(&tree::packages()));
}

#[test]
fn every_source_file_says_what_it_is_for() {
    assert_none("module docs", layout::without_docs(&tree::sources("")));
}

#[test]
fn every_crate_says_what_it_does_not_know() {
    assert_none("crate docs", layout::without_ignorance(&tree::packages()));
}

#[test]
fn files_stay_short() {
    assert_none("file length", layout::too_long(&tree::sources("")));
}

#[test]
fn manifests_share_versions_lints_and_licence() {
    assert_none("manifests", manifests::findings(&tree::packages()));
}

#[test]
fn nothing_is_skipped_or_left_unfinished() {
    assert_none("skipped or unfinished", words::unfinished(&tree::sources("")));
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    assert_none("places", words::places(&tree::texts()));
}

#[test]
fn the_template_names_what_the_code_names() {
    let template = template::parse(&tree::text("infra/template.yaml"));
    assert_none("template", names::findings(&template, &tree::sources("")));
}

#[test]
fn the_documents_examples_are_what_the_code_computes() {
    assert_none("docs/formats.md", formats::findings(&tree::text("docs/formats.md")));
}

#[test]
fn operators_read_what_each_role_may_do() {
    assert_none("docs/operating.md", roles::findings(&tree::text("docs/operating.md")));
}

#[test]
fn everything_that_is_kept_is_kept_for_a_stated_time() {
    let template = tree::text("infra/template.yaml");
    assert_none("infra/template.yaml", retention::of_template(&template));
    let told = retention::of_document(&tree::text("docs/operating.md"), &template, &tree::sources(""));
    assert_none("docs/operating.md", told);
}

#[test]
fn every_problem_code_is_documented() {
    assert_none("problem codes", codes::findings(&tree::text("docs/formats.md")));
}

#[test]
fn every_audit_code_is_documented() {
    assert_none("audit codes", codes::of_audit(&tree::text("docs/operating.md")));
}

#[test]
fn the_api_is_described_as_it_is() {
    assert_none("docs/openapi.json", openapi::findings(&tree::text("docs/openapi.json")));
}

#[test]
fn every_case_has_its_tests() {
    assert_none("docs/cases.md", cases::findings(&tree::text("docs/cases.md"), &tree::sources("")));
}
