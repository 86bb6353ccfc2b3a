//! A stand-in for a public randomness beacon: drand's HTTP API on loopback, with rounds that are really signed, by a key of
//! its own. Whoever holds that key knows all rounds beforehand, so what it draws is verifiable in form only: it exists for the
//! local stack and the tests, which also make it slow, silent or lie.
//!
//! It knows nothing of events, lines or draws.

mod http;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::beacon::{Chain, SCHEME, public_key};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Time of round 1, seconds since 1970; the same for every stand-in, so a restart goes on with the same chain.
const GENESIS_S: i64 = 1_700_000_000;
/// Time between rounds, seconds.
const PERIOD_S: u32 = 1;

/// What it does wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mood {
    /// Every request is answered 503.
    pub outage: bool,
    /// Rounds are signed by another key.
    pub lies: bool,
    /// How late answers come, in milliseconds.
    pub delay_ms: u64,
}

/// A running stand-in; dropping it stops it.
pub struct StandIn {
    address: SocketAddr,
    chain: Chain,
    mood: Arc<Mutex<Mood>>,
    server: JoinHandle<()>,
}

impl StandIn {
    /// Serves the chain of `secret` on `listener`.
    ///
    /// # Errors
    /// The listener has no address.
    pub fn start(listener: TcpListener, secret: [u8; 64]) -> std::io::Result<Self> {
        let (address, chain, mood) = (listener.local_addr()?, chain_of(&secret), Arc::<Mutex<Mood>>::default());
        let app = http::router(http::Desk { chain: chain.clone(), secret, mood: Arc::clone(&mood) });
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the beacon's stand-in stopped");
            }
        });
        Ok(Self { address, chain, mood, server })
    }

    /// Where it answers; a value for `BEACON_URLS`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The chain, as an event names it.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Makes it behave so from now on.
    pub fn feel(&self, mood: Mood) {
        *locked(&self.mood) = mood;
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The chain of a secret key.
pub fn chain_of(secret: &[u8; 64]) -> Chain {
    let public_key = public_key(secret);
    let chain = Sha256::digest(public_key).into();
    Chain { chain, public_key, genesis_s: GENESIS_S, period_s: PERIOD_S, scheme: SCHEME.to_owned() }
}

fn locked(mood: &Mutex<Mood>) -> MutexGuard<'_, Mood> {
    mood.lock().unwrap_or_else(PoisonError::into_inner)
}
