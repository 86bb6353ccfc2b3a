//! A part of an event's line: a durable log of those who joined, their sessions, and copies of what the Pacer said.
//!
//! It knows neither stock nor pace. Numbers come from the Pacer's rows, by `domain::cohort`; storage that was
//! lost begins anew in a generation that the Pacer grants.

mod codes;
mod cut;
mod forget;
mod join;
mod late;
mod limits;
mod numbers;
mod proof;
mod registered;
mod relay;
mod remains;
mod session;
mod slowed;
mod store;
mod tally;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use domain::cohort::is_late;
use domain::ids::EventId;
use domain::merkle::Tree;
use serde::de::DeserializeOwned;
use worker::{Delay, DurableObject, Env, Request, Response, State, durable_object};

use crate::alone::Alone;
use crate::clock;
use crate::config::Config;
use crate::fault::{Fault, strike};
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{Hello, HelloAsk, WakeAsk, pacer_op, shard_op};
use limits::Limits;
use store::{Facts, Store};

/// Silence of the Pacer after which a shard wakes it, in milliseconds, above the length of a beat.
const SILENCE_MS: i64 = 5_000;

/// Between two looks at whether another call has learnt who the shard is.
const WAIT: Duration = Duration::from_millis(20);

/// The Durable Object class `LineShard`; its name is `<event>/<number>`.
#[durable_object(fetch)]
pub struct LineShard {
    state: State,
    env: Env,
    /// `None` if the storage could not be opened; then every call is refused.
    inner: Option<Inner>,
}

/// What a shard works with. A borrow of `facts` never spans an `await`.
struct Inner {
    event: EventId,
    line: u8,
    number: u16,
    store: Store,
    facts: RefCell<Facts>,
    limits: Limits,
    /// Trees of the present logs, by epoch, as far as proofs were asked for.
    trees: RefCell<BTreeMap<u32, Tree>>,
    /// Whether a call is asking the Pacer who this shard is.
    asking: Cell<bool>,
    /// How often readers asked for a copy.
    reads: Cell<u64>,
}

impl DurableObject for LineShard {
    fn new(state: State, env: Env) -> Self {
        let inner = Inner::open(&state).inspect_err(|error| worker::console_error!("shard: {error}")).ok();
        Self { state, env, inner }
    }

    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        objects::reply(self.answer(request).await)
    }
}

impl Inner {
    fn open(state: &State) -> worker::Result<Self> {
        let name = state.id().name().unwrap_or_default();
        let (event, line, number) = objects::parse_shard_name(&name).ok_or("a shard without a name")?;
        let store = Store::open(state)?;
        let facts = RefCell::new(store.load()?);
        let (limits, trees) = (Limits::default(), RefCell::default());
        let (asking, reads) = (Cell::new(false), Cell::new(0));
        Ok(Self { event, line, number, store, facts, limits, trees, asking, reads })
    }

    /// Refuses a place token of an earlier revocation epoch, unless the account itself vouches for it.
    fn not_revoked(&self, rev: u32, vouched: bool) -> Result<(), Problem> {
        let good = vouched || rev >= self.facts.borrow().last.rev;
        good.then_some(()).ok_or_else(|| Code::TokenRevoked.into())
    }
}

