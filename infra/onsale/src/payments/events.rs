//! Events: what the simulator tells by itself, as Stripe tells it.
//!
//! An event is made in the same line of the books as its effect, so none is lost to a kill, and its body never changes. It is sent
//! until the endpoint says 2xx: signed anew each time, with pauses that double. Events are sent side by side, so they may arrive
//! in another order than they were made in.

use std::sync::Arc;
use std::time::Duration;

use domain::time::WallMs;
use domain::webhook::{Secrets, sign};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::book::Money;
use super::desk::{Desk, now_ms};
use super::intent::Intent;

/// Where events go. `Debug` is left out on purpose: it carries secrets.
#[derive(Clone)]
pub struct Endpoint {
    /// An address that takes `POST`.
    pub url: String,
    /// What they are signed with; two while one is being replaced.
    pub secrets: Secrets,
}

/// How long the endpoint may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// First pause after a delivery that was not taken. Stripe's are hours; a test has seconds.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest one.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// Deliveries of one event.
const TRIES: u32 = 16;
/// How often to look whether events are still kept back, and whether something happened by itself.
const LOOK: Duration = Duration::from_millis(50);

/// An event as it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Event {
    pub id: String,
    /// What happened.
    pub kind: String,
    /// The very text that is sent.
    pub body: String,
}

/// What became of an event: `GET /_events`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sent {
    pub id: String,
    pub kind: String,
    /// How often it was sent.
    pub tries: u32,
    /// Whether the endpoint took it.
    pub taken: bool,
}

impl Sent {
    /// Not sent yet.
    pub fn new(event: &Event) -> Self {
        Self { id: event.id.clone(), kind: event.kind.clone(), tries: 0, taken: false }
    }
}

/// What a change of an intent is called.
pub(super) fn kinds(before: Option<&Intent>, after: &Intent, money: Option<Money>) -> Vec<&'static str> {
    let Some(before) = before else { return vec!["payment_intent.created"] };
    match money {
        Some(Money::Refund) => return vec!["charge.refunded"],
        Some(Money::Decline) => return vec!["payment_intent.payment_failed"],
        _ => {}
    }
    let lapsed = after.cancellation_reason.as_deref() == Some("automatic");
    match &*after.status {
        same if before.status == same => vec![],
        "requires_action" => vec!["payment_intent.requires_action"],
        "processing" => vec!["payment_intent.processing"],
        "requires_capture" => vec!["charge.succeeded", "payment_intent.amount_capturable_updated"],
        "succeeded" => vec!["charge.captured", "payment_intent.succeeded"],
        "canceled" if lapsed => vec!["charge.expired", "payment_intent.canceled"],
        "canceled" if money == Some(Money::Void) => vec!["charge.refunded", "payment_intent.canceled"],
        "canceled" => vec!["payment_intent.canceled"],
        _ => vec![],
    }
}

/// The `n`-th event, about `object`.
pub(super) fn event(n: usize, kind: &str, object: Value, at_ms: i64) -> Event {
    let id = format!("evt_{n:012}");
    let body = json!({
        "id": id, "object": "event", "api_version": "2025-06-30.basil", "created": at_ms / 1000, "type": kind, "livemode": false,
        "pending_webhooks": 1, "request": {"id": null, "idempotency_key": null}, "data": {"object": object},
    });
    Event { id, kind: kind.to_owned(), body: body.to_string() }
}

/// Sends events until it is stopped.
pub(super) async fn courier(desk: Arc<Desk>, endpoint: Endpoint, mut made: mpsc::UnboundedReceiver<Event>) {
    let Ok(http) =
        reqwest::Client::builder().timeout(ANSWER_WITHIN).redirect(reqwest::redirect::Policy::none()).build()
    else {
        return tracing::error!("the payment simulator cannot send events");
    };
    let mut sending = JoinSet::new(); // dropped with this task, and every delivery with it
    loop {
        tokio::select! {
            event = made.recv() => match event {
                Some(event) => drop(sending.spawn(send(desk.clone(), endpoint.clone(), http.clone(), event))),
                None => return,
            },
            Some(_) = sending.join_next() => {}
            () = tokio::time::sleep(LOOK) => desk.settle_all(), // what happens by itself is told by itself
        }
    }
}

async fn send(desk: Arc<Desk>, endpoint: Endpoint, http: reqwest::Client, event: Event) {
    let mut copies = 0;
    for n in 0..TRIES {
        while desk.sending().0 {
            tokio::time::sleep(LOOK).await;
        }
        let taken = try_once(&endpoint, &http, &event).await;
        desk.sent(&event, taken);
        if taken && copies >= desk.sending().1 {
            return;
        }
        copies += u32::from(taken);
        if !taken {
            tokio::time::sleep((PAUSE * 2_u32.saturating_pow(n)).min(PAUSE_MAX)).await;
        }
    }
}

