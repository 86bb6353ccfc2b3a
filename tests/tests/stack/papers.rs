//! Tickets as documents, through the real edge: a link opens them, and a bad one does not reach the origin.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::Response;
use serde_json::{Value, json};
use tests::Scene;

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn fetch(scene: &Scene, link: &str) -> anyhow::Result<Response> {
    Ok(reqwest::get(format!("{}{link}", scene.stack.edge_url())).await?)
}

fn paper_calls(scene: &Scene) -> usize {
    scene.stack.origin_log().iter().filter(|request| request.path.contains("/tickets.")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_opened_by_their_links() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    let account = scene.accounts(&["ada"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    let (hold, _) = scene.api().hold(&access, "h", &json!({ "seats": ["H01-1-1"] })).await;
    let sold = scene.api().order(&access, "o", &hold?.hold, "pm_card_visa").await?;
    let path = format!("/orders/{}", sold.order);
    let shown = scene.api().raw(reqwest::Method::GET, &path).header("x-access-token", &access).send().await?;
    let order: Value = shown.json().await?;
    let link = |kind: &str| order["documents"][kind].as_str().context("a link").map(str::to_owned);

    let page = fetch(&scene, &link("page")?).await?;
    assert_eq!((page.status().as_u16(), header(&page, "content-type")), (200, "text/html; charset=utf-8"));
    assert!(header(&page, "content-security-policy").starts_with("default-src 'none'"));
    assert_eq!((header(&page, "referrer-policy"), header(&page, "cache-control")), ("no-referrer", "no-store"));
    assert!(page.text().await?.contains("Rehearsal hall"));
    let pdf = fetch(&scene, &link("pdf")?).await?;
    assert_eq!(header(&pdf, "content-disposition"), "attachment; filename=\"rehearsal-tickets.pdf\"");
    assert_eq!(&pdf.bytes().await?[..5], b"%PDF-");

    let before = paper_calls(&scene);
    assert_eq!(before, 2);
    let good = link("pdf")?;
    let other = good.replace("/orders/", "/orders/x");
    let bare = good.split('?').next().unwrap_or_default().to_owned();
    for (bad, status) in [(good[..good.len() - 1].to_owned(), 410), (bare, 410), (other, 404)] {
        assert_eq!(fetch(&scene, &bad).await?.status().as_u16(), status, "{bad}");
    }
    assert_eq!(paper_calls(&scene), before, "the origin's own log names nobody new");
    Ok(())
}
