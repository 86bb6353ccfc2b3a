//! The journal: everything is in it, nothing can be taken out of it, and it survives restarts.

use std::path::Path;
use std::process::Command;

use domain::operate::{Broken, Head, Line, verify};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::Edge;

fn check(lines: &[String]) -> Result<Head, Broken> {
    verify(Head::default(), lines.iter().map(String::as_str))
}

fn read(lines: &[String]) -> Vec<Line> {
    lines.iter().map(|line| serde_json::from_str(line).expect("a line")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_act_and_every_refusal_stands_in_the_journal() {
    let edge = Edge::start(60_000).await;
    let view = edge.name_operator("vera", "view").await;
    let run = edge.name_operator("rob", "run").await;
    edge.operator_with(&view, Method::POST, "/pause", json!({ "reason": "mine" })).await;
    edge.operator_with(&run, Method::POST, "/pause", json!({ "reason": "Tor „B“ klemmt" })).await;
    edge.operator_with(&run, Method::POST, "/lift", Value::Null).await;
    edge.operator(Method::DELETE, "/operators/rob", Value::Null).await;
    edge.operator_with(&run, Method::POST, "/resume", Value::Null).await;
    let made_up = edge.operator_with(&"A".repeat(43), Method::GET, "", Value::Null).await;
    assert_eq!(made_up.status, StatusCode::UNAUTHORIZED);
    let lines = edge.journal().await;
    check(&lines).expect("a whole journal");
    let told: Vec<_> = read(&lines).into_iter().map(|line| line.note).collect();
    let short: Vec<_> =
        told.iter().map(|note| (note.who.as_str(), note.what.as_str(), note.refused.as_deref())).collect();
    let wanted = [
        ("bootstrap", "define", None),
        ("bootstrap", "add-operator", None),
        ("bootstrap", "add-operator", None),
        ("vera", "pause", Some("ROLE_REQUIRED")),
        ("rob", "pause", None),
        ("rob", "lift", Some("COMMAND_REFUSED")),
        ("bootstrap", "remove-operator", None),
        ("?", "resume", Some("OPERATOR_REQUIRED")),
        ("?", "unknown-keys", Some("OPERATOR_REQUIRED")),
    ];
    assert_eq!(short, wanted);
    assert_eq!((&told[4].before, &told[4].after), (&json!({ "paused": null }), &json!({ "paused": "Tor „B“ klemmt" })));
    assert!(told[4].correlation.len() >= 8 && told[4].role.as_deref() == Some("run"));
    let all = lines.join("\n");
    assert!(!all.contains(&view) && !all.contains(&run), "no key stands in it");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_stay_over_restarts_and_no_route_changes_them() {
    let mut edge = Edge::start(60_000).await;
    // More than one answer holds.
    for per_minute in 1..=204 {
        edge.operator(Method::POST, "/rate", json!({ "per_minute": per_minute })).await;
    }
    let lines = edge.journal().await;
    assert_eq!(lines.len(), 205);
    let head = check(&lines).expect("a whole journal");
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        for path in ["/log", "/log?after=1", "/log/1"] {
            let answer = edge.operator(method.clone(), path, json!({ "n": 1 })).await;
            assert!(answer.status.is_client_error(), "{method} {path}: {answer:?}");
        }
    }
    edge.workerd.restart().await.expect("workerd starts again");
    assert_eq!(edge.journal().await, lines);
    edge.operator(Method::POST, "/rate", json!({ "per_minute": 9 })).await;
    let longer = edge.journal().await;
    assert_eq!(longer[..lines.len()], lines[..]);
    assert_eq!(verify(head, longer[lines.len()..].iter().map(String::as_str)), check(&longer), "it goes on from there");
    storage_refuses_and_the_chain_tells(&mut edge, &longer).await;
}

/// The table itself refuses to change or delete; whoever takes that guard away first is found out by the chain.
async fn storage_refuses_and_the_chain_tells(edge: &mut Edge, lines: &[String]) {
    edge.workerd.kill().await.expect("workerd ends");
    let file = edge.pacer_storage();
    for statement in ["DELETE FROM journal WHERE n = 2", "UPDATE journal SET line = '' WHERE n = 2"] {
        let refused = sqlite(&file, &[statement]);
        assert!(refused.contains("lines of the journal"), "{statement}: {refused}");
    }
    assert_eq!(sqlite(&file, &["DROP TRIGGER journal_stays", "DELETE FROM journal WHERE n = 2"]), "");
    edge.workerd.restart().await.expect("workerd starts again");
    let odd = edge.journal().await;
    assert_eq!((odd.len(), check(&odd)), (lines.len() - 1, Err(Broken::Link(2))));
}

/// Runs statements on a database file; answers what went wrong, or nothing.
fn sqlite(file: &Path, statements: &[&str]) -> String {
    let script =
        "import sqlite3, sys\nd = sqlite3.connect(sys.argv[1])\nfor s in sys.argv[2:]: d.execute(s)\nd.commit()";
    let done = Command::new("python3").args(["-c", script]).arg(file).args(statements).output().expect("python3 runs");
    String::from_utf8_lossy(&done.stderr).into_owned()
}
