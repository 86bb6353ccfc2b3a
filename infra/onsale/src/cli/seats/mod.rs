//! `onsale seats …`: blocks, house holds and channels, by the operator's API. Long lists go in parts, each of which may be
//! asked for again: a command that broke off is simply given once more.

mod args;
mod pick;
mod say;

pub(super) use args::SeatsCommand;

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use domain::ids::{EventId, SeatId};
use serde_json::{Value, json};
use table::Table;

use self::args::{KeptFor, Which};
use super::event::{Place, say, when};
use super::home::Home;
use super::progress::Progress;
use super::source::Source;

/// Seats of one call.
const AT_ONCE: usize = 500;

pub(super) async fn run(home: &Home, command: SeatsCommand) -> anyhow::Result<()> {
    match command {
        SeatsCommand::List { ids, at } => {
            let place = Place::find(home, at)?;
            let (listing, zone) = (place.desk().seats().await?, place.zone().await?);
            say(&place, &listing, &say::listing(&listing, &zone, ids));
            Ok(())
        }
        SeatsCommand::Waiting { event, deployed } => waiting(&Source::table(home, deployed).await?, &event).await,
        SeatsCommand::Block { which, reason, held_too, at } => {
            let more = json!({ "reason": reason, "held_too": held_too });
            change(&Place::find(home, at)?, "block", &which, more).await
        }
        SeatsCommand::House { which, name, until, held_too, at } => {
            let place = Place::find(home, at)?;
            let until = match until {
                Some(until) => Some(when::instant(&until, &place.zone().await?)?),
                None => None,
            };
            change(&place, "house", &which, json!({ "name": name, "until_ms": until, "held_too": held_too })).await
        }
        SeatsCommand::Release { which, kept, at } => release(&Place::find(home, at)?, &which, &kept).await,
        SeatsCommand::Assign { which, channel, everybody: _, at } => {
            change(&Place::find(home, at)?, "assign", &which, json!({ "channel": channel })).await
        }
        SeatsCommand::Key { channel, until, at } => key(&Place::find(home, at)?, &channel, &until).await,
        SeatsCommand::BoxOffice { buyer, at } => box_office(&Place::find(home, at)?, &buyer).await,
    }
}

/// Those who wait that are listed at most.
const LISTED: i32 = 100;

async fn waiting(table: &Table, event: &EventId) -> anyhow::Result<()> {
    let waiting = table.waiting(event, LISTED).await?;
    for one in &waiting {
        println!("place {:>9}  lane {}  {} seats", one.place, one.lane, one.quantity);
    }
    println!("{} wait", waiting.len());
    Ok(())
}

async fn change(place: &Place, deed: &str, which: &Which, more: Value) -> anyhow::Result<()> {
    let seats = pick::named(which, &place.layout().await?)?;
    send(place, deed, pick::some(seats)?, &more).await
}

async fn release(place: &Place, which: &Which, kept: &KeptFor) -> anyhow::Result<()> {
    let mut seats: BTreeSet<SeatId> = pick::named(which, &place.layout().await?)?;
    let now_ms = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    seats.extend(pick::kept(&place.desk().seats().await?, kept, i64::try_from(now_ms)?));
    send(place, "release", pick::some(seats)?, &json!({})).await
}

/// Sends the seats in parts and tells what came of them.
async fn send(place: &Place, deed: &str, seats: Vec<SeatId>, more: &Value) -> anyhow::Result<()> {
    let progress = Progress::new();
    progress.start(&format!("{deed}: {} seats", seats.len()));
    let (mut refused, mut taken): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for (n, part) in seats.chunks(AT_ONCE).enumerate() {
        let mut body = more.clone();
        body["seats"] = json!(part);
        let answer = place.desk().order(&format!("seats/{deed}"), &body).await?;
        let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
        refused.extend(list("refused"));
        taken.extend(list("taken"));
        progress.note(n * AT_ONCE + part.len(), seats.len());
    }
    progress.end();
    let changed = seats.len() - refused.len();
    let answer = json!({ "seats": seats.len(), "changed": changed, "refused": refused, "taken": taken });
    let details = say::outcome(&refused, &taken);
    say(place, &answer, format!("{deed}: {changed} of {} seats\n{details}", seats.len()).trim_end());
    if refused.is_empty() { Ok(()) } else { bail!("{} seats did not change", refused.len()) }
}

async fn key(place: &Place, channel: &str, until: &str) -> anyhow::Result<()> {
    let zone = place.zone().await?;
    let expires_ms = when::instant(until, &zone)?;
    let answer = place.desk().order(&format!("channels/{channel}"), &json!({ "expires_ms": expires_ms })).await?;
    let key = answer["key"].as_str().unwrap_or_default();
    let link = place.page(&format!("#channel={key}"));
    say(place, &answer, &format!("{key}\nuntil {}; as a link: {link}", when::shown(expires_ms, &zone)));
    Ok(())
}

async fn box_office(place: &Place, buyer: &str) -> anyhow::Result<()> {
    let answer = place.desk().order("box-office", &json!({ "buyer": buyer })).await?;
    say(place, &answer, answer["token"].as_str().unwrap_or_default());
    Ok(())
}
