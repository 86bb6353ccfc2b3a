//! Events on sale are found at the edge: told by the projection, once, with what is left; and found again after the index was
//! filled anew while it was searched.

use std::time::Duration;

use anyhow::Context as _;
use domain::keys::MasterKeys;
use onsale::on_sale::put_on_sale;
use onsale::rehearse::hall;
use onsale::search::Index;
use serde_json::{Value, json};
use tests::Scene;
use tests::scene::{now, wait};

async fn found(scene: &Scene, query: &str) -> anyhow::Result<Vec<Value>> {
    let url = format!("{}/v1/events?{query}", scene.stack.edge_url());
    // No copy of an earlier answer is told.
    let request = reqwest::Client::new().get(url).header("X-Test-No-Copy", "1");
    let body: Value = request.send().await?.json().await?;
    body["events"].as_array().cloned().with_context(|| format!("{query}: {body}"))
}

async fn left(scene: &Scene, query: &str) -> anyhow::Result<Option<String>> {
    Ok(found(scene, query).await?.first().map(|event| event["left"].as_str().unwrap_or_default().to_owned()))
}

/// The projection looks at an event every fifteen seconds.
const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn events_on_sale_are_found_with_what_is_left_and_the_index_can_be_rebuilt() -> anyhow::Result<()> {
    let scene = Scene::open(2, Duration::ZERO).await?;
    let mut night = hall("night", 4, now().plus(600_000)).map_err(|found| anyhow::anyhow!("{found:?}"))?;
    night.definition.rehearsal = false;
    night.definition.name = "Öffentliche Nacht".into();
    put_on_sale(&scene.stack, &night, |_, _| {}).await?;
    wait("the event is found", SOON, async || Ok(left(&scene, "q=offentl").await?.as_deref() == Some("plenty")))
        .await?;
    let table = scene.stack.table();
    let told = |id: &str| {
        let event = id.parse();
        let table = table.clone();
        async move { Ok::<_, anyhow::Error>(table.notice(&event?).await?.filter(|notice| notice.told)) }
    };
    wait("rehearsals are told too", SOON, async || Ok(told("rehearsal").await?.is_some())).await?;
    // Its hall is called so, too.
    let halls = found(&scene, "q=rehearsal").await?;
    assert!(halls.iter().all(|event| event["id"] == "night"), "but not found: {halls:?}");

    let account = scene.accounts(&["ada"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    scene.api().hold(&access, "h", &json!({ "seats": ["H01-1-1", "H01-1-2"] })).await.0?;
    let version = told("night").await?.context("told")?.doc.version;
    wait("all of the rehearsal is held", SOON, async || {
        let notice = told("rehearsal").await?;
        Ok(notice.is_some_and(|notice| notice.doc.left == domain::search::Left::None && notice.doc.version > 1))
    })
    .await?;
    assert_eq!(told("night").await?.context("told")?.doc.version, version, "nothing new, nothing written");

    let index = Index::new(scene.stack.edge_url(), MasterKeys::parse(scene.stack.master_keys())?);
    let filled = index.rebuild(&table, |_, _| ()).await?;
    assert_eq!(filled, 2);
    for _ in 0..12 {
        assert_eq!(found(&scene, "q=nacht").await?.len(), 1, "searched all the while");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(())
}
