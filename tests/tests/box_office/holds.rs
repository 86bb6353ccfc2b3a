//! Holds by HTTP.

use anyhow::Result;
use checkout::wall_now;
use domain::time::EventMs;
use serde_json::{Value, json};

use crate::bench::Bench;

#[tokio::test]
async fn a_hold_is_taken_shown_prolonged_and_given_back() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let wish = json!({"seats": ["A-1-2", "A-1-1"], "pools": [{"pool": "floor", "quantity": 2}]});
    let (status, hold) = bench.call_under("k", &ada, "POST", "holds", Some(&wish)).await?;
    assert_eq!(
        (status, &hold["total_minor"], &hold["currency"]),
        (201, &json!(2 * 10_450 + 2 * 4_000), &json!("EUR")),
        "{hold}"
    );
    assert_eq!((&hold["seats"][0]["seat"], &hold["pools"][0]["quantity"]), (&json!("A-1-1"), &json!(2)));
    assert_eq!(
        bench.call_under("k", &ada, "POST", "holds", Some(&wish)).await?.1["hold"],
        hold["hold"],
        "the same request again"
    );
    let other = bench.call_under("k", &ada, "POST", "holds", Some(&json!({"seats": ["A-1-3"]}))).await?;
    assert_eq!((other.0, &other.1["code"]), (422, &json!("IDEMPOTENCY_MISMATCH")));

    let taken = bench.call(&bo, "POST", "holds", Some(&json!({"seats": ["A-1-2", "A-1-3"]}))).await?;
    assert_eq!((taken.0, &taken.1["code"], &taken.1["seats"]), (409, &json!("SEATS_TAKEN"), &json!(["A-1-2"])));
    let path = format!("holds/{}", hold["hold"].as_str().unwrap_or_default());
    assert_eq!(bench.call(&bo, "GET", &path, None).await?.0, 404, "somebody else's");
    assert_eq!(bench.call(&bo, "DELETE", &path, None).await?.0, 404, "somebody else's");
    let longer = bench.call(&ada, "POST", &format!("{path}/extension"), None).await?;
    assert_eq!(longer.1["until_ms"].as_i64(), hold["until_ms"].as_i64().map(|until| until + 180_000));
    assert_eq!(bench.call(&ada, "DELETE", &path, None).await?.0, 204);
    assert_eq!(bench.call(&ada, "DELETE", &path, None).await?.0, 204, "giving back twice gives back once");
    let share_sum: u32 =
        bench.table.shares(&bench.event, &"floor".parse()?).await?.iter().map(|share| share.free).sum();
    assert_eq!(share_sum, 40);
    bench.hold(&bo, &["A-1-1", "A-1-2"]).await?;
    Ok(())
}

#[tokio::test]
async fn refusals_name_what_is_wrong() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let table = [
        (json!({"seats": ["A-9-9"]}), 422, "SEAT_UNKNOWN"),
        (json!({"seats": ["A-1-1", "A-1-2", "A-1-3", "A-1-4", "A-1-5"]}), 409, "LIMIT_EXCEEDED"),
        (json!({"seats": []}), 400, "BAD_REQUEST"),
        (json!({"seats": ["A-1-1", "A-1-1"]}), 400, "BAD_REQUEST"),
        (json!({"pools": [{"pool": "roof", "quantity": 1}]}), 422, "PLACE_UNKNOWN"),
        (json!({"bestAvailable": {"quantity": 2, "level": "royal"}}), 422, "PLACE_UNKNOWN"),
        (json!({"bestAvailable": {"quantity": 2, "accessible": true}}), 409, "NONE_TOGETHER"),
        (json!({"odd": 1}), 400, "BAD_REQUEST"),
    ];
    for (wish, status, code) in table {
        let (found, problem) = bench.call(&fan, "POST", "holds", Some(&wish)).await?;
        assert_eq!((found, &problem["code"]), (status, &json!(code)), "{wish}");
    }
    bench.hold(&fan, &["A-1-1"]).await?;
    let second = bench.call(&fan, "POST", "holds", Some(&json!({"seats": ["A-1-2"]}))).await?;
    assert_eq!(second.1["code"], "HOLD_EXISTS");
    let without_key =
        bench.send("POST", "holds", &[("x-access-token", &fan.token)], Some(&json!({"seats": ["A-1-2"]}))).await?;
    assert_eq!(without_key.1["code"], "IDEMPOTENCY_KEY_REQUIRED");
    Ok(())
}

