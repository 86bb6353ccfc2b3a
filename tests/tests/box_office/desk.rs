//! Blocked seats, house holds and channels, as operators' calls reach the box office.

use anyhow::Result;
use checkout::wall_now;
use domain::channel;
use domain::ids::SessionId;
use domain::time::EventMs;
use domain::token::{AccessToken, Token as _};
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};

/// A fan whose turn came in a lane.
fn in_lane(bench: &Bench, name: &str, lane: u8) -> Fan {
    let Fan { account, .. } = bench.fan(name);
    let (session, expires) = (SessionId::from_bytes([1; 16]), EventMs(wall_now().0 + 900_000));
    let token = AccessToken { account, session, place: 1, lane, rev: 0, expires };
    Fan { account, token: token.encode(&bench.app.keys, &bench.event) }
}

fn codes(answer: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    answer["refused"].as_array().into_iter().flatten().map(|f| (text(&f["seat"]), text(&f["code"]))).collect()
}

#[tokio::test]
async fn seats_leave_the_sale_and_come_back() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let hold = bench.hold(&ada, &["A-1-1"]).await?;
    let sold = bench.hold(&bo, &["A-1-2"]).await?;
    let pay = json!({"hold": sold, "paymentMethod": "pm_card_visa"});
    let order = bench.call(&bo, "POST", "orders", Some(&pay)).await?.1["order"].clone();

    let wish = json!({"seats": ["A-1-1", "A-1-2", "A-1-3", "A-1-4"], "reason": "a pillar"});
    let (status, answer) = bench.desk("POST", "seats/block", Some(&wish)).await?;
    assert_eq!((status, &answer["changed"]), (200, &json!(2)), "{answer}");
    let pair = |seat: &str, code: &str| (seat.to_owned(), code.to_owned());
    assert_eq!(codes(&answer), [pair("A-1-1", "SEAT_HELD"), pair("A-1-2", "SEAT_SOLD")]);
    assert_eq!((&answer["refused"][0]["hold"], &answer["refused"][1]["order"]), (&json!(hold), &order));
    let taken = bench.call(&bench.fan("cyd"), "POST", "holds", Some(&json!({"seats": ["A-1-3"]}))).await?;
    assert_eq!((taken.0, &taken.1["code"], &taken.1["seats"]), (409, &json!("SEATS_TAKEN"), &json!(["A-1-3"])));

    let house = json!({"seats": ["A-1-4", "A-1-5"], "name": "press", "until_ms": 5});
    let (_, answer) = bench.desk("POST", "seats/house", Some(&house)).await?;
    assert_eq!(codes(&answer), [pair("A-1-4", "SEAT_BLOCKED")]);
    let (_, listing) = bench.desk("GET", "seats", None).await?;
    assert_eq!(listing["counts"], json!({"free": 15, "held": 1, "claimed": 0, "sold": 1, "blocked": 3}));
    assert_eq!(listing["blocked"], json!([{"reason": "a pillar", "seats": ["A-1-3", "A-1-4"]}]));
    assert_eq!(listing["house"], json!([{"name": "press", "until_ms": 5, "seats": ["A-1-5"]}]));

    for _ in 0..2 {
        let free = json!({"seats": ["A-1-3", "A-1-5"]});
        assert_eq!(bench.desk("POST", "seats/release", Some(&free)).await?.1["changed"], 2, "also the second time");
    }
    bench.hold(&bench.fan("cyd"), &["A-1-3", "A-1-5"]).await?;
    Ok(())
}

