//! How long personal data is kept: everything in the template that keeps records says for how long, operators read the same
//! figures, and every table of the edge that names accounts is told of.

use crate::tree::File;

/// The section of docs/operating.md that tells it.
const SECTION: &str = "## Personal data";
/// What must state a time, and with which attribute.
const KEEPERS: [(&str, &str); 3] = [
    ("AWS::Logs::LogGroup", "RetentionInDays:"),
    ("AWS::S3::Bucket", "ExpirationInDays:"),
    ("AWS::SQS::Queue", "MessageRetentionPeriod:"),
];
const DAY_S: u64 = 86_400;

/// Resources of the template by name, with their lines.
fn resources(template: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in template.lines().filter(|line| !line.trim_start().starts_with('#')) {
        match line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).and_then(|rest| rest.strip_suffix(':')) {
            Some(name) => found.push((name, String::new())),
            None => found.iter_mut().last().into_iter().for_each(|(_, lines)| *lines += &format!("{line}\n")),
        }
    }
    found
}

fn is(lines: &str, kind: &str) -> bool {
    lines.lines().any(|line| line.trim() == format!("Type: {kind}"))
}

/// Log groups, buckets and queues without a time, and functions that log to a group that is not the template's.
pub fn of_template(template: &str) -> Vec<String> {
    let all = resources(template);
    let group = |name: &str| all.iter().any(|(known, lines)| *known == name && is(lines, KEEPERS[0].0));
    let mut found = Vec::new();
    for (name, lines) in &all {
        let silent = KEEPERS.iter().filter(|(kind, says)| is(lines, kind) && !lines.contains(says));
        found.extend(silent.map(|(kind, says)| format!("{name} ({kind}) has no {says}")));
        let logs = lines.split_once("LogGroup: !Ref ").and_then(|(_, rest)| rest.split([' ', '}', '\n']).next());
        if is(lines, "AWS::Serverless::Function") && !logs.is_some_and(&group) {
            found.push(format!("{name} logs to a group that is kept for ever"));
        }
    }
    found
}

/// What the template and the edge keep, and operators are not told.
pub fn of_document(document: &str, template: &str, sources: &[File]) -> Vec<String> {
    let section = document.split_once(SECTION).map(|(_, rest)| rest.split("\n## ").next().unwrap_or_default());
    let Some(section) = section else { return vec![format!("there is no section `{SECTION}`")] };
    let told = |what: &str| section.contains(what);
    let mut found: Vec<String> =
        figures(template).into_iter().filter(|days| !told(days)).map(|days| format!("`{days}` is not told")).collect();
    let tables = naming_accounts(sources);
    found.extend(
        tables.iter().filter(|table| !told(&format!("`{table}`"))).map(|table| format!("`{table}` is not told")),
    );
    found
}

/// The times in days, as the document writes them.
fn figures(template: &str) -> Vec<String> {
    let number = |line: &str, key: &str| line.split_once(key)?.1.trim().trim_end_matches([' ', '}', ']']).parse().ok();
    let of = |line: &str| {
        let seconds: Option<u64> = number(line, KEEPERS[2].1);
        seconds.map(|s| s / DAY_S).or_else(|| number(line, KEEPERS[1].1))
    };
    let mut found: Vec<String> = template.lines().filter_map(of).map(|days: u64| format!("{days} days")).collect();
    found.extend(template.contains("LogRetentionDays:").then(|| "LogRetentionDays".to_owned()));
    found
}

/// Tables of the edge that name accounts.
fn naming_accounts(sources: &[File]) -> Vec<String> {
    let edge = sources.iter().filter(|file| file.path.starts_with("edge-worker/src"));
    let texts = edge.filter_map(|file| file.text.split("#[cfg(test)]").next());
    let tables = texts.flat_map(|text| text.split("\"CREATE TABLE IF NOT EXISTS ").skip(1));
    let tables = tables.filter(|table| table.split("\",").next().is_some_and(|own| own.contains("account TEXT")));
    tables.filter_map(|table| table.split(' ').next().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "Resources:\n  A:\n    Type: AWS::Serverless::Function\n      LoggingConfig: { LogGroup: !Ref Logs }\n  Logs:\n    \
                        Type: AWS::Logs::LogGroup\n      RetentionInDays: 3\n  B:\n    Type: AWS::S3::Bucket\n      ExpirationInDays: 9 }]\n  \
                        Q:\n    Type: AWS::SQS::Queue\n      MessageRetentionPeriod: 172800\n";

    #[test]
    fn what_keeps_without_a_time_is_found() {
        assert_eq!(of_template(GOOD), Vec::<String>::new());
        for (line, wanted) in [
            ("      RetentionInDays: 3\n", "Logs (AWS::Logs::LogGroup) has no RetentionInDays:"),
            ("      ExpirationInDays: 9 }]\n", "B (AWS::S3::Bucket) has no ExpirationInDays:"),
            ("      MessageRetentionPeriod: 172800\n", "Q (AWS::SQS::Queue) has no MessageRetentionPeriod:"),
            ("      LoggingConfig: { LogGroup: !Ref Logs }\n", "A logs to a group that is kept for ever"),
        ] {
            assert!(GOOD.contains(line));
            assert_eq!(of_template(&GOOD.replace(line, "")), [wanted]);
        }
    }

    #[test]
    fn what_operators_are_not_told_is_found() {
        let text = "const T: &str = \"CREATE TABLE IF NOT EXISTS friend (account TEXT)\",\n\"CREATE TABLE IF NOT EXISTS row (k INTEGER)\",";
        let sources = [File { path: "edge-worker/src/shard/friend.rs".into(), text: text.into() }];
        let whole = "## Personal data\n`friend`, 9 days; 2 days\n## Keys\n";
        assert_eq!(of_document(whole, GOOD, &sources), Vec::<String>::new());
        for (told, found) in [
            ("`friend`", "`friend` is not told"),
            ("9 days", "`9 days` is not told"),
            ("2 days", "`2 days` is not told"),
        ] {
            assert_eq!(of_document(&whole.replace(told, ""), GOOD, &sources), [found]);
        }
        assert_eq!(of_document("", GOOD, &sources).len(), 1);
    }
}
