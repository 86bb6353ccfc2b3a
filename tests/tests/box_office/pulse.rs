//! The heartbeat.

use anyhow::Result;
use checkout::wall_now;
use domain::time::EventMs;
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn a_beat_tells_how_things_stand_and_a_late_one_changes_nothing() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let body = bench.pulse(0).await?;
    assert_eq!((&body["beat"], &body["stock"]["free"], &body["orders_left"]), (&json!(2), &json!(60), &json!(24)));
    assert_eq!((&body["stock"]["levels"]["front"]["free"], &body["clock"]["run_ms"]), (&json!(20), &json!(3000)));
    let version = body["map"]["version"].as_i64().unwrap_or(0);
    assert!(version > 0 && body["counts"]["sections"]["A"]["front"] == 20, "{body}");
    let unchanged = bench.pulse(version).await?;
    assert_eq!((&unchanged["map"], &unchanged["counts"]), (&json!(null), &json!(null)), "the map did not change");
    let (status, problem) = bench.pulse_with(2, 2, 0).await?;
    assert_eq!((status, &problem["code"], &problem["beat"]), (409, &json!("BEAT_NOT_HIGHER"), &json!(3)));
    assert_eq!(bench.pulse_with(9, 8, 0).await?.0, 401, "the token is for one beat");
    assert_eq!(bench.send("POST", "pulse", &[], Some(&json!({"beat": 9, "beat_ms": 1000}))).await?.0, 401);
    Ok(())
}

#[tokio::test]
async fn tokens_of_an_earlier_revocation_epoch_are_refused_here_too() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    assert_eq!(bench.revoke(1).await?["rev"], 1);
    let wishes = [("POST", "holds".to_owned()), ("GET", format!("holds/{hold}")), ("GET", "orders".to_owned())];
    for (method, path) in &wishes {
        let body = (*method == "POST").then(|| json!({"seats": ["A-1-2"]}));
        let (status, problem) = bench.call(&fan, method, path, body.as_ref()).await?;
        assert_eq!((status, &problem["code"]), (401, &json!("TOKEN_REVOKED")), "{method} {path}");
    }
    // A Pacer that lost its storage begins at 0, and is told.
    assert_eq!(bench.revoke(0).await?["rev"], 1);
    assert_eq!(bench.call(&fan, "GET", "orders", None).await?.0, 401);
    let renewed = bench.fan_of(fan.account, 1, EventMs(wall_now().0 + 900_000));
    assert_eq!(bench.call(&renewed, "GET", &format!("holds/{hold}"), None).await?.0, 200, "the hold is still there");
    Ok(())
}
