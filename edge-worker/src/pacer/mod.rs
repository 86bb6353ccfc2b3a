//! The heartbeat of one event: who may come in, and when.
//!
//! Its alarm aims at whole seconds. A beat writes its number, asks the origin how things stand, closes a
//! cohort, decides by `domain::pace`, commits, and tells the shards. Nothing else polls anything.
//! It knows neither fans nor seats, only counts.

mod beat;
mod close;
mod course;
mod desk;
mod fan_out;
mod history;
mod journal;
mod lanes;
mod lines;
mod live;
mod pulse;
mod recover;
mod seal;
mod status;
mod store;

use std::cell::Cell;

use domain::cohort::Row;
use domain::ids::{AccountId, EventId};
use domain::lane::MAIN;
use futures_util::future::join_all;
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use crate::clock;
use crate::config::Config;
use crate::fault::{Fault, strike};
use crate::objects::{self, BEAT_PATIENCE_MS};
use crate::problem::{Code, Problem};
use crate::wire::{Hello, HelloAsk, RowsAsk, pacer_op, shard_op};
use store::Store;

/// The Durable Object class `Pacer`; its name is the event's id.
#[durable_object(alarm)]
pub struct Pacer {
    state: State,
    env: Env,
    /// `None` if the storage could not be opened; then every call is refused.
    store: Option<Store>,
    /// The injected fault that waits for its place in the next beat.
    fault: Cell<Option<Fault>>,
    /// Whether a call is restoring lost storage.
    restoring: Cell<bool>,
}

impl DurableObject for Pacer {
    fn new(state: State, env: Env) -> Self {
        let store = Store::open(&state).inspect_err(|error| worker::console_error!("pacer: {error}")).ok();
        Self { state, env, store, fault: Cell::new(None), restoring: Cell::new(false) }
    }

    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        objects::reply(self.answer(request).await)
    }

    async fn alarm(&self) -> worker::Result<Response> {
        // First of all: whatever happens below, there is a next beat.
        self.arm().await?;
        if let Err(problem) = self.beat().await {
            worker::console_error!("beat: {:?}", problem.code);
        }
        Response::empty()
    }
}

impl Pacer {
    fn store(&self) -> Result<&Store, Problem> {
        self.store.as_ref().ok_or_else(|| Code::Internal.into())
    }

    async fn answer(&self, request: Request) -> Result<String, Problem> {
        let (op, body) = objects::read(request).await?;
        self.rearm().await?;
        match op.as_str() {
            pacer_op::OPERATOR => self.operator(serde_json::from_str(&body)?).await,
            pacer_op::STRANGERS => self.strangers(serde_json::from_str(&body)?),
            pacer_op::HELLO => self.hello(serde_json::from_str(&body)?),
            pacer_op::ROWS => self.rows(serde_json::from_str(&body)?),
            pacer_op::WAKE => self.wake(serde_json::from_str(&body)?).await,
            pacer_op::ERASE => self.erase(&serde_json::from_str(&body)?).await,
            pacer_op::FAULT => self.take_fault(serde_json::from_str(&body)?),
            _ => Err(Code::NotFound.into()),
        }
    }

    /// Sets the alarm if it is missing, though there is an event to beat for, or one to restore.
    async fn rearm(&self) -> Result<(), Problem> {
        let store = self.store()?;
        let alive = store.event()?.is_some() || store.recovery()?.is_some();
        if alive && self.state.storage().get_alarm().await?.is_none() {
            self.arm().await?;
        }
        Ok(())
    }

    /// Sets the alarm at the next whole beat.
    async fn arm(&self) -> worker::Result<()> {
        self.arm_at_multiple(self.beat_ms(clock::now()).map_err(|_| "no store")?).await
    }

    /// Sets the alarm at the next whole second: an operator's word does not wait for an idle beat.
    async fn arm_soon(&self) -> worker::Result<()> {
        self.arm_at_multiple(1_000).await
    }

    async fn arm_at_multiple(&self, ms: i64) -> worker::Result<()> {
        let wait = ms.saturating_sub(clock::now().0.rem_euclid(ms)).max(1);
        self.state.storage().set_alarm(wait).await
    }

    /// Asks all shards of a line one thing at once: the answers of those that answer within a beat's patience.
    async fn ask_shards<R: DeserializeOwned>(
        &self,
        event: &EventId,
        line: u8,
        shards: u16,
        op: &str,
        ask: &impl Serialize,
    ) -> Result<Vec<R>, Problem> {
        let shards = (0..shards).map(|number| objects::line_shard(&self.env, event, line, number));
        let shards = shards.collect::<Result<Vec<_>, _>>()?;
        let calls = shards.iter().map(|shard| objects::ask_within(shard, op, ask, BEAT_PATIENCE_MS));
        let answers: Vec<Result<R, Problem>> = join_all(calls).await;
        Ok(answers.into_iter().flatten().collect())
    }

    fn hello(&self, ask: HelloAsk) -> Result<String, Problem> {
        let store = self.store()?;
        let HelloAsk { line, shard } = ask;
        let event = self.event()?;
        if !event.lines().any(|known| known == line) || shard >= event.shards_of(line) {
            return Err(Code::NotFound.into());
        }
        let (mut grants, beat) = (store.line(line).grants()?, store.beat()?);
        let generation = grants.grant(shard, beat).ok_or(Code::LineUnavailable)?;
        store.line(line).put_grants(&grants)?;
        store.log(clock::now(), &format!("{} begins generation {generation}", shard_word(line, shard)))?;
        let rev = store.course()?.rev;
        let config = Config::of(&self.env)?;
        let (closed, seal) = match line {
            MAIN => (store.closed_cut()?, store.seal()?.map(|seal| seal.text(&config, &event)).transpose()?),
            lane => (store.line(lane).last_row()?.map(|row| row.cut()), None),
        };
        Ok(serde_json::to_string(&Hello { generation, event, beat, closed, seal, rev })?)
    }

    fn rows(&self, ask: RowsAsk) -> Result<String, Problem> {
        let rows: Vec<Row> = self.store()?.line(ask.line).rows_after(ask.after)?;
        Ok(serde_json::to_string(&rows)?)
    }

    /// Has every shard erase an account, once the on-sale is closed; answers whether all have.
    async fn erase(&self, account: &AccountId) -> Result<String, Problem> {
        let event = self.event()?;
        let mut all = true;
        for line in event.lines() {
            let shards = event.shards_of(line);
            let told: Vec<bool> = self.ask_shards(&event.id, line, shards, shard_op::ERASE, account).await?;
            all &= told.len() == usize::from(shards) && told.into_iter().all(|erased| erased);
        }
        Ok(all.to_string())
    }

    fn take_fault(&self, fault: Fault) -> Result<String, Problem> {
        if !Config::of(&self.env)?.faults {
            return Err(Code::NotFound.into());
        }
        if fault == Fault::Pacer {
            strike(fault);
        }
        self.fault.set(Some(fault));
        Ok("null".into())
    }

    /// Strikes if this fault was ordered.
    fn fault_point(&self, here: Fault) {
        if self.fault.get() == Some(here) {
            strike(here);
        }
    }
}

fn shard_word(line: u8, shard: u16) -> String {
    if line == MAIN { format!("shard {shard}") } else { format!("shard {shard} of line {line}") }
}
