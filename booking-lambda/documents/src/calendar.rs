//! The show as a calendar file (RFC 5545).

use domain::time::WallMs;
use icalendar::{Calendar, Component as _, Event, EventLike as _};
use jiff::Timestamp;

use crate::papers::{Paper, Papers};

/// A calendar file with the show; `None` when nobody told when it starts. One order has one entry, however often it is loaded:
/// its name follows from the order.
#[must_use]
pub fn calendar(papers: &Papers) -> Option<String> {
    let starts = papers.starts?;
    let mut event = Event::new();
    event.uid(&format!("{}@{}.onsale", papers.order, papers.event));
    event.summary(&papers.name).location(&papers.whereabouts());
    for (name, time) in [("DTSTAMP", papers.made), ("DTSTART", starts), ("DTEND", papers.ends.max(starts))] {
        event.add_property(name, utc(time));
    }
    event.description(&papers.tickets.iter().map(line).collect::<Vec<_>>().join("\n"));
    let mut calendar = Calendar::new();
    calendar.push(event.done());
    Some(calendar.to_string())
}

fn line(ticket: &Paper) -> String {
    let words = ticket.position.iter().map(|(what, word)| format!("{what} {word}"));
    let entrance = ticket.entrance.iter().map(|entrance| format!("Entrance {entrance}"));
    words.chain(entrance).collect::<Vec<_>>().join(", ")
}

fn utc(time: WallMs) -> String {
    let instant = Timestamp::from_millisecond(time.0).unwrap_or_default();
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}
