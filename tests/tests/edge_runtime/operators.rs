//! Who may do what, emergency stops, and orders that no beat in flight overruns.

use std::time::Duration;

use domain::operate::{Action, Role};
use futures::join;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Edge, now, sleep_ms, token};
use crate::origin::Mood;

/// A body that the action accepts.
fn body(action: Action) -> Value {
    match action {
        Action::Pause | Action::Stop => json!({ "reason": "a test" }),
        Action::Rate => json!({ "per_minute": 100 }),
        Action::Invite => json!({ "count": 5 }),
        Action::ImportCodes => json!({ "codes": "GOOD1234,club,1" }),
        Action::Message => json!({ "text": "hello" }),
        Action::OpenEarly | Action::Postpone => json!({ "opens_at_ms": now() + 90_000 }),
        Action::AddOperator => json!({ "role": "view" }),
        Action::Appeal | Action::Erase => json!({ "account": "AAAAAAAAAAAAAAAAAAAAAA" }),
        Action::BlockSeats => json!({ "seats": ["A-1-1"], "reason": "a test" }),
        Action::HouseSeats => json!({ "seats": ["A-1-1"], "name": "a test" }),
        Action::ReleaseSeats | Action::AssignSeats => json!({ "seats": ["A-1-1"] }),
        Action::ChannelKey => json!({ "expires_ms": now() + 90_000 }),
        Action::BoxOffice => json!({ "buyer": "ada" }),
        Action::Accounts => json!({ "names": ["ada"] }),
        Action::Fault => json!({ "panic": "after_cut" }),
        Action::Define => crate::edge::event(now() + 60_000),
        _ => json!({}),
    }
}

