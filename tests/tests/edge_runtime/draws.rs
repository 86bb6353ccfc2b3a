//! The draw in the real runtime: with a public beacon that is well, out or lying, and without one; then what a stranger finds
//! in the published files, by the tool and by a program that was written from docs/formats.md alone.

use std::path::Path;
use std::process::Command;

use clap::Parser;
use domain::draw::{DrawFile, SealFile, Verdict, file_hash};
use onsale::beacon::{Mood, StandIn};
use onsale::cli::Cli;
use onsale::verify::{Own, Published, Source};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::edge::{EVENT, Edge, token};

async fn beacon() -> StandIn {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    StandIn::start(listener, [7; 64]).expect("a beacon")
}

async fn edge_with(beacon: &StandIn, opens_in_ms: i64) -> Edge {
    // The first address is dead: the second one serves.
    let urls = format!("http://127.0.0.1:9,{}", beacon.url());
    let mut event = crate::edge::event(crate::edge::now() + opens_in_ms);
    event["beacon"] = serde_json::to_value(beacon.chain()).expect("a chain is JSON");
    Edge::with_beacon(crate::edge::bundle().await, event, &urls).await
}

async fn join_all(edge: &Edge, names: &[&str]) -> Vec<String> {
    let mut tokens = Vec::new();
    for name in names {
        tokens.push(token(&edge.join(&edge.account(name).await).await));
    }
    tokens
}

fn address(edge: &Edge) -> String {
    format!("{}/v1/events/{EVENT}", edge.workerd.url())
}

async fn bytes(edge: &Edge, path: &str) -> Vec<u8> {
    let answer = reqwest::get(format!("{}{path}", address(edge))).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    answer.bytes().await.expect("a body").to_vec()
}

async fn sealed(edge: &Edge) -> String {
    let status = edge.status_where("sealed", 15_000, |status| status["seal"].is_string()).await;
    assert_eq!((&status["phase"], &status["draw"]), (&json!("drawing"), &Value::Null));
    status["seal"].as_str().expect("a hash").to_owned()
}

async fn secret(edge: &Edge) -> Value {
    edge.fan(Method::GET, "", &[], Value::Null).await.body["draw_secret"].clone()
}

/// Closes the on-sale and waits until the secret is out.
async fn close(edge: &Edge) {
    assert_eq!(secret(edge).await, Value::Null, "the secret does not leak while the on-sale lasts");
    edge.operator(Method::POST, "/close", Value::Null).await;
    edge.status_where("closed", 10_000, |status| status["phase"] == "closed").await;
    let end = crate::edge::now() + 60_000;
    while secret(edge).await.is_null() {
        assert!(crate::edge::now() < end, "the secret is published");
        crate::edge::sleep_ms(300).await;
    }
}

async fn cli(args: &[&str]) -> Result<(), String> {
    let cli = Cli::try_parse_from(["onsale", "verify-draw"].iter().chain(args)).expect("the command exists");
    onsale::cli::run(cli).await.map_err(|error| error.to_string())
}

