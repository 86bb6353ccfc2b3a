//! A card's number in every field that a fan or a stranger can fill: refused, and nowhere on any disk of the stack afterwards.

use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::time::WallMs;
use domain::webhook::{Secrets, sign};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::scene::now;
use tests::{Origin, Scene};

/// A test card that nothing else here uses, as people write it.
const WRITTEN: [&str; 3] = ["4000056655665556", "4000 0566 5566 5556", "4000-0566-5566-5556"];
/// Goes the same ways as the number, and must be found: the search below can see.
const MARKER: &str = "marker-of-the-search";

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// Files below the stack's folder that contain a text: logs, tables, the line's storage, ledgers.
fn containing(folder: &Path, text: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    files(folder, &mut all)?;
    all.retain(|path| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    });
    Ok(all)
}

struct Edge<'a> {
    scene: &'a Scene,
    access: String,
    http: reqwest::Client,
}

impl Edge<'_> {
    async fn call(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> anyhow::Result<(StatusCode, String)> {
        let url = format!("{}{path}", self.scene.stack.edge_url());
        let mut request = self.http.request(method, url).header("x-access-token", &self.access);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.json(body).send().await?;
        let status = answer.status();
        let body: Value = serde_json::from_str(&answer.text().await?).unwrap_or_default();
        Ok((status, body["code"].as_str().unwrap_or_default().to_owned()))
    }
}

/// Calls of a fan through the edge, each with the number in one field.
fn bookings(number: &str) -> Vec<(Method, String, Value)> {
    let order = "orders/AAAAAAAAAAAAAAAAAAAAAA/cancellation";
    let pay = |hold: &str, method: &str| json!({"hold": hold, "paymentMethod": method});
    let encoded = number.replace(' ', "%20");
    vec![
        (Method::POST, "orders".into(), pay("AAAAAAAAAAAAAAAAAAAAAA", number)),
        (Method::POST, "orders".into(), pay("AAAAAAAAAAAAAAAAAAAAAA", &format!("pm_{number}"))),
        (Method::POST, "orders".into(), pay(number, "pm_card_visa")),
        (
            Method::POST,
            "orders".into(),
            json!({"hold": "AAAAAAAAAAAAAAAAAAAAAA", "paymentMethod": "pm_card_visa", "mail": format!("{number}@example.org")}),
        ),
        (Method::POST, "holds".into(), json!({"seats": [number]})),
        (Method::POST, "holds".into(), json!({"seats": [{"seat": "H01-1-1", "type": number}]})),
        (Method::POST, "holds".into(), json!({"pools": [{"pool": number, "quantity": 1, "type": number}]})),
        (Method::POST, "holds".into(), json!({"bestAvailable": {"quantity": 1, "sections": [number]}})),
        (Method::POST, "holds".into(), json!({"seats": ["H01-1-1"], "note": number})),
        (Method::POST, "holds".into(), json!({"seats": ["H01-1-1"], "channel": number})),
        (Method::POST, "holds".into(), json!({"seats": ["H01-1-1"], "replaces": number})),
        (Method::DELETE, "holds/AAAAAAAAAAAAAAAAAAAAAA".into(), json!({"seats": [number]})),
        (Method::POST, "holds/AAAAAAAAAAAAAAAAAAAAAA/extension".into(), json!({"why": number})),
        (Method::POST, order.into(), json!({"seats": [number]})),
        (Method::POST, format!("{order}?card={encoded}"), json!({})),
    ]
}

/// The same with the number where an id belongs.
fn addresses(number: &str) -> Vec<(Method, String, Value)> {
    let id = number.replace(' ', "-");
    vec![
        (Method::GET, format!("holds/{id}"), json!({})),
        (Method::DELETE, format!("holds/{id}"), json!({})),
        (Method::POST, format!("holds/{id}/extension"), json!({})),
        (Method::GET, format!("orders/{id}"), json!({})),
        (Method::POST, format!("orders/{id}/cancellation"), json!({})),
    ]
}

async fn through_the_edge(edge: &Edge<'_>, number: &str) -> anyhow::Result<()> {
    for (method, path, body) in bookings(number).into_iter().chain(addresses(number)) {
        let path = format!("/v1/events/rehearsal/{path}");
        let (status, code) = edge.call(method.clone(), &path, &[("idempotency-key", "k")], &body).await?;
        assert_eq!((status.as_u16(), &*code), (422, "CARD_NUMBER_REFUSED"), "{method} {path} {body}");
    }
    let keyed = [("idempotency-key", number), ("x-correlation-id", number)];
    let hold = json!({"seats": ["H01-1-1"]});
    let (status, code) = edge.call(Method::POST, "/v1/events/rehearsal/holds", &keyed, &hold).await?;
    let refused = if number.contains(' ') { (400, "BAD_REQUEST") } else { (422, "CARD_NUMBER_REFUSED") };
    assert_eq!((status.as_u16(), &*code), refused, "as a key, which has no spaces anyway");
    Ok(())
}

