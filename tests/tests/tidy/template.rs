//! The deployment template, read for its names only: table keys, index names, stream filters, environment variables.
//! It does not know CloudFormation; `cfn-lint` does.

use std::collections::BTreeSet;

use serde_json::Value;

/// The names a template shares with the code.
#[derive(Debug, Default, PartialEq)]
pub struct Template {
    /// Attributes of the table's and the indexes' keys.
    pub attributes: BTreeSet<String>,
    /// Index names.
    pub indexes: BTreeSet<String>,
    /// What the indexes carry.
    pub projections: BTreeSet<String>,
    /// Values of the item kind that the stream filters let through, per filter.
    pub filters: Vec<(String, BTreeSet<String>)>,
    /// The stream mappings' settings, as the local poller writes them.
    pub mappings: BTreeSet<String>,
    /// What alarms look for in log lines.
    pub phrases: BTreeSet<String>,
    /// Environment variables of the functions.
    pub variables: BTreeSet<String>,
    /// Binaries that are built.
    pub binaries: BTreeSet<String>,
}

/// Reads the names line by line.
pub fn parse(text: &str) -> Template {
    let mut found = Template::default();
    let mut variables_at = None;
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        found.attributes.extend(value(line, "AttributeName:"));
        found.indexes.extend(value(line, "IndexName:"));
        found.projections.extend(value(line, "ProjectionType:"));
        found.binaries.extend(value(line, "Binary:"));
        found.mappings.extend(value(line, " BatchSize:").map(|number| format!("batch_size: {number},")));
        found
            .mappings
            .extend(value(line, "MaximumRetryAttempts:").filter(|n| n != "0").map(|n| format!("retries_max: {n},")));
        found.mappings.extend(line.split_once("- Pattern: '").map(|(_, rest)| rest.trim_end_matches('\'').to_owned()));
        let pattern = line.split_once("FilterPattern:").map(|(_, rest)| rest).unwrap_or_default();
        found.phrases.extend(pattern.split('"').skip(1).step_by(2).map(str::to_owned));
        found.filters.extend(line.split_once("- Pattern: '").and_then(|(_, rest)| filter(rest.trim_end_matches('\''))));
        let indent = line.len() - line.trim_start().len();
        match variables_at {
            Some(at) if indent > at => found.variables.extend(line.trim().split(':').next().map(str::to_owned)),
            _ => variables_at = (line.trim() == "Variables:").then_some(indent),
        }
    }
    found
}

fn value(line: &str, key: &str) -> Option<String> {
    let rest = line.split_once(key)?.1.trim();
    rest.split([',', '}', ' ']).next().map(str::to_owned)
}

/// `{"dynamodb":{"NewImage":{"k":{"S":["order"]}}}}` → (`k`, {order}).
fn filter(pattern: &str) -> Option<(String, BTreeSet<String>)> {
    let pattern: Value = serde_json::from_str(pattern).ok()?;
    let (attribute, accepted) = pattern["dynamodb"]["NewImage"].as_object()?.iter().next()?;
    let accepted = accepted["S"].as_array()?.iter().filter_map(|value| value.as_str().map(str::to_owned));
    Some((attribute.clone(), accepted.collect()))
}

#[test]
fn names_are_read() {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let text = r#"
      Variables:
        TABLE_NAME: !Ref Table
        # a comment
        RUST_LOG: info
      Binary: settle
        - { AttributeName: pk, AttributeType: S }
        - IndexName: open
          Projection: { ProjectionType: KEYS_ONLY }
        - Pattern: '{"dynamodb":{"NewImage":{"k":{"S":["seat","share"]}}}}'
      BatchSize: 10
      FilterPattern: '{ $.message = "answered" && $.status >= 500 }'
"#;
    let expected = Template {
        attributes: set(&["pk"]),
        indexes: set(&["open"]),
        projections: set(&["KEYS_ONLY"]),
        filters: vec![("k".to_owned(), set(&["seat", "share"]))],
        mappings: set(&[r#"{"dynamodb":{"NewImage":{"k":{"S":["seat","share"]}}}}"#, "batch_size: 10,"]),
        phrases: set(&["answered"]),
        variables: set(&["TABLE_NAME", "RUST_LOG"]),
        binaries: set(&["settle"]),
    };
    assert_eq!(parse(text), expected);
}