/// The verifier that a stranger wrote from the document, on a folder of published files.
fn stranger(folder: &Path) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/verify_draw.py");
    let out = Command::new("python3").arg(script).arg(folder).output().expect("python3 runs");
    let text = [out.stdout, out.stderr].concat();
    (out.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// A copy of the published files with one of them changed.
fn tampered(folder: &Path, name: &str, from: &str, to: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(copy.path().join("draw")).expect("a folder");
    for file in ["event.json", "status.json", "draw/0.json", "draw/1.json", "proof.json"] {
        let text = std::fs::read_to_string(folder.join(file)).expect(file);
        let text = if file == name { replaced(&text, from, to) } else { text };
        std::fs::write(copy.path().join(file), text).expect(file);
    }
    copy
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beacon_that_is_out_or_lies_holds_the_draw_and_a_good_one_makes_it_verifiable() {
    let beacon = beacon().await;
    beacon.feel(Mood { outage: true, ..Mood::default() });
    let mut edge = edge_with(&beacon, 8_000).await;
    // On a busy machine the last of them may come after the opening; nothing below rests on who is in which cohort.
    let mut fans = join_all(&edge, &["ada", "bo", "cyd", "dee", "eve"]).await;

    let seal = sealed(&edge).await;
    assert_eq!(file_hash(&bytes(&edge, "/draw/seal.json").await), seal, "published before the round is taken");
    edge.status_where("overdue", 15_000, |status| status["why"] == "beacon_out").await;
    edge.workerd.kill().await.expect("workerd ends");
    edge.workerd.restart().await.expect("workerd starts again");
    fans.extend(join_all(&edge, &["late"]).await);
    beacon.feel(Mood { lies: true, ..Mood::default() });
    let live = async || edge.operator(Method::GET, "", Value::Null).await.body;
    let end = crate::edge::now() + 60_000;
    while !live().await["beacon_trouble"].to_string().contains("not signed") {
        assert!(crate::edge::now() < end, "the operator is told of the lie: {}", live().await);
        crate::edge::sleep_ms(200).await;
    }
    assert_eq!(sealed(&edge).await, seal, "neither a crash nor a lie changes what is sealed");

    beacon.feel(Mood { delay_ms: 700, ..Mood::default() });
    edge.status_where("open", 20_000, |status| status["phase"] == "open").await;
    let file = DrawFile::parse(&bytes(&edge, "/draw/0.json").await).expect("a draw file");
    assert_eq!(SealFile::of_draw(&file).expect("a beacon drew").hash(), seal, "who was sealed was drawn");
    assert_eq!(file_hash(&bytes(&edge, "/draw/seal.json").await), seal);
    edge.status_where("all are numbered", 15_000, |status| status["given"] == 6).await;
    close(&edge).await;
    published_files_verify(&edge, &fans).await;
}

/// The shards lose their storage between seal and draw: who is sealed is drawn once, and nobody is sent to the end.
#[tokio::test(flavor = "multi_thread")]
async fn shards_that_lose_their_storage_between_seal_and_draw_keep_their_people() {
    let beacon = beacon().await;
    beacon.feel(Mood { outage: true, ..Mood::default() });
    let mut edge = edge_with(&beacon, 8_000).await;
    let names = ["ada", "bo", "cyd", "dee", "eve", "fay"];
    let fans = join_all(&edge, &names).await;
    let seal = sealed(&edge).await;
    edge.restart_after(|storage| storage.lose("onsale-line-shard")).await;
    for (name, token) in names.iter().zip(&fans) {
        let again = show(&edge, name, token).await;
        assert_eq!((again.status, &again.body["place"]), (StatusCode::OK, &Value::Null), "{again:?}");
    }
    assert_eq!(sealed(&edge).await, seal);
    beacon.feel(Mood::default());
    edge.status_where("open", 20_000, |status| status["phase"] == "open").await;
    let mut places = Vec::new();
    for (name, token) in names.iter().zip(&fans) {
        places.push(show(&edge, name, token).await.body["place"].as_u64().expect("a number"));
    }
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3, 4, 5, 6], "nobody has two entries");
}

async fn show(edge: &Edge, name: &str, token: &str) -> crate::edge::Answer {
    let account = edge.account(name).await;
    let headers = [("X-Account-Token", account.as_str()), ("X-Place-Token", token)];
    edge.fan(Method::POST, "/line", &headers, Value::Null).await
}

