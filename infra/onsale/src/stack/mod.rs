//! The local stack: every part of Onsale on loopback, one process and its children.
//!
//! Embedded here: DynamoDB, the payment simulator, the Lambda host, the stream's mappings and the
//! janitor's schedule. Children: the Workers runtime and the function binaries. The stack knows how
//! the parts are wired, as the template and `wrangler.toml` do in the cloud, and nothing of what
//! they do.

mod control;
mod edge;
mod error;
mod fleet;
mod functions;
mod import;
mod inner;
mod invoke;
mod options;
mod part;
mod ready;
mod schedule;
mod state;

use std::sync::Arc;

use domain::plan_import::Imported;
use tokio::task::JoinHandle;

pub use error::StackError;
pub use options::StackOptions;
pub use part::{Part, UnknownPart};
pub use ready::Ready;
pub use state::State;

use crate::lambda_host::OriginRequest;
use inner::Inner;

/// How often to look whether the edge still runs.
const EDGE_LOOK: std::time::Duration = std::time::Duration::from_secs(1);

/// The region everything local claims to be in.
pub const REGION: &str = "us-east-1";

/// A running stack. Dropping it ends everything, children included; the state folder stays, unless
/// it was a temporary one.
pub struct Stack {
    inner: Arc<Inner>,
    control: JoinHandle<()>,
    watch: JoinHandle<()>,
}

impl Stack {
    /// Starts every part and returns when the edge listens.
    ///
    /// # Errors
    /// [`StackError`]; what had been started is ended again.
    pub async fn start(options: StackOptions) -> Result<Self, StackError> {
        let (inner, control) = Inner::start(options).await?;
        let inner = Arc::new(inner);
        let control = control::serve(control, Arc::clone(&inner));
        let watch = tokio::spawn(watch_edge(Arc::clone(&inner)));
        Ok(Self { inner, control, watch })
    }

    /// The edge's address, without a trailing slash.
    pub fn edge_url(&self) -> &str {
        &self.inner.addresses.edge
    }

    /// The origin's function URL.
    pub fn origin_url(&self) -> &str {
        &self.inner.addresses.origin
    }

    /// The payment simulator's address.
    pub fn payments_url(&self) -> &str {
        &self.inner.addresses.payments
    }

    /// Our key to the payment simulator.
    pub fn provider_key(&self) -> &str {
        &self.inner.state.secrets.provider_key
    }

    /// The chain of the beacon's stand-in, for events that name one.
    pub fn beacon_chain(&self) -> domain::beacon::Chain {
        crate::beacon::chain_of(&self.inner.state.secrets.beacon_key())
    }

    /// The stand-ins for services outside, the mail service among them.
    pub fn stand_ins(&self) -> &crate::stand_ins::StandIns {
        &self.inner.stand_ins
    }

    /// The operator's bearer key.
    pub fn operator_key(&self) -> &str {
        self.inner.operator_key()
    }

    /// The keys that may call the origin and the table.
    pub fn signer_keys(&self) -> crate::lambda_host::SignerKeys {
        self.inner.state.keys()
    }

    /// The master keys, as the worker and the functions have them.
    pub fn master_keys(&self) -> &str {
        &self.inner.state.secrets.master_keys
    }

    /// The table's name.
    pub fn table_name(&self) -> &str {
        &self.inner.table
    }

    /// The table, reached as the functions reach it.
    pub fn table(&self) -> table::Table {
        self.inner.table()
    }

    /// The state folder.
    pub fn state(&self) -> &std::path::Path {
        self.inner.state.folder()
    }

    /// Kills a part at once, as `kill -9` does; it stays down until started.
    ///
    /// # Errors
    /// The process could not be killed.
    pub async fn kill(&self, part: Part) -> Result<(), StackError> {
        self.inner.kill(part).await
    }

    /// Starts a part that was killed; one that runs is left as it is.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start_part(&self, part: Part) -> Result<(), StackError> {
        self.inner.revive(part).await
    }

    /// Every request that reached the origin's function URL.
    pub fn origin_log(&self) -> Vec<OriginRequest> {
        self.inner.origin_log.requests()
    }

    /// Parts and streams, as the control address shows them.
    pub async fn status(&self) -> serde_json::Value {
        self.inner.status().await
    }

    /// Waits until both mappings have delivered everything written before this call. A mapping whose
    /// function is down never gets there.
    pub async fn drained(&self) {
        self.inner.drained().await;
    }

    /// Writes the items of a new event into the table. The embedded database takes them in one
    /// transaction and without stream records, which nobody needs: the map is among the items.
    /// Any other is written to in batches. `progress` is told how many of how many are done.
    ///
    /// # Errors
    /// The database refuses, or the event exists already and is in the way.
    pub async fn import(&self, event: &Imported, progress: impl FnMut(usize, usize)) -> Result<(), StackError> {
        self.inner.import(event, progress).await
    }

    /// The addresses, with the event on sale.
    pub fn ready(&self, event: Option<&str>) -> Ready {
        self.inner.ready(event)
    }

    /// Ends every part in order; what dropping does, but returning when it is done.
    pub async fn stop(self) {
        self.inner.stop().await;
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.control.abort();
        self.watch.abort();
        // Nobody can reach it any more, so a ready file would only mislead.
        let _ = std::fs::remove_file(self.inner.state.file(Ready::FILE));
    }
}

/// Replaces the edge when it ends by itself, as the functions' instances are.
async fn watch_edge(stack: Arc<Inner>) {
    loop {
        tokio::time::sleep(EDGE_LOOK).await;
        if let Err(error) = stack.keep_edge().await {
            tracing::error!(%error, "the edge could not be started again");
        }
    }
}
