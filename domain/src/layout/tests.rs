use super::*;

fn section(rows: &[usize]) -> Section {
    let seat = |n: usize| Seat { label: n.to_string(), x: 0.5, y: 1.25, level: 0, kind: 0, id: None };
    let row = |(at, n): (usize, &usize)| Row { label: (at + 1).to_string(), seats: (1..=*n).map(seat).collect() };
    Section {
        id: "W01".parse().expect("id"),
        name: "West".into(),
        x: 0.0,
        y: 0.0,
        rows: rows.iter().enumerate().map(row).collect(),
    }
}

fn layout(rows: &[usize]) -> Layout {
    let level = Level { id: "front".into(), name: "Front".into(), color: "#fff".into(), total_minor: 5000 };
    Layout {
        version: String::new(),
        width: 1.0,
        height: 2.0,
        levels: vec![level],
        sections: vec![section(rows)],
        pools: vec![],
    }
}

#[test]
fn blocks_are_runs_of_whole_rows() {
    let shape = |rows: &[usize]| -> Vec<(String, usize, usize, usize, usize)> {
        blocks_of(&section(rows))
            .into_iter()
            .map(|b| (b.id.to_string(), b.first_row, b.rows, b.first_seat, b.seats))
            .collect()
    };
    assert_eq!(shape(&[200, 300]), [("W01".into(), 0, 2, 0, 500)]);
    assert_eq!(shape(&[200, 301, 10]), [("W01".into(), 0, 1, 0, 200), ("W01~2".into(), 1, 2, 200, 311)]);
    assert_eq!(shape(&[600, 1]), [("W01".into(), 0, 1, 0, 600), ("W01~2".into(), 1, 1, 600, 1)]);
    assert_eq!(shape(&[]), []);
}

#[test]
fn a_block_names_its_section() {
    let section = |b: &str| section_of_block(&b.parse().expect("id")).map(|s| s.to_string());
    assert_eq!(section("W01").as_deref(), Some("W01"));
    assert_eq!(section("W01~12").as_deref(), Some("W01"));
}

#[test]
fn seats_are_found_with_their_index() {
    let index = SeatIndex::of(&layout(&[300, 300]));
    let place = index.get(&"W01-2-7".parse().expect("id")).expect("there");
    assert_eq!((place.block.as_str(), place.index, place.row, place.in_row), ("W01~2", 306, 1, 6));
    assert_eq!(index.len(), 600);
}

#[test]
fn seats_are_short_arrays_and_read_back() {
    let mut layout = layout(&[1]);
    let first = layout.sections[0].rows[0].seats[0].clone();
    layout.sections[0].rows[0].seats.push(Seat { id: Some("x.9".parse().expect("id")), kind: 1, ..first });
    layout.seal();
    let json = serde_json::to_string(&layout).expect("plain data");
    assert!(json.contains(r#""seats":[["1",0.5,1.25,0,0],["1",0.5,1.25,0,1,"x.9"]]"#), "{json}");
    assert_eq!(serde_json::from_str::<Layout>(&json).expect("reads back"), layout);
    assert_eq!(layout.version.len(), 16);
}
