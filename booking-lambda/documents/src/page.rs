//! Tickets as a page: one file without scripts, that prints one ticket a sheet.

use std::fmt::Write as _;

use crate::papers::{Paper, Papers};
use crate::qr;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1.5rem;color:#111;background:#f3f3f1}\
main{max-width:40rem;margin:auto}\
article{background:#fff;border:1px solid #ccc;border-radius:.75rem;padding:1.5rem;margin:0 0 1.5rem;overflow-wrap:anywhere;break-inside:avoid;break-after:page}\
h1{margin:0 0 .25rem;font-size:1.6rem;line-height:1.2}p{margin:.15rem 0}\
dl{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:1rem 0}dt{font-size:.8rem;color:#555}dd{margin:0;font-size:1.4rem;font-weight:700}\
.code svg{display:block;margin:auto;width:min(18rem,100%);height:auto}.quiet{color:#555;font-size:.8rem}\
@media print{body{background:#fff;padding:0}article{border:0}}";

/// The tickets as an HTML document.
#[must_use]
pub fn page(papers: &Papers) -> String {
    let mut html = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.push_str("<meta name=\"robots\" content=\"noindex\">\n");
    // Writing to a string cannot fail.
    let _ = write!(html, "<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n", escape(&papers.name));
    for (n, ticket) in (1..).zip(&papers.tickets) {
        article(&mut html, papers, n, ticket);
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn article(html: &mut String, papers: &Papers, n: usize, ticket: &Paper) {
    let all = papers.tickets.len();
    let _ =
        writeln!(html, "<article aria-label=\"Ticket {n} of {all}\">\n<h1 dir=\"auto\">{}</h1>", escape(&papers.name));
    let _ = writeln!(html, "<p dir=\"auto\">{}</p>", escape(&papers.whereabouts()));
    for (what, text) in papers.times() {
        let _ = writeln!(html, "<p>{what}: {}</p>", escape(text));
    }
    html.push_str("<dl>\n");
    ticket.position.iter().for_each(|(what, word)| word_of(html, what, word));
    ticket.entrance.iter().for_each(|entrance| word_of(html, "Entrance", entrance));
    if !ticket.level.is_empty() {
        word_of(html, "Category", &ticket.level);
    }
    let code = qr::svg(&ticket.payload).unwrap_or_default();
    let code = code.split_once("?>").map_or(code.as_str(), |(_, svg)| svg);
    let _ = writeln!(html, "</dl>\n<div class=\"code\" role=\"img\" aria-label=\"The code for the gate\">{code}</div>");
    let _ = writeln!(
        html,
        "<p class=\"quiet\">Order {} · ticket {n} of {all} · {} · revision {}</p>\n</article>",
        papers.order,
        escape(&ticket.place),
        ticket.revision
    );
}

fn word_of(html: &mut String, what: &str, word: &str) {
    let _ = writeln!(html, "<div><dt>{what}</dt><dd dir=\"auto\">{}</dd></div>", escape(word));
}

/// Text as it may stand in an element or an attribute.
#[must_use]
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
        out
    })
}