/// What the table of roles promises, for every route and every kind of caller.
#[tokio::test(flavor = "multi_thread")]
async fn every_route_asks_for_its_role() {
    let edge = Edge::start(60_000).await;
    let mut callers = vec![("nobody's", "A".repeat(43), None), ("no", String::new(), None)];
    for role in Role::ALL {
        let name = format!("{}-operator", role.word());
        callers.push((role.word(), edge.name_operator(&name, role.word()).await, Some(role)));
    }
    let withdrawn = edge.name_operator("gone", "admin").await;
    let look = async |key: &str| edge.operator_with(key, Method::GET, "", Value::Null).await.status;
    assert_eq!(look(&withdrawn).await, StatusCode::OK);
    edge.operator(Method::DELETE, "/operators/gone", Value::Null).await;
    assert_eq!(look(&withdrawn).await, StatusCode::UNAUTHORIZED, "from the very next call on");
    callers.push(("a withdrawn", withdrawn, None));
    for action in Action::ALL {
        let (method, path, least) = action.route();
        let method: Method = method.parse().expect("a method");
        for (whose, key, role) in &callers {
            let answer = edge.operator_with(key, method.clone(), &path.replace('*', "extra"), body(action)).await;
            let wanted = match role {
                None => "OPERATOR_REQUIRED",
                Some(role) if *role < least => "ROLE_REQUIRED",
                Some(_) => "",
            };
            let refused = ["OPERATOR_REQUIRED", "ROLE_REQUIRED"].contains(&answer.code());
            let code = if refused { answer.code() } else { "" };
            assert_eq!(code, wanted, "{action:?} with {whose} key: {answer:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_replaces_the_old_one_and_roles_are_shown() {
    let edge = Edge::start(60_000).await;
    let old = edge.name_operator("ada", "run").await;
    let may = edge.operator_with(&old, Method::GET, "", Value::Null).await.body["you"].clone();
    assert_eq!((&may["name"], &may["role"]), (&json!("ada"), &json!("run")));
    assert!(may["may"].to_string().contains("\"pause\"") && !may["may"].to_string().contains("\"close\""), "{may}");
    let new = edge.name_operator("ada", "view").await;
    assert_eq!(edge.operator_with(&old, Method::GET, "", Value::Null).await.status, StatusCode::UNAUTHORIZED);
    let list = edge.operator(Method::GET, "/operators", Value::Null).await.body;
    assert_eq!((&list["operators"][0]["name"], &list["operators"][0]["role"]), (&json!("ada"), &json!("view")));
    assert!(!list.to_string().contains("hash"), "{list}");
    let refused = edge.operator_with(&new, Method::POST, "/pause", json!({ "reason": "no" })).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::FORBIDDEN, "ROLE_REQUIRED"));
    for name in ["bootstrap", "Ada", "a%20b"] {
        let answer = edge.operator(Method::PUT, &format!("/operators/{name}"), json!({ "role": "view" })).await;
        assert_eq!(answer.code(), "BAD_REQUEST", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_stop_shuts_the_door_to_the_origin() {
    let edge = Edge::start(500).await;
    let (_, access) = edge.enter("ada").await;
    let hold = async || edge.fan(Method::POST, "/holds", &[("X-Access-Token", &access)], json!({})).await;
    assert_eq!(hold().await.code(), "SEATS_TAKEN", "the origin's word");
    let stopped = edge.operator(Method::POST, "/stop", json!({ "reason": "a fire alarm" })).await;
    assert_eq!(stopped.status, StatusCode::OK, "{stopped:?}");
    // From the next status on that this isolate reads; the shards had it before the stop was acknowledged.
    let status = edge.status_where("stopped", 3_000, |status| status["phase"] == "stopped").await;
    assert_eq!((&status["why"], &status["clock"][2]), (&json!("a fire alarm"), &json!(0)), "event time stands");
    let before = edge.origin.bookings().len();
    for path in ["/holds", "/orders"] {
        let answer = edge.fan(Method::POST, path, &[("X-Access-Token", &access)], json!({})).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::SERVICE_UNAVAILABLE, "STOPPED"), "{path}");
    }
    let waiting = token(&edge.join(&edge.account("bo").await).await);
    let claim = edge.fan(Method::POST, "/admission", &[("X-Place-Token", &waiting)], Value::Null).await;
    assert!(["STOPPED", "NOT_NUMBERED"].contains(&claim.code()), "{claim:?}");
    sleep_ms(2_500).await;
    let later = edge.status().await;
    assert_eq!((&later["admitted"], &later["clock"][1]), (&status["admitted"], &status["clock"][1]));
    assert_eq!(edge.origin.bookings().len(), before, "nothing reached the origin");
    edge.operator(Method::POST, "/message", json!({ "text": "All is well, we go on." })).await;
    edge.operator(Method::POST, "/lift", Value::Null).await;
    let open = edge.status_where("open", 3_000, |status| status["phase"] == "open").await;
    assert_eq!((&open["msg"], &open["why"]), (&json!("All is well, we go on."), &Value::Null));
    assert_eq!(hold().await.code(), "SEATS_TAKEN", "the same session goes on");
    edge.enter("bo").await;
}

/// Beats are slow, so that each command meets one in flight; two operators act at once.
#[tokio::test(flavor = "multi_thread")]
async fn an_acknowledged_order_is_never_overrun_by_a_beat_in_flight() {
    let edge = Edge::start(500).await;
    edge.operator(Method::POST, "/rate", json!({ "per_minute": 60 })).await;
    for i in 0..40 {
        edge.join(&edge.account(&format!("fan-{i}")).await).await;
    }
    edge.status_where("people are let in", 8_000, |status| status["admitted"].as_u64() > Some(0)).await;
    edge.origin.feel(Mood::Slow(900));
    let admitted = async || edge.operator(Method::GET, "", Value::Null).await.body["admitted"].clone();
    for round in 0..4_u32 {
        sleep_ms(1_000 + 300 * u64::from(round)).await;
        let pause = edge.operator(Method::POST, "/pause", json!({ "reason": format!("round {round}") }));
        let rate = edge.operator(Method::POST, "/rate", json!({ "per_minute": 60 + round }));
        let (pause, rate) = join!(pause, rate);
        let at_the_answer = admitted().await;
        assert!(pause.status == StatusCode::OK && rate.status == StatusCode::OK, "{pause:?} {rate:?}");
        let beat = edge.operator(Method::GET, "", Value::Null).await.body["beat"].as_u64().expect("a beat");
        let patience = now() + 20_000;
        while edge.operator(Method::GET, "", Value::Null).await.body["beat"].as_u64() < Some(beat + 2) {
            assert!(now() < patience, "beats go on");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(admitted().await, at_the_answer, "round {round}: two beats later");
        let live = edge.operator(Method::GET, "", Value::Null).await.body;
        assert_eq!(live["orders"]["rate"], 60 + round, "the other order stands too");
        edge.operator(Method::POST, "/resume", Value::Null).await;
    }
    let before = admitted().await.as_u64();
    edge.origin.feel(Mood::Well);
    edge.status_where("it goes on", 8_000, |status| status["admitted"].as_u64() > before).await;
    let journal = edge.journal().await.join("\n");
    for what in ["\"what\":\"pause\"", "\"what\":\"resume\""] {
        assert_eq!(journal.matches(what).count(), 4, "{journal}");
    }
}
