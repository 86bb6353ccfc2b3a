//! Bad plans and events are refused with everything that is wrong with them, and nothing is written.

use std::path::Path;
use std::time::Duration;

use clap::Parser;
use onsale::cli::{self, Cli};
use tests::Scene;

const PLAN: &str = r##"{"name":"Hall","size":{"width":100,"height":100},"categories":[{"name":"Hall","color":"#2563eb"}],
    "zones":[{"name":"A","zone_id":"A","position":{"x":0,"y":0},"rows":[{"row_number":"1","position":{"x":0,"y":0},
    "seats":[{"seat_guid":"A-1-1","seat_number":"1","position":{"x":1,"y":0},"category":"Hall"},
             {"seat_guid":"A-1-2","seat_number":"2","position":{"x":2,"y":0},"category":"Hall"}]}]}]}"##;

const EVENT: &str = r#"id = "hall"
name = "Hall"
venue = "Hall"
zone = "Europe/Berlin"
opens_at = "2027-03-01T10:00"
ends_at = "2027-03-02T10:00"
currency = "EUR"
plan = "plan.json"
[limits]
per_account = 4
[[levels]]
id = "hall"
category = "Hall"
price = "10.00"
"#;

/// What is done to the good event and the good plan, and the codes that must all be named.
fn cases() -> Vec<(&'static str, String, String, &'static [&'static str])> {
    let (event, plan) = (EVENT.to_owned(), PLAN.to_owned());
    vec![
        ("a truncated plan", event.clone(), plan[..plan.len() / 2].to_owned(), &["PLAN_TRUNCATED"]),
        ("a duplicate id", event.clone(), plan.replace("A-1-2", "A-1-1"), &["DUPLICATE_SEAT_ID"]),
        (
            "an unknown category",
            event.clone(),
            plan.replace(r#""category":"Hall""#, r#""category":"Box""#),
            &["UNKNOWN_CATEGORY"],
        ),
        (
            "no seats",
            event.clone(),
            r#"{"name":"Hall","size":{"width":9,"height":9},"categories":[],"zones":[]}"#.to_owned(),
            &["NO_SEATS"],
        ),
        (
            "nonsense in several places at once",
            event.replace("2027-03-01T10:00", "soon").replace("EUR", "XYZ9").replace("Europe/Berlin", "Mars/Base"),
            plan.replace("A-1-2", "A-1-1"),
            &["CURRENCY", "ZONE", "DUPLICATE_SEAT_ID"],
        ),
        ("an end before the opening", event.replace("2027-03-02", "2026-03-02"), plan.clone(), &["ENDS_BEFORE_OPENS"]),
        ("a time that the clock skips", event.replace("2027-03-01T10:00", "2027-03-28T02:30"), plan, &["TIME_SKIPPED"]),
    ]
}

async fn import(state: &Path, folder: &Path, event: &str, plan: &str) -> anyhow::Result<()> {
    std::fs::write(folder.join("plan.json"), plan)?;
    let file = folder.join("event.toml");
    std::fs::write(&file, event)?;
    let state = format!("--state={}", state.display());
    cli::run(Cli::try_parse_from(["onsale", &state, "event", "import", &file.display().to_string()])?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_events_are_refused_whole() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::from_secs(3_600)).await?;
    let (state, folder) = (scene.stack.state().to_owned(), tempfile::tempdir()?);
    scene.stack.ready(Some("rehearsal")).write(&state.join("ready.json"))?;
    let others = async || -> anyhow::Result<usize> {
        let items = scene.stack.table().scan().await?;
        Ok(items.iter().filter(|item| format!("{item:?}").contains("#hall")).count())
    };
    for (what, event, plan, codes) in cases() {
        let refused = import(&state, folder.path(), &event, &plan).await.expect_err(what).to_string();
        for code in codes {
            assert!(refused.contains(code), "{what}: {code} is named in:\n{refused}");
        }
        assert_eq!(others().await?, 0, "{what}: nothing is written");
    }
    import(&state, folder.path(), EVENT, PLAN).await?;
    assert!(others().await? > 2, "the good event is written, so the check above can see one");
    Ok(())
}