/// Everything else that a stranger can fill. Nobody is asked for a card there, so it has no code of its own; what counts is that it is
/// not kept.
async fn elsewhere(edge: &Edge<'_>, number: &str) -> anyhow::Result<()> {
    let plain = number.replace(' ', "-");
    let event = json!({"id": "evt_1", "type": "charge.succeeded", "data": {"object": {"metadata": {"order": number}, "description": number}}});
    let calls = [
        (Method::POST, "/v1/dev/sign-in".to_owned(), json!({"name": number})),
        (Method::POST, "/v1/session".to_owned(), json!({"id_token": number, "nonce": number})),
        (Method::GET, format!("/v1/session/start?to={plain}"), json!({})),
        (Method::GET, format!("/v1/session/callback?code={plain}&state={plain}"), json!({})),
        (Method::POST, "/v1/events/rehearsal/line".to_owned(), json!({"proof": number})),
        (Method::POST, "/v1/events/rehearsal/line".to_owned(), json!({"presale": number})),
        (Method::POST, "/v1/events/rehearsal/door/mail".to_owned(), json!({"mail": format!("{plain}@example.org")})),
        (Method::POST, "/v1/events/rehearsal/registration".to_owned(), json!({"note": number})),
        (Method::POST, "/v1/events/rehearsal/admission".to_owned(), json!({"note": number})),
        (Method::POST, "/v1/provider/events".to_owned(), event),
        (Method::GET, format!("/v1/events/{plain}/status.json"), json!({})),
        (Method::GET, format!("/e/{plain}/orders/{plain}?payment_intent={plain}"), json!({})),
        (Method::GET, format!("/v1/events/rehearsal/orders/AAAAAAAAAAAAAAAAAAAAAA/{plain}?link={plain}"), json!({})),
        (Method::GET, format!("/v1/events/rehearsal/lanes/{plain}/draw/{plain}"), json!({})),
        (Method::POST, "/v1/operator/events/rehearsal/pause".to_owned(), json!({"reason": number})),
        (Method::POST, "/v1/operator/events/rehearsal/codes".to_owned(), json!({"codes": number})),
    ];
    for (method, path, body) in calls {
        let headers = [
            ("stripe-signature", number),
            ("x-account-token", number),
            ("x-place-token", number),
            ("x-correlation-id", number),
            ("authorization", number),
            ("user-agent", number),
            ("referer", number),
        ];
        edge.call(method, &path, &headers, &body).await?;
    }
    Ok(())
}

/// The origin, asked past the edge: it does not rely on it.
async fn at_the_origin(scene: &Scene, number: &str) -> anyhow::Result<()> {
    let origin = Origin::of(scene)?;
    let keyed = (Method::POST, "holds".to_owned(), json!({"seats": ["H01-1-1"]}));
    let plain = bookings(number).into_iter().map(|call| ("k".to_owned(), call));
    for (key, (method, path, body)) in plain.chain([(number.replace(' ', ""), keyed)]) {
        let answer = origin.send(method, &format!("/{path}"), &origin.access(2), &key, &body).await?;
        let (status, body): (u16, Value) = (answer.status().as_u16(), answer.json().await?);
        assert_eq!((status, &body["code"]), (422, &json!("CARD_NUMBER_REFUSED")), "{path} {body} under {key}");
    }
    Ok(())
}

/// An event of the provider that carries a number: Stripe sends none, and this would not be kept.
async fn from_the_provider(scene: &Scene, number: &str) -> anyhow::Result<()> {
    let secrets: Value = serde_json::from_slice(&std::fs::read(scene.stack.state().join("stack.json"))?)?;
    let secrets = Secrets::parse(secrets["secrets"]["webhook"].as_str().unwrap_or_default())?;
    let event = json!({"id": "evt_1", "type": "charge.succeeded", "data": {"object": {"metadata": {"order": number}, "number": number}}});
    let body = event.to_string();
    let url = format!("{}/v1/provider/events", scene.stack.edge_url());
    let request =
        reqwest::Client::new().post(url).header("stripe-signature", sign(body.as_bytes(), &secrets, WallMs(now().0)));
    assert_eq!(request.body(body).send().await?.status(), StatusCode::OK);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_number_is_refused_everywhere_and_written_nowhere() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let edge = Edge { scene: &scene, access: Origin::of(&scene)?.access(1), http: reqwest::Client::new() };
    for number in WRITTEN {
        through_the_edge(&edge, number).await?;
        elsewhere(&edge, number).await?;
        at_the_origin(&scene, number).await?;
        from_the_provider(&scene, number).await?;
    }
    let marked = [("idempotency-key", "k"), ("x-correlation-id", MARKER)];
    edge.call(Method::POST, "/v1/events/rehearsal/holds", &marked, &json!({"seats": ["H01-1-1"]})).await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let found = containing(scene.stack.state(), MARKER)?;
    let logs = found.iter().filter(|path| path.ends_with("logs/booking.log") || path.ends_with("origin.jsonl"));
    assert_eq!(logs.count(), 2, "the search sees what is logged: {found:?}");
    for number in WRITTEN {
        assert_eq!(containing(scene.stack.state(), number)?, Vec::<PathBuf>::new(), "{number}");
    }
    Ok(())
}
