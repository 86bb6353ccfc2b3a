//! What is logged of a fan's whole journey: nothing that tells of the fan, and nothing that lets anybody act in the fan's name.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tests::Scene;

/// Goes the same way as the rest, and must be found: the search below can see.
const MARKER: &str = "marker-of-the-journey";
const MAIL: &str = "ada.lovelace@fans.example";
const NAME: &str = "Ada Lovelace of the journey";

/// Logs of the stack's processes that contain a text.
fn logs(folder: &Path, text: &str) -> anyhow::Result<Vec<PathBuf>> {
    let all = std::fs::read_dir(folder.join("logs"))?.map(|entry| Ok(entry?.path()));
    let all: Vec<PathBuf> = all.collect::<anyhow::Result<_>>()?;
    let has = |path: &PathBuf| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    };
    Ok(all.into_iter().filter(has).collect())
}

/// A call, good or bad; its JSON.
async fn call(
    scene: &Scene,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Value,
) -> anyhow::Result<Value> {
    let mut request = reqwest::Client::new().request(method, format!("{}{path}", scene.stack.edge_url()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Ok(request.json(&body).send().await?.json().await.unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_logs_of_a_whole_journey_name_nobody_and_carry_no_token() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    let account = scene.accounts(&[NAME]).await?.remove(0);
    let entry = scene.numbered(&account).await?;
    let access = scene.admitted(&account).await?;
    let (hold, _) = scene.api().hold(&access, "h", &json!({ "seats": ["H01-1-1"] })).await;
    let hold = hold?.hold;
    let event = "/v1/events/rehearsal";
    let pay = json!({ "hold": hold, "paymentMethod": "pm_card_visa", "mail": MAIL });
    let headers = [("x-access-token", &*access), ("idempotency-key", "o"), ("x-correlation-id", MARKER)];
    let sold = call(&scene, Method::POST, &format!("{event}/orders"), &headers, pay).await?;
    let link = sold["documents"]["page"].as_str().unwrap_or_default().to_owned();
    let secret = link.split("link=").nth(1).unwrap_or("no link").to_owned();
    anyhow::ensure!(secret.len() > 20, "an order with documents: {sold}");
    let own = [("x-account-token", &*account)];
    call(&scene, Method::GET, &link, &[], Value::Null).await?;
    call(&scene, Method::GET, "/v1/orders", &own, Value::Null).await?;
    let told = call(&scene, Method::GET, "/v1/account", &own, Value::Null).await?;
    let id = told["account"].as_str().unwrap_or_default().to_owned();
    anyhow::ensure!(id.len() == 22 && told.to_string().contains(MAIL), "what is stored of her: {told}");
    call(&scene, Method::DELETE, "/v1/account", &own, Value::Null).await?;
    // And what goes wrong: the wrong token in the wrong place, an unknown seat, an odd body.
    let odd = [("x-access-token", &*account), ("x-account-token", &*access), ("idempotency-key", "x")];
    call(&scene, Method::POST, &format!("{event}/holds"), &odd, json!({ "seats": [MAIL] })).await?;
    call(&scene, Method::POST, &format!("{event}/orders"), &headers, json!({ "hold": MAIL, "mail": MAIL })).await?;
    call(&scene, Method::POST, "/v1/session", &[], json!({ "id_token": &access, "nonce": MAIL })).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;

    let folder = scene.stack.state();
    assert!(!logs(folder, MARKER)?.is_empty(), "the search sees what is logged");
    for (what, text) in [
        ("the name", NAME),
        ("the mail address", MAIL),
        ("the account", &id),
        ("the account's token", &account),
        ("the place token", &entry.token),
        ("the access token", &access),
        ("the link to the tickets", &secret),
    ] {
        assert_eq!(logs(folder, text)?, Vec::<PathBuf>::new(), "{what} is in no log");
    }
    Ok(())
}