#[tokio::test]
async fn a_channel_is_sold_to_who_shows_it_and_to_nobody_else() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (seats, channel) in [(["A-1-1", "A-1-2"], "fan-club"), (["A-1-3", "A-1-4"], "lane-2")] {
        let assign = json!({"seats": seats, "channel": channel});
        assert_eq!(bench.desk("POST", "seats/assign", Some(&assign)).await?.0, 200);
    }
    let key = |name: &str| -> Result<String> {
        Ok(channel::key(&name.parse()?, wall_now().plus(60_000), &bench.app.keys, &bench.event))
    };
    let (club, other) = (key("fan-club")?, key("sponsors")?);
    let ask = async |fan: &Fan, seats: Value, key: Value| {
        let answer = bench.call(fan, "POST", "holds", Some(&json!({"seats": seats, "channel": key}))).await?;
        anyhow::Ok((answer.0, answer.1["code"].as_str().unwrap_or_default().to_owned()))
    };
    let (ada, bo) = (bench.fan("ada"), in_lane(&bench, "bo", 2));
    let club_seats = json!(["A-1-1", "A-1-2"]);
    let refused = |status: u16, code: &str| (status, code.to_owned());
    assert_eq!(ask(&ada, club_seats.clone(), Value::Null).await?, refused(409, "CHANNEL_REQUIRED"));
    assert_eq!(ask(&ada, club_seats.clone(), json!(other)).await?, refused(409, "CHANNEL_REQUIRED"));
    assert_eq!(ask(&ada, club_seats.clone(), json!("fan-club")).await?, refused(422, "CHANNEL_KEY_INVALID"));
    assert_eq!(ask(&bo, club_seats.clone(), Value::Null).await?, refused(409, "CHANNEL_REQUIRED"), "another lane's");
    assert_eq!(ask(&ada, json!(["A-1-3"]), json!(club)).await?, refused(409, "CHANNEL_REQUIRED"), "a lane's");
    assert_eq!(ask(&ada, club_seats, json!(club)).await?.0, 201);
    assert_eq!(ask(&bo, json!(["A-1-3", "A-1-4"]), Value::Null).await?.0, 201, "by the lane alone");
    let (_, listing) = bench.desk("GET", "seats", None).await?;
    assert_eq!((&listing["channels"][0]["channel"], &listing["channels"][0]["held"]), (&json!("fan-club"), &json!(2)));
    Ok(())
}

#[tokio::test]
async fn what_makes_no_sense_changes_nothing() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let many: Vec<String> = (0..1_001).map(|n| format!("A-1-{n}")).collect();
    let cases = [
        ("block", json!({"seats": ["A-1-1"]}), 400, "BAD_REQUEST"),
        ("block", json!({"seats": ["A-1-1"], "reason": "two\nlines"}), 400, "BAD_REQUEST"),
        ("house", json!({"seats": ["A-1-1"], "reason": "x"}), 400, "BAD_REQUEST"),
        ("block", json!({"seats": [], "reason": "x"}), 400, "BAD_REQUEST"),
        ("block", json!({"seats": many, "reason": "x"}), 400, "BAD_REQUEST"),
        ("block", json!({"seats": ["A-1-1", "A-9-9"], "reason": "x"}), 422, "SEAT_UNKNOWN"),
        ("assign", json!({"seats": ["A-1-1"], "channel": "Fan Club"}), 400, "BAD_REQUEST"),
        ("sell", json!({"seats": ["A-1-1"]}), 404, "NOT_FOUND"),
    ];
    for (deed, body, status, code) in cases {
        let answer = bench.desk("POST", &format!("seats/{deed}"), Some(&body)).await?;
        assert_eq!((answer.0, &answer.1["code"]), (status, &json!(code)), "{deed} {body}");
    }
    let wish = json!({"seats": ["A-1-1"], "reason": "x"});
    let fan = bench.fan("ada");
    for headers in [&[][..], &[("x-desk-token", fan.token.as_str())], &[("x-access-token", fan.token.as_str())]] {
        let answer = bench.send("POST", "seats/block", headers, Some(&wish)).await?;
        assert_eq!((answer.0, &answer.1["code"]), (401, &json!("ACCESS_REQUIRED")));
        assert_eq!(bench.send("GET", "seats", headers, None).await?.0, 401);
    }
    assert_eq!(bench.desk("GET", "seats", None).await?.1["counts"]["free"], 10);
    Ok(())
}
