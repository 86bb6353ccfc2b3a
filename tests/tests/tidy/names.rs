//! The template's names against the code's: a name that only one of them knows fails here and not at three in the morning.

use std::collections::BTreeSet;

use crate::template::Template;
use crate::tree::File;

/// Where attributes and kinds of items are named.
const ITEMS: &str = "domain/src/items/";
/// Where the functions read their environment.
const LAMBDAS: [&str; 3] = ["booking-lambda/", "capture-lambda/", "table/src/"];
/// How the local stack makes the table.
const LOCAL_TABLE: &str = "infra/onsale/src/dynamo/schema.rs";
/// How the local poller is set.
const LOCAL_MAPPINGS: &str = "infra/onsale/src/stream/mapping.rs";
/// Read by libraries, or given by the Lambda service itself.
const FOREIGN_VARIABLES: [&str; 1] = ["RUST_LOG"];

/// Names that differ.
pub fn findings(template: &Template, sources: &[File]) -> Vec<String> {
    let items = literals(sources, &[ITEMS], "= \"");
    let mut found = Vec::new();
    missing("key attribute", &template.attributes, &items, &mut found);
    missing("index", &template.indexes, &literals(sources, &["table/src/", ITEMS], "= \""), &mut found);
    let local = literals(sources, &[LOCAL_TABLE], "\"");
    let keys = template.attributes.iter().filter(|name| *name != "ttl").chain(&template.indexes);
    let keys = keys.chain(&template.projections).cloned().collect();
    missing("key or index of the local table", &keys, &local, &mut found);
    for (attribute, kinds) in &template.filters {
        missing("filter attribute", &BTreeSet::from([attribute.clone()]), &items, &mut found);
        missing("filtered kind", kinds, &literals(sources, &[ITEMS], "KIND: &'static str = \""), &mut found);
    }
    if template.filters.len() != 2 {
        found.push("the stream has exactly two readers, each with one filter".to_owned());
    }
    let local = sources.iter().find(|file| file.path == LOCAL_MAPPINGS);
    let local = local.map(|file| file.text.replace(" }", ",")).unwrap_or_default();
    let differing = template.mappings.iter().filter(|setting| !local.contains(*setting));
    found.extend(differing.map(|setting| format!("{LOCAL_MAPPINGS} has no `{setting}`")));
    let silent = template.phrases.iter().filter(|phrase| !is_logged(phrase, sources));
    found.extend(silent.map(|phrase| format!("no function logs `{phrase}`")));
    let unbuilt = template.binaries.iter().filter(|name| !is_binary(name, sources));
    found.extend(unbuilt.map(|name| format!("binary `{name}` is not in the code")));
    variables(template, sources, &mut found);
    found
}

fn is_logged(phrase: &str, sources: &[File]) -> bool {
    let mut lambdas = sources.iter().filter(|file| LAMBDAS.iter().any(|folder| file.path.starts_with(folder)));
    lambdas.any(|file| file.text.contains(phrase))
}

fn is_binary(name: &str, sources: &[File]) -> bool {
    let paths = [format!("{name}/src/main.rs"), format!("capture-lambda/src/bin/{name}.rs")];
    sources.iter().any(|file| paths.contains(&file.path))
}

fn variables(template: &Template, sources: &[File], found: &mut Vec<String>) {
    let read: BTreeSet<String> =
        literals(sources, &LAMBDAS, "\"").into_iter().filter(|word| is_variable(word)).collect();
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let known: BTreeSet<String> = read.union(&set(&FOREIGN_VARIABLES)).cloned().collect();
    missing("environment variable", &template.variables, &known, found);
    let unset = read.iter().filter(|name| !name.starts_with("AWS_") && !template.variables.contains(*name));
    found.extend(unset.map(|name| format!("the functions read {name}, which the template does not set")));
}

/// The prefixes of environment variables; a refusal's code is in capitals too, but begins otherwise.
fn is_variable(word: &str) -> bool {
    let prefixed = ["TABLE_", "ONSALE_", "PROVIDER_", "AWS_"].iter().any(|prefix| word.starts_with(prefix));
    prefixed && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

fn missing(what: &str, wanted: &BTreeSet<String>, known: &BTreeSet<String>, found: &mut Vec<String>) {
    if wanted.is_empty() {
        found.push(format!("the template has no {what}"));
    }
    found.extend(wanted.difference(known).map(|name| format!("{what} `{name}` is not in the code")));
}

/// String literals that follow `before` (which ends with their opening quote) in files under the folders.
fn literals(sources: &[File], folders: &[&str], before: &str) -> BTreeSet<String> {
    let files = sources.iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder)));
    let after = files.flat_map(|file| file.text.split(before).skip(1));
    after.filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
}

#[test]
fn a_name_of_one_side_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        file(
            "domain/src/items/attr.rs",
            "pub const PK: &str = \"pk\"; pub const KIND: &str = \"k\"; const O: &str = \"open\";",
        ),
        file("domain/src/items/order.rs", "pub const KIND: &'static str = \"order\";"),
        file(LOCAL_TABLE, "keys(\"pk\"), [\"open\"], \"KEYS_ONLY\""),
        file(LOCAL_MAPPINGS, "Mapping { batch_size: 10, retries_max: 5 }"),
        file("capture-lambda/src/bin/settle.rs", ""),
        file("booking-lambda/src/main.rs", "var(\"TABLE_NAME\") var(\"PROVIDER_KEY\") code(\"PROVIDER DOWN\")"),
    ];
    let set = |name: &str| BTreeSet::from([name.to_owned()]);
    let template = |attribute: &str, kind: &str, variable: &str| Template {
        attributes: set(attribute),
        indexes: set("open"),
        projections: set("KEYS_ONLY"),
        mappings: set("batch_size: 10,"),
        phrases: set("DOWN"),
        filters: vec![(String::from("k"), set(kind)), (String::from("k"), set("order"))],
        variables: BTreeSet::from([variable.to_owned(), "TABLE_NAME".to_owned()]),
        binaries: set("settle"),
    };
    assert!(findings(&template("pk", "order", "PROVIDER_KEY"), &sources).is_empty());
    assert_eq!(findings(&template("pq", "order", "PROVIDER_KEY"), &sources).len(), 2);
    assert_eq!(
        findings(&template("pk", "orders", "PROVIDER_KEY"), &sources),
        ["filtered kind `orders` is not in the code"]
    );
    assert_eq!(findings(&template("pk", "order", "PROVIDER_KEYS"), &sources).len(), 2);
}
