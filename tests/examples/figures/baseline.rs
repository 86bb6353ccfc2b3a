//! The least that a Worker can do, to compare with: a static text from a few words of JavaScript, on the same runtime.

use std::fs;
use std::path::Path;

use onsale::edge::{EdgeBundle, EdgeConfig, Workerd};

const CONFIG: &str = r#"using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "storage", disk = (writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "main.mjs", esModule = "export default { fetch() { return new Response('pong'); } };")],
  compatibilityDate = "2026-11-01",
);
"#;

/// Starts it, with files below `folder`.
pub async fn start(built: &EdgeBundle, folder: &Path) -> anyhow::Result<Workerd> {
    fs::write(folder.join("config.capnp"), CONFIG)?;
    let bundle = EdgeBundle { folder: folder.to_owned(), ..built.clone() };
    let nothing = String::new;
    let config = EdgeConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        state: folder.join("state"),
        origin_url: nothing(),
        master_keys: nothing(),
        operator_key: nothing(),
        access_key_id: nothing(),
        secret_access_key: nothing(),
        region: nothing(),
        beacon_urls: nothing(),
        webhook_secrets: nothing(),
        faults: false,
        outside: Default::default(),
        oidc: None,
    };
    Ok(Workerd::spawn(&bundle, &config).await?)
}
