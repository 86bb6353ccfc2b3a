//! Choosing seats by HTTP: the single-seat rule, and what the machine picks.

use anyhow::Result;
use checkout::wall_now;
use domain::channel::BOX_OFFICE;
use domain::ids::{AccountId, SessionId};
use domain::time::EventMs;
use domain::token::{AccessToken, Token as _};
use serde_json::{Value, json};

use crate::bench::{Answer, Bench, Fan};

async fn ask(bench: &Bench, name: &str, wish: Value) -> Result<Answer> {
    bench.call(&bench.fan(name), "POST", "holds", Some(&wish)).await
}

async fn best(bench: &Bench, name: &str, wish: Value) -> Result<Answer> {
    ask(bench, name, json!({"bestAvailable": wish})).await
}

fn seats(hold: &Value) -> Vec<&str> {
    hold["seats"].as_array().into_iter().flatten().filter_map(|seat| seat["seat"].as_str()).collect()
}

#[tokio::test]
async fn a_pick_that_leaves_a_single_seat_is_refused_and_the_seat_is_named() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let refused = ask(&bench, "ada", json!({"seats": ["A-1-2", "A-1-3"]})).await?;
    assert_eq!((refused.0, &refused.1["code"], &refused.1["seats"]), (409, &json!("ORPHAN_SEATS"), &json!(["A-1-1"])));
    let refused = ask(&bench, "ada", json!({"seats": ["A-1-4", "A-1-6", "A-2-9"]})).await?;
    assert_eq!(refused.1["seats"], json!(["A-1-5", "A-2-10"]), "all of them");
    let standing = json!({"seats": ["A-1-2"], "pools": [{"pool": "floor", "quantity": 1}]});
    assert_eq!(ask(&bench, "ada", standing).await?.1["code"], "ORPHAN_SEATS");
    let pool = bench.table.shares(&bench.event, &"floor".parse()?).await?;
    assert_eq!(pool.iter().map(|share| share.held).sum::<u32>(), 0, "a refusal changes nothing");
    assert_eq!(bench.table.usage(&bench.fan("ada").account, &bench.event).await?, None);
    bench.hold(&bench.fan("ada"), &["A-1-1", "A-1-2"]).await?;
    Ok(())
}

/// The map of this bench stays as it was at the import: what it says is looked up before anybody is refused.
#[tokio::test]
async fn an_old_map_refuses_nobody() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    bench.hold(&bench.fan("ada"), &["A-1-1"]).await?;
    bench.hold(&bench.fan("bo"), &["A-1-2"]).await?;
    let taken = ask(&bench, "cyd", json!({"seats": ["A-1-2", "A-1-4"]})).await?;
    assert_eq!(
        (&taken.1["code"], &taken.1["seats"]),
        (&json!("SEATS_TAKEN"), &json!(["A-1-2"])),
        "what is taken is told first"
    );
    Ok(())
}

#[tokio::test]
async fn the_hold_that_gives_way_counts_as_free() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, key) = (bench.fan("ada"), bench.key());
    let wish = json!({"seats": ["A-1-1", "A-1-2"]});
    let hold = bench.call_under(&key, &ada, "POST", "holds", Some(&wish)).await?.1["hold"].clone();
    let moved = json!({"seats": ["A-1-2", "A-1-3"], "replaces": hold});
    assert_eq!(bench.call(&ada, "POST", "holds", Some(&moved)).await?.1["seats"], json!(["A-1-1"]));
    let moved = json!({"seats": ["A-1-2", "A-1-3", "A-1-1"], "replaces": hold});
    assert_eq!(bench.call(&ada, "POST", "holds", Some(&moved)).await?.0, 201);
    assert_eq!(
        bench.call_under(&key, &ada, "POST", "holds", Some(&wish)).await?.1["hold"],
        hold,
        "an old request again"
    );
    Ok(())
}

/// A request that was granted is granted when it comes again, though the row may look otherwise by now.
#[tokio::test]
async fn a_lost_reply_is_success_whatever_the_row_looks_like() -> Result<()> {
    let bench = Bench::start(3, 6).await?;
    let (ada, wish) = (bench.fan("ada"), json!({"seats": ["A-1-3", "A-1-4"]}));
    let hold = bench.call_under("k", &ada, "POST", "holds", Some(&wish)).await?;
    assert_eq!(hold.0, 201, "{}", hold.1);
    bench.hold(&bench.fan("bo"), &["A-1-1"]).await?;
    let again = bench.call_under("k", &ada, "POST", "holds", Some(&wish)).await?;
    assert_eq!((again.0, &again.1["hold"]), (201, &hold.1["hold"]), "{}", again.1);
    Ok(())
}

