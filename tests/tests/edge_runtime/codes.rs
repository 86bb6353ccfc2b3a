//! Presale codes: each lets in exactly as many accounts as it has uses, whoever asks how often, and whatever is lost.

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, EVENT, Edge, now, sleep_ms, token};

/// An event with a lane for codes, a lane for verified mail addresses, and no more.
pub fn with_lanes(event: &mut Value) {
    event["lanes"] = json!([
        { "id": "club", "name": "Club members", "share_percent": 30, "access": "codes" },
        { "id": "proven", "name": "Verified", "share_percent": 10, "access": "claims", "claims": ["mail"] },
    ]);
}

/// Imports codes.
pub async fn import(edge: &Edge, codes: &str) -> Answer {
    edge.operator(Method::POST, "/codes", json!({ "codes": codes })).await
}

/// Joins with a code.
pub async fn join_with(edge: &Edge, account: &str, code: &str) -> Answer {
    edge.fan(Method::POST, "/line", &[("X-Account-Token", account)], json!({ "code": code })).await
}

/// Uses that a code has left, by how many of `fresh` new accounts get in.
async fn left(edge: &Edge, code: &str, fresh: &str) -> usize {
    let mut entered = 0;
    for n in 0..6 {
        let account = edge.account(&format!("{fresh}-{n}")).await;
        let answer = join_with(edge, &account, code).await;
        match (answer.status, answer.code()) {
            (StatusCode::CREATED, _) => entered += 1,
            (_, "PRESALE_USED_UP") => return entered,
            _ => panic!("{answer:?}"),
        }
    }
    entered
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_at_once_with_a_code_for_one_and_one_of_them_enters() {
    let edge = Edge::with(120_000, with_lanes).await;
    assert_eq!(import(&edge, "ONCE-ONLY,club,1\nthrice99,club,3").await.body["imported"], 2);
    let accounts = join_all((0..10).map(async |n| edge.account(&format!("fan-{n}")).await)).await;
    for (code, uses) in [("once only", 1), ("THRICE99", 3)] {
        let answers = join_all(accounts.iter().map(async |account| join_with(&edge, account, code).await)).await;
        let entered = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
        let known = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
        let refused = answers.iter().filter(|answer| answer.code() == "PRESALE_USED_UP").count();
        // Whoever stands in the lane already keeps that place and takes no use of another code.
        let (again, want) = (usize::from(code == "THRICE99"), (uses, 10 - uses - usize::from(code == "THRICE99")));
        assert_eq!(((entered, refused), known), (want, again), "{code}: {answers:?}");
        let lanes = answers.iter().filter(|answer| answer.status.is_success()).map(|answer| &answer.body["lane"]);
        assert!(lanes.into_iter().all(|lane| lane == 1), "{answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_use_is_the_accounts_and_a_retry_takes_no_other() {
    let edge = Edge::with(120_000, with_lanes).await;
    import(&edge, "TWICE99,club,2").await;
    let ada = edge.account("ada").await;
    let main = edge.join(&ada).await;
    assert_eq!((main.status, &main.body["lane"]), (StatusCode::CREATED, &json!(0)), "first in the main line");
    let first = join_with(&edge, &ada, "TWICE99").await;
    assert_eq!((first.status, &first.body["lane"]), (StatusCode::CREATED, &json!(1)), "{first:?}");
    for again in [join_with(&edge, &ada, "TWICE99").await, edge.join(&ada).await] {
        assert_eq!(again.status, StatusCode::OK, "{again:?}");
        assert_eq!(again.body["index"], first.body["index"], "the same place, with the code or without it");
    }
    let shown = token(&first);
    let headers = [("X-Account-Token", ada.as_str()), ("X-Place-Token", shown.as_str())];
    let by_token = edge.fan(Method::POST, "/line", &headers, json!({ "code": "TWICE99" })).await;
    assert_eq!((by_token.status, &by_token.body["lane"]), (StatusCode::OK, &json!(1)));
    let other_device = edge.fan(Method::GET, "/line", &[("X-Account-Token", &ada)], Value::Null).await;
    assert_eq!(other_device.body["index"], first.body["index"], "another device shows the lane's place");
    assert_eq!(left(&edge, "TWICE99", "other").await, 1, "one use was taken, not more");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_codes_are_refused_and_tries_are_counted() {
    let edge = Edge::with(120_000, with_lanes).await;
    let past = "2001-01-01T00:00:00Z";
    import(&edge, &format!("GOOD1234,club,5\nOVER1234,club,5,,{past}")).await;
    let eve = edge.account("eve").await;
    let cases = [
        ("NOSUCHCODE", StatusCode::FORBIDDEN, "PRESALE_INVALID"),
        ("x", StatusCode::FORBIDDEN, "PRESALE_INVALID"),
        ("OVER1234", StatusCode::FORBIDDEN, "PRESALE_NOT_NOW"),
    ];
    for (code, status, word) in cases {
        let answer = join_with(&edge, &eve, code).await;
        assert_eq!((answer.status, answer.code()), (status, word), "{code}: {answer:?}");
    }
    let headers = [("X-Account-Token", eve.as_str())];
    let wishes = [
        (json!({ "lane": "nope" }), "LANE_UNKNOWN"),
        (json!({ "lane": "club" }), "LANE_REFUSED"),
        (json!({ "lane": "proven" }), "CLAIM_REQUIRED"),
        (json!({ "lane": "proven", "code": "GOOD1234" }), "PRESALE_INVALID"),
        (json!({ "code": 7 }), "BAD_REQUEST"),
    ];
    for (wish, word) in wishes {
        let answer = edge.fan(Method::POST, "/line", &headers, wish.clone()).await;
        assert_eq!(answer.code(), word, "{wish}: {answer:?}");
    }
    // Ten tries in ten minutes; two were counted above, one that can be no code was not.
    let mut told = Vec::new();
    for _ in 0..12 {
        told.push(join_with(&edge, &eve, "NOSUCHCODE").await.code().to_owned());
    }
    assert!(told.iter().filter(|code| *code == "PRESALE_INVALID").count() <= 8, "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("SLOW_DOWN"), "{told:?}");
    assert_eq!(join_with(&edge, &eve, "GOOD1234").await.code(), "SLOW_DOWN", "nor is the right one looked at");
    assert_eq!(edge.join(&eve).await.status, StatusCode::CREATED, "the main line is open to her all the same");
    let ada = edge.account("ada").await;
    assert_eq!(join_with(&edge, &ada, "good-1234").await.status, StatusCode::CREATED, "others are not slowed by it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_with_a_fault_is_refused_whole_and_leaves_no_line() {
    let edge = Edge::with(120_000, with_lanes).await;
    let before = edge.journal().await.len();
    for (codes, named) in [
        ("GOOD1234,club,5\nBAD,club,1", "line 2"),
        ("GOOD1234,club,5\nOTHER123,vips,1", "vips"),
        ("GOOD1234,club,5\nOTHER123,proven,1", "proven"),
        ("GOOD1234,club,5\ngood-1234,club,5", "GOOD1234"),
    ] {
        let answer = import(&edge, codes).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::UNPROCESSABLE_ENTITY, "BAD_CODES"), "{answer:?}");
        assert!(answer.body["findings"].to_string().contains(named), "{answer:?}");
    }
    assert_eq!(edge.journal().await.len(), before, "nothing happened, nothing is told");
    let ada = edge.account("ada").await;
    assert_eq!(join_with(&edge, &ada, "GOOD1234").await.code(), "PRESALE_INVALID", "not even the good line was taken");
    let run = edge.name_operator("rita", "run").await;
    let refused = edge.operator_with(&run, Method::POST, "/codes", json!({ "codes": "GOOD1234,club,5" })).await;
    assert_eq!(refused.code(), "ROLE_REQUIRED");
    import(&edge, "GOOD1234,club,5").await;
    let line = edge.journal().await.pop().expect("a line");
    assert!(line.contains("import-codes") && line.contains("\"codes\":1") && !line.contains("GOOD1234"), "{line}");
}

/// Without JavaScript the code is a field of the form.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_can_be_typed_without_javascript() {
    let edge = Edge::with(120_000, with_lanes).await;
    import(&edge, "FORM1234,club,1").await;
    let url = format!("{}/e/{EVENT}/plain", edge.workerd.url());
    let ada = edge.account("ada").await;
    let cookie = format!("onsale_account={ada}");
    let origin = edge.workerd.url();
    let shown = edge.http.get(&url).header("Cookie", &cookie).send().await.expect("an answer");
    assert!(shown.text().await.expect("a page").contains("name=\"presale\""), "the field is there");
    let send = async |code: &str| {
        let post = edge.http.post(&url).header("Cookie", &cookie).header("Origin", &origin);
        let form = post.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = form.body(format!("step=join&presale={code}")).send().await.expect("an answer");
        answer.text().await.expect("a page")
    };
    assert!(send("WRONG123").await.contains("There is no such code"), "the refusal is told");
    send("form-1234").await;
    let place = edge.fan(Method::GET, "/line", &[("X-Account-Token", &ada)], Value::Null).await;
    assert_eq!((place.status, &place.body["lane"]), (StatusCode::OK, &json!(1)), "{place:?}");
}

/// All shards lose their storage: shown tokens bring the entries back, the list brings the codes back, and the entries that are
/// left tell which uses are taken.
#[tokio::test(flavor = "multi_thread")]
async fn codes_that_were_lost_are_imported_again_and_uses_are_not_given_twice() {
    let mut edge = Edge::with(120_000, with_lanes).await;
    let list = "TWICE99,club,2\nOTHER99,club,1";
    import(&edge, list).await;
    let ada = edge.account("ada").await;
    let first = join_with(&edge, &ada, "TWICE99").await;
    assert_eq!(first.status, StatusCode::CREATED);
    // Two beats: every shard has begun.
    edge.entries().await;
    // The shards of the main line count codes; those of the lane keep the entries.
    edge.restart_after(|storage| (0..4).for_each(|number| storage.lose_shard_of(0, number))).await;
    let bo = edge.account("bo").await;
    let end = now() + 60_000;
    while join_with(&edge, &bo, "TWICE99").await.code() != "PRESALE_INVALID" {
        assert!(now() < end, "the codes are gone");
        sleep_ms(300).await;
    }
    let end = now() + 60_000;
    while import(&edge, list).await.body["imported"] != 2 {
        assert!(now() < end, "the list is taken again");
        sleep_ms(300).await;
    }
    let again = join_with(&edge, &ada, "TWICE99").await;
    assert_eq!((again.status, &again.body["index"]), (StatusCode::OK, &first.body["index"]), "{again:?}");
    assert_eq!(left(&edge, "TWICE99", "new").await, 1, "ada's use is still taken");
}
