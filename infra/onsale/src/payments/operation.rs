//! What a request asks for, and its effect on the books.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, Entry, Money};
use super::error::Refusal;
use super::faults::Faults;
use super::intent::Intent;
use super::refund::refund;

/// The operations, named as `POST /_control` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    Create,
    Confirm,
    Capture,
    Cancel,
    Refund,
    Challenge,
    Get,
}

/// Form parameters in the order sent.
pub(super) type Params = Vec<(String, String)>;

/// What an operation did: the entry to record and Stripe's answer to it. A declined card is both an
/// effect and a refusal.
pub(super) struct Effect {
    pub entry: Entry,
    pub answer: Result<Value, Refusal>,
}

/// Works out what `operation` on the intent `id` (empty for create and refund) does at `now_ms`.
pub(super) fn perform(
    book: &Book,
    faults: &Faults,
    operation: Operation,
    id: &str,
    params: &Params,
    now_ms: i64,
) -> Result<Effect, Refusal> {
    match operation {
        Operation::Create => create(book, params, now_ms),
        Operation::Refund => give_back(book, params, now_ms),
        Operation::Challenge => challenge(book, id, params, now_ms),
        Operation::Get => Err(Refusal::missing("operation")),
        Operation::Confirm | Operation::Capture | Operation::Cancel => {
            change(book, faults, operation, id, params, now_ms)
        }
    }
}

/// The value of a parameter, if it was sent and is not empty.
pub(super) fn param<'a>(params: &'a Params, name: &str) -> Option<&'a str> {
    params.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
}

fn amount(params: &Params, name: &str) -> Result<Option<i64>, Refusal> {
    param(params, name).map(|text| text.parse().map_err(|_| Refusal::parameter(name))).transpose()
}

fn create(book: &Book, params: &Params, now_ms: i64) -> Result<Effect, Refusal> {
    if param(params, "capture_method") != Some("manual") {
        return Err(Refusal::parameter("capture_method"));
    }
    let amount = amount(params, "amount")?.filter(|amount| *amount > 0).ok_or_else(|| Refusal::parameter("amount"))?;
    let currency =
        param(params, "currency").filter(|code| code.len() == 3).ok_or_else(|| Refusal::parameter("currency"))?;
    let mut intent = Intent {
        id: format!("pi_{:012}", book.intents.len() + 1),
        amount,
        amount_capturable: 0,
        amount_received: 0,
        amount_refunded: 0,
        currency: currency.to_lowercase(),
        status: "requires_payment_method".to_owned(),
        payment_method: None,
        metadata: metadata(params),
        decline_code: None,
        return_url: None,
        cancellation_reason: None,
        authorized_ms: 0,
        created: now_ms / 1000,
        ready_ms: 0,
    };
    intent.attach(param(params, "payment_method"))?;
    Ok(Effect { answer: Ok(intent.view()), entry: Entry { intent: Some(intent), ..Entry::default() } })
}

fn metadata(params: &Params) -> BTreeMap<String, String> {
    let named = |(key, value): &(String, String)| {
        let name = key.strip_prefix("metadata[")?.strip_suffix(']')?;
        Some((name.to_owned(), value.clone()))
    };
    params.iter().filter_map(named).collect()
}

fn change(
    book: &Book,
    faults: &Faults,
    operation: Operation,
    id: &str,
    params: &Params,
    now_ms: i64,
) -> Result<Effect, Refusal> {
    let mut intent = book.intents.get(id).cloned().ok_or_else(|| Refusal::missing("payment_intent"))?;
    let money = match operation {
        Operation::Confirm => {
            intent.return_url = param(params, "return_url").map(str::to_owned);
            intent.confirm(param(params, "payment_method"), now_ms, faults.slow_ms)?
        }
        Operation::Capture if faults.decline_capture => {
            return Err(Refusal::declined("generic_decline", &intent.view()));
        }
        Operation::Capture => Some(intent.capture(amount(params, "amount_to_capture")?)?),
        _ => intent.cancel()?,
    };
    let answer = match (money, &intent.decline_code) {
        (Some(Money::Decline), Some(code)) => Err(Refusal::declined(code, &intent.view())),
        _ => Ok(intent.view()),
    };
    let moved = if money == Some(Money::Capture) { intent.amount_received } else { intent.amount };
    let money = money.map(|kind| book.movement(kind, &intent, moved, now_ms));
    Ok(Effect { entry: Entry { money, intent: Some(intent), ..Entry::default() }, answer })
}

/// The customer has answered the bank's question.
fn challenge(book: &Book, id: &str, params: &Params, now_ms: i64) -> Result<Effect, Refusal> {
    let mut intent = book.intents.get(id).cloned().ok_or_else(|| Refusal::missing("payment_intent"))?;
    let money = intent.challenged(param(params, "answer") == Some("yes"), now_ms);
    let money = money.map(|kind| book.movement(kind, &intent, intent.amount, now_ms));
    Ok(Effect { answer: Ok(intent.view()), entry: Entry { money, intent: Some(intent), ..Entry::default() } })
}

/// A body as its asker sees it: charges are shown whole to whom asks for that, else by their id; paths become addresses below
/// `base`.
pub(super) fn shown(mut body: Value, params: &Params, base: &str) -> Value {
    let whole = params.iter().any(|(name, value)| name == "expand[]" && value.ends_with("latest_charge"));
    for at in ["", "/error/payment_intent"] {
        if let Some(charge) = body.pointer_mut(&format!("{at}/latest_charge")).filter(|_| !whole) {
            *charge = charge.get_mut("id").map(Value::take).unwrap_or_default();
        }
        if let Some(Value::String(url)) = body.pointer_mut(&format!("{at}/next_action/redirect_to_url/url")) {
            url.insert_str(0, base);
        }
    }
    body
}

/// Lets a slow card of this intent answer, if its time has come.
pub(super) fn settle(book: &Book, id: &str, now_ms: i64) -> Option<Entry> {
    let mut intent = book.intents.get(id)?.clone();
    let kind = intent.settle(now_ms)?;
    let money = Some(book.movement(kind, &intent, intent.amount, now_ms));
    Some(Entry { intent: Some(intent), money, ..Entry::default() })
}

fn give_back(book: &Book, params: &Params, now_ms: i64) -> Result<Effect, Refusal> {
    let id = param(params, "payment_intent").ok_or_else(|| Refusal::parameter("payment_intent"))?;
    let mut intent = book.intents.get(id).cloned().ok_or_else(|| Refusal::missing("payment_intent"))?;
    let refund_id = format!("re_{:012}", book.movements.len() + 1);
    let (given, view) = refund(&mut intent, &refund_id, amount(params, "amount")?)?;
    let money = Some(book.movement(Money::Refund, &intent, given, now_ms));
    Ok(Effect { entry: Entry { money, intent: Some(intent), ..Entry::default() }, answer: Ok(view) })
}

/// One page of intents, newest first, as Stripe lists them.
pub(super) fn list(book: &Book, params: &Params, base: &str) -> Value {
    let limit = param(params, "limit").and_then(|text| text.parse().ok()).unwrap_or(10_usize).clamp(1, 100);
    let after = param(params, "starting_after").unwrap_or("~").to_owned(); // '~' sorts after every id
    let shown = |intent: &Intent| shown(intent.view(), params, base);
    let mut page: Vec<Value> =
        book.intents.range(..after).rev().take(limit + 1).map(|(_, intent)| shown(intent)).collect();
    let has_more = page.len() > limit;
    page.truncate(limit);
    json!({"object": "list", "url": "/v1/payment_intents", "has_more": has_more, "data": page})
}
