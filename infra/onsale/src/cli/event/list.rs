//! `onsale event list`: the events that the table has, and what the edge says of each.

use anyhow::Context;
use serde_json::{Value, json};
use table::Table;

use super::args::ListArgs;
use super::when;
use crate::cli::home::Home;
use crate::stack::State;

pub(super) async fn list(home: &Home, args: ListArgs) -> anyhow::Result<()> {
    let (table, edge) = match args.url {
        Some(url) => {
            let name = std::env::var("TABLE_NAME").context("TABLE_NAME is not set")?;
            (Table::from_env(name).await, url.trim_end_matches('/').to_owned())
        }
        None => {
            let ready = home.ready()?;
            (State::table_of(&ready)?, ready.edge)
        }
    };
    let mut events = Vec::new();
    for id in table.noted_events().await? {
        events.push(about(&edge, id.as_str()).await);
    }
    if args.json {
        println!("{}", json!({ "events": events }));
    } else {
        events.iter().for_each(|event| println!("{}", line(event)));
    }
    Ok(())
}

/// What the edge says; an event that it does not know any more has an id only.
async fn about(edge: &str, id: &str) -> Value {
    let get = async |rest: &str| -> Option<Value> {
        let answer = reqwest::get(format!("{edge}/v1/events/{id}{rest}")).await.ok()?;
        answer.error_for_status().ok()?.json().await.ok()
    };
    let (event, status) = (get("").await.unwrap_or_default(), get("/status.json").await.unwrap_or_default());
    json!({
        "id": id, "name": event["name"], "zone": event["zone"], "opens_at_ms": event["opens_at_ms"],
        "phase": status["phase"],
    })
}

fn line(event: &Value) -> String {
    let text = |field: &str| event[field].as_str().unwrap_or("–");
    let opens = event["opens_at_ms"].as_i64().map_or("–".into(), |ms| when::shown(ms, text("zone")));
    format!("{:20} {:10} opens {opens}  {}", text("id"), text("phase"), text("name"))
}