/// The whole of what a stranger can do with the published files, and what each lie in them leads to.
async fn published_files_verify(edge: &Edge, fans: &[String]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Source::new(&address(edge), Some(folder.path().to_owned()));
    let published = Published::read(&source, None).await.expect("everything is published");
    let checked = published.check().expect("nothing is wrong");
    assert_eq!((checked.verdict, checked.places, checked.cohorts), (Verdict::Verified, 6, 2));
    let mut places = Vec::new();
    // Backwards, so that the proof that stays is of one who came before the opening.
    for token in fans.iter().rev() {
        let own = Own::ask(&source, token).await.expect("a proof");
        places.push(published.place_of(&own).expect("the place told is the place drawn"));
        std::fs::write(folder.path().join("proof.json"), serde_json::to_vec(&own.proof).expect("JSON"))
            .expect("written");
    }
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3, 4, 5, 6]);

    cli(&[&address(edge), "--token", &fans[0], "--json"]).await.expect("by its address");
    let at = folder.path().to_str().expect("a path");
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("a path");
    cli(&[at, "--proof", proof]).await.expect("from the folder");
    let (fine, said) = stranger(folder.path());
    assert!(fine && said.contains(&format!("place {}", place_of(&published, proof))), "{said}");

    let first = &published.files[0];
    let part = first.beacon.expect("a beacon drew");
    let hex = domain::bytes32::to_hex;
    let (round, seed) = (format!("\"round\":{}", part.round), hex(&first.seed));
    let (base, more) = (format!("\"base\":{}", first.n), format!("\"base\":{}", first.n + 1));
    let (other, root) = ("ab".repeat(32), hex(&first.cuts[0].root));
    let lies = [
        ("draw/0.json", root.as_str(), other.as_str(), "SEED"),
        ("draw/0.json", &seed, &other, "SEED"),
        ("draw/0.json", &round, "\"round\":1", "ROUND"),
        ("draw/0.json", "\"drawn_by\":\"beacon\"", "\"drawn_by\":\"organiser\"", "BEACON"),
        ("draw/1.json", &base, &more, "BASE"),
        ("event.json", &hex(&first.commitment), &other, "SECRET"),
        ("proof.json", "\"time_ms\":1", "\"time_ms\":2", "PROOF"),
    ];
    for (file, from, to, code) in lies {
        let copy = tampered(folder.path(), file, from, to);
        let proof = copy.path().join("proof.json");
        let refused = cli(&[copy.path().to_str().expect("a path"), "--proof", proof.to_str().expect("a path")]).await;
        let refused = refused.expect_err(code);
        assert!(refused.contains(code), "{file} {from}: {refused}");
        let (fine, said) = stranger(copy.path());
        assert!(!fine && said.contains(code), "{file} {from}: {said}");
    }
}

fn place_of(published: &Published, proof: &str) -> u64 {
    let proof = serde_json::from_slice(&std::fs::read(proof).expect("a proof")).expect("JSON");
    published.place_of(&Own { proof, told: None }).expect("a place")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_may_draw_without_the_beacon_and_it_is_not_called_verifiable() {
    let beacon = beacon().await;
    beacon.feel(Mood { outage: true, ..Mood::default() });
    let edge = edge_with(&beacon, 4_000).await;
    let early = join_all(&edge, &["ada", "bo"]).await;
    sealed(&edge).await;
    let proof = edge.fan(Method::GET, "/line/proof", &[("X-Place-Token", &early[0])], Value::Null).await;
    assert_eq!((proof.status, proof.code()), (StatusCode::FORBIDDEN, "NOT_NUMBERED"));
    let none = edge.fan(Method::GET, "/line/proof", &[], Value::Null).await;
    assert_eq!(none.code(), "ACCOUNT_REQUIRED");
    let ordered = edge.operator(Method::POST, "/draw-without-beacon", Value::Null).await;
    assert_eq!(ordered.status, StatusCode::OK);
    edge.status_where("open", 15_000, |status| status["phase"] == "open").await;
    assert_eq!(DrawFile::parse(&bytes(&edge, "/draw/0.json").await).expect("a draw file").beacon, None);
    close(&edge).await;
    let published = Published::read(&Source::new(&address(&edge), None), None).await.expect("everything is published");
    let checked = published.check().expect("nothing is wrong");
    assert_eq!((checked.verdict, checked.places), (Verdict::DrawnByOrganiser, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_may_name_only_a_beacon_that_can_be_asked() {
    let edge = Edge::start(60_000).await;
    let chain = serde_json::to_value(onsale::beacon::chain_of(&[7; 64])).expect("a chain is JSON");
    let mut event = crate::edge::event(crate::edge::now() + 60_000);
    event["beacon"] = chain;
    let put = edge.operator(Method::PUT, "", event.clone()).await;
    assert_eq!((put.status, put.code()), (StatusCode::UNPROCESSABLE_ENTITY, "BAD_EVENT"), "{put:?}");
    event["beacon"]["scheme"] = "pedersen-bls-chained".into();
    let put = edge.operator(Method::PUT, "", event).await;
    assert!(put.body["findings"].to_string().contains("beacon"), "{put:?}");
}
