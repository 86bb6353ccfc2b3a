//! The bank's page of a 3-D Secure challenge: a question with two answers, and the way back to the shop.

use axum::response::{Html, IntoResponse, Redirect, Response};
use serde_json::Value;

/// The question about an intent.
pub(super) fn page(intent: &Value) -> Html<String> {
    let open = intent["status"] == "requires_action";
    let (amount, currency) = (&intent["amount"], intent["currency"].as_str().unwrap_or_default().to_uppercase());
    let said = if open { format!("Pay {amount} (minor units) {currency}?") } else { "Nothing to confirm.".to_owned() };
    let form = if open {
        r#"<form method="post"><button name="answer" value="yes">Yes, it is me</button> <button name="answer" value="no">No</button></form>"#
    } else {
        ""
    };
    Html(format!(
        r#"<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Test bank</title><style>body{{font:18px system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem}}button{{font:inherit;padding:.7em 1.2em;margin:.5em 0}}</style>
<h1>Test bank</h1><p>{said}</p>{form}<p>This page belongs to the payment simulator and stands for your bank's.</p></html>"#
    ))
}

/// Sends the browser back to where the shop wanted it, as Stripe does, with the intent and how it went in the query.
pub(super) fn back(asked: &Value, answered: &Value) -> Response {
    let went = if answered["status"] == "requires_capture" { "succeeded" } else { "failed" };
    let to = asked.pointer("/next_action/redirect_to_url/return_url").and_then(Value::as_str);
    let id = asked["id"].as_str().unwrap_or_default();
    match to {
        Some(url) => Redirect::to(&format!("{url}?payment_intent={id}&redirect_status={went}")).into_response(),
        None => page(answered).into_response(),
    }
}
