//! What was announced, and how it stands, for people.

use serde_json::Value;

use super::{Place, say, when};

/// `onsale event show`.
pub(super) async fn announced(place: &Place) -> anyhow::Result<()> {
    let event = place.announced().await?;
    say(place, &event, &announcement(place, &event));
    Ok(())
}

fn announcement(place: &Place, event: &Value) -> String {
    let text = |field: &str| event[field].as_str().unwrap_or("–").to_owned();
    let time = |field: &str| when::shown(event[field].as_i64().unwrap_or_default(), &text("zone"));
    let level = |level: &Value| {
        let (name, total) = (level["name"].as_str().unwrap_or("–"), level["total_minor"].as_i64().unwrap_or_default());
        format!("  {name}: {}.{:02} {}\n", total / 100, total % 100, text("currency"))
    };
    let levels: String = event["levels"].as_array().into_iter().flatten().map(level).collect();
    format!(
        "{} ({})\n{}, {}\nopens      {}\nends       {}\nfans       {}/e/{}\noperators  {}/operator/{}\n\
         commitment {}\nprices\n{}",
        text("name"),
        place.event,
        text("venue"),
        text("zone"),
        time("opens_at_ms"),
        time("ends_at_ms"),
        place.edge,
        place.event,
        place.edge,
        place.event,
        text("commitment"),
        levels.trim_end(),
    )
}

/// `onsale event status`.
pub(super) async fn live(place: &Place) -> anyhow::Result<()> {
    let live = place.desk().look().await?;
    say(place, &live, &standing(&live));
    Ok(())
}

fn standing(live: &Value) -> String {
    let number = |field: &str| live[field].as_u64().unwrap_or_default();
    let stock = |field: &str| live["stock"][field].as_u64().unwrap_or_default();
    let order = |field: &str, word: &str| live["orders"][field].as_str().map(|text| format!("{word}: {text}\n"));
    let orders = [order("stopped", "stopped"), order("paused", "paused"), order("message", "message")];
    let trouble = live["errors"].as_array().into_iter().flatten().filter_map(|error| error["text"].as_str());
    format!(
        "{}, beat {}\n{}admitted {} of {} places, {} joined; {} inside, room for {}, {} a minute\n\
         free {}, held {}, being paid {}, sold {}; {} orders left{}",
        live["phase"].as_str().unwrap_or("–"),
        number("beat"),
        orders.into_iter().flatten().collect::<String>(),
        number("admitted"),
        number("given"),
        number("entries"),
        number("inside"),
        number("room"),
        number("rate"),
        stock("free"),
        stock("held"),
        stock("claimed"),
        stock("sold"),
        number("orders_left"),
        trouble.map(|text| format!("\nlast trouble: {text}")).collect::<String>(),
    )
}

/// Operators, one a line.
pub(super) fn operators(answer: &Value) -> String {
    let one = |operator: &Value| {
        let text = |field: &str| operator[field].as_str().unwrap_or("–");
        let since = when::shown(operator["since_ms"].as_i64().unwrap_or_default(), "UTC");
        format!("{:6} {}, since {since}", text("role"), text("name"))
    };
    let lines: Vec<String> = answer["operators"].as_array().into_iter().flatten().map(one).collect();
    if lines.is_empty() { "nobody but the deployment's own key".to_owned() } else { lines.join("\n") }
}
