//! Small halls, drawn in letters: one line a row; `.` free, `x` taken, `w` a free wheelchair place, `c` a free companion's
//! place, a blank an aisle.

use domain::layout::{Layout, Level, Row, Seat, Section};
use domain::map::{Packed, pack};

/// A section as drawn, and how its seats are.
pub fn section(id: &str, drawn: &[&str]) -> (Section, Vec<u8>) {
    let mut states = Vec::new();
    let rows = drawn.iter().enumerate().map(|(n, line)| row(n + 1, line, &mut states)).collect();
    (Section { id: id.parse().expect("id"), name: id.to_owned(), x: 0.0, y: 0.0, rows }, pack(&states))
}

fn row(label: usize, drawn: &str, states: &mut Vec<Packed>) -> Row {
    let mut seats: Vec<Seat> = Vec::new();
    for (x, letter) in (0_u32..).zip(drawn.chars()).filter(|(_, letter)| *letter != ' ') {
        let kind = match letter {
            'w' => 1,
            'c' => 2,
            _ => 0,
        };
        states.push(if letter == 'x' { Packed::Sold } else { Packed::Free });
        seats.push(Seat { label: (seats.len() + 1).to_string(), x: x.into(), y: 0.0, level: 0, kind, id: None });
    }
    Row { label: label.to_string(), seats }
}

/// A hall of such sections, with two price levels; the second is for whoever changes seats to it.
pub fn hall(sections: &[(&str, &[&str])]) -> (Layout, Vec<Vec<u8>>) {
    let (sections, states) = sections.iter().map(|(id, drawn)| section(id, drawn)).unzip();
    let level = |id: &str| Level { id: id.to_owned(), name: id.to_owned(), color: String::new(), total_minor: 100 };
    let levels = vec![level("front"), level("back")];
    let layout = Layout { version: String::new(), width: 1.0, height: 1.0, levels, sections, pools: vec![] };
    (layout, states)
}