/// The twin: where the rule does not bind, the same pick is taken.
#[tokio::test]
async fn the_box_office_is_not_bound() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let wish = json!({"seats": ["A-1-2"]});
    assert_eq!(ask(&bench, "ada", wish.clone()).await?.1["code"], "ORPHAN_SEATS");
    let account = AccountId::derive("bench", "a buyer");
    let (session, expires) = (SessionId::from_bytes([1; 16]), EventMs(wall_now().0 + 900_000));
    let token = AccessToken { account, session, place: 1, lane: BOX_OFFICE, rev: 0, expires };
    let clerk = Fan { account, token: token.encode(&bench.app.keys, &bench.event) };
    assert_eq!(bench.call(&clerk, "POST", "holds", Some(&wish)).await?.0, 201);
    Ok(())
}

#[tokio::test]
async fn the_machine_picks_what_is_wished_for() -> Result<()> {
    let bench = Bench::accessible(3, 6, &["A-2-1", "A-2-4"], &["A-2-2"]).await?;
    let (status, hold) = best(&bench, "ada", json!({"quantity": 2, "accessible": 1, "companion": 1})).await?;
    assert_eq!((status, seats(&hold)), (201, vec!["A-2-1", "A-2-2"]), "{hold}");
    assert_eq!((&hold["together"], &hold["attempts"]), (&json!(true), &json!(1)));
    let (_, hold) = best(&bench, "bo", json!({"quantity": 1, "accessible": true})).await?;
    assert!(["A-2-1", "A-2-4"].contains(&seats(&hold)[0]), "{hold}");
    let (_, hold) = best(&bench, "cyd", json!({"quantity": 2, "sections": ["A"], "max_total_minor": 10_450})).await?;
    let special = |seat: &&str| ["A-2-1", "A-2-2", "A-2-4"].contains(seat);
    assert!(hold["together"] == true && !seats(&hold).iter().any(special), "{hold}");
    let table = [
        (json!({"quantity": 2, "sections": ["B"]}), 422, "PLACE_UNKNOWN"),
        (json!({"quantity": 2, "levels": ["front", "royal"]}), 422, "PLACE_UNKNOWN"),
        (json!({"quantity": 2, "max_total_minor": 10_449}), 409, "NONE_TOGETHER"),
        (json!({"quantity": 2, "min_total_minor": 2, "max_total_minor": 1}), 400, "BAD_REQUEST"),
        (json!({"quantity": 2, "companion": 1}), 400, "BAD_REQUEST"),
        (json!({"quantity": 2, "accessible": 2, "companion": 1}), 400, "BAD_REQUEST"),
        (json!({"quantity": 2, "accessible": 2}), 409, "NONE_TOGETHER"),
        (json!({"quantity": 2, "types": {"child": 3}}), 400, "BAD_REQUEST"),
        (json!({"quantity": 2, "types": {"child": 1}}), 422, "TYPE_UNKNOWN"),
    ];
    for (wish, status, code) in table {
        let answer = best(&bench, "dee", wish.clone()).await?;
        assert_eq!((answer.0, &answer.1["code"]), (status, &json!(code)), "{wish}");
    }
    Ok(())
}

#[tokio::test]
async fn a_party_that_fits_nowhere_together_is_split_and_told_so() -> Result<()> {
    let bench = Bench::start(3, 3).await?;
    let (status, problem) = best(&bench, "ada", json!({"quantity": 4, "split": false})).await?;
    assert_eq!((status, &problem["code"]), (409, &json!("NONE_TOGETHER")));
    let (status, hold) = best(&bench, "ada", json!({"quantity": 4})).await?;
    assert_eq!((status, &hold["together"], seats(&hold).len()), (201, &json!(false), 4), "{hold}");
    let rows: Vec<&str> = seats(&hold).iter().map(|seat| &seat[..3]).collect();
    assert!(rows[0] == rows[1] && rows[2] == rows[3], "nobody sits alone: {hold}");
    let path = format!("holds/{}", hold["hold"].as_str().unwrap_or_default());
    assert_eq!(bench.call(&bench.fan("ada"), "GET", &path, None).await?.1["together"], false);
    Ok(())
}
