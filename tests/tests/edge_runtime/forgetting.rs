//! Who stood in line is deleted once the stated time after the on-sale is over. What verifies the draw stays.

use std::collections::BTreeMap;

use clap::Parser;
use reqwest::{Method, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::codes::{import, join_with};
use crate::edge::{Answer, EVENT, Edge, now, sleep_ms, token};
use crate::stored::Storage;

/// A month, in milliseconds.
const MONTH_MS: i64 = 30 * 86_400_000;

/// Rows that name an account, by table, over all shards.
pub fn people(storage: &Storage) -> BTreeMap<String, u64> {
    let mut rows = BTreeMap::new();
    for path in storage.databases("onsale-line-shard") {
        let db = Connection::open(path).expect("a database");
        let naming = "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                      WHERE m.type = 'table' AND c.name = 'account'";
        let mut tables = db.prepare(naming).expect("a query");
        let tables = tables.query_map([], |row| row.get::<_, String>(0)).expect("tables");
        for table in tables.map(|table| table.expect("a name")) {
            let count = |row: &rusqlite::Row<'_>| row.get::<_, u64>(0);
            let count = db.query_row(&format!("SELECT count(*) FROM {table}"), [], count).expect("a count");
            *rows.entry(table).or_default() += count;
        }
    }
    rows.retain(|_, count| *count > 0);
    rows
}

async fn people_now(edge: &mut Edge) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    edge.restart_after(|storage| found = people(storage)).await;
    found
}

/// Three in the line, one of them with a session, and one in a lane by a code; then the on-sale is closed.
async fn closed() -> (Edge, Vec<String>, i64) {
    let opens = now() + 5_000;
    let lanes = |event: &mut Value| {
        crate::codes::with_lanes(event);
        (event["opens_at_ms"], event["idle_beat_ms"]) = (json!(opens), json!(1_000));
    };
    let edge = Edge::with(5_000, lanes).await;
    import(&edge, "ONCE-ONLY,club,1").await;
    let mut accounts = Vec::new();
    for name in ["ada", "bo"] {
        accounts.push(edge.account(name).await);
        edge.join(&accounts[accounts.len() - 1]).await;
    }
    assert_eq!(join_with(&edge, &edge.account("cy").await, "ONCE-ONLY").await.status, StatusCode::CREATED);
    edge.enter("dee").await;
    accounts.push(edge.account("dee").await);
    edge.operator(Method::POST, "/close", Value::Null).await;
    edge.status_where("closed", 20_000, |status| status["phase"] == "closed").await;
    (edge, accounts, opens)
}

/// The on-sale as if it had ended so long ago: its end and its time are moved, the clock is nobody's to move.
async fn ended(edge: &Edge, opens: i64, forget_after_ms: i64) {
    let change = |event: &mut Value| {
        crate::codes::with_lanes(event);
        (event["ends_at_ms"], event["forget_after_ms"]) = (json!(opens + 1), json!(forget_after_ms));
        event["idle_beat_ms"] = json!(1_000);
    };
    edge.change(opens, change).await;
    // Every shard hears of it by its next beat.
    edge.entries().await;
    sleep_ms(2_000).await;
}

async fn verify(edge: &Edge) -> anyhow::Result<()> {
    let url = format!("{}/v1/events/{EVENT}", edge.workerd.url());
    onsale::cli::run(onsale::cli::Cli::try_parse_from(["onsale", "verify-draw", &url])?).await
}

