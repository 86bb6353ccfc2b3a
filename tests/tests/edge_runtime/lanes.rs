//! Lanes: lines of their own with numbers of their own; each gets its share of the rate, and an account has one session.

use std::cell::RefCell;

use domain::draw::Verdict;
use futures::future::join_all;
use onsale::verify::{Own, Published, Source};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::codes::{import, join_with, with_lanes};
use crate::edge::{EVENT, Edge, now, sleep_ms, token};

/// People in each line before the opening.
const EACH: usize = 6;

/// An on-sale with so many people in the main line and in the lane, all before the opening.
async fn filled(opens_in_ms: i64, rate: u32) -> (Edge, Vec<String>, Vec<String>) {
    let change = |event: &mut Value| {
        with_lanes(event);
        event["rate_per_minute"] = json!(rate);
        event["claim_window_ms"] = json!(60_000);
    };
    let edge = Edge::with(opens_in_ms, change).await;
    assert_eq!(import(&edge, "CLUB2027,club,100").await.body["imported"], 1);
    let main = join_all((0..EACH).map(async |n| edge.account(&format!("main-{n}")).await)).await;
    let club = join_all((0..EACH).map(async |n| edge.account(&format!("club-{n}")).await)).await;
    for account in &main {
        assert_eq!(edge.join(account).await.status, StatusCode::CREATED);
    }
    for account in &club {
        assert_eq!(join_with(&edge, account, "CLUB2027").await.status, StatusCode::CREATED);
    }
    (edge, main, club)
}

/// The numbers of these accounts, in order.
async fn numbers(edge: &Edge, accounts: &[String]) -> Vec<u64> {
    let mut numbers = Vec::new();
    for account in accounts {
        numbers.push(edge.numbered(account).await["place"].as_u64().expect("a number"));
    }
    numbers.sort_unstable();
    numbers
}

