//! The storage of the Pacer, of a shard, or of both is lost in the middle of an on-sale: nobody's place changes.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, now, sleep_ms, token};

const PACER: &str = "onsale-pacer";
const SHARDS: &str = "onsale-line-shard";

/// A fan as its browser remembers it.
struct Fan {
    account: String,
    place: u64,
    token: String,
}

/// An on-sale under way, and what everybody was told.
struct Line {
    edge: Edge,
    fans: Vec<Fan>,
}

impl Line {
    /// Twelve are drawn, four come later; all have a number, and all were admitted.
    async fn under_way() -> Self {
        let mut line = Self { edge: Edge::start(2_500).await, fans: Vec::new() };
        let mut accounts = Vec::new();
        for number in 0..12 {
            accounts.push(line.edge.account(&format!("drawn-{number}")).await);
            line.edge.join(&accounts[number]).await;
        }
        line.edge.status_where("open", 10_000, |status| status["phase"] == "open").await;
        for account in accounts {
            line.numbered(account).await;
        }
        for number in 0..4 {
            line.numbered(line.edge.account(&format!("later-{number}")).await).await;
        }
        line.edge.status_where("all admitted", 10_000, |status| status["admitted"] == 16).await;
        line
    }

    /// Joins, and waits for the number: the next one, or one of the draw.
    async fn numbered(&mut self, account: String) {
        let mut shown = None;
        let end = now() + 60_000;
        loop {
            let answer = join(&self.edge, &account, shown.as_deref()).await;
            if let Some(place) = answer.body["place"].as_u64() {
                assert!(self.fans.iter().all(|fan| fan.place != place), "place {place} is given once");
                self.fans.push(Fan { account, place, token: token(&answer) });
                return;
            }
            shown = answer.body["token"].as_str().map(str::to_owned).or(shown);
            assert!(now() < end, "a number in time; last: {answer:?}");
            sleep_ms(200).await;
        }
    }

    /// Fans ask as ever. So the shards notice that their Pacer is silent; it comes back, and beats.
    async fn comes_back(&self, beat: u64) -> Value {
        let end = now() + 90_000;
        loop {
            for fan in &self.fans {
                join(&self.edge, &fan.account, Some(&fan.token)).await;
            }
            let status = self.edge.status().await;
            // A restored Pacer jumps over all beats that there can have been; a status from before may still be one ahead.
            if status["beat"].as_u64() > Some(beat + domain::cohort::BEAT_JUMP / 2) {
                return status;
            }
            assert!(now() < end, "the Pacer comes back; last: {status}; {}", self.live().await);
            sleep_ms(300).await;
        }
    }

    /// Everybody still has the number that was told, and comes in with it; whose turn has lapsed by now, a little later.
    async fn nobody_moved(&self) {
        for fan in &self.fans {
            self.stands_at_its_place(fan).await;
            self.claim(fan).await;
        }
    }

    /// Who asks too often is told to wait; the answer is the same.
    async fn stands_at_its_place(&self, fan: &Fan) {
        let end = now() + 60_000;
        loop {
            let answer = join(&self.edge, &fan.account, Some(&fan.token)).await;
            if answer.status.is_success() {
                assert_eq!(answer.body["place"], fan.place, "{answer:?}");
                return;
            }
            assert!(now() < end, "{answer:?}");
            sleep_ms(300).await;
        }
    }

    /// Claims the turn, if need be through the late lane; the access token.
    async fn claim(&self, fan: &Fan) -> String {
        let end = now() + 60_000;
        loop {
            let claim = self.edge.fan(Method::POST, "/admission", &[("X-Place-Token", &fan.token)], Value::Null).await;
            if claim.status.is_success() {
                return token(&claim);
            }
            assert!(now() < end, "place {}: {claim:?}", fan.place);
            sleep_ms(300).await;
        }
    }

    /// New fans get the next numbers without a gap, and their turn.
    async fn goes_on(&mut self, names: [&str; 2]) {
        for name in names {
            self.numbered(self.edge.account(name).await).await;
            let (last, given) = (self.fans.last().expect("it joined").place, self.fans.len() as u64);
            assert_eq!(last, given, "{name} stands behind all others, without a gap");
        }
        let given = self.fans.len() as u64;
        self.edge.status_where("admission goes on", 20_000, |status| status["admitted"] == given).await;
    }

    async fn live(&self) -> Value {
        self.edge.operator(Method::GET, "", Value::Null).await.body
    }

    async fn beat(&self) -> u64 {
        let status = self.edge.status_where("a status", 20_000, |status| status["beat"].is_u64()).await;
        status["beat"].as_u64().expect("a beat")
    }
}

async fn join(edge: &Edge, account: &str, shown: Option<&str>) -> Answer {
    let mut headers = vec![("X-Account-Token", account)];
    headers.extend(shown.map(|token| ("X-Place-Token", token)));
    edge.fan(Method::POST, "/line", &headers, Value::Null).await
}

