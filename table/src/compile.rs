//! A plan's writes as the SDK's transaction items.

use std::collections::HashMap;

use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem,
    Update as SdkUpdate,
};
use domain::plan::{Change, Cond, Plan, Update, Value, Write};

use crate::value::{item_to_sdk, key_to_sdk, to_sdk};

const ALL_OLD: ReturnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure::AllOld;

/// All writes of a plan against one table.
pub(crate) fn plan(plan: &Plan, table: &str) -> Result<Vec<TransactWriteItem>, BuildError> {
    plan.writes.iter().map(|w| write(w, table)).collect()
}

fn write(write: &Write, table: &str) -> Result<TransactWriteItem, BuildError> {
    let mut words = Words::default();
    let condition = words.condition(&write.expect);
    let item = TransactWriteItem::builder();
    Ok(match &write.change {
        Change::Put(new) => item.put(put(table, words, condition, new)?),
        Change::Update(change) => item.update(update(table, words, condition, write, change)?),
        Change::Delete => item.delete(delete(table, words, condition, write)?),
        Change::Check => item.condition_check(check(table, words, condition, write)?),
    }
    .build())
}

fn put(table: &str, words: Words, condition: Option<String>, item: &domain::plan::Item) -> Result<Put, BuildError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(item_to_sdk(item)))
        .set_condition_expression(condition)
        .set_expression_attribute_names(words.names())
        .set_expression_attribute_values(words.values())
        .return_values_on_condition_check_failure(ALL_OLD)
        .build()
}

fn update(
    table: &str,
    mut words: Words,
    condition: Option<String>,
    write: &Write,
    change: &Update,
) -> Result<SdkUpdate, BuildError> {
    let expression = words.update(change);
    SdkUpdate::builder()
        .table_name(table)
        .set_key(Some(key_to_sdk(&write.key)))
        .update_expression(expression)
        .set_condition_expression(condition)
        .set_expression_attribute_names(words.names())
        .set_expression_attribute_values(words.values())
        .return_values_on_condition_check_failure(ALL_OLD)
        .build()
}

fn delete(table: &str, words: Words, condition: Option<String>, write: &Write) -> Result<Delete, BuildError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(key_to_sdk(&write.key)))
        .set_condition_expression(condition)
        .set_expression_attribute_names(words.names())
        .set_expression_attribute_values(words.values())
        .return_values_on_condition_check_failure(ALL_OLD)
        .build()
}

fn check(
    table: &str,
    mut words: Words,
    condition: Option<String>,
    write: &Write,
) -> Result<ConditionCheck, BuildError> {
    let anything = words.any_item();
    ConditionCheck::builder()
        .table_name(table)
        .set_key(Some(key_to_sdk(&write.key)))
        .condition_expression(condition.unwrap_or(anything))
        .set_expression_attribute_names(words.names())
        .set_expression_attribute_values(words.values())
        .return_values_on_condition_check_failure(ALL_OLD)
        .build()
}

/// Placeholders of one write: `#n` for names (many of ours are reserved words) and `:n` for values.
#[derive(Default)]
struct Words {
    names: Vec<String>,
    values: Vec<AttributeValue>,
}

impl Words {
    fn name(&mut self, name: &str) -> String {
        let known = self.names.iter().position(|n| n == name);
        let at = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        format!("#{at}")
    }

    fn value(&mut self, value: &Value) -> String {
        self.values.push(to_sdk(value));
        format!(":{}", self.values.len() - 1)
    }

    fn names(&self) -> Option<HashMap<String, String>> {
        let pairs = self.names.iter().enumerate().map(|(i, name)| (format!("#{i}"), name.clone()));
        (!self.names.is_empty()).then(|| pairs.collect())
    }

    fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        let pairs = self.values.iter().enumerate().map(|(i, value)| (format!(":{i}"), value.clone()));
        (!self.values.is_empty()).then(|| pairs.collect())
    }

    /// A condition that every item and no item meets, for a check that asks nothing.
    fn any_item(&mut self) -> String {
        if self.names.is_empty() {
            let pk = self.name("pk");
            return format!("attribute_exists({pk}) OR attribute_not_exists({pk})");
        }
        String::new()
    }

    fn condition(&mut self, cond: &Cond) -> Option<String> {
        match cond {
            Cond::Always => None,
            Cond::All(all) if all.iter().all(|c| matches!(c, Cond::Always)) => None,
            other => Some(self.expression(other)),
        }
    }

    fn expression(&mut self, cond: &Cond) -> String {
        match cond {
            Cond::Always => self.true_(),
            Cond::Absent => self.function("attribute_not_exists", "pk"),
            Cond::Exists => self.function("attribute_exists", "pk"),
            Cond::Missing(name) => self.function("attribute_not_exists", name),
            Cond::Eq(name, value) => self.compare(name, "=", value),
            Cond::Ne(name, value) => self.compare(name, "<>", value),
            Cond::Lt(name, value) => self.compare(name, "<", value),
            Cond::Le(name, value) => self.compare(name, "<=", value),
            Cond::Gt(name, value) => self.compare(name, ">", value),
            Cond::Ge(name, value) => self.compare(name, ">=", value),
            Cond::All(all) if all.is_empty() => self.true_(),
            Cond::Any(any) if any.is_empty() => format!("NOT {}", self.true_()),
            Cond::All(all) => self.join(all, " AND "),
            Cond::Any(any) => self.join(any, " OR "),
        }
    }

    fn true_(&mut self) -> String {
        let pk = self.name("pk");
        format!("(attribute_exists({pk}) OR attribute_not_exists({pk}))")
    }

    fn function(&mut self, function: &str, name: &str) -> String {
        let name = self.name(name);
        format!("{function}({name})")
    }

    fn compare(&mut self, name: &str, sign: &str, value: &Value) -> String {
        let name = self.name(name);
        let value = self.value(value);
        format!("{name} {sign} {value}")
    }

    fn join(&mut self, conds: &[Cond], word: &str) -> String {
        let parts: Vec<String> = conds.iter().map(|c| self.expression(c)).collect();
        // DynamoDB refuses redundant parentheses.
        if let [one] = parts.as_slice() { one.clone() } else { format!("({})", parts.join(word)) }
    }

    fn update(&mut self, change: &Update) -> String {
        let set: Vec<String> = change.set.iter().map(|(n, v)| self.compare(n, "=", v)).collect();
        let add: Vec<String> = change.add.iter().map(|(n, by)| self.compare(n, "", &Value::N(*by))).collect();
        let remove: Vec<String> = change.remove.iter().map(|n| self.name(n)).collect();
        let clause =
            |word: &str, parts: Vec<String>| (!parts.is_empty()).then(|| format!("{word} {}", parts.join(", ")));
        let clauses = [clause("SET", set), clause("ADD", add), clause("REMOVE", remove)];
        clauses.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
