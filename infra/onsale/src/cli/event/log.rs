//! `onsale event log`: the journal, checked line by line.

use domain::bytes32::to_hex;
use domain::operate::Line;

use super::{Place, when};

pub(super) async fn log(place: &Place) -> anyhow::Result<()> {
    let (lines, head) = place.desk().journal().await?;
    if place.json {
        lines.iter().for_each(|line| println!("{line}"));
        return Ok(());
    }
    for line in &lines {
        println!("{}", told(&serde_json::from_str(line)?));
    }
    println!("{} lines, nothing changed or missing; the last has the hash {}", head.n, to_hex(&head.hash));
    Ok(())
}

fn told(line: &Line) -> String {
    let note = &line.note;
    let change = match &note.refused {
        Some(code) => format!("refused, {code}"),
        None if note.before.is_null() && note.after.is_null() => String::new(),
        None => format!("{} → {}", note.before, note.after),
    };
    let role = note.role.as_deref().map(|role| format!(" ({role})")).unwrap_or_default();
    format!("{:>4} {} {}{role} {} {change}", line.n, when::shown(note.at_ms.0, "UTC"), note.who, note.what)
        .trim_end()
        .to_owned()
}
