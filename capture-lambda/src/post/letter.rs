//! The mail itself: text, HTML, and the documents as attachments.

use std::fmt::Write as _;

use documents::{Papers, Undrawn, calendar, escape, page, pdf};
use mail_builder::MessageBuilder;

/// Why there is no mail.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwritten {
    #[error(transparent)]
    Undrawn(#[from] Undrawn),
    #[error("the mail could not be written: {0}")]
    Written(#[from] std::io::Error),
}

/// The mail with the `n`-th revision of an order's tickets, as a whole message.
pub(super) fn write(papers: &Papers, to: &str, from: &str, pages: &str, n: u32) -> Result<Vec<u8>, Unwritten> {
    let links =
        Links { order: format!("{pages}/e/{}/orders/{}", papers.event, papers.order), all: format!("{pages}/orders") };
    let what = if n == 1 { "Your tickets" } else { "Your tickets have changed" };
    let mut message = MessageBuilder::new()
        .from(from)
        .to(to)
        .message_id(format!("{}.{n}.{}@onsale", papers.order, papers.event))
        .date(papers.made.0.div_euclid(1_000))
        .subject(format!("{what}: {}", papers.name))
        .text_body(text(papers, &links, n))
        .html_body(html(papers, &links, n))
        .attachment("application/pdf", "tickets.pdf", pdf(papers)?)
        .attachment("text/html", "tickets.html", page(papers).into_bytes());
    if let Some(entry) = calendar(papers) {
        message = message.attachment("text/calendar", "tickets.ics", entry.into_bytes());
    }
    Ok(message.write_to_vec()?)
}

/// Where the tickets are shown: with their order as long as the fan is in the shop, with the account at any time.
struct Links {
    order: String,
    all: String,
}

/// What both bodies say of the account's page.
const LATER: &str = "When the sale is over you find them at";

/// What both bodies say of a changed order.
const CHANGED: &str = "A part of this order was given back. These are the tickets that are left; older ones for other places open nothing any more.";

fn text(papers: &Papers, links: &Links, n: u32) -> String {
    let mut text = format!("{}\n{}\n", papers.name, papers.whereabouts());
    for (what, when) in papers.times() {
        let _ = writeln!(text, "{what}: {when}");
    }
    if n > 1 {
        let _ = write!(text, "\n{CHANGED}\n");
    }
    text.push('\n');
    for place in places(papers, str::to_owned) {
        let _ = writeln!(text, "- {place}");
    }
    let Links { order, all } = links;
    let _ = write!(text, "\nThe tickets are attached, and here: {order}\n{LATER}: {all}\nOrder {}\n", papers.order);
    text
}

/// Styles stand in the elements: not every reader of mail takes others.
const BODY: &str = "max-width:34rem;margin:0 auto;padding:16px;font:16px/1.5 sans-serif;overflow-wrap:anywhere";
const TITLE: &str = "font-size:24px;line-height:1.25;margin:0 0 8px";
const LINE: &str = "margin:4px 0";
const LIST: &str = "margin:16px 0;padding:12px 12px 12px 32px;border:1px solid #8a919c;border-radius:8px";
const BUTTON: &str = "display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none";

fn html(papers: &Papers, links: &Links, n: u32) -> String {
    let mut html = String::from("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.push_str("<meta name=\"color-scheme\" content=\"light dark\"></head>");
    let (name, at) = (escape(&papers.name), escape(&papers.whereabouts()));
    let _ = write!(html, "<body style=\"{BODY}\"><h1 dir=\"auto\" style=\"{TITLE}\">{name}</h1>");
    let _ = write!(html, "<p dir=\"auto\" style=\"{LINE}\">{at}</p>");
    for (what, when) in papers.times() {
        let _ = write!(html, "<p style=\"{LINE}\">{what}: {}</p>", escape(when));
    }
    if n > 1 {
        let _ = write!(html, "<p>{CHANGED}</p>");
    }
    let _ = write!(html, "<ul style=\"{LIST}\">");
    for place in places(papers, isolated) {
        let _ = write!(html, "<li>{place}</li>");
    }
    let (order, all) = (escape(&links.order), escape(&links.all));
    let _ = write!(
        html,
        "</ul><p>The tickets are attached.</p><p><a href=\"{order}\" style=\"{BUTTON}\">Show the order</a></p>"
    );
    let _ = write!(html, "<p>{LATER}: <a href=\"{all}\">{all}</a></p><p>Order {}</p></body></html>", papers.order);
    html
}

/// A name turns by its own script, and nothing beside it does.
fn isolated(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape(name))
}

/// A line for each ticket, with its names as `name` writes them.
fn places(papers: &Papers, name: fn(&str) -> String) -> Vec<String> {
    let place = |ticket: &documents::Paper| {
        let words = ticket.position.iter().map(|(what, word)| format!("{what} {}", name(word)));
        let entrance = ticket.entrance.iter().map(|entrance| format!("entrance {}", name(entrance)));
        words.chain(entrance).collect::<Vec<_>>().join(", ")
    };
    papers.tickets.iter().map(place).collect()
}
