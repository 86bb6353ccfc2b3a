//! What the edge keeps for the report: the course of the line, and counts of requests and refusals.

use domain::report::{Mark, Tally};
use domain::status::Phase;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{EVENT, Edge, OPERATOR_KEY, now, sleep_ms};

const PACER: &str = "onsale-pacer";

impl Edge {
    /// The marks of the line's course, as they are written.
    async fn course(&self) -> String {
        let url = format!("{}/v1/operator/events/{EVENT}/course", self.workerd.url());
        let answer = self.http.get(url).bearer_auth(OPERATOR_KEY).send().await.expect("the Worker answers");
        answer.text().await.expect("lines")
    }

    /// The marks, once they satisfy `wanted`.
    async fn course_where(&self, what: &str, wanted: impl Fn(&[Mark]) -> bool) -> Vec<Mark> {
        let end = now() + 60_000;
        loop {
            let text = self.course().await;
            let marks: Vec<Mark> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            if wanted(&marks) {
                return marks;
            }
            assert!(now() < end, "{what}: {text}");
            sleep_ms(300).await;
        }
    }

    /// The counts, once they satisfy `wanted`; fans go on reading meanwhile, so that isolates hand on what they have.
    async fn tally_where(&self, what: &str, wanted: impl Fn(&Tally) -> bool) -> Tally {
        let end = now() + 60_000;
        loop {
            self.fan(Method::GET, "", &[], Value::Null).await;
            let live = self.operator(Method::GET, "", Value::Null).await.body;
            let tally: Tally = serde_json::from_value(live["tally"].clone()).unwrap_or_default();
            if wanted(&tally) {
                return tally;
            }
            assert!(now() < end, "{what}: {live}");
            sleep_ms(300).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_course_adds_up_and_refusals_are_counted_by_code() {
    let edge = Edge::start(2_500).await;
    let early = edge.account("early").await;
    edge.join(&early).await;
    let (_, access) = edge.enter("late").await;
    let hold = json!({ "seats": ["W01-1-1"] });
    let taken = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &access)], hold).await;
    assert_eq!(taken.code(), "SEATS_TAKEN", "the origin's refusal reaches the fan as it was: {taken:?}");
    assert!(taken.body["seats"].is_array(), "{taken:?}");
    for _ in 0..3 {
        let refused = edge.fan(Method::GET, "/seatmap", &[], Value::Null).await;
        assert_eq!(refused.code(), "ACCESS_REQUIRED");
    }
    let elsewhere = "/v1/events/nowhere/seatmap";
    edge.try_call(Method::GET, elsewhere, &[], &Value::Null).await.expect("the Worker answers");
    let counted =
        |tally: &Tally| tally.refused.get("ACCESS_REQUIRED") >= Some(&3) && tally.refused.contains_key("SEATS_TAKEN");
    let tally = edge.tally_where("refusals are counted", counted).await;
    assert_eq!((tally.refused["SEATS_TAKEN"], tally.refused["ACCESS_REQUIRED"]), (1, 3), "{tally:?}");
    let marks = edge
        .course_where("two had their turn", |all| all.last().is_some_and(|m| m.admitted == 2 && m.claimed == 1))
        .await;
    let first = marks[0];
    // Shards tell with a beat how many they have, so the last news may be from before the second one came.
    assert_eq!((first.phase, first.admitted), (Phase::Prequeue, 0), "the last one from before the opening");
    assert!((1..=2).contains(&first.joined), "{first:?}");
    assert!(marks.windows(2).all(|pair| pair[0].at < pair[1].at && pair[0].admitted <= pair[1].admitted), "{marks:?}");
    assert_eq!(marks.last().map(|mark| (mark.joined, mark.waiting())), Some((2, 0)));
    let bad = edge.operator(Method::GET, "/course?after=never", Value::Null).await;
    assert_eq!((bad.status, bad.code()), (StatusCode::BAD_REQUEST, "BAD_REQUEST"));
}

/// What a shard had counted is known to the Pacer; what the Pacer had noted is not known to the shards, and shows.
#[tokio::test(flavor = "multi_thread")]
async fn counts_outlive_a_shards_storage_and_the_course_says_from_when_it_is_known() {
    let mut edge = Edge::start(2_500).await;
    let account = edge.account("ada").await;
    edge.join(&account).await;
    edge.status_where("admitted", 10_000, |status| status["admitted"] == 1).await;
    edge.fan(Method::GET, "/seatmap", &[], Value::Null).await;
    let counted = |tally: &Tally| tally.refused.contains_key("ACCESS_REQUIRED");
    let before = edge.tally_where("counts", counted).await;
    // Whichever shard took them: each loses its storage once.
    for shard in 0..4 {
        edge.restart_after(|storage| storage.lose_shard(shard)).await;
        edge.status_where("beats go on", 20_000, |status| status["phase"] == "open").await;
        edge.numbered(&account).await;
    }
    let after = edge.tally_where("what was lost is added up", counted).await;
    assert!(after.requests_in_all() >= before.requests_in_all(), "{before:?} {after:?}");
    let beat = edge.status().await["beat"].as_u64();
    edge.restart_after(|storage| storage.lose(PACER)).await;
    let end = now() + 90_000;
    while edge.status().await["beat"].as_u64() <= beat.map(|beat| beat + domain::cohort::BEAT_JUMP / 2) {
        assert!(now() < end, "the Pacer comes back");
        edge.join(&account).await;
        sleep_ms(300).await;
    }
    let marks = edge.course_where("a mark", |marks| !marks.is_empty()).await;
    assert!(marks[0].admitted >= 1, "it begins in the middle: {marks:?}");
    edge.tally_where("counts of before are still there", counted).await;
}