#[tokio::test]
async fn only_a_good_token_of_this_event_gets_in() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let other = domain::token::Token::encode(
        &domain::token::AccessToken {
            account: fan.account,
            session: domain::ids::SessionId::from_bytes([1; 16]),
            place: 1,
            lane: 0,
            rev: 0,
            expires: EventMs(i64::MAX),
        },
        &bench.app.keys,
        &"other".parse()?,
    );
    let over = bench.fan_until("ada", EventMs(wall_now().0 - 60_000));
    let forged = format!("{}A", &fan.token[..fan.token.len() - 1]);
    for (what, token) in [
        ("foreign", &*other),
        ("expired", &over.token),
        ("forged", &forged),
        ("truncated", &fan.token[..20]),
        ("empty", ""),
    ] {
        let wish = json!({"seats": ["A-1-1"]});
        let answer =
            bench.send("POST", "holds", &[("x-access-token", token), ("idempotency-key", "k")], Some(&wish)).await?;
        assert_eq!((answer.0, &answer.1["code"]), (401, &json!("ACCESS_REQUIRED")), "{what}");
    }
    assert_eq!(bench.send("GET", "orders", &[], None).await?.0, 401);
    Ok(())
}

#[tokio::test]
async fn a_live_hold_keeps_its_fans_session_good() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let hold = bench.hold(&bench.fan("ada"), &["A-1-1"]).await?;
    let over = bench.fan_until("ada", EventMs(wall_now().0 - 1_000));
    assert_eq!(bench.call(&over, "POST", "holds", Some(&json!({"seats": ["A-1-5"]}))).await?.0, 401);
    assert_eq!(bench.call(&over, "POST", &format!("holds/{hold}/extension"), None).await?.0, 200);
    let (status, order) =
        bench.call(&over, "POST", "orders", Some(&json!({"hold": hold, "paymentMethod": "pm_card_visa"}))).await?;
    assert_eq!(status, 201, "{order}");
    let path = format!("orders/{}", order["order"].as_str().unwrap_or_default());
    assert_eq!(bench.call(&over, "GET", &path, None).await?.0, 200, "tickets can be seen when the turn has passed");
    Ok(())
}

#[tokio::test]
async fn two_hundred_at_once_take_the_same_seats_once() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let wish = json!({"seats": ["A-1-1", "A-1-2", "A-1-3", "A-1-4"]});
    let fans: Vec<_> = (0..200).map(|n| bench.fan(&format!("fan {n}"))).collect();
    let calls = fans.iter().map(|fan| bench.call(fan, "POST", "holds", Some(&wish)));
    let answers: Vec<(u16, Value)> = futures::future::try_join_all(calls).await?;
    assert_eq!(answers.iter().filter(|answer| answer.0 == 201).count(), 1);
    for (status, problem) in answers.iter().filter(|answer| answer.0 != 201) {
        assert_eq!((*status, &problem["code"]), (409, &json!("SEATS_TAKEN")), "{problem}");
        assert!(problem["seats"].as_array().is_some_and(|seats| !seats.is_empty()));
    }
    Ok(())
}

#[tokio::test]
async fn best_available_sits_together_and_survives_races() -> Result<()> {
    let bench = Bench::start(4, 10).await?;
    bench.pulse(0).await?;
    let wish = json!({"bestAvailable": {"quantity": 2, "level": "front"}});
    let fans: Vec<_> = (0..10).map(|n| bench.fan(&format!("fan {n}"))).collect();
    let calls = fans.iter().map(|fan| bench.call(fan, "POST", "holds", Some(&wish)));
    for (status, hold) in futures::future::try_join_all(calls).await? {
        assert!(status == 201 || hold["code"] == "NONE_TOGETHER", "{hold}");
    }
    Ok(())
}
