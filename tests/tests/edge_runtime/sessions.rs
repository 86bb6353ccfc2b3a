//! Whoever needs more time gets it, once, and nobody else's turn is the later for it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, token};

async fn claim(edge: &Edge, place: &str, body: Value) -> Answer {
    edge.fan(Method::POST, "/admission", &[("X-Place-Token", place)], body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_made_longer_once_on_request() {
    let edge = Edge::with(1_500, |event| event["session_ms"] = json!(60_000)).await;
    edge.enter("ada").await;
    let place = token(&edge.join(&edge.account("ada").await).await);
    let first = claim(&edge, &place, Value::Null).await;
    assert_eq!((first.status, &first.body["longer"]), (StatusCode::OK, &json!(false)), "{first:?}");
    let longer = claim(&edge, &place, json!({ "longer": true })).await;
    let end = |answer: &Answer| answer.body["expires_ms"].as_i64().expect("an end");
    assert_eq!(end(&longer), end(&first) + 60_000, "{longer:?}");
    assert_eq!((&longer.body["session"], &longer.body["longer"]), (&first.body["session"], &json!(true)));
    let refused = claim(&edge, &place, json!({ "longer": true })).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "ALREADY_EXTENDED"), "{refused:?}");
    let again = claim(&edge, &place, json!({})).await;
    assert_eq!(end(&again), end(&longer), "the longer session is answered from now on");
    assert_eq!(claim(&edge, &place, json!({ "longer": "yes" })).await.code(), "BAD_REQUEST");
}