/// All shards restart at once with it. What the operator ordered stands as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_pacer_without_storage_is_restored_from_its_shards() {
    let mut line = Line::under_way().await;
    line.edge.operator(Method::POST, "/rate", json!({ "per_minute": 30_000 })).await;
    line.edge.operator(Method::POST, "/pause", json!({ "reason": "a storm" })).await;
    let before = line.edge.status_where("paused", 10_000, |status| status["why"] == "a storm").await;
    line.edge.restart_after(|storage| storage.lose(PACER)).await;
    let after = line.comes_back(before["beat"].as_u64().expect("a beat")).await;
    for kept in ["why", "phase", "rate", "admitted", "given", "draw", "opens"] {
        assert_eq!(after[kept], before[kept], "{kept}: {after}");
    }
    line.edge.operator(Method::POST, "/resume", Value::Null).await;
    line.edge.status_where("open", 20_000, |status| status["phase"] == "open").await;
    line.goes_on(["new-1", "new-2"]).await;
    line.nobody_moved().await;
    assert!(line.live().await["log"].to_string().contains("restored from the shards"));
}

/// A shard alone, then another one together with the Pacer.
#[tokio::test(flavor = "multi_thread")]
async fn a_shard_and_the_pacer_lose_their_storage_at_once() {
    let mut line = Line::under_way().await;
    line.edge.restart_after(|storage| storage.lose_shard(1)).await;
    line.goes_on(["new-1", "new-2"]).await;
    line.nobody_moved().await;
    let beat = line.beat().await;
    let both = |storage: &crate::stored::Storage| {
        storage.lose_shard(2);
        storage.lose(PACER);
    };
    line.edge.restart_after(both).await;
    line.comes_back(beat).await;
    line.goes_on(["new-3", "new-4"]).await;
    line.nobody_moved().await;
}

/// A shard that is out of reach may have what no other has: the Pacer waits for it, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_pacer_without_storage_waits_for_every_shard() {
    let mut line = Line::under_way().await;
    let mut whole = Vec::new();
    let damage = |storage: &crate::stored::Storage| {
        for path in storage.of_shard(3) {
            whole.push((path.clone(), std::fs::read(&path).expect("a file")));
            std::fs::write(path, b"no database any more, for a while").expect("a file");
        }
        storage.lose(PACER);
    };
    line.edge.restart_after(damage).await;
    let beat = line.beat().await;
    let end = now() + 90_000;
    loop {
        for fan in &line.fans {
            line.edge.try_join(&fan.account, &fan.token).await;
        }
        let waits = line.edge.operator(Method::GET, "", Value::Null).await;
        if waits.body["detail"].as_str().is_some_and(|why| why.contains("waiting for shards [3]")) {
            assert_eq!((waits.status, waits.code()), (StatusCode::SERVICE_UNAVAILABLE, "LINE_UNAVAILABLE"));
            break;
        }
        assert!(now() < end, "the operator is told what is waited for; last: {waits:?}");
        sleep_ms(300).await;
    }
    assert_eq!(line.beat().await, beat, "nothing is decided meanwhile");
    let mend = |_: &crate::stored::Storage| {
        whole.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).expect("a file"));
    };
    line.edge.restart_after(mend).await;
    line.comes_back(beat).await;
    line.goes_on(["new-1", "new-2"]).await;
    line.nobody_moved().await;
}

/// Nothing is left at the edge, and the operator defines the event again: no number is given twice. The line says what
/// happened and stands; whoever has a session shops on.
#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_lost_everything_gives_no_number_again() {
    let mut line = Line::under_way().await;
    let session = line.claim(&line.fans[0]).await;
    let event = line.edge.event.clone();
    let everything = |storage: &crate::stored::Storage| {
        storage.lose(SHARDS);
        storage.lose(PACER);
    };
    line.edge.restart_after(everything).await;
    let put = line.edge.operator(Method::PUT, "", event).await;
    assert_eq!(put.status, StatusCode::OK, "{put:?}");
    let lost = |status: &Value| status["why"].as_str().is_some_and(|why| why.contains("lost its storage"));
    let status = line.edge.status_where("the loss is told", 20_000, lost).await;
    assert_eq!((&status["phase"], &status["given"], &status["admitted"]), (&json!("drawing"), &json!(0), &json!(0)));
    for fan in &line.fans {
        line.stands_at_its_place(fan).await;
    }
    let newcomer = join(&line.edge, &line.edge.account("new").await, None).await;
    assert!(newcomer.body["place"].is_null(), "{newcomer:?}");
    let hold =
        line.edge.fan(Method::POST, "/holds", &[("X-Access-Token", &session)], json!({ "seats": ["W01-1-1"] })).await;
    assert_eq!(hold.code(), "SEATS_TAKEN", "the origin's words reach whoever has a session");
}
