//! `onsale event …`: each command is one call of the operator's API.

mod args;
mod codes;
mod import;
mod list;
mod log;
mod show;
pub(super) mod when;

pub(super) use args::{At, EventCommand};

use anyhow::{Context, bail};
use domain::layout::Layout;
use serde_json::{Value, json};

use self::args::{OperatorsCommand, RoleArg};
use super::home::Home;
use crate::operate::Desk;

pub(super) async fn run(home: &Home, command: EventCommand) -> anyhow::Result<()> {
    match command {
        EventCommand::Import(args) => import::import(home, args).await,
        EventCommand::ImportCodes { file, at } => codes::import(&Place::find(home, at)?, &file).await,
        EventCommand::List(args) => list::list(home, args).await,
        EventCommand::Show(at) => show::announced(&Place::find(home, at)?).await,
        EventCommand::Status(at) => show::live(&Place::find(home, at)?).await,
        EventCommand::Log(at) => log::log(&Place::find(home, at)?).await,
        EventCommand::Operators { command } => operators(home, command).await,
        other => order(home, other).await,
    }
}

/// Which event at which edge, with whose key.
pub(super) struct Place {
    edge: String,
    event: String,
    key: String,
    json: bool,
}

impl Place {
    /// From what was typed, the running stack, and the variable `ONSALE_OPERATOR_KEY`, which comes first.
    pub(super) fn find(home: &Home, at: At) -> anyhow::Result<Self> {
        let shown = std::env::var("ONSALE_OPERATOR_KEY").ok().filter(|key| !key.is_empty());
        let At { event, url, json } = at;
        let (edge, known, key) = match url {
            Some(url) => (
                url.trim_end_matches('/').to_owned(),
                None,
                shown.context("set ONSALE_OPERATOR_KEY to an operator's key of that event")?,
            ),
            None => {
                let ready = home.ready()?;
                (ready.edge, ready.event, shown.unwrap_or(ready.operator_key))
            }
        };
        let event = event.or(known).context("name the event with --event")?;
        Ok(Self { edge, event, key, json })
    }

    /// The edge's address and the operator's key.
    pub(in crate::cli) fn edge_and_key(self) -> (String, String) {
        (self.edge, self.key)
    }

    pub(super) fn desk(&self) -> Desk {
        Desk::new(&self.edge, &self.event, &self.key)
    }

    /// The address of a page of the event, or of a place on it.
    pub(super) fn page(&self, rest: &str) -> String {
        format!("{}/e/{}{rest}", self.edge, self.event)
    }

    /// The event's time zone.
    pub(super) async fn zone(&self) -> anyhow::Result<String> {
        Ok(self.announced().await?["zone"].as_str().unwrap_or("UTC").to_owned())
    }

    /// The event's layout.
    pub(super) async fn layout(&self) -> anyhow::Result<Layout> {
        let version = self.announced().await?["layout_version"].as_str().unwrap_or_default().to_owned();
        let url = format!("{}/v1/events/{}/layout?v={version}", self.edge, self.event);
        Ok(reqwest::get(url).await?.error_for_status()?.json().await?)
    }

    /// The event as fans' pages read it.
    async fn announced(&self) -> anyhow::Result<Value> {
        let answer = reqwest::get(format!("{}/v1/events/{}", self.edge, self.event)).await;
        let answer = answer.context("the edge does not answer")?;
        if answer.status().as_u16() == 404 {
            bail!("there is no event {} at {}", self.event, self.edge);
        }
        Ok(answer.error_for_status()?.json().await?)
    }
}