async fn proof(edge: &Edge, account: &str) -> Answer {
    edge.fan(Method::GET, "/line/proof", &[("X-Account-Token", account)], Value::Null).await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stood_in_line_is_deleted_when_the_stated_time_is_over_and_the_draw_still_verifies() {
    let (mut edge, accounts, opens) = closed().await;
    ended(&edge, opens, MONTH_MS).await;
    let before = people_now(&mut edge).await;
    for (table, rows) in [("entry", 4), ("session", 1), ("code_use", 1), ("came_by", 1)] {
        assert_eq!(before.get(table), Some(&rows), "{table} within the time: {before:?}");
    }
    let kept = edge.join(&accounts[0]).await;
    assert_eq!(kept.status, StatusCode::OK, "{kept:?}");
    assert_eq!(proof(&edge, &accounts[0]).await.status, StatusCode::OK);
    let entries = edge.entries().await;
    verify(&edge).await.expect("the draw verifies");

    ended(&edge, opens, 1_000).await;
    assert_eq!(people_now(&mut edge).await, BTreeMap::new(), "nobody is known any more");
    for account in &accounts {
        for answer in [edge.join(account).await, proof(&edge, account).await] {
            assert_eq!((answer.status, answer.code()), (StatusCode::GONE, "CLOSED"), "{answer:?}");
        }
    }
    verify(&edge).await.expect("the draw verifies as before");
    assert_eq!(edge.entries().await, entries, "the line is as long as it was");

    // Neither a token that is kept somewhere nor lost storage brings anybody back.
    edge.lose_shards().await;
    edge.status_where("beats", 20_000, |status| status["beat"].is_u64()).await;
    let shown = [("X-Account-Token", accounts[0].as_str()), ("X-Place-Token", &token(&kept))];
    edge.try_call(Method::POST, &format!("/v1/events/{EVENT}/line"), &shown, &Value::Null).await;
    sleep_ms(2_000).await;
    assert_eq!(people_now(&mut edge).await, BTreeMap::new());
}

async fn own(edge: &Edge, method: Method, account: &str, more: &[(&str, &str)]) -> Answer {
    let headers = [&[("X-Account-Token", account)], more].concat();
    edge.try_call(method, "/v1/account", &headers, &Value::Null).await.expect("the Worker answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_account_is_erased_from_a_closed_line_and_nobody_elses_proof_changes() {
    let (mut edge, accounts, _) = closed().await;
    edge.origin.answer_accounts(
        json!({ "account": "a", "events": [EVENT], "items": [], "erased": [], "kept": [], "counts": [] }),
    );
    let (dee, bo) = (accounts[2].as_str(), accounts[1].as_str());
    let before = people_now(&mut edge).await;
    let all = own(&edge, Method::GET, dee, &[]).await;
    let kept = &all.body["lines"][0]["kept"]["0"];
    assert_eq!(
        (all.status, kept["entry"].as_array().map(Vec::len), kept["session"].as_array().map(Vec::len)),
        (StatusCode::OK, Some(1), Some(1)),
        "{all:?}"
    );
    let proved = proof(&edge, bo).await.body;
    let dees = proof(&edge, dee).await.body;
    let name = kept["entry"][0]["account"].clone();

    let done = own(&edge, Method::DELETE, dee, &[]).await;
    assert_eq!(
        (done.status, &done.body["lines"]),
        (StatusCode::OK, &json!([{ "event": EVENT, "erased": true }])),
        "{done:?}"
    );
    let after = people_now(&mut edge).await;
    assert_eq!(
        (after.get("session"), after.get("entry")),
        (None, before.get("entry")),
        "the entry stays, nameless: {after:?}"
    );
    assert_eq!(own(&edge, Method::GET, dee, &[]).await.body["lines"], json!([{ "event": EVENT, "kept": {} }]));
    assert_eq!(edge.join(dee).await.code(), "CLOSED", "it has no place any more");
    let now_bo = own(&edge, Method::GET, bo, &[]).await;
    assert_eq!(now_bo.body["lines"][0]["kept"]["0"]["entry"].as_array().map(Vec::len), Some(1), "{now_bo:?}");
    assert!(!now_bo.body.to_string().contains(name.as_str().expect("an id")));
    // The shards have started anew: their trees are built from what is stored now.
    assert_eq!(proof(&edge, bo).await.body, proved, "his proof is the same");
    assert_ne!(dees, proved);
    let by_post = json!({ "account": now_bo.body["lines"][0]["kept"]["0"]["entry"][0]["account"] });
    let erased = edge.operator(Method::POST, "/erasure", by_post).await;
    assert_eq!((erased.status, &erased.body["erased"]), (StatusCode::OK, &json!(true)), "{erased:?}");
    assert_eq!(own(&edge, Method::GET, bo, &[]).await.body["lines"][0]["kept"], json!({}));
    assert!(
        !edge.journal().await.join("").contains(erased.body["account"].as_str().expect("an id")),
        "nor does the journal"
    );
    verify(&edge).await.expect("the draw verifies");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_an_on_sale_lasts_an_entry_is_a_place_and_stays() {
    let edge = Edge::start(60_000).await;
    edge.origin
        .answer_accounts(json!({ "account": "a", "events": [], "items": [], "erased": [], "kept": [], "counts": [] }));
    let ada = edge.account("ada").await;
    assert_eq!(edge.join(&ada).await.status, StatusCode::CREATED);
    let nothing_named = own(&edge, Method::DELETE, &ada, &[]).await;
    assert_eq!((nothing_named.status, &nothing_named.body["lines"]), (StatusCode::OK, &json!([])));
    let (site, cookie) = (edge.workerd.url().to_string(), format!("onsale_place_{EVENT}=x"));
    let browser = [("Cookie", cookie.as_str()), ("Origin", site.trim_end_matches('/'))];
    let told = own(&edge, Method::DELETE, &ada, &browser).await;
    assert_eq!(told.body["lines"], json!([{ "event": EVENT, "erased": false }]), "{told:?}");
    assert_eq!(edge.join(&ada).await.status, StatusCode::OK, "the place is there");
    let account =
        own(&edge, Method::GET, &ada, &browser).await.body["lines"][0]["kept"]["0"]["entry"][0]["account"].clone();
    let early = edge.operator(Method::POST, "/erasure", json!({ "account": account })).await;
    assert_eq!(
        (early.status, &early.body["erased"]),
        (StatusCode::OK, &json!(false)),
        "nor may an operator: {early:?}"
    );
    assert_eq!(edge.join(&ada).await.status, StatusCode::OK);
    let foreign =
        own(&edge, Method::DELETE, &ada, &[("Cookie", cookie.as_str()), ("Origin", "https://elsewhere.example")]).await;
    assert_eq!((foreign.status, foreign.code()), (StatusCode::FORBIDDEN, "FOREIGN_ORIGIN"));
    for method in [Method::GET, Method::DELETE] {
        let stranger = own(&edge, method, "nonsense", &[]).await;
        assert_eq!((stranger.status, stranger.code()), (StatusCode::UNAUTHORIZED, "ACCOUNT_REQUIRED"));
    }
}
