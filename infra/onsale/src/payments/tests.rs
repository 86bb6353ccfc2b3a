//! The simulator over HTTP, as a client meets it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Money, Simulator};

struct Client {
    simulator: Simulator,
    http: reqwest::Client,
}

async fn start(ledger: &std::path::Path) -> anyhow::Result<Client> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    Ok(Client { simulator: Simulator::start(listener, ledger)?, http: reqwest::Client::new() })
}

impl Client {
    async fn post(&self, path: &str, key: &str, form: &[(&str, &str)]) -> anyhow::Result<(u16, Value)> {
        let url = format!("{}{path}", self.simulator.url());
        let request = self.http.post(url).bearer_auth("sk_test_1").header("Idempotency-Key", key).form(form);
        let answer = request.send().await?;
        Ok((answer.status().as_u16(), answer.json().await?))
    }

    async fn intent(&self, key: &str, method: &str) -> anyhow::Result<String> {
        let form = [
            ("amount", "1234"),
            ("currency", "EUR"),
            ("capture_method", "manual"),
            ("payment_method", method),
            ("metadata[order]", "o1"),
        ];
        let (_, body) = self.post("/v1/payment_intents", key, &form).await?;
        Ok(body["id"].as_str().unwrap_or_default().to_owned())
    }

    async fn act(&self, id: &str, operation: &str, key: &str) -> anyhow::Result<(u16, Value)> {
        self.post(&format!("/v1/payment_intents/{id}/{operation}"), key, &[]).await
    }

    async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.simulator.url());
        Ok(self.http.get(url).bearer_auth("sk_test_1").send().await?.json().await?)
    }

    async fn control(&self, switches: Value) -> anyhow::Result<()> {
        self.http
            .post(format!("{}/_control", self.simulator.url()))
            .json(&switches)
            .send()
            .await?
            .error_for_status()?;
        Ok(())
    }

    fn kinds(&self) -> Vec<Money> {
        self.simulator.movements().iter().map(|movement| movement.kind).collect()
    }
}

#[tokio::test]
async fn money_is_set_aside_then_taken_then_given_back_once() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let id = client.intent("c", "pm_card_visa").await?;
    assert_eq!(client.act(&id, "confirm", "f").await?.1["status"], "requires_capture");
    assert_eq!(client.act(&id, "capture", "k").await?.1["status"], "succeeded");
    assert_eq!(client.act(&id, "capture", "other key").await?.1["error"]["code"], "payment_intent_unexpected_state");
    let refund = [("payment_intent", &*id)];
    assert_eq!(client.post("/v1/refunds", "r", &refund).await?.0, 200);
    assert_eq!(client.post("/v1/refunds", "r2", &refund).await?.1["error"]["code"], "charge_already_refunded");
    assert_eq!(client.kinds(), [Money::Authorize, Money::Capture, Money::Refund]);
    assert_eq!(client.simulator.movements()[0].order.as_deref(), Some("o1"));
    Ok(())
}

#[tokio::test]
async fn a_key_replays_its_first_answer_and_refuses_another_use() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let id = client.intent("c", "pm_card_visa").await?;
    assert_eq!(client.intent("c", "pm_card_visa").await?, id);
    assert_eq!(client.intent("c", "pm_card_mastercard").await?, "", "other parameters");
    assert_eq!(client.act(&id, "confirm", "c").await?.1["error"]["type"], "idempotency_error", "other endpoint");
    client.control(json!({"server_error": {"confirm": 1}})).await?;
    assert_eq!(client.act(&id, "confirm", "f").await?.0, 500);
    assert_eq!(client.act(&id, "confirm", "f").await?.0, 500, "a server error is replayed");
    assert_eq!(client.act(&id, "confirm", "f2").await?.0, 200);
    Ok(())
}

#[tokio::test]
async fn what_was_refused_for_its_parameters_spends_no_key() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let bad = [("amount", "many"), ("currency", "EUR"), ("capture_method", "manual")];
    assert_eq!(client.post("/v1/payment_intents", "c", &bad).await?.1["error"]["code"], "parameter_invalid");
    assert_ne!(client.intent("c", "pm_card_visa").await?, "", "the same key, with good parameters");
    Ok(())
}

