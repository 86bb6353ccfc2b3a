//! The search index: one SQLite database (D1), asked and written by the statements of `domain::search`.
//!
//! It deliberately knows nothing of what a search means. Its tables are made where they are missing, so an empty database is
//! a good one.

use std::cell::Cell;
use std::time::Duration;

use domain::search::{Arg, Generation, State, Statement};
use domain::time::WallMs;
use futures_util::future::{Either, select};
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result, Delay, Env};

use crate::clock;
use crate::problem::{Code, Problem};

/// The tables, see `migrations/`.
const SCHEMA: &str = include_str!("../migrations/0001_search.sql");
/// Patience with the database, in milliseconds.
const PATIENCE_MS: u64 = 5_000;
/// How long an isolate believes that a slot is searched, in milliseconds: far less than [`domain::search::SETTLE_MS`].
const BELIEVED_MS: i64 = 5_000;

thread_local! {
    /// The slot that is searched, and until when that is believed.
    static LIVE: Cell<Option<(u8, WallMs)>> = const { Cell::new(None) };
}

/// The database.
pub struct Index(D1Database);

impl Index {
    /// The one of this deployment.
    pub fn of(env: &Env) -> Result<Self, Problem> {
        Ok(Self(env.d1("SEARCH")?))
    }

    /// What the tables are for.
    pub async fn generations(&self) -> Result<Vec<Generation>, Problem> {
        let statement = Statement { sql: "SELECT * FROM generation ORDER BY slot".into(), args: Vec::new() };
        match self.rows(&statement).await {
            Ok(known) => Ok(known),
            Err(_) => {
                self.make_tables().await?;
                self.rows(&statement).await
            }
        }
    }

    /// The slot that is searched.
    pub async fn live(&self) -> Result<u8, Problem> {
        if let Some((slot, until)) = LIVE.get()
            && clock::now() < until
        {
            return Ok(slot);
        }
        let live = self.generations().await?.into_iter().find(|known| known.state == State::Live);
        let slot = live.ok_or(Code::SearchUnavailable)?.slot;
        LIVE.set(Some((slot, clock::now().plus(BELIEVED_MS))));
        Ok(slot)
    }

    /// The rows of a statement.
    pub async fn rows<T: DeserializeOwned>(&self, statement: &Statement) -> Result<Vec<T>, Problem> {
        let prepared = self.prepared(statement)?;
        let result = patiently(async move { prepared.all().await }).await?;
        result.results().map_err(unavailable)
    }

    /// Runs statements in one transaction. → the rows that each changed.
    pub async fn run(&self, statements: &[Statement]) -> Result<Vec<usize>, Problem> {
        let prepared: Result<Vec<_>, _> = statements.iter().map(|statement| self.prepared(statement)).collect();
        let results: Vec<D1Result> = patiently(self.0.batch(prepared?)).await?;
        let changed =
            |result: &D1Result| result.meta().ok().flatten().and_then(|meta| meta.changes).unwrap_or_default();
        Ok(results.iter().map(changed).collect())
    }

    async fn make_tables(&self) -> Result<(), Problem> {
        let tables = SCHEMA.split(";\n").map(|sql| sql.trim().to_owned()).filter(|sql| !sql.is_empty());
        let tables: Vec<_> = tables.map(|sql| Statement { sql, args: Vec::new() }).collect();
        self.run(&tables).await.map(drop)
    }

    fn prepared(&self, statement: &Statement) -> Result<D1PreparedStatement, Problem> {
        let args: Vec<JsValue> = statement.args.iter().map(value).collect();
        self.0.prepare(statement.sql.as_str()).bind(&args).map_err(unavailable)
    }
}

/// Numbers stay below 2^53, where JavaScript's are exact.
#[allow(clippy::cast_precision_loss)]
fn value(arg: &Arg) -> JsValue {
    match arg {
        Arg::Int(number) => JsValue::from_f64(*number as f64),
        Arg::Real(number) => JsValue::from_f64(*number),
        Arg::Text(text) => JsValue::from_str(text),
    }
}

async fn patiently<T>(work: impl Future<Output = worker::Result<T>>) -> Result<T, Problem> {
    let patience = Delay::from(Duration::from_millis(PATIENCE_MS));
    match select(Box::pin(work), patience).await {
        Either::Left((answer, _)) => answer.map_err(unavailable),
        Either::Right(_) => Err(Code::SearchUnavailable.into()),
    }
}

/// The database's trouble: logged here, once, and shown without its words.
fn unavailable(error: worker::Error) -> Problem {
    worker::console_warn!("search: {error}");
    Code::SearchUnavailable.into()
}
