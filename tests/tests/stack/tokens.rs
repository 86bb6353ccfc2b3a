//! Both token checks: nothing unauthenticated reaches the origin, and the origin would refuse it too.

use std::time::Duration;

use domain::ids::{AccountId, EventId, HoldId, SessionId};
use domain::keys::MasterKeys;
use domain::time::EventMs;
use domain::token::{AccessToken, Token};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Origin, Scene};

/// Tokens that open nothing, each with its name.
fn bad_tokens(scene: &Scene, good: &str) -> anyhow::Result<Vec<(&'static str, String)>> {
    let keys = MasterKeys::parse(scene.stack.master_keys())?;
    let strange = MasterKeys::parse("1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")?;
    let (here, elsewhere): (EventId, EventId) = ("rehearsal".parse()?, "elsewhere".parse()?);
    let account = AccountId::derive("test", "somebody");
    let session = SessionId::from_bytes([1; 16]);
    let token = |expires| AccessToken { account, session, place: 1, lane: 0, rev: 0, expires };
    let (valid, past) = (token(EventMs(i64::MAX / 2)), token(EventMs(1)));
    Ok(vec![
        ("none", String::new()),
        ("of another event", valid.encode(&keys, &elsewhere)),
        ("expired long ago", past.encode(&keys, &here)),
        ("forged under other keys", valid.encode(&strange, &here)),
        ("truncated", good[..good.len() - 1].to_owned()),
        ("with a trailing character", format!("{good}A")),
        ("garbage", "not-a-token".to_owned()),
    ])
}

/// Calls that a good token would allow.
fn calls() -> Vec<(Method, &'static str, Value)> {
    let hold = HoldId::from_bytes([7; 16]).to_string();
    vec![
        (Method::POST, "/holds", json!({ "seats": ["H01-1-1"] })),
        (Method::POST, "/orders", json!({ "hold": hold, "paymentMethod": "pm_card_visa" })),
        (Method::GET, "/orders", Value::Null),
    ]
}

fn booking_calls(scene: &Scene) -> usize {
    scene.stack.origin_log().iter().filter(|request| !request.path.ends_with("/pulse")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_good_token_never_reach_the_origin() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    let account = scene.accounts(&["somebody"]).await?.remove(0);
    let good = scene.admitted(&account).await?;
    let before = booking_calls(&scene);
    for (what, token) in bad_tokens(&scene, &good)? {
        for (method, path, body) in calls().into_iter().chain([(Method::GET, "/seatmap", Value::Null)]) {
            let request = scene.api().raw(method.clone(), path).header("x-access-token", &token).json(&body);
            let status = request.header("idempotency-key", "k").send().await?.status();
            assert_eq!(status.as_u16(), 401, "{method} {path} with a token {what}");
        }
    }
    assert_eq!(booking_calls(&scene), before, "the origin's own log names nobody new");
    let (answer, _) = scene.api().hold(&good, "k", &json!({ "seats": ["H01-1-1"] })).await;
    assert_eq!(answer?.seats.len(), 1, "the good token does open");
    assert_eq!(booking_calls(&scene), before + 1, "and its call is in the log");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_function_itself_refuses_the_same_tokens() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    scene.status_until("a beat", async |status| status.phase == "open").await?;
    let origin = Origin::of(&scene)?;
    let good = origin.access(1);
    for (what, token) in bad_tokens(&scene, &good)? {
        for (method, path, body) in calls() {
            let status = origin.send(method.clone(), path, &token, "k", &body).await?.status();
            assert_eq!(status.as_u16(), 401, "{method} {path} with a token {what}");
        }
    }
    let unsigned = format!("{}/v1/events/rehearsal/holds", scene.stack.origin_url());
    let status = reqwest::Client::new().post(unsigned).header("x-access-token", &good).send().await?.status();
    assert_eq!(status.as_u16(), 403, "without the edge's signature the function URL is shut");
    Ok(())
}
