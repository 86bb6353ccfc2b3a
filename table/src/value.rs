//! Items in the SDK's types and back.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::plan::{Item, Key, Value};

pub(crate) type SdkItem = HashMap<String, AttributeValue>;

pub(crate) fn to_sdk(value: &Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text.clone()),
        Value::N(number) => AttributeValue::N(number.to_string()),
        Value::Bool(yes) => AttributeValue::Bool(*yes),
        Value::B(bytes) => AttributeValue::B(Blob::new(bytes.clone())),
        Value::L(list) => AttributeValue::L(list.iter().map(to_sdk).collect()),
    }
}

/// `None` for kinds of value that this system does not store.
fn from_sdk(value: &AttributeValue) -> Option<Value> {
    Some(match value {
        AttributeValue::S(text) => Value::S(text.clone()),
        AttributeValue::N(number) => Value::N(number.parse().ok()?),
        AttributeValue::Bool(yes) => Value::Bool(*yes),
        AttributeValue::B(bytes) => Value::B(bytes.as_ref().to_vec()),
        AttributeValue::L(list) => Value::L(list.iter().map(from_sdk).collect::<Option<_>>()?),
        _ => return None,
    })
}

pub(crate) fn item_to_sdk(item: &Item) -> SdkItem {
    item.iter().map(|(name, value)| (name.clone(), to_sdk(value))).collect()
}

/// Attributes of a kind that this system does not store are left out: an item may have grown newer ones.
pub(crate) fn item_from_sdk(item: &SdkItem) -> Item {
    item.iter().filter_map(|(name, value)| Some((name.clone(), from_sdk(value)?))).collect()
}

pub(crate) fn key_to_sdk(key: &Key) -> SdkItem {
    let part = |text: &str| AttributeValue::S(text.to_owned());
    HashMap::from([("pk".to_owned(), part(&key.pk)), ("sk".to_owned(), part(&key.sk))])
}
