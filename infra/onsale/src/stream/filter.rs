//! Event patterns: the part of their language that a stream's filter needs.
//!
//! An object matches when each of its fields does; a list matches when one of its entries does:
//! a plain value, `{"exists": bool}`, `{"prefix": text}` or `{"anything-but": [values]}`.

use serde_json::Value;

/// A parsed pattern. The default one matches everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter(Value);

impl Filter {
    /// Parses a pattern; `None` when it is not a JSON object.
    pub fn parse(pattern: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(pattern).ok()?;
        value.is_object().then_some(Self(value))
    }

    /// Whether `record` passes.
    pub fn matches(&self, record: &Value) -> bool {
        field(&self.0, Some(record))
    }
}

fn field(pattern: &Value, value: Option<&Value>) -> bool {
    match pattern {
        Value::Object(fields) => fields.iter().all(|(name, inner)| field(inner, value.and_then(|v| v.get(name)))),
        Value::Array(choices) => choices.iter().any(|choice| one(choice, value)),
        _ => true,
    }
}

fn one(choice: &Value, value: Option<&Value>) -> bool {
    let Value::Object(rule) = choice else {
        return value == Some(choice);
    };
    if let Some(wanted) = rule.get("exists") {
        return Value::Bool(value.is_some()) == *wanted;
    }
    if let Some(prefix) = rule.get("prefix").and_then(Value::as_str) {
        return value.and_then(Value::as_str).is_some_and(|v| v.starts_with(prefix));
    }
    match (rule.get("anything-but"), value) {
        (Some(Value::Array(not)), Some(value)) => !not.contains(value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::mapping::{PROJECT_FILTER, SETTLE_FILTER};
    use super::Filter;
    use serde_json::json;

    #[test]
    fn patterns_match_as_documented() {
        let table = [
            (SETTLE_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "order"}}}}), true),
            (SETTLE_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "inbox"}}}}), true),
            (SETTLE_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "seat"}}}}), false),
            (SETTLE_FILTER, json!({"dynamodb": {"OldImage": {"k": {"S": "order"}}}}), false),
            (PROJECT_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "clock"}}}}), true),
            (PROJECT_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "order"}}}}), true),
            (PROJECT_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "hold"}}}}), false),
            (SETTLE_FILTER, json!({"dynamodb": {"NewImage": {"k": {"S": "out"}}}}), true),
            (r#"{"a":[{"exists":false}]}"#, json!({}), true),
            (r#"{"a":[{"exists":false}]}"#, json!({"a": 1}), false),
            (r#"{"a":[{"prefix":"x"}]}"#, json!({"a": "xy"}), true),
            (r#"{"a":[{"anything-but":["x"]}]}"#, json!({"a": "x"}), false),
            (r#"{"a":[1,2]}"#, json!({"a": 2}), true),
        ];
        for (pattern, record, expected) in table {
            let filter = Filter::parse(pattern).unwrap();
            assert_eq!(filter.matches(&record), expected, "{pattern} on {record}");
        }
        assert_eq!(Filter::parse("[]"), None);
    }
}
