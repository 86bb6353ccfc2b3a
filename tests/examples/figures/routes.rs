//! The routes that a crowd presses, beside the least that a Worker can do.

use anyhow::Context;
use domain::map::chart::version_of;
use onsale::edge::EdgeBundle;
use reqwest::{Client, Method, StatusCode};

use crate::baseline;
use crate::load::{self, Ask};

/// Compares them; `pid` is the process of the edge at `url`, `access` a good token of the event `figures`.
pub async fn beside_the_least(built: &EdgeBundle, url: &str, pid: u32, access: &str) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let least = baseline::start(built, folder.path()).await?;
    let base = format!("{url}/v1/events/figures");
    let map = Client::new().get(format!("{base}/seatmap")).header("X-Access-Token", access);
    let version = version_of(&map.send().await?.error_for_status()?.bytes().await?).context("a map's version")?;
    let read = |what, url| Ask { what, pid, method: Method::GET, url, access: String::new(), status: StatusCode::OK };
    let unchanged = read("token check, good: an unchanged map", format!("{base}/seatmap?since={version}"));
    let refused = read("token check, bad: a hold refused", format!("{base}/holds"));
    load::compare(&[
        Ask { pid: least.pid().context("a running worker")?, ..read("static text, minimal JavaScript", least.url()) },
        read("static text, this worker's long way", format!("{url}/v1/ping")),
        read("status file", format!("{base}/status.json")),
        Ask { access: access.to_owned(), status: StatusCode::NO_CONTENT, ..unchanged },
        Ask { method: Method::POST, access: "forged".into(), status: StatusCode::UNAUTHORIZED, ..refused },
    ])
    .await
}
