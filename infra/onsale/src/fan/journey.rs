//! One fan's evening: join, wait for the number, wait for the turn, hold, pay.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::api::{Api, CallError, HoldView, InLine, OrderView};
use super::door::Pass;
use super::log::{Ending, FanLog};

/// What a fan tends to do; every choice is drawn from the fan's own seeded generator.
#[derive(Debug, Clone)]
pub struct Habits {
    /// Chance in percent that an admitted fan buys at all.
    pub buys_percent: u32,
    /// Chance in percent that the first card is declined.
    pub declined_percent: u32,
    /// Most seats that a fan wants.
    pub most_seats: u32,
    /// Time a fan looks at the map before holding, and again before paying: at most this long.
    pub thinking: Duration,
}

/// A scripted fan with an account of its own.
pub struct Fan {
    api: Api,
    account: String,
    habits: Habits,
    rng: StdRng,
    key: u64,
    log: FanLog,
}

type Told<T> = Result<T, Ending>;

impl Fan {
    /// A fan with an account credential; `seed` decides everything it will choose.
    pub fn new(api: Api, account: String, habits: Habits, seed: u64) -> Self {
        Self { api, account, habits, rng: StdRng::seed_from_u64(seed), key: 0, log: FanLog::default() }
    }

    /// Runs the whole evening, or gives up after `patience`, and answers what the fan saw.
    pub async fn run_for(mut self, patience: Duration) -> FanLog {
        self.log.ending = match tokio::time::timeout(patience, self.evening()).await {
            Ok(Ok(ending) | Err(ending)) => ending,
            Err(_) => Ending::Unfinished,
        };
        self.log
    }

    async fn evening(&mut self) -> Told<Ending> {
        let entry = self.join().await?;
        let place = self.wait_for_number(entry).await?;
        self.wait_for_turn(place.place.unwrap_or(u64::MAX)).await?;
        let access = self.come_in(&place.token).await?;
        if self.rng.random_range(0..100) >= self.habits.buys_percent {
            return Ok(Ending::Left);
        }
        self.shop(&access).await
    }

    async fn join(&mut self) -> Told<InLine> {
        let mut pass = Pass::default();
        loop {
            match self.api.join_with(&self.account, &pass).await {
                Ok(entry) => {
                    self.log.joined = true;
                    return Ok(entry);
                }
                Err(error) if pass.learn(&error).await => self.log.refused(&error),
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    async fn wait_for_number(&mut self, mut entry: InLine) -> Told<InLine> {
        loop {
            if let Some(place) = entry.place {
                self.log.told_place(place);
                return Ok(entry);
            }
            self.pause(entry.ask_again_ms.clamp(500, 5_000)).await;
            match self.api.line(&entry.token).await {
                Ok(newer) => entry = newer,
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    async fn wait_for_turn(&mut self, place: u64) -> Told<()> {
        loop {
            match self.api.status().await {
                Ok(status) if status.admitted >= place => return Ok(()),
                Ok(status) if matches!(status.phase.as_str(), "sold_out" | "closed") => {
                    return Err(Ending::SoldOut);
                }
                Ok(status) => self.pause(status.next.clamp(500, 15_000)).await,
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    async fn come_in(&mut self, place_token: &str) -> Told<String> {
        loop {
            match self.api.admission(place_token).await {
                Ok(access) => return Ok(access),
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    async fn shop(&mut self, access: &str) -> Told<Ending> {
        let mut wanted = self.rng.random_range(1..=self.habits.most_seats);
        loop {
            self.think().await;
            match self.hold(access, wanted).await? {
                Some(hold) => {
                    if let Some(order) = self.pay(access, &hold).await? {
                        return Ok(self.bought(order, &hold));
                    }
                }
                None if wanted > 1 => wanted -= 1,
                None => self.wait_for_returned_seats().await?,
            }
        }
    }

    /// Nothing free just now: either somebody's hold ends, or the line closes and says so.
    async fn wait_for_returned_seats(&mut self) -> Told<()> {
        self.pause(1_000).await;
        match self.api.status().await {
            Ok(status) if matches!(status.phase.as_str(), "sold_out" | "closed") => Err(Ending::SoldOut),
            _ => Ok(()),
        }
    }

    async fn hold(&mut self, access: &str, wanted: u32) -> Told<Option<HoldView>> {
        let body = json!({ "bestAvailable": { "quantity": wanted } });
        let key = self.next_key();
        loop {
            let (answer, took) = self.api.hold(access, &key, &body).await;
            if !matches!(answer, Err(CallError::NoAnswer(_))) {
                self.log.hold_times.push(took);
            }
            match answer {
                Ok(hold) => return Ok(Some(hold)),
                Err(CallError::Problem { status: 409, code, body }) => return self.lost_race(&code, body),
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    fn lost_race(&mut self, code: &str, body: Value) -> Told<Option<HoldView>> {
        self.log.refused(&CallError::Problem { status: 409, code: code.to_owned(), body });
        match code {
            "LIMIT_EXCEEDED" | "HOLD_EXISTS" => Err(Ending::Unfinished),
            _ => Ok(None),
        }
    }

    async fn pay(&mut self, access: &str, hold: &HoldView) -> Told<Option<OrderView>> {
        if self.rng.random_range(0..100) < self.habits.declined_percent {
            self.try_card(access, hold, "pm_card_chargeDeclined").await?;
        }
        self.try_card(access, hold, "pm_card_visa").await
    }

    async fn try_card(&mut self, access: &str, hold: &HoldView, card: &str) -> Told<Option<OrderView>> {
        self.think().await;
        let key = self.next_key();
        loop {
            match self.api.order(access, &key, &hold.hold, card).await {
                Ok(order) if order.state == "paying" => return self.poll(access, order).await,
                Ok(order) => return Ok(Some(order)),
                Err(error @ CallError::Problem { status: 402 | 409, .. }) => {
                    self.log.refused(&error);
                    return Ok(None);
                }
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
    }

    async fn poll(&mut self, access: &str, mut order: OrderView) -> Told<Option<OrderView>> {
        while matches!(order.state.as_str(), "paying" | "voiding") {
            self.pause(700).await;
            match self.api.order_state(access, &order.order).await {
                Ok(newer) => order = newer,
                Err(error) => self.retry_or_end(&error).await?,
            }
        }
        Ok(matches!(order.state.as_str(), "confirmed" | "captured" | "delivered").then_some(order))
    }

    fn bought(&mut self, order: OrderView, hold: &HoldView) -> Ending {
        self.log.seats.extend(hold.seats.iter().map(|held| held.seat.clone()));
        self.log.orders.push(order.order);
        Ending::Bought
    }

    /// Notes the error and waits if trying again can help; ends the evening otherwise.
    async fn retry_or_end(&mut self, error: &CallError) -> Told<()> {
        self.log.refused(error);
        if !error.is_passing() && error.code() != "NOT_YET" {
            return Err(Ending::Unfinished);
        }
        self.pause(500).await;
        Ok(())
    }

    fn next_key(&mut self) -> String {
        self.key += 1;
        format!("fan-{}-{:016x}", self.key, self.rng.random::<u64>())
    }

    async fn think(&mut self) {
        let most = self.habits.thinking.as_millis() as u64;
        let pause = self.rng.random_range(0..=most);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }

    /// Waits about `ms`, with a fifth of jitter so that fans do not march in step.
    async fn pause(&mut self, ms: u64) {
        let jitter = self.rng.random_range(0..=ms / 5);
        tokio::time::sleep(Duration::from_millis(ms + jitter)).await;
    }
}
