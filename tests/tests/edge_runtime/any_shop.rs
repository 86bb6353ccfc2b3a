//! A foreign shop behind the line: fifty lines of Python that know the pulse and the access token, and nothing else.

use std::process::Stdio;

use domain::keys::MasterKeys;
use domain::time::WallMs;
use onsale::check_origin::{Target, check};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::door::minted;
use crate::edge::{EVENT, Edge, MASTER_KEYS, now, token};

const SHOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/any-shop/shop.py");
/// What keeps people without a turn out of it.
const GUARD: &str = r#"if not (ok := read(token, 2, "access")) or int.from_bytes(ok[-8:], "big") <= event_now():"#;
const OTHER_KEYS: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A running shop; it ends with the test.
struct Shop {
    url: String,
    _process: Child,
}

impl Shop {
    async fn start(tickets: u32) -> Self {
        Self::run(&std::fs::read_to_string(SHOP).expect("the shop's source"), tickets).await
    }

    async fn run(source: &str, tickets: u32) -> Self {
        let mut process = Command::new("python3")
            .args(["-c", source])
            .env("EVENT", EVENT)
            .env("ONSALE_MASTER_KEYS", MASTER_KEYS)
            .env("TICKETS", tickets.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("python3 runs");
        let mut port = String::new();
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe"));
        lines.read_line(&mut port).await.expect("the shop says its port");
        Self { url: format!("http://127.0.0.1:{}", port.trim()), _process: process }
    }

    /// A booking call past the edge.
    async fn directly(&self, access: &str) -> u16 {
        let url = format!("{}/v1/events/{EVENT}/holds", self.url);
        let call = reqwest::Client::new().post(url).header("x-access-token", access).body("{}");
        call.send().await.expect("the shop answers").status().as_u16()
    }
}

fn target(url: &str) -> Target {
    let keys = MasterKeys::parse(MASTER_KEYS).expect("good keys");
    Target { url: url.to_owned(), event: EVENT.parse().expect("an id"), keys, signer: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_knows_pulse_and_token_only_stands_behind_the_line() {
    let shop = Shop::start(3).await;
    let edge = Edge::before(&shop.url, 4_000).await;
    let mut accounts = Vec::new();
    for name in ["ada", "bo", "cy"] {
        accounts.push(edge.account(name).await);
        assert_eq!(edge.join(&accounts[accounts.len() - 1]).await.status, StatusCode::CREATED);
    }
    edge.status_where("open", 12_000, |status| status["phase"] == "open").await;
    let draw = edge.fan(Method::GET, "/draw/0.json", &[], Value::Null).await;
    assert_eq!(draw.body["n"], 3, "{draw:?}");
    for keys in [OTHER_KEYS, MASTER_KEYS] {
        // The second is over: an hour ago in event time.
        let odd = minted(keys, EVENT, now() - if keys == MASTER_KEYS { 3_600_000 } else { -600_000 });
        let refused = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &odd)], json!({})).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "the edge: {refused:?}");
        assert_eq!(shop.directly(&odd).await, 401, "the shop itself");
    }
    assert_eq!(shop.directly("").await, 401);
    let mut tickets = Vec::new();
    for name in ["ada", "bo", "cy"] {
        let (_, access) = edge.enter(name).await;
        let bought = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &access)], json!({})).await;
        assert_eq!(bought.status, StatusCode::CREATED, "{bought:?}");
        let again = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &access)], json!({})).await;
        assert_eq!(again.body, bought.body, "one for each account");
        tickets.push(bought.body["ticket"].as_u64().expect("a ticket"));
    }
    assert_eq!(tickets, [1, 2, 3]);
    // The line follows the shop's stock: nothing left, nobody more comes in.
    edge.status_where("sold out", 6_000, |status| status["phase"] == "sold_out" && status["turns"] == 0).await;
    let late = edge.join(&edge.account("dee").await).await;
    let claim = edge.fan(Method::POST, "/admission", &[("X-Place-Token", &token(&late))], Value::Null).await;
    assert!(["NOT_NUMBERED", "NOT_YET"].contains(&claim.code()), "{claim:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_passes_a_good_shop_and_names_what_a_bad_one_lacks() {
    let broken = async |url: &str| {
        let clauses = check(&target(url), WallMs(now())).await;
        assert!(clauses.len() > 12);
        clauses.into_iter().filter(|clause| clause.instead.is_some()).map(|clause| clause.what).collect::<Vec<_>>()
    };
    assert_eq!(broken(&Shop::start(3).await.url).await, Vec::<&str>::new());
    // The same shop without its guard answers pulses as well, and lets everybody book.
    let source = std::fs::read_to_string(SHOP).expect("the shop's source");
    let trusting = source.replace(GUARD, "ok = bytes(99)\n    if False:");
    assert_ne!(trusting, source);
    let trusting = broken(&Shop::run(&trusting, 3).await.url).await;
    let wanted = ["without a token", "forged access", "another event", "time is over", "truncated", "with a tail"];
    for part in wanted {
        assert!(trusting.iter().any(|what| what.contains(part)), "{part}: {trusting:?}");
    }
    assert_eq!(trusting.len(), 7, "{trusting:?}");
    assert_eq!(broken("http://127.0.0.1:9").await.len(), 16, "nobody there");
}
