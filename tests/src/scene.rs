//! A stack of its own with one rehearsal event on sale.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use domain::plan_import::{EventDefinition, Imported};
use domain::time::WallMs;
use onsale::audit::{self, Books, Finding, Payments};
use onsale::build::{self, Artifacts};
use onsale::edge::Profile;
use onsale::fan::Api;
use onsale::fan::api::{InLine, StatusView};
use onsale::on_sale::put_on_sale;
use onsale::rehearse::{Target, hall};
use onsale::stack::{Stack, StackError, StackOptions};

/// Wall time, in milliseconds since 1970.
pub fn now() -> WallMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970");
    WallMs(since.as_millis() as i64)
}

/// What the stack runs, built once for all tests of a program.
pub fn artifacts() -> Artifacts {
    static BUILT: OnceLock<Artifacts> = OnceLock::new();
    BUILT.get_or_init(|| build::all(Profile::Dev, &()).expect("worker and functions build")).clone()
}

/// A running stack and its event.
pub struct Scene {
    /// The stack; dropping it ends every process.
    pub stack: Stack,
    /// The event as imported.
    pub event: Imported,
    /// Where fans and the audit look.
    pub target: Target,
    options: StackOptions,
}

impl Scene {
    /// A hall of `seats` seats whose on-sale opens in `opens_in`.
    pub async fn open(seats: u32, opens_in: Duration) -> anyhow::Result<Self> {
        Self::with(seats, opens_in, |_| {}).await
    }

    /// The same on a stack with options of its own.
    pub async fn with(seats: u32, opens_in: Duration, change: impl FnOnce(&mut StackOptions)) -> anyhow::Result<Self> {
        Self::selling(seats, opens_in, change, |_| {}).await
    }

    /// The same with an event that is changed before it is put on sale.
    pub async fn selling(
        seats: u32,
        opens_in: Duration,
        change: impl FnOnce(&mut StackOptions),
        define: impl FnOnce(&mut EventDefinition),
    ) -> anyhow::Result<Self> {
        let built = tokio::task::spawn_blocking(artifacts).await?;
        let mut options = StackOptions::new(built);
        if let Ok(endpoint) = std::env::var("ONSALE_TEST_DYNAMODB") {
            options.dynamodb_endpoint = Some(endpoint);
            options.table = format!("test-{:016x}", rand::random::<u64>());
        }
        change(&mut options);
        let stack = Stack::start(options.clone()).await?;
        let event = hall("rehearsal", seats, now().plus(opens_in.as_millis() as i64));
        let mut event = event.map_err(|f| anyhow::anyhow!("{f:?}"))?;
        define(&mut event.definition);
        put_on_sale(&stack, &event, |_, _| {}).await?;
        let target = target(&stack)?;
        Ok(Self { stack, event, target, options })
    }

    /// Ends the stack and starts it again on its state folder, which the options must name, with other master keys.
    pub async fn with_keys(self, master_keys: &str) -> anyhow::Result<Self> {
        let Self { stack, event, options, .. } = self;
        let file = options.state.as_ref().context("a state folder that outlives the stack")?.join("stack.json");
        stack.stop().await;
        let mut saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&file)?)?;
        saved["secrets"]["master_keys"] = master_keys.into();
        std::fs::write(&file, saved.to_string())?;
        let mut started = None;
        wait("the folder of the stack that ended", Duration::from_secs(20), async || {
            started = match Stack::start(options.clone()).await {
                Err(StackError::InUse(_)) => None,
                other => Some(other?),
            };
            Ok(started.is_some())
        })
        .await?;
        let stack = started.context("a stack")?;
        let target = target(&stack)?;
        Ok(Self { stack, event, target, options })
    }

    /// A client of the event.
    pub fn api(&self) -> &Api {
        &self.target.api
    }

    /// The operator's key.
    pub fn operator_key(&self) -> &str {
        &self.target.operator_key
    }

    /// Accounts of the rehearsal, one per name.
    pub async fn accounts(&self, names: &[&str]) -> anyhow::Result<Vec<String>> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(self.api().rehearsal_accounts(self.operator_key(), &names).await?)
    }

    /// Joins the line and waits for the number.
    pub async fn numbered(&self, account: &str) -> anyhow::Result<InLine> {
        let mut entry = self.api().join(account).await?;
        wait("a number in the line", Duration::from_secs(40), async || {
            entry = self.api().line(&entry.token).await?;
            Ok(entry.place.is_some())
        })
        .await?;
        Ok(entry)
    }

    /// Joins, waits for the turn and claims it; answers the access token.
    pub async fn admitted(&self, account: &str) -> anyhow::Result<String> {
        let entry = self.numbered(account).await?;
        let place = entry.place.unwrap_or(u64::MAX);
        self.status_until("the turn", async |status| status.admitted >= place).await?;
        Ok(self.api().admission(&entry.token).await?)
    }

    /// The first status for which `holds`.
    pub async fn status_until(
        &self,
        what: &str,
        holds: impl AsyncFn(&StatusView) -> bool,
    ) -> anyhow::Result<StatusView> {
        let mut seen = None;
        wait(what, Duration::from_secs(40), async || {
            let Ok(status) = self.api().status().await else { return Ok(false) };
            let good = holds(&status).await;
            seen = Some(status);
            Ok(good)
        })
        .await?;
        seen.context("a status was seen")
    }

    /// The books now.
    pub async fn books(&self) -> anyhow::Result<Books> {
        audit::read_books(&self.target.table, &self.target.payments, &self.api().event().parse()?).await
    }

    /// Waits until the audit finds nothing, and fails with what it still finds.
    pub async fn at_rest(&self, within: Duration) -> anyhow::Result<Books> {
        let (mut books, mut left): (Books, Vec<Finding>) = (Books::default(), Vec::new());
        let waited = wait("books without findings", within, async || {
            books = self.books().await?;
            left = audit::check_at_rest(&books);
            Ok(left.is_empty())
        })
        .await;
        waited.with_context(|| format!("left over: {left:?}"))?;
        Ok(books)
    }
}

fn target(stack: &Stack) -> anyhow::Result<Target> {
    Ok(Target {
        api: Api::new(stack.edge_url(), "rehearsal"),
        operator_key: stack.operator_key().to_owned(),
        table: stack.table(),
        payments: Payments::new(stack.payments_url(), stack.provider_key())?,
    })
}

/// Asks every 200 ms until `done`, or fails naming what was waited for.
pub async fn wait(
    what: &str,
    within: Duration,
    mut done: impl AsyncFnMut() -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let deadline = tokio::time::Instant::now() + within;
    while !done().await? {
        anyhow::ensure!(tokio::time::Instant::now() < deadline, "waited {within:?} in vain for {what}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}