#[tokio::test]
async fn a_declined_card_moves_nothing_and_another_may_be_tried() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let id = client.intent("c", "pm_card_chargeDeclined").await?;
    let (status, body) = client.act(&id, "confirm", "f").await?;
    assert_eq!((status, &body["error"]["decline_code"]), (402, &json!("generic_decline")));
    assert_eq!(client.act(&id, "confirm", "f").await?, (status, body));
    let path = format!("/v1/payment_intents/{id}/confirm");
    let again = client.post(&path, "f2", &[("payment_method", "pm_card_visa")]).await?;
    assert_eq!(again.1["status"], "requires_capture");
    assert_eq!(client.act(&id, "cancel", "x").await?.1["status"], "canceled");
    assert_eq!(client.kinds(), [Money::Decline, Money::Authorize, Money::Void]);
    Ok(())
}

#[tokio::test]
async fn a_reply_may_be_late_or_lost_after_its_effect() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let id = client.intent("c", "pm_card_visa").await?;
    client.control(json!({"lose_reply": {"confirm": 1}, "delay_ms": {"capture": 300}})).await?;
    assert!(client.act(&id, "confirm", "f").await.is_err());
    assert_eq!(client.kinds(), [Money::Authorize]);
    assert_eq!(client.act(&id, "confirm", "f").await?.0, 200);
    let late = tokio::time::timeout(Duration::from_millis(100), client.act(&id, "capture", "k")).await;
    assert!(late.is_err());
    assert_eq!(client.kinds(), [Money::Authorize, Money::Capture]);
    Ok(())
}

#[tokio::test]
async fn a_slow_card_answers_late_and_its_key_is_in_use_until_then() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    client.control(json!({"slow_ms": 400})).await?;
    let id = client.intent("c", "pm_card_slow").await?;
    let gave_up = tokio::time::timeout(Duration::from_millis(100), client.act(&id, "confirm", "f")).await;
    assert!(gave_up.is_err());
    assert_eq!(client.act(&id, "confirm", "f").await?.0, 409);
    assert_eq!(client.get(&format!("/v1/payment_intents/{id}")).await?["status"], "processing");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(client.act(&id, "confirm", "f").await?.1["status"], "requires_capture");
    assert_eq!(client.kinds(), [Money::Authorize]);
    Ok(())
}

#[tokio::test]
async fn the_books_survive_a_kill_with_a_torn_last_line() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let ledger = folder.path().join("ledger");
    let client = start(&ledger).await?;
    let id = client.intent("c", "pm_card_visa").await?;
    client.act(&id, "confirm", "f").await?;
    client.simulator.stop().await;
    std::fs::OpenOptions::new()
        .append(true)
        .open(&ledger)
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"intent\":{"))?;
    let client = start(&ledger).await?;
    assert_eq!(client.act(&id, "confirm", "f").await?.1["status"], "requires_capture");
    let second = client.intent("c2", "pm_card_visa").await?;
    let list = client.get("/v1/payment_intents?limit=1").await?;
    assert_eq!((&list["data"][0]["id"], &list["has_more"]), (&json!(second), &json!(true)));
    let rest = client.get(&format!("/v1/payment_intents?starting_after={second}")).await?;
    assert_eq!((&rest["data"][0]["id"], &rest["has_more"]), (&json!(id), &json!(false)));
    assert_eq!(client.kinds(), [Money::Authorize]);
    Ok(())
}

#[tokio::test]
async fn an_outage_leaves_no_trace_and_a_stop_loses_replies_at_once() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let client = start(&folder.path().join("ledger")).await?;
    let id = client.intent("c", "pm_card_visa").await?;
    client.control(json!({"outage": true})).await?;
    assert_eq!(client.act(&id, "confirm", "f").await?.0, 503);
    client.control(json!({"outage": false, "delay_ms": {"confirm": 60_000}})).await?;
    let Client { simulator, http } = client;
    let url = format!("{}/v1/payment_intents/{id}/confirm", simulator.url());
    let waiting = tokio::spawn(http.post(url).bearer_auth("sk_test_1").header("Idempotency-Key", "f").send());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    simulator.stop().await;
    let reply = waiting.await?;
    assert!(reply.is_err() || reply?.bytes().await.is_err());
    assert!(begun.elapsed() < Duration::from_secs(5));
    Ok(())
}
