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
    let link = format!("{pages}/e/{}/orders/{}", papers.event, papers.order);
    let what = if n == 1 { "Your tickets" } else { "Your tickets have changed" };
    let mut message = MessageBuilder::new()
        .from(from)
        .to(to)
        .message_id(format!("{}.{n}.{}@onsale", papers.order, papers.event))
        .date(papers.made.0.div_euclid(1_000))
        .subject(format!("{what}: {}", papers.name))
        .text_body(text(papers, &link, n))
        .html_body(html(papers, &link, n))
        .attachment("application/pdf", "tickets.pdf", pdf(papers)?)
        .attachment("text/html", "tickets.html", page(papers).into_bytes());
    if let Some(entry) = calendar(papers) {
        message = message.attachment("text/calendar", "tickets.ics", entry.into_bytes());
    }
    Ok(message.write_to_vec()?)
}

/// What both bodies say of a changed order.
const CHANGED: &str = "A part of this order was given back. These are the tickets that are left; older ones for other places open nothing any more.";

fn text(papers: &Papers, link: &str, n: u32) -> String {
    let mut text = format!("{}\n{}\n", papers.name, papers.whereabouts());
    for (what, when) in papers.times() {
        let _ = writeln!(text, "{what}: {when}");
    }
    if n > 1 {
        let _ = write!(text, "\n{CHANGED}\n");
    }
    text.push('\n');
    for place in places(papers) {
        let _ = writeln!(text, "- {place}");
    }
    let _ = write!(text, "\nThe tickets are attached, and here: {link}\nOrder {}\n", papers.order);
    text
}

fn html(papers: &Papers, link: &str, n: u32) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><body style=\"font:16px/1.5 sans-serif\">",
    );
    let _ = write!(
        html,
        "<h1 dir=\"auto\">{}</h1><p dir=\"auto\">{}</p>",
        escape(&papers.name),
        escape(&papers.whereabouts())
    );
    for (what, when) in papers.times() {
        let _ = write!(html, "<p>{what}: {}</p>", escape(when));
    }
    if n > 1 {
        let _ = write!(html, "<p>{CHANGED}</p>");
    }
    html.push_str("<ul>");
    for place in places(papers) {
        let _ = write!(html, "<li dir=\"auto\">{}</li>", escape(&place));
    }
    let link = escape(link);
    let _ = write!(
        html,
        "</ul><p>The tickets are attached, and <a href=\"{link}\">with your order</a>.</p><p>Order {}</p></body></html>",
        papers.order
    );
    html
}

fn places(papers: &Papers) -> Vec<String> {
    let place = |ticket: &documents::Paper| {
        let words = ticket.position.iter().map(|(what, word)| format!("{what} {word}"));
        let entrance = ticket.entrance.iter().map(|entrance| format!("entrance {entrance}"));
        words.chain(entrance).collect::<Vec<_>>().join(", ")
    };
    papers.tickets.iter().map(place).collect()
}
