//! Starting the edge with this stack's addresses and keys.

use tokio::net::TcpListener;

use super::inner::Addresses;
use super::options::StackOptions;
use super::state::{self, State};
use super::{REGION, StackError};
use crate::edge::{EdgeConfig, Outside, Workerd};

/// Keeps the port for the Worker, as asked, the one of the last time, or a free one: others are told of it before it starts.
pub(super) async fn reserve(options: &StackOptions, state: &mut State) -> Result<TcpListener, StackError> {
    match options.listen {
        Some(listen) => Ok(TcpListener::bind(listen).await?),
        None => Ok(state::listen(&mut state.ports.edge).await?),
    }
}

/// Starts the Worker, which binds by itself, on the port that was kept for it.
pub(super) async fn start_edge(
    options: &StackOptions,
    state: &mut State,
    addresses: &Addresses,
    reserved: TcpListener,
    outside: Outside,
) -> Result<Workerd, StackError> {
    let listen = reserved.local_addr()?;
    drop(reserved);
    let config = EdgeConfig {
        listen,
        state: state.file("edge"),
        origin_url: addresses.origin.clone(),
        master_keys: state.secrets.master_keys.clone(),
        operator_key: state.secrets.operator_key.clone(),
        access_key_id: state.secrets.access_key_id.clone(),
        secret_access_key: state.secrets.secret_access_key.clone(),
        region: REGION.to_owned(),
        beacon_urls: addresses.beacon.clone(),
        webhook_secrets: state.secrets.webhook.clone(),
        faults: options.faults,
        oidc: options.oidc.clone(),
        outside,
    };
    let edge = Workerd::spawn(&options.artifacts.edge, &config).await?;
    if let Some((_, port)) = edge.url().rsplit_once(':') {
        state.ports.edge = port.parse().unwrap_or(0);
    }
    Ok(edge)
}
