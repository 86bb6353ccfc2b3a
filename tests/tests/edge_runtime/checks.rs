//! The checks at the door: what is asked, that each way of answering it works, that failing costs nothing, and that an
//! account with a place is past all of it.

use std::collections::BTreeSet;

use domain::door::work::solve;
use futures::future::join_all;
use onsale::stand_ins::token as widget_token;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, now, sleep_ms};

/// An edge whose event has these checks; it opens in ten minutes.
async fn edge_with(checks: Value) -> Edge {
    Edge::with(600_000, |event| event["checks"] = checks).await
}

fn work_of(problem: &Value) -> Value {
    let riddle = problem["work"]["riddle"].as_str().expect("a riddle");
    let bits = u8::try_from(problem["work"]["bits"].as_u64().expect("its difficulty")).expect("small");
    json!({ "work": { "riddle": riddle, "answer": solve(riddle, bits).expect("an answer") } })
}

impl Edge {
    async fn prove(&self, account: &str, proof: &Value) -> Answer {
        self.fan(Method::POST, "/line", &[("X-Account-Token", account)], json!({ "proof": proof })).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_of_work_opens_the_door_for_its_account_alone() {
    let edge = edge_with(json!({ "challenge": "work", "work_bits": 6 })).await;
    let (ada, bo) = (edge.account("ada").await, edge.account("bo").await);
    let asked = edge.join(&ada).await;
    assert_eq!((asked.status, asked.code()), (StatusCode::FORBIDDEN, "CHECK_REQUIRED"), "{asked:?}");
    assert_eq!(asked.body["ways"], json!(["work", "mail"]), "equal ways");
    let proof = work_of(&asked.body);
    let stolen = edge.prove(&bo, &proof).await;
    assert_eq!((stolen.code(), &stolen.body["why"]), ("CHECK_FAILED", &json!("expired")), "a riddle is one account's");
    let mut wrong = proof.clone();
    wrong["work"]["answer"][0] = json!(u64::MAX);
    assert_eq!(edge.prove(&ada, &wrong).await.body["why"], "wrong");
    let joined = edge.prove(&ada, &proof).await;
    assert_eq!(joined.status, StatusCode::CREATED, "after a failed try: {joined:?}");
    // From now on nothing is asked: not on another device, not with a proof that is none.
    for proof in [Value::Null, wrong] {
        let again = edge.prove(&ada, &proof).await;
        assert_eq!((again.status, &again.body["index"]), (StatusCode::OK, &joined.body["index"]));
    }
    assert_eq!(edge.entries().await, 1, "only one of them got a place");
}

#[tokio::test(flavor = "multi_thread")]
async fn turnstile_is_believed_once_for_this_page_and_account() {
    let edge = edge_with(json!({ "challenge": "turnstile", "work_bits": 6 })).await;
    let (ada, bo) = (edge.account("ada").await, edge.account("bo").await);
    let asked = edge.join(&ada).await;
    assert_eq!(asked.body["ways"], json!(["turnstile", "mail"]), "{asked:?}");
    let cdata = asked.body["turnstile"]["cdata"].as_str().expect("what the widget is given").to_owned();
    let widget = |host: &str, action: &str, age_s| json!({ "turnstile": widget_token(host, action, &cdata, age_s) });
    let good = widget("127.0.0.1", "join", 1);
    let cases = [
        ("another site", widget("evil.example", "join", 1), "foreign"),
        ("another purpose", widget("127.0.0.1", "login", 1), "foreign"),
        ("too old", widget("127.0.0.1", "join", 400), "used"),
        ("made up", json!({ "turnstile": "made-up" }), "wrong"),
        ("none", json!({ "turnstile": "" }), "wrong"),
    ];
    for (case, proof, why) in cases {
        let answer = edge.prove(&ada, &proof).await;
        assert_eq!((answer.code(), &answer.body["why"]), ("CHECK_FAILED", &json!(why)), "{case}: {answer:?}");
    }
    assert_eq!(edge.prove(&bo, &good).await.body["why"], "foreign", "made for ada");
    assert_eq!(edge.prove(&ada, &good).await.body["why"], "used", "bo's try spent it");
    assert_eq!(edge.prove(&ada, &widget("127.0.0.1", "join", 2)).await.status, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_turnstile_is_down_work_will_do() {
    let edge = edge_with(json!({ "challenge": "turnstile", "work_bits": 6 })).await;
    let (ada, bo) = (edge.account("ada").await, edge.account("bo").await);
    // A browser that cannot show it may work too, at a higher price.
    let unseen = edge.prove(&ada, &json!("unseen")).await;
    assert_eq!(
        (&unseen.body["ways"], &unseen.body["work"]["bits"]),
        (&json!(["work", "mail"]), &json!(9)),
        "{unseen:?}"
    );
    edge.stand_ins.outage(true);
    let down = edge.prove(&ada, &json!({ "turnstile": widget_token("127.0.0.1", "join", "x", 0) })).await;
    assert_eq!((down.code(), &down.body["why"]), ("CHECK_FAILED", &json!("down")), "{down:?}");
    assert_eq!((&down.body["ways"], &down.body["work"]["bits"]), (&json!(["work", "mail"]), &json!(6)));
    assert_eq!(edge.join(&bo).await.body["ways"], json!(["work", "mail"]), "nobody else is sent there meanwhile");
    assert_eq!(edge.prove(&ada, &work_of(&down.body)).await.status, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_by_mail_is_an_equal_way() {
    let edge = edge_with(json!({ "challenge": "work" })).await;
    let ada = edge.account("ada").await;
    let account = [("X-Account-Token", ada.as_str())];
    let bad = edge.fan(Method::POST, "/door/mail", &account, json!({ "mail": "nobody" })).await;
    assert_eq!(bad.code(), "BAD_REQUEST");
    let sent = edge.fan(Method::POST, "/door/mail", &account, json!({ "mail": "Ada@Example.org" })).await;
    let ticket = sent.body["ticket"].as_str().expect("a ticket").to_owned();
    let mails = edge.stand_ins.mails();
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "Ada@example.org"));
    let code = mails[0].text.split_whitespace().find(|w| w.len() == 8 && w.bytes().all(|b| b.is_ascii_digit()));
    let code = code.expect("a code in the mail");
    let mail = |ticket: &str, code: &str| json!({ "mail": { "ticket": ticket, "code": code } });
    let wrong = edge.prove(&ada, &mail(&ticket, "00000000")).await;
    assert_eq!((wrong.code(), &wrong.body["why"]), ("CHECK_FAILED", &json!("wrong")), "{wrong:?}");
    let bo = edge.account("bo").await;
    assert_eq!(edge.prove(&bo, &mail(&ticket, code)).await.body["why"], "expired", "another's ticket");
    assert_eq!(edge.prove(&ada, &mail(&ticket, code)).await.status, StatusCode::CREATED);
    // Guessing is slow: six tries in ten minutes; three mails.
    let mut codes = Vec::new();
    for n in 0..8 {
        codes.push(edge.prove(&bo, &mail("x", &format!("{n:08}"))).await.code().to_owned());
    }
    assert_eq!(codes[0], "CHECK_FAILED", "a ticket that is none is not tried: {codes:?}");
    let own =
        edge.fan(Method::POST, "/door/mail", &[("X-Account-Token", &bo)], json!({ "mail": "bo@example.org" })).await;
    let ticket = own.body["ticket"].as_str().expect("a ticket").to_owned();
    let mut tries = Vec::new();
    for n in 0..8 {
        tries.push(edge.prove(&bo, &mail(&ticket, &format!("{n:08}"))).await.status);
    }
    assert_eq!(tries[5..], [StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS, StatusCode::TOO_MANY_REQUESTS]);
}

#[tokio::test(flavor = "multi_thread")]
async fn networks_and_claims_are_refused_by_name_and_cost_no_place() {
    let edge = edge_with(json!({})).await;
    let ada = edge.account("ada").await;
    let joined = edge.join(&ada).await;
    let checks = json!({ "deny": ["203.0.113.0/24"], "claims": ["phone"] });
    edge.change(now() + 600_000, |event| event["checks"] = checks).await;
    let bo = edge.account("bo").await;
    let cases = [("203.0.113.7", "NETWORK_REFUSED"), ("198.51.100.7", "CLAIM_REQUIRED")];
    for (address, code) in cases {
        let refused = join_from(&edge, address, &bo).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::FORBIDDEN, code), "{refused:?}");
        let kept = join_from(&edge, address, &ada).await;
        assert_eq!(
            (kept.status, &kept.body["index"]),
            (StatusCode::OK, &joined.body["index"]),
            "an earlier place stays"
        );
    }
    for file in ["/e/demo", "/assets/js/work.js", "/assets/css/base.css"] {
        let answer = edge.try_call(Method::GET, file, &[("CF-Connecting-IP", "203.0.113.7")], &Value::Null).await;
        assert_eq!(answer.expect("an answer").status, StatusCode::OK, "{file} asks for nothing");
    }
    let detail = edge.fan(Method::GET, "", &[], Value::Null).await.body;
    assert_eq!(detail["checks"], json!({ "challenge": "none", "claims": ["phone"] }), "the deny list stays here");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_refreshes_too_fast_is_slowed_and_keeps_the_place() {
    let edge = edge_with(json!({ "account_per_minute": 20 })).await;
    let ada = edge.account("ada").await;
    let joined = edge.join(&ada).await;
    let mut slowed = None;
    for _ in 0..40 {
        let answer = edge.join(&ada).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            slowed = Some(answer);
            break;
        }
    }
    let slowed = slowed.expect("the limit is met");
    assert_eq!(slowed.code(), "SLOW_DOWN");
    let wait_ms = slowed.body["retry_after_ms"].as_i64().expect("how long");
    assert!(slowed.retry_after_s.is_some_and(|s| s * 1_000 >= wait_ms && s * 1_000 < wait_ms + 1_000), "{slowed:?}");
    let end = now() + wait_ms + 10_000;
    while edge.join(&ada).await.status != StatusCode::OK {
        assert!(now() < end, "after the wait it is answered");
        sleep_ms(200).await;
    }
    assert_eq!(edge.join(&edge.account("bo").await).await.status, StatusCode::CREATED, "nobody else is slowed");
    assert_eq!(edge.entries().await, 2);
    let shown = [("X-Place-Token", joined.body["token"].as_str().expect("a token"))];
    let line = edge.fan(Method::GET, "/line", &shown, Value::Null).await;
    assert!(line.code() == "SLOW_DOWN" || line.body["index"] == joined.body["index"], "{line:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_behind_one_address_and_one_account_from_fifty() {
    let edge = edge_with(json!({})).await;
    let mut accounts = Vec::new();
    for n in 0..500 {
        accounts.push(edge.account(&format!("fan-{n}")).await);
    }
    for group in accounts.chunks(50) {
        let answers = join_all(group.iter().map(|account| join_from(&edge, "192.0.2.1", account))).await;
        assert!(answers.iter().all(|answer| answer.status == StatusCode::CREATED), "{answers:?}");
    }
    let one = edge.account("one").await;
    let addresses: Vec<String> = (0..50).map(|n| format!("198.51.100.{n}")).collect();
    let answers = join_all(addresses.iter().map(|address| join_from(&edge, address, &one))).await;
    let places: BTreeSet<String> =
        answers.iter().map(|answer| format!("{} {}", answer.body["epoch"], answer.body["index"])).collect();
    assert_eq!(places.len(), 1, "{answers:?}");
    assert_eq!(edge.entries().await, 501);
}

async fn join_from(edge: &Edge, address: &str, account: &str) -> Answer {
    let headers = [("CF-Connecting-IP", address), ("X-Account-Token", account)];
    edge.fan(Method::POST, "/line", &headers, Value::Null).await
}
