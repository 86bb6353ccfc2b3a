//! `onsale kill` and `onsale start`.

use anyhow::{Context, bail};

use super::home::Home;
use crate::stack::Part;

pub(super) async fn ask(home: &Home, part: Part, what: &str) -> anyhow::Result<()> {
    let ready = home.ready()?;
    let url = format!("{}/parts/{part}/{what}", ready.control);
    let request = reqwest::Client::new().post(url).bearer_auth(&ready.operator_key);
    let response = request.send().await.context("the stack does not answer; has it ended?")?;
    if !response.status().is_success() {
        bail!("{}", response.text().await.unwrap_or_default());
    }
    match what {
        "kill" => println!("{part} is down; `onsale start {part}` brings it back"),
        _ => println!("{part} runs"),
    }
    Ok(())
}
