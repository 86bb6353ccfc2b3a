//! Asking a public randomness beacon for a round: every address at once, and the first answer that is true.

use std::time::Duration;

use domain::beacon::{BeaconFault, Chain, Round};
use domain::bytes32::to_hex;
use futures_util::future::{Either, select, select_ok};
use worker::{AbortController, Delay, Fetch, Url};

use crate::config::Config;

/// Patience with one address, in milliseconds: less than a beat's patience with its shards and its origin.
const PATIENCE_MS: u64 = 1_500;

/// Why there is no round yet. Answers that lie are told apart from silence; each address is asked again with the next beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRound {
    /// The deployment knows no address.
    #[error("this deployment knows no beacon's address (BEACON_URLS)")]
    NoAddress,
    /// No answer, or none yet.
    #[error("the beacon does not answer")]
    Silent,
    /// An answer that is not a true one.
    #[error("the beacon's answer is refused: {0}")]
    Refused(#[from] BeaconFault),
}

/// Fetches a round and checks all of it, its signature included.
pub async fn fetch(config: &Config, chain: &Chain, round: u64) -> Result<Round, NoRound> {
    let path = format!("{}/public/{round}", to_hex(&chain.chain));
    let asks: Vec<_> =
        config.beacon_urls.iter().map(|base| Box::pin(ask(chain, round, format!("{base}/{path}")))).collect();
    if asks.is_empty() {
        return Err(NoRound::NoAddress);
    }
    select_ok(asks).await.map(|(round, _)| round)
}

async fn ask(chain: &Chain, round: u64, url: String) -> Result<Round, NoRound> {
    let abort = AbortController::default();
    let signal = abort.signal();
    let answer = Box::pin(receive(url, &signal));
    match select(answer, Delay::from(Duration::from_millis(PATIENCE_MS))).await {
        Either::Left((Ok(bytes), _)) => Ok(chain.read(round, &bytes)?),
        Either::Left((Err(_), _)) => Err(NoRound::Silent),
        Either::Right(_) => {
            abort.abort();
            Err(NoRound::Silent)
        }
    }
}

async fn receive(url: String, signal: &worker::AbortSignal) -> worker::Result<Vec<u8>> {
    let url = Url::parse(&url).map_err(|error| worker::Error::RustError(error.to_string()))?;
    let mut answer = Fetch::Url(url).send_with_signal(signal).await?;
    match answer.status_code() {
        200 => answer.bytes().await,
        status => Err(worker::Error::RustError(format!("status {status}"))),
    }
}
