//! `onsale audit` and `onsale ledger` against a running stack, as they are typed.

use std::time::Duration;

use clap::Parser as _;
use onsale::cli::{Cli, exit_status, run};
use onsale::stack::Ready;
use serde_json::json;
use tests::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_ends_with_its_own_status_when_the_provider_tells_another_story() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let state = folder.path().to_owned();
    let scene = Scene::with(40, Duration::ZERO, |options| options.state = Some(state)).await?;
    scene.stack.ready(Some("rehearsal")).write(&folder.path().join(Ready::FILE))?;
    let account = scene.accounts(&["fan"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    let hold = scene.api().hold(&access, "hold", &json!({ "seats": ["H01-1-1", "H01-1-2"] })).await.0?;
    scene.api().order(&access, "order", &hold.hold, "pm_card_visa").await?;
    scene.at_rest(Duration::from_secs(30)).await?;

    let state = folder.path().display().to_string();
    let type_in = async |words: &[&str]| {
        let line = ["onsale", "--state", &state].into_iter().chain(words.iter().copied());
        run(Cli::parse_from(line)).await.err().map(|error| exit_status(&error))
    };
    assert_eq!(type_in(&["audit"]).await, None, "the books balance");
    assert_eq!(type_in(&["ledger", "rehearsal", "--csv"]).await, None);

    let intent = scene.target.payments.list().await?.intents.remove(0).id;
    let refund = reqwest::Client::new().post(format!("{}/v1/refunds", scene.stack.payments_url()));
    let refund =
        refund.bearer_auth(scene.stack.provider_key()).form(&[("payment_intent", &*intent), ("amount", "100")]);
    refund.header("idempotency-key", "by hand").send().await?.error_for_status()?;
    assert_eq!(type_in(&["audit", "--event", "rehearsal"]).await, Some(3), "somebody refunded by hand");
    assert_eq!(type_in(&["audit", "--event", "Not An Id"]).await, Some(1));
    Ok(())
}
