//! What the payment provider tells by itself: only what it signed reaches the origin, byte for byte.

use domain::time::WallMs;
use domain::webhook::{Secrets, sign};
use reqwest::Method;

use crate::edge::{Edge, WEBHOOK_SECRET, now};

const BODY: &str = "{ \"id\": \"evt_1\",\n\t\"type\": \"charge.expired\", \"data\": {\"object\": {}} }";

fn signed(secret: &str, body: &str, at_ms: i64) -> String {
    sign(body.as_bytes(), &Secrets::parse(secret).expect("a secret"), WallMs(at_ms))
}

impl Edge {
    async fn told(&self, method: Method, signature: &str, body: String) -> (u16, String) {
        let url = format!("{}/v1/provider/events", self.workerd.url());
        let request = reqwest::Client::new().request(method, url).header("stripe-signature", signature).body(body);
        let answer = request.send().await.expect("the Worker answers");
        let status = answer.status().as_u16();
        let problem: serde_json::Value = answer.json().await.unwrap_or_default();
        (status, problem["code"].as_str().unwrap_or_default().to_owned())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_the_provider_signed_lately_reaches_the_origin() {
    let edge = Edge::with(600_000, |_| {}).await;
    let right = signed(WEBHOOK_SECRET, BODY, now());
    let other = signed("whsec_of_somebody_else_0", BODY, now());
    let old = signed(WEBHOOK_SECRET, BODY, now() - 302_000);
    let long = format!("{BODY}{}", " ".repeat(65_536));
    let refused = [
        (Method::POST, "", BODY.to_owned(), (400, "SIGNATURE_INVALID")),
        (Method::POST, &*other, BODY.to_owned(), (400, "SIGNATURE_INVALID")),
        (Method::POST, &*old, BODY.to_owned(), (400, "SIGNATURE_INVALID")),
        (Method::POST, &*right, BODY.replace('\t', " "), (400, "SIGNATURE_INVALID")),
        (Method::POST, &*right, BODY[..BODY.len() - 1].to_owned(), (400, "SIGNATURE_INVALID")),
        (Method::POST, &*right, long, (413, "BODY_TOO_LARGE")),
        (Method::PUT, &*right, BODY.to_owned(), (405, "METHOD_NOT_ALLOWED")),
    ];
    for (method, signature, body, (status, code)) in refused {
        let answer = edge.told(method.clone(), signature, body.clone()).await;
        assert_eq!(answer, (status, code.to_owned()), "{method} {signature} {}", &body[..8]);
    }
    let events = || edge.origin.bookings().into_iter().filter(|seen| seen.what.ends_with("/provider/events")).count();
    assert_eq!(events(), 0, "nothing of that came through");
    edge.told(Method::POST, &right, BODY.to_owned()).await;
    assert_eq!(events(), 1);
}
