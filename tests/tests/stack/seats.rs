//! Operators and seats, through the real edge: roles, the journal, channels, the box office; and an account that asks for
//! more than its limit, a hundred times at once.

use std::time::Duration;

use domain::hold::{HOLD_MS, Take};
use domain::ids::{AccountId, HoldId};
use domain::items::{Hold, HoldState, SeatLine};
use domain::plan::{Cond, Plan, Rule};
use futures::future::join_all;
use onsale::operate::OperateError;
use reqwest::Method;
use serde_json::{Value, json};
use tests::scene::{now, wait};
use tests::{Origin, Scene};

fn seats(row: u32, from: u32, to: u32) -> Vec<String> {
    (from..=to).map(|n| format!("H01-{row}-{n}")).collect()
}

async fn code(answer: Result<Value, OperateError>) -> String {
    match answer {
        Err(OperateError::Refused { code, .. }) => code,
        other => format!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_keep_seats_and_nobody_passes_a_limit() -> anyhow::Result<()> {
    let scene = Scene::open(60, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    keeping(&scene).await?;
    box_office(&scene).await?;
    one_account_a_hundred_times(&scene).await?;
    without_the_condition(&scene).await
}

async fn keeping(scene: &Scene) -> anyhow::Result<()> {
    let admin = scene.api().desk(scene.operator_key());
    let vera = admin.add("vera", "view").await?["key"].as_str().unwrap_or_default().to_owned();
    let block = json!({ "seats": seats(1, 1, 20), "reason": "a camera" });
    assert_eq!(code(scene.api().desk(&vera).order("seats/block", &block).await).await, "ROLE_REQUIRED");
    assert_eq!(admin.order("seats/block", &block).await?["changed"], 20);
    assert_eq!(admin.order("seats/block", &block).await?["changed"], 20, "asked for again");
    assert_eq!(scene.api().desk(&vera).seats().await?["counts"]["blocked"], 20);
    wait("the stock to know", Duration::from_secs(20), async || Ok(admin.look().await?["stock"]["blocked"] == 20))
        .await?;
    assert_eq!(admin.order("seats/release", &json!({ "seats": seats(1, 1, 20) })).await?["changed"], 20);
    let (lines, _) = admin.journal().await?;
    let told = |what: &str| lines.iter().filter(|line| line.contains(&format!("\"what\":\"{what}\""))).count();
    assert_eq!((told("block-seats"), told("release-seats"), told("seats")), (3, 1, 0), "looking leaves no line");
    assert!(lines.iter().any(|line| line.contains("a camera") && line.contains("H01-1-20")));
    Ok(())
}

async fn box_office(scene: &Scene) -> anyhow::Result<()> {
    let admin = scene.api().desk(scene.operator_key());
    admin.order("seats/assign", &json!({ "seats": seats(2, 1, 6), "channel": "box-office" })).await?;
    admin.order("seats/assign", &json!({ "seats": seats(2, 7, 8), "channel": "club" })).await?;
    let buyer = async |name: &str| -> anyhow::Result<String> {
        let answer = admin.order("box-office", &json!({ "buyer": name })).await?;
        Ok(answer["token"].as_str().unwrap_or_default().to_owned())
    };
    let (anna, again, ben) = (buyer("Anna Nym").await?, buyer("Anna Nym").await?, buyer("Ben").await?);
    let hold = scene.api().hold(&anna, "a", &json!({ "seats": seats(2, 1, 6) })).await.0?;
    scene.api().order(&anna, "o", &hold.hold, "pm_card_visa").await?;
    let refused = scene.api().hold(&again, "b", &json!({ "seats": ["H01-3-1"] })).await.0.expect_err("refused");
    assert_eq!(refused.code(), "LIMIT_EXCEEDED", "the same buyer has all that one may have");
    let refused = scene.api().hold(&ben, "a", &json!({ "seats": ["H01-2-7"] })).await.0.expect_err("refused");
    assert_eq!(refused.code(), "CHANNEL_REQUIRED");
    let expires_ms = now().plus(60_000);
    let key = admin.order("channels/club", &json!({ "expires_ms": expires_ms })).await?["key"].clone();
    let wish = json!({ "seats": ["H01-2-7", "H01-3-2"], "channel": key });
    scene.api().hold(&ben, "b", &wish).await.0?;
    assert_eq!(code(admin.order("channels/lane-1", &json!({ "expires_ms": expires_ms })).await).await, "BAD_REQUEST");
    let (lines, _) = admin.journal().await?;
    assert!(lines.iter().any(|line| line.contains("\"what\":\"box-office\"")));
    assert!(!lines.concat().contains("Anna"), "a buyer's name is nobody's business");
    Ok(())
}

/// Places of the live holds of an account.
async fn held(scene: &Scene, account: AccountId) -> anyhow::Result<u32> {
    let items = scene.stack.table().scan().await?;
    let holds = items.iter().filter_map(|item| Hold::from_item(item).ok());
    Ok(holds.filter(|h| h.account == account && h.state == HoldState::Live).map(|h| h.places.count()).sum())
}

async fn one_account_a_hundred_times(scene: &Scene) -> anyhow::Result<()> {
    let origin = Origin::of(scene)?;
    let token = origin.access(77);
    let ask = async |n: usize| -> anyhow::Result<(u16, Value)> {
        let from = u32::try_from(n % 5)? * 4 + 1;
        let wish = json!({ "seats": seats(1, from, from + 3) });
        let answer = origin.send(Method::POST, "/holds", &token, &format!("many-{n}"), &wish).await?;
        Ok((answer.status().as_u16(), answer.json().await?))
    };
    let answers = join_all((0..100).map(ask)).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1);
    for (status, problem) in answers.iter().filter(|(status, _)| *status != 201) {
        let code = problem["code"].as_str().unwrap_or_default();
        assert!(["HOLD_EXISTS", "SEATS_TAKEN", "BUSY"].contains(&code), "{status} {problem}");
    }
    assert_eq!(held(scene, AccountId::derive("test", "77")).await?, 4);
    Ok(())
}

/// The twin: the same rush with the usage's condition left out gets more than an account may have.
async fn without_the_condition(scene: &Scene) -> anyhow::Result<()> {
    let (table, event) = (scene.stack.table(), scene.event.definition.clone());
    let clock = table.clock(&event.id).await?.map(|item| item.clock).ok_or_else(|| anyhow::anyhow!("a clock"))?;
    let account = AccountId::derive("test", "twin");
    let line = |n: u32| -> anyhow::Result<SeatLine> {
        let (seat, block, level) = (format!("H01-3-{n}").parse()?, "H01".parse()?, "hall".to_owned());
        Ok(SeatLine { seat, block, level, price_type: None, price_minor: 4_000, fee_minor: 400 })
    };
    let attempt = async |n: u32| -> anyhow::Result<bool> {
        let take = Take {
            event: event.id.clone(),
            account,
            hold: HoldId::derive(&account, &n.to_string()),
            seats: (0..4).map(|i| line(4 + n * 4 + i)).collect::<anyhow::Result<_>>()?,
            pools: vec![],
            channels: vec![],
            currency: "EUR".into(),
            replaces: None,
            limit: event.limits.per_account,
            now: clock.now(now()),
            hold_ms: HOLD_MS,
            fingerprint: String::new(),
            keep_until: event.keep_until(),
            lost: vec![],
            paced: None,
        };
        let mut writes = take.plan()?.writes;
        writes.iter_mut().filter(|w| w.key.pk.starts_with("ACCOUNT#")).for_each(|w| w.expect = Cond::Always);
        Ok(table.commit(&Plan::new(writes)).await.is_ok())
    };
    let done = join_all((0..4).map(attempt)).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    assert!(
        held(scene, account).await? > event.limits.per_account,
        "{done:?}: the check would not see a missing condition"
    );
    Ok(())
}