impl LineShard {
    async fn answer(&self, request: Request) -> Result<String, Problem> {
        let inner = self.inner.as_ref().ok_or(Code::Internal)?;
        let (op, body) = objects::read(request).await?;
        if op == shard_op::PANIC {
            strike(Fault::Shard);
        }
        // These two come from a Pacer without storage, which cannot say who a shard is.
        match op.as_str() {
            shard_op::REMAINS => return text(&remains::tell(inner, &args(&body)?)?),
            shard_op::ROWS => return text(&numbers::rows(inner, &args(&body)?)?),
            _ => {}
        }
        self.ready(inner).await?;
        self.wake_pacer(inner);
        forget::refuse(inner, &op, clock::now())?;
        let config = Config::of(&self.env)?;
        match op.as_str() {
            shard_op::JOIN => text(&join::join(inner, &args(&body)?, clock::now())?),
            shard_op::SESSION => text(&session::open(inner, &args(&body)?, clock::now())?),
            shard_op::METER => text(&limits::meter(inner, args(&body)?, clock::now())?),
            shard_op::LIFT => text(&slowed::lift(&inner.store.db, &args(&body)?, clock::now())?),
            shard_op::CUT => text(&cut::cut(inner, &config, &args(&body)?, &self.env).await?),
            shard_op::RELAY => text(&relay::take(inner, args(&body)?, clock::now(), &self.env).await?),
            shard_op::CODES => text(&codes::import(&inner.store.db, &args::<Vec<_>>(&body)?)?),
            shard_op::CLAIM => text(&codes::claim(&inner.store.db, &args(&body)?, clock::now())?),
            shard_op::FOUND => text(&codes::found(&inner.store.db, &args::<Vec<_>>(&body)?)?),
            shard_op::LOOK => text(&codes::look(inner, args(&body)?)?),
            shard_op::USES => text(&codes::uses(&inner.store.db)?),
            shard_op::REGISTERED => text(&registered::tell(inner, &args(&body)?, clock::now())?),
            shard_op::TRACES => text(&forget::traces(inner, &args(&body)?)?),
            shard_op::ERASE => text(&forget::erase(inner, &config, &args(&body)?)?),
            shard_op::TALLY => text(&tally::add(&inner.store.db, &args(&body)?)?),
            shard_op::PROOF => text(&proof::prove(inner, &config, &args(&body)?)?),
            _ => relay::read(inner, &config, &op, &body),
        }
    }

    /// A shard without storage asks the Pacer who it is. Calls that come at once wait for the one that asks: a
    /// generation that was granted and is not used costs the Pacer a beat to notice.
    async fn ready(&self, inner: &Inner) -> Result<(), Problem> {
        while inner.facts.borrow().shard.is_none() {
            match Alone::at(&inner.asking) {
                Some(_alone) => self.begin(inner).await?,
                None => Delay::from(WAIT).await,
            }
        }
        Ok(())
    }

    /// Begins in the granted generation, with all rows: shown tokens are judged by them.
    async fn begin(&self, inner: &Inner) -> Result<(), Problem> {
        let pacer = objects::pacer(&self.env, &inner.event)?;
        let hello: Hello =
            objects::ask(&pacer, pacer_op::HELLO, &HelloAsk { line: inner.line, shard: inner.number }).await?;
        numbers::catch_up(inner, &self.env).await?;
        let mut facts = inner.facts.borrow_mut();
        if is_late(hello.beat, facts.last.beat) {
            return Err(Code::LineUnavailable.into());
        }
        // Never over a log that has begun: its entries are places.
        if facts.shard.is_none() {
            *facts = inner.store.begin((inner.line, inner.number), hello, facts.last.beat)?;
        }
        Ok(())
    }

    /// Wakes a Pacer that has been silent: its alarm may have died.
    fn wake_pacer(&self, inner: &Inner) {
        let now = clock::now();
        let mut facts = inner.facts.borrow_mut();
        if now.since(facts.heard) <= facts.beat_ms() + SILENCE_MS {
            return;
        }
        facts.heard = now;
        let shards = facts.event.as_ref().map_or(0, |event| event.shards);
        let (env, event) = (self.env.clone(), inner.event.clone());
        self.state.wait_until(async move {
            if let Ok(pacer) = objects::pacer(&env, &event) {
                let _: Result<(), Problem> = objects::ask(&pacer, pacer_op::WAKE, &WakeAsk { shards }).await;
            }
        });
    }
}

fn args<T: DeserializeOwned>(body: &str) -> Result<T, Problem> {
    Ok(serde_json::from_str(body)?)
}

fn text(value: &impl serde::Serialize) -> Result<String, Problem> {
    Ok(serde_json::to_string(value)?)
}