/// Whether the endpoint took it: 2xx, and nothing else, counts.
async fn try_once(endpoint: &Endpoint, http: &reqwest::Client, event: &Event) -> bool {
    let signature = sign(event.body.as_bytes(), &endpoint.secrets, WallMs(now_ms()));
    let request =
        http.post(&endpoint.url).header("content-type", "application/json").header("stripe-signature", signature);
    request.body(event.body.clone()).send().await.is_ok_and(|reply| reply.status().is_success())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::Bytes;
    use axum::extract::State;
    use axum::http::{HeaderMap, StatusCode};
    use domain::webhook::verify;
    use tokio::net::TcpListener;

    use super::super::Simulator;
    use super::*;

    /// An endpoint that refuses some deliveries first, and remembers all.
    #[derive(Default)]
    struct Shop {
        refuses: AtomicUsize,
        seen: Mutex<Vec<(String, String)>>,
    }

    async fn take(State(shop): State<Arc<Shop>>, headers: HeaderMap, body: Bytes) -> StatusCode {
        let signature = headers["stripe-signature"].to_str().unwrap_or_default().to_owned();
        let text = String::from_utf8_lossy(&body).into_owned();
        shop.seen.lock().expect("no panic").push((signature, text));
        let left = shop.refuses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
    }

    impl Shop {
        async fn open(refuses: usize) -> anyhow::Result<(Arc<Self>, Endpoint)> {
            let shop = Arc::new(Self { refuses: refuses.into(), ..Self::default() });
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let url = format!("http://{}/events", listener.local_addr()?);
            let router = axum::Router::new().route("/events", axum::routing::post(take)).with_state(shop.clone());
            tokio::spawn(async move { axum::serve(listener, router).await });
            Ok((shop, Endpoint { url, secrets: Secrets::parse("whsec_0123456789abcdef,whsec_fedcba9876543210")? }))
        }

        /// Signature and body of every delivery, once there are so many.
        async fn deliveries(&self, count: usize) -> Vec<(String, String)> {
            for _ in 0..400 {
                if self.seen.lock().expect("no panic").len() >= count {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            self.seen.lock().expect("no panic").clone()
        }
    }

    async fn post(simulator: &Simulator, path: &str, form: &[(&str, &str)]) -> anyhow::Result<Value> {
        let request = reqwest::Client::new().post(format!("{}{path}", simulator.url())).bearer_auth("sk_test_1");
        Ok(request.form(form).send().await?.json().await?)
    }

    async fn authorized(simulator: &Simulator) -> anyhow::Result<String> {
        let form = [
            ("amount", "900"),
            ("currency", "eur"),
            ("capture_method", "manual"),
            ("metadata[order]", "o"),
            ("payment_method", "pm_card_visa"),
        ];
        let id = post(simulator, "/v1/payment_intents", &form).await?["id"].as_str().unwrap_or_default().to_owned();
        post(simulator, &format!("/v1/payment_intents/{id}/confirm"), &[]).await?;
        Ok(id)
    }

    fn kind(delivery: &(String, String)) -> String {
        let event: Value = serde_json::from_str(&delivery.1).unwrap_or_default();
        format!("{} of {}", event["type"].as_str().unwrap_or_default(), event["data"]["object"]["metadata"]["order"])
    }

    #[tokio::test]
    async fn an_event_is_sent_until_it_is_taken_signed_anew_each_time() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let mut simulator = Simulator::start(TcpListener::bind("127.0.0.1:0").await?, &folder.path().join("ledger"))?;
        let (shop, endpoint) = Shop::open(2).await?;
        simulator.tell(endpoint.clone());
        authorized(&simulator).await?;
        let deliveries = shop.deliveries(5).await;
        let mut kinds: Vec<String> = deliveries.iter().map(kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let told = ["charge.succeeded", "payment_intent.amount_capturable_updated", "payment_intent.created"];
        assert_eq!((deliveries.len(), kinds), (5, told.map(|kind| format!("{kind} of \"o\"")).to_vec()));
        for (signature, body) in &deliveries {
            assert_eq!(verify(signature, body.as_bytes(), &endpoint.secrets, WallMs(now_ms())), Ok(()));
            assert_eq!(signature.matches(",v1=").count(), 2, "one by each secret");
        }
        Ok(())
    }

    #[tokio::test]
    async fn what_nobody_took_is_sent_by_the_next_life() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let ledger = folder.path().join("ledger");
        let mut simulator = Simulator::start(TcpListener::bind("127.0.0.1:0").await?, &ledger)?;
        let (deaf, nowhere) = Shop::open(usize::MAX).await?;
        simulator.tell(nowhere);
        authorized(&simulator).await?;
        deaf.deliveries(3).await;
        simulator.stop().await;
        let mut simulator = Simulator::start(TcpListener::bind("127.0.0.1:0").await?, &ledger)?;
        let (shop, endpoint) = Shop::open(0).await?;
        simulator.tell(endpoint);
        let mut bodies: Vec<String> = shop.deliveries(3).await.into_iter().map(|(_, body)| body).collect();
        let mut before: Vec<String> = deaf.deliveries(3).await.into_iter().map(|(_, body)| body).collect();
        bodies.sort_unstable();
        before.sort_unstable();
        before.dedup();
        assert_eq!(bodies, before, "the very same texts, once each");
        Ok(())
    }
}