#[tokio::test(flavor = "multi_thread")]
async fn each_lane_is_numbered_by_itself_and_gets_its_share() {
    let (edge, main, club) = filled(6_000, 120).await;
    let dense: Vec<u64> = (1..=EACH as u64).collect();
    assert_eq!(numbers(&edge, &main).await, dense, "the main line");
    assert_eq!(numbers(&edge, &club).await, dense, "the lane");
    let seen: RefCell<Vec<(u64, u64)>> = RefCell::default();
    let all = 2 * EACH as u64;
    edge.status_where("everybody has a turn", 30_000, |status| {
        let lane = &status["lanes"][0];
        let (main, lane) = (status["admitted"].as_u64().unwrap_or(0), lane[0].as_u64().unwrap_or(0));
        seen.borrow_mut().push((main, lane));
        main + lane == all
    })
    .await;
    let seen = seen.into_inner();
    // Two turns a second: at any time the lane has 30 in 100 of them within one, until one of the two is empty.
    for (main, lane) in seen.iter().filter(|(main, lane)| *main < EACH as u64 && *lane < EACH as u64) {
        let exact = (main + lane) as f64 * 0.3;
        assert!((*lane as f64 - exact).abs() < 1.0, "{lane} of {}, exactly {exact}: {seen:?}", main + lane);
    }
    let live = edge.operator(Method::GET, "", Value::Null).await.body;
    assert_eq!((&live["lanes"][0]["given"], &live["lanes"][0]["entries"]), (&json!(EACH), &json!(EACH)), "{live}");
    assert_eq!(edge.status().await["joined"], json!(all), "{live}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_a_lane_opens_the_accounts_one_session() {
    let edge = Edge::with(4_000, with_lanes).await;
    import(&edge, "CLUB2027,club,100").await;
    let ada = edge.account("ada").await;
    let (main, lane) = (edge.join(&ada).await, join_with(&edge, &ada, "CLUB2027").await);
    edge.status_where("both turns", 20_000, |status| status["admitted"] == 1 && status["lanes"][0][0] == 1).await;
    let mut sessions = Vec::new();
    for shown in [token(&lane), token(&main)] {
        let end = now() + 20_000;
        loop {
            let claim = edge.fan(Method::POST, "/admission", &[("X-Place-Token", &shown)], Value::Null).await;
            if claim.status == StatusCode::OK {
                sessions.push((claim.body["session"].clone(), claim.body["channel"].clone()));
                break;
            }
            assert!(now() < end, "{claim:?}");
            sleep_ms(200).await;
        }
    }
    assert_eq!(sessions[0].0, sessions[1].0, "one session, whichever turn opened it");
    assert_eq!(sessions[0].1, json!("lane-1"), "its lane shows a channel to the box office");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lanes_place_has_its_proof_and_its_turn_waits_for_it() {
    let (edge, _, club) = filled(5_000, 60).await;
    let mut places = Vec::new();
    for account in &club {
        places.push((edge.numbered(account).await, account));
    }
    let (last, account) = places.iter().max_by_key(|(place, _)| place["place"].as_u64()).expect("six");
    let early = edge.fan(Method::POST, "/admission", &[("X-Place-Token", token_of(last))], Value::Null).await;
    assert_eq!((early.status, early.code()), (StatusCode::FORBIDDEN, "NOT_YET"), "{early:?}");
    assert!(early.body["admitted_up_to"].as_u64() < last["place"].as_u64(), "by the lane's own count: {early:?}");
    let proof = edge.fan(Method::GET, "/line/proof", &[("X-Account-Token", account)], Value::Null).await;
    assert_eq!((proof.status, &proof.body["k"]), (StatusCode::OK, &json!(0)), "{proof:?}");
    let draw = edge.fan(Method::GET, "/lanes/club/draw/0.json", &[], Value::Null).await;
    assert_eq!((&draw.body["n"], &draw.body["drawn_by"]), (&json!(EACH), &json!("organiser")), "{draw:?}");
    let own = draw.body["cuts"]
        .as_array()
        .expect("cuts")
        .iter()
        .find(|cut| cut["shard"] == last["shard"] && cut["epoch"] == last["epoch"]);
    assert!(own.is_some_and(|cut| cut["to"].as_u64() > last["index"].as_u64()), "{draw:?}");
    let other = edge.fan(Method::GET, "/lanes/vips/draw/0.json", &[], Value::Null).await;
    assert_eq!(other.code(), "LANE_UNKNOWN");
    recomputed(&edge, token_of(last)).await;
}

/// A stranger recomputes the lane's draw once the secret is out.
async fn recomputed(edge: &Edge, token: &str) {
    assert_eq!(edge.operator(Method::POST, "/close", json!({})).await.status, StatusCode::OK);
    edge.status_where("closed", 20_000, |status| status["phase"] == "closed").await;
    let source = Source::new(&format!("{}/v1/events/{EVENT}", edge.workerd.url()), None);
    let end = now() + 30_000;
    let published = loop {
        let published = Published::read(&source, Some("club")).await.expect("everything is published");
        if published.event.draw_secret.is_some() {
            break published;
        }
        assert!(now() < end, "the secret is published");
        sleep_ms(300).await;
    };
    let checked = published.check().expect("nothing is wrong");
    assert_eq!((checked.verdict, checked.places), (Verdict::DrawnByOrganiser, EACH as u64));
    let own = Own::ask(&source, token).await.expect("a proof");
    assert_eq!(published.place_of(&own).ok(), own.told);
}

fn token_of(place: &Value) -> &str {
    place["token"].as_str().expect("a token")
}

/// Pacer and shards lose their storage in turn: nobody's number changes, and new people follow without a gap.
#[tokio::test(flavor = "multi_thread")]
async fn lost_storage_changes_nobodys_place_in_a_lane() {
    let (mut edge, _, club) = filled(5_000, 60_000).await;
    let mut places = Vec::new();
    for account in &club {
        places.push((account.clone(), edge.numbered(account).await));
    }
    edge.status_where("all admitted", 20_000, |status| status["lanes"][0][0] == EACH).await;
    let beat = edge.status().await["beat"].as_u64().expect("a beat");
    edge.restart_after(|storage| storage.lose("onsale-pacer")).await;
    let end = now() + 90_000;
    while edge.status().await["beat"].as_u64() < Some(beat + domain::cohort::BEAT_JUMP / 2) {
        let (account, place) = &places[0];
        edge.try_join(account, token_of(place)).await;
        assert!(now() < end, "the Pacer comes back: {}", edge.status().await);
        sleep_ms(300).await;
    }
    stands(&edge, &places).await;
    let newcomer = edge.account("later").await;
    join_with(&edge, &newcomer, "CLUB2027").await;
    assert_eq!(edge.numbered(&newcomer).await["place"], json!(EACH + 1), "the next number of the lane");
    edge.restart_after(|storage| (0..4).for_each(|number| storage.lose_shard_of(1, number))).await;
    stands(&edge, &places).await;
    let status = edge.status().await;
    assert_eq!(status["lanes"][0][1], json!(EACH + 1), "{status}");
}

async fn stands(edge: &Edge, places: &[(String, Value)]) {
    for (account, place) in places {
        let end = now() + 60_000;
        loop {
            let headers = [("X-Account-Token", account.as_str()), ("X-Place-Token", token_of(place))];
            let path = format!("/v1/events/{EVENT}/line");
            let answer = edge.try_call(Method::POST, &path, &headers, &Value::Null).await;
            match answer {
                Some(answer) if answer.status.is_success() => {
                    assert_eq!(
                        (&answer.body["place"], &answer.body["lane"]),
                        (&place["place"], &json!(1)),
                        "{answer:?}"
                    );
                    break;
                }
                other => assert!(now() < end, "{other:?}"),
            }
            sleep_ms(300).await;
        }
    }
}