/// Sends a command and says what it means.
async fn order(home: &Home, command: EventCommand) -> anyhow::Result<()> {
    let (at, route, body, means) = match command {
        EventCommand::Pause { reason, at } => (
            at,
            "pause",
            json!({ "reason": reason }),
            "paused: nobody is let in, event time stands; `onsale event resume` goes on",
        ),
        EventCommand::Resume(at) => (at, "resume", json!({}), "resumed"),
        EventCommand::Rate { per_minute, at } => (at, "rate", json!({ "per_minute": per_minute }), "the rate is set"),
        EventCommand::Message { text: Some(text), at } => {
            (at, "message", json!({ "text": text }), "everybody in line reads it within a few seconds")
        }
        EventCommand::Message { text: None, at } => {
            (at, "message", json!({ "text": null }), "the message is taken back")
        }
        EventCommand::Stop { reason, at } => (
            at,
            "stop",
            json!({ "reason": reason }),
            "stopped: nobody is let in, nobody can book or pay; `onsale event lift` goes on",
        ),
        EventCommand::Lift(at) => (at, "lift", json!({}), "lifted"),
        EventCommand::DrawWithoutBeacon(at) => {
            (at, "draw-without-beacon", json!({}), "the draw is made at the next beat; pages call it the organiser's")
        }
        EventCommand::Invite { count, at } => {
            (at, "invite", json!({ "count": count }), "they are invited from the next beat on")
        }
        EventCommand::Revoke(at) => (at, "revoke", json!({}), "all tokens are revoked from the next beat on"),
        EventCommand::Close { yes, at } => {
            confirmed(yes)?;
            (at, "close", json!({}), "closed")
        }
        EventCommand::OpenEarly { opens, at } => return reopen(home, "open-early", &opens, at).await,
        EventCommand::Postpone { opens, at } => return reopen(home, "postpone", &opens, at).await,
        _ => return Ok(()),
    };
    let place = Place::find(home, at)?;
    let answer = place.desk().order(route, &body).await?;
    say(&place, &answer, &format!("{}: {means}", place.event));
    Ok(())
}

/// Moves the opening.
async fn reopen(home: &Home, route: &str, opens: &str, at: At) -> anyhow::Result<()> {
    let place = Place::find(home, at)?;
    let event = place.announced().await?;
    let zone = event["zone"].as_str().unwrap_or("UTC");
    let opens_at_ms = when::instant(opens, zone)?;
    let answer = place.desk().order(route, &json!({ "opens_at_ms": opens_at_ms })).await?;
    say(&place, &answer, &format!("{}: opens at {}", place.event, when::shown(opens_at_ms, zone)));
    Ok(())
}

fn confirmed(yes: bool) -> anyhow::Result<()> {
    use std::io::{BufRead, IsTerminal, Write};
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        bail!("closing is for good; say --yes if it is meant");
    }
    eprint!("This ends the on-sale for good. Type yes to go on: ");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    if line.trim() == "yes" { Ok(()) } else { bail!("not closed") }
}

async fn operators(home: &Home, command: OperatorsCommand) -> anyhow::Result<()> {
    match command {
        OperatorsCommand::Add { name, role, at } => {
            let place = Place::find(home, at)?;
            let answer = place.desk().add(&name, role.word()).await?;
            let key = answer["key"].as_str().unwrap_or_default();
            say(&place, &answer, &format!("{name} may now {}. The key, shown this once:\n{key}", role.means()));
        }
        OperatorsCommand::List(at) => {
            let place = Place::find(home, at)?;
            let answer = place.desk().operators().await?;
            say(&place, &answer, &show::operators(&answer));
        }
        OperatorsCommand::Remove { name, at } => {
            let place = Place::find(home, at)?;
            let answer = place.desk().remove(&name).await?;
            say(&place, &answer, &format!("the key of {name} is worth nothing from now on"));
        }
    }
    Ok(())
}

impl RoleArg {
    fn word(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Run => "run",
            Self::Admin => "admin",
        }
    }

    fn means(self) -> &'static str {
        match self {
            Self::View => "look",
            Self::Run => "run the on-sale",
            Self::Admin => "do everything",
        }
    }
}

pub(super) fn say(place: &Place, answer: &Value, text: &str) {
    if place.json { println!("{answer}") } else { println!("{text}") }
}
