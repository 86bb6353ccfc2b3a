//! `onsale webhooks …`: what organisers were told, and telling it again.

use anyhow::Context;
use clap::{Args, Subcommand};
use domain::ids::{EventId, OrderId};
use domain::items::{BUCKETS, OutMessage};
use domain::keys::MasterKeys;
use domain::outbox::{Replay, SigningKeys};
use domain::plan::Key;
use domain::time::WallMs;
use serde_json::json;
use table::{DecideError, Table};

use super::event::when;
use super::home::Home;
use super::source::Source;
use crate::stack::State;

/// Commands about messages to organisers.
#[derive(Debug, Subcommand)]
pub(super) enum WebhooksCommand {
    /// Show the messages that wait or were given up, or all of one order
    List(ListArgs),
    /// Have messages sent again from the beginning, under the same ids: all that were given up, or those of one order
    Replay(ReplayArgs),
    /// Print what the receiver checks signatures with, one line for each master key
    Secret(SecretArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// The event
    pub event: EventId,
    /// All messages of this order
    #[arg(long)]
    pub order: Option<OrderId>,
    /// Print one JSON object a line, bodies included
    #[arg(long)]
    pub json: bool,
    /// Not the local stack, but the table of TABLE_NAME and AWS_*
    #[arg(long)]
    pub deployed: bool,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The event
    pub event: EventId,
    /// The messages of this order, those included that were never written
    #[arg(long, required_unless_present = "parked")]
    pub order: Option<OrderId>,
    /// All messages that were given up
    #[arg(long, conflicts_with = "order")]
    pub parked: bool,
    /// Not the local stack, but the table of TABLE_NAME and AWS_*
    #[arg(long)]
    pub deployed: bool,
}

#[derive(Debug, Args)]
pub(super) struct SecretArgs {
    /// The event
    pub event: EventId,
    /// Not the local stack's, but by the keys of ONSALE_MASTER_KEYS
    #[arg(long)]
    pub deployed: bool,
}

/// Messages of one part of the index that are looked at in one go.
const PAGE: i32 = 100;

pub(super) async fn run(home: &Home, command: WebhooksCommand) -> anyhow::Result<()> {
    match command {
        WebhooksCommand::List(args) => show(&Source::table(home, args.deployed).await?, &args).await,
        WebhooksCommand::Replay(args) => replay(&Source::table(home, args.deployed).await?, &args).await,
        WebhooksCommand::Secret(args) => secret(home, &args),
    }
}

fn secret(home: &Home, args: &SecretArgs) -> anyhow::Result<()> {
    let keys = if args.deployed {
        MasterKeys::parse(&std::env::var("ONSALE_MASTER_KEYS").context("ONSALE_MASTER_KEYS is not set")?)?
    } else {
        State::keys_of(&home.ready()?)?
    };
    SigningKeys::of(&keys, &args.event).secrets().for_each(|secret| println!("{secret}"));
    Ok(())
}

async fn show(table: &Table, args: &ListArgs) -> anyhow::Result<()> {
    let messages = match &args.order {
        Some(order) => of_order(table, &args.event, order).await?,
        None => {
            let mut messages = parked(table, &args.event).await?;
            messages.extend(waiting(table, &args.event).await?);
            messages
        }
    };
    messages.iter().for_each(|message| println!("{}", if args.json { as_json(message) } else { line(message) }));
    if !args.json {
        println!("{} messages", messages.len());
    }
    Ok(())
}

async fn replay(table: &Table, args: &ReplayArgs) -> anyhow::Result<()> {
    let messages = match &args.order {
        Some(order) => {
            of_order(table, &args.event, order).await?;
            table.note_messages(order, when::now()).await?;
            table.messages(order).await?
        }
        None => parked(table, &args.event).await?,
    };
    let (all, mut again) = (messages.len(), 0);
    for message in messages {
        match table.decide(Replay { message, now: when::now() }).await {
            Ok(_) => again += 1,
            Err(DecideError::Refused(_)) => {}
            Err(DecideError::Table(error)) => return Err(error.into()),
        }
    }
    println!("{again} of {all} messages are sent again within a minute or two");
    Ok(())
}

async fn of_order(table: &Table, event: &EventId, order: &OrderId) -> anyhow::Result<Vec<OutMessage>> {
    let stored = table.order(order).await?.filter(|stored| stored.event == *event);
    stored.with_context(|| format!("the event has no order {order}"))?;
    Ok(table.messages(order).await?)
}

/// Those that were given up, longest ago first; at most a page.
async fn parked(table: &Table, event: &EventId) -> anyhow::Result<Vec<OutMessage>> {
    read(table, table.parked_messages(event, PAGE).await?).await
}

async fn waiting(table: &Table, event: &EventId) -> anyhow::Result<Vec<OutMessage>> {
    let mut messages = Vec::new();
    for bucket in 0..BUCKETS {
        messages.extend(read(table, table.due_messages(event, bucket, WallMs(i64::MAX), PAGE).await?).await?);
    }
    Ok(messages)
}

async fn read(table: &Table, keys: Vec<Key>) -> anyhow::Result<Vec<OutMessage>> {
    let mut messages = Vec::new();
    for key in keys {
        messages.extend(table.get(&key).await?.as_ref().map(OutMessage::from_item).transpose()?);
    }
    Ok(messages)
}

fn line(message: &OutMessage) -> String {
    let OutMessage { kind, state, tries, made, .. } = message;
    let last = message.last.as_deref().unwrap_or("-");
    let made = when::shown(made.0, "UTC");
    format!("{made}  {}  {kind:24} {state:12} {tries} tries, last {last}", message.id())
}

fn as_json(message: &OutMessage) -> String {
    let OutMessage { kind, state, tries, last, made, body, .. } = message;
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    json!({"id": message.id(), "type": kind.as_str(), "state": state.as_str(), "tries": tries, "last": last,
        "made_ms": made.0, "body": body})
    .to_string()
}
