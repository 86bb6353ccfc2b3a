//! Starting the edge with this stack's addresses and keys.

use super::inner::Addresses;
use super::options::StackOptions;
use super::state::{self, State};
use super::{REGION, StackError};
use crate::edge::{EdgeConfig, Outside, Workerd};

/// Starts the Worker on its kept port, or on a free one.
pub(super) async fn start_edge(
    options: &StackOptions,
    state: &mut State,
    addresses: &Addresses,
    outside: Outside,
) -> Result<Workerd, StackError> {
    let listen = match options.listen {
        Some(listen) => listen,
        None => state::free(state.ports.edge).await?,
    };
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
