//! Records of the table's stream, read tolerantly: one that makes no sense fails alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the function is called with.
#[derive(Debug, Deserialize)]
pub struct Batch {
    /// Records, oldest first for each item.
    #[serde(rename = "Records", default)]
    pub records: Vec<Record>,
}

/// One change of one item.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Record(Value);

impl Record {
    /// Its place in the stream.
    #[must_use]
    pub fn sequence(&self) -> &str {
        self.0.pointer("/dynamodb/SequenceNumber").and_then(Value::as_str).unwrap_or_default()
    }

    /// A text attribute of the item as it now is.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.get("S")?.as_str()
    }

    /// A number attribute of the item as it now is.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.get("N")?.as_str()?.parse().ok()
    }

    fn attribute(&self, name: &str) -> Option<&Value> {
        self.0.get("dynamodb")?.get("NewImage")?.get(name)
    }
}

/// Which records are to be sent again.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// One entry each; the stream goes back to the earliest.
    #[serde(rename = "batchItemFailures")]
    pub records: Vec<Failure>,
}

/// One record that is to be sent again.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Its place in the stream.
    #[serde(rename = "itemIdentifier")]
    pub sequence: String,
}

impl Failures {
    /// Notes that a record failed.
    pub fn add(&mut self, record: &Record) {
        self.records.push(Failure { sequence: record.sequence().to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_failures_named() {
        let json = r#"{"Records":[{"eventName":"MODIFY","dynamodb":{"SequenceNumber":"17","NewImage":{"pk":{"S":"ORDER#x"},"upd":{"N":"5"}}}},{"odd":1}]}"#;
        let batch: Batch = serde_json::from_str(json).expect("as the stream sends it");
        assert_eq!((batch.records[0].text("pk"), batch.records[0].number("upd")), (Some("ORDER#x"), Some(5)));
        assert_eq!((batch.records[1].text("pk"), batch.records[1].sequence()), (None, ""));
        let mut failures = Failures::default();
        failures.add(&batch.records[0]);
        assert_eq!(
            serde_json::to_string(&failures).expect("plain"),
            r#"{"batchItemFailures":[{"itemIdentifier":"17"}]}"#
        );
    }
}
