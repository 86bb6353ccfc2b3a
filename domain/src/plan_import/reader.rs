//! Reading a TOML table while collecting findings instead of stopping at the first.

use std::str::FromStr;

use super::finding::{Code, Finding};

/// One table of `event.toml`.
pub(super) struct Reader<'a> {
    table: &'a toml::Table,
    at: String,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(table: &'a toml::Table, at: &str, known: &[&str], findings: &'a mut Vec<Finding>) -> Self {
        let mut reader = Self { table, at: at.to_owned(), findings };
        for key in table.keys().filter(|k| !known.contains(&k.as_str())) {
            reader.finds(Code::UnknownKey, key, format!("known keys: {}", known.join(", ")));
        }
        reader
    }

    pub(super) fn finds(&mut self, code: Code, name: &str, detail: impl Into<String>) {
        let at = if self.at.is_empty() { name.to_owned() } else { format!("{}.{name}", self.at) };
        self.findings.push(Finding::new(code, at, detail));
    }

    /// Where its findings go.
    pub(super) fn findings(&mut self) -> &mut Vec<Finding> {
        self.findings
    }

    /// Whether there is anything of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// A text of 1 to 200 characters; a missing one is a finding.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        if !self.table.contains_key(name) {
            self.finds(Code::Missing, name, "needed");
            return None;
        }
        self.opt_text(name)
    }

    /// A text of 1 to 200 characters, or nothing.
    pub(super) fn opt_text(&mut self, name: &str) -> Option<String> {
        let text = match self.table.get(name)? {
            toml::Value::String(text) => text.trim().to_owned(),
            toml::Value::Datetime(time) => time.to_string(),
            other => {
                self.finds(Code::WrongType, name, format!("a text, not {}", other.type_str()));
                return None;
            }
        };
        if (1..=200).contains(&text.chars().count()) {
            return Some(text);
        }
        self.finds(Code::Text, name, "1 to 200 characters");
        None
    }

    /// A text that parses, else a finding of `code`.
    pub(super) fn parse<T: FromStr>(&mut self, name: &str, code: Code) -> Option<T> {
        let text = self.text(name)?;
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.finds(code, name, format!("{text:?}"));
        }
        parsed
    }

    /// A whole number within a range, or the default.
    pub(super) fn whole(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<i64>,
        default: Option<i64>,
    ) -> Option<i64> {
        let value = match (self.table.get(name), default) {
            (None, Some(default)) => return Some(default),
            (None, None) => {
                self.finds(Code::Missing, name, "needed");
                return None;
            }
            (Some(value), _) => value,
        };
        match value.as_integer() {
            Some(number) if range.contains(&number) => Some(number),
            Some(number) => self.out_of_range(name, number, &range),
            None => self.wrong(name, "a whole number", value),
        }
    }

    fn out_of_range<T>(&mut self, name: &str, number: i64, range: &std::ops::RangeInclusive<i64>) -> Option<T> {
        self.finds(Code::Range, name, format!("{number} is not from {} to {}", range.start(), range.end()));
        None
    }

    fn wrong<T>(&mut self, name: &str, wanted: &str, value: &toml::Value) -> Option<T> {
        self.finds(Code::WrongType, name, format!("{wanted}, not {}", value.type_str()));
        None
    }

    /// A finite number within a range, or the default.
    pub(super) fn number(&mut self, name: &str, range: std::ops::RangeInclusive<f64>, default: f64) -> Option<f64> {
        let Some(value) = self.table.get(name) else { return Some(default) };
        #[allow(clippy::cast_precision_loss)] // Coordinates and averages are small.
        let number = value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
        match number {
            Some(number) if range.contains(&number) => Some(number),
            Some(number) => {
                self.finds(Code::Range, name, format!("{number} is not from {} to {}", range.start(), range.end()));
                None
            }
            None => self.wrong(name, "a number", value),
        }
    }

    /// Yes or no; missing is no.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        match self.table.get(name) {
            None => false,
            Some(toml::Value::Boolean(yes)) => *yes,
            Some(other) => self.wrong(name, "true or false", other).unwrap_or(false),
        }
    }

    /// A list of texts that parse; a missing list is empty.
    pub(super) fn list<T: FromStr>(&mut self, name: &str) -> Vec<T> {
        let Some(value) = self.table.get(name) else { return Vec::new() };
        let Some(list) = value.as_array() else { return self.wrong(name, "a list", value).unwrap_or_default() };
        let mut parsed = Vec::new();
        for entry in list {
            match entry.as_str().map(str::parse) {
                Some(Ok(one)) => parsed.push(one),
                _ => self.finds(Code::Id, name, entry.to_string()),
            }
        }
        parsed
    }

    /// A table; a missing one is empty.
    pub(super) fn table(&mut self, name: &str) -> toml::Table {
        match self.table.get(name) {
            None => toml::Table::new(),
            Some(toml::Value::Table(table)) => table.clone(),
            Some(other) => self.wrong(name, "a table", other).unwrap_or_default(),
        }
    }

    /// A list of tables; a missing one is empty.
    pub(super) fn tables(&mut self, name: &str) -> Vec<toml::Table> {
        let Some(value) = self.table.get(name) else { return Vec::new() };
        let tables =
            value.as_array().map(|list| list.iter().map(|t| t.as_table().cloned()).collect::<Option<Vec<_>>>());
        match tables.flatten() {
            Some(tables) => tables,
            None => self.wrong(name, "a list of tables", value).unwrap_or_default(),
        }
    }
}
