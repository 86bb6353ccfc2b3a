//! The documents of an order. What others read in the PDF, words and codes, is `.ci/documents`.

mod sample;

use documents::{Papers, calendar, page, pdf};
use domain::ticket::{TicketContent, public_key};

/// Pages of a PDF, by its page objects.
fn pages(pdf: &[u8]) -> usize {
    pdf.windows(12).filter(|part| part.starts_with(b"/Type /Page") || part.starts_with(b"/Type/Page")).count()
}

#[test]
fn there_is_a_page_and_a_genuine_payload_for_each_ticket() {
    let papers = sample::papers();
    let drawn = pdf(&papers).expect("drawn");
    assert!(drawn.starts_with(b"%PDF-") && drawn.len() < 200_000, "{} bytes", drawn.len());
    assert_eq!(pages(&drawn), 5 + 1, "the pages and their list");
    for ticket in &papers.tickets {
        let content = TicketContent::verify(&ticket.payload, |_| Some(public_key(&sample::SEED))).expect("genuine");
        assert_eq!((&content.seat, content.revision), (&ticket.place, 3));
    }
    assert_eq!(pdf(&papers).expect("drawn"), drawn, "the same papers give the same bytes");
}

#[test]
fn papers_say_what_the_plan_calls_a_place_and_where_to_go_in() {
    let papers = sample::papers();
    let told: Vec<(String, Option<&str>, &str)> = papers
        .tickets
        .iter()
        .map(|ticket| {
            let words: Vec<&str> = ticket.position.iter().map(|(_, word)| word.as_str()).collect();
            (words.join("|"), ticket.entrance.as_deref(), ticket.level.as_str())
        })
        .collect();
    let (gate, main) = (Some("西门 West"), Some("Main gate"));
    let wanted = [
        ("西看台|ب|1", gate, "Vordere Plätze, Взрослый"),
        ("西看台|ب|Q\u{303}\u{323} 7", gate, "Vordere Plätze, ילד"),
        ("ลานยืน हिन्दी 서울|1", main, "Standing"),
        ("ลานยืน हिन्दी 서울|2", main, "Standing"),
        ("gone.9", main, ""),
    ];
    assert_eq!(told, wanted.map(|(words, entrance, level)| (words.to_owned(), entrance, level)));
    assert_eq!(papers.starts_text.as_deref(), Some("Saturday, 12 June 2027, 20:00 (CEST, Europe/Berlin)"));
}

#[test]
fn the_page_escapes_what_people_wrote_and_turns_by_script() {
    let papers = sample::papers();
    let html = page(&papers);
    assert_eq!(html.matches("<article").count(), 5);
    assert_eq!(html.matches("<svg").count(), 5);
    assert!(!html.contains("<live>") && html.contains("&lt;live&gt;"), "a name is no markup");
    assert!(["<script", "src=", "url(", "@import"].iter().all(|word| !html.contains(word)), "nothing is loaded");
    assert!(html.contains("<dd dir=\"auto\">西门 West</dd>"));
    let article = html.split_once("article{").and_then(|(_, rule)| rule.split_once('}')).expect("a rule").0;
    assert!(article.contains("overflow-wrap:anywhere"), "long names stay on their sheet: {article}");
}

#[test]
fn the_calendar_has_one_entry_in_universal_time() {
    let papers = sample::papers();
    let text = calendar(&papers).expect("a start is told");
    for line in ["DTSTART:20270612T180000Z", "DTEND:20270612T210000Z", "DTSTAMP:20270301T112000Z"] {
        assert!(text.contains(&format!("{line}\r\n")), "{line} in {text}");
    }
    assert_eq!(text.matches("BEGIN:VEVENT").count(), 1);
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "lines are folded");
    assert!(text.replace("\r\n ", "").contains("12\\, شارع البحر"), "commas are escaped");
    assert_eq!(calendar(&Papers { starts: None, ..papers }), None, "without a start there is nothing to note");
}

#[test]
fn long_names_and_unknown_characters_are_drawn_all_the_same() {
    let mut papers = sample::papers();
    papers.name = "長い名前 ".repeat(40);
    papers.venue = "\u{10FFFD}\u{0}\u{202E}x".repeat(30);
    papers.tickets[0].position[0].1 = "W".repeat(200);
    assert_eq!(pages(&pdf(&papers).expect("drawn")), 5 + 1);
}
