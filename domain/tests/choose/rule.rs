//! The single-seat rule and the wishes, as tables.

use domain::choose::{Party, Wish, best, side_by_side, stranded};
use domain::layout::SeatIndex;

use crate::hall::hall;

/// Seats that a pick would leave single: `drawn` with `o` for what is picked.
fn left(drawn: &[&str]) -> Vec<String> {
    let free: Vec<String> = drawn.iter().map(|line| line.replace('o', ".").replace('W', "w")).collect();
    let free: Vec<&str> = free.iter().map(String::as_str).collect();
    let (layout, states) = hall(&[("A", &free)]);
    let index = SeatIndex::of(&layout);
    let mut picked = Vec::new();
    for (row, line) in drawn.iter().enumerate() {
        let letters = line.chars().filter(|letter| *letter != ' ').enumerate();
        picked.extend(
            letters.filter(|(_, letter)| ['o', 'W'].contains(letter)).map(|(n, _)| format!("A-{}-{}", row + 1, n + 1)),
        );
    }
    let places: Vec<_> = picked.iter().map(|id| index.get(&id.parse().expect("id")).expect("a seat")).collect();
    let named = stranded(&layout.sections[0], &states[0], &places);
    named.into_iter().map(|(row, at)| format!("{}-{}", row + 1, at + 1)).collect()
}

#[test]
fn a_pick_may_not_leave_a_single_seat_that_it_could_avoid() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("at the end of the row", &[".o......"], &["1-1"]),
        ("between two seats", &["o.o....."], &["1-2"]),
        ("beside a taken seat", &["x.oo...."], &["1-2"]),
        ("beside an aisle", &["..   .oo.", "......"], &["1-3", "1-6"]),
        ("beside a wheelchair place", &["w.oo...."], &["1-2"]),
        ("in two rows", &[".o......", "......o."], &["1-1", "2-8"]),
        ("from the end", &["oo......"], &[]),
        ("two are left", &["..oo...."], &[]),
        ("it was single before", &["x.xoo..."], &[]),
        ("all of it", &["xxooo..x"], &[]),
    ];
    for (what, drawn, named) in table {
        assert_eq!(left(drawn), *named, "{what}");
    }
}

#[test]
fn the_rule_does_not_bind_who_cannot_avoid_it() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("three are left, two are wanted", &["xxoo.xxx"], &[]),
        ("but a pair is free elsewhere", &["xxoo.xxx", "..xxxxxx"], &["1-5"]),
        ("what is free elsewhere is no pair", &["xxoo.xxx", ".x.xx.xx"], &[]),
        ("one of a pair, no single elsewhere", &["xo.xxxxx"], &[]),
        ("one of a pair, a single elsewhere", &["xo.xxxxx", ".xxxxxxx"], &["1-3"]),
        (
            "nearly sold out",
            &["oo.xxxxxxx", "xxxxxxxxxx", "xxxxxxxxxx", "xxxxxxxxxx", "..xxxxxxxx", "xxxxxxxxxxxx"],
            &[],
        ),
        ("wheelchair places", &["W.......", "........"], &[]),
        ("beside a wheelchair place that is picked", &["W.ooo..."], &[]),
    ];
    for (what, drawn, named) in table {
        assert_eq!(left(drawn), *named, "{what}");
    }
}

/// The seats of the best choice.
fn chosen(drawn: &[(&str, &[&str])], wish: &Wish) -> String {
    let (layout, states) = hall(drawn);
    let found = best(&layout, &states, wish, 1);
    let seats = found.first().map(|choice| choice.seats(&layout)).unwrap_or_default();
    seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn wishes_are_met_as_they_are() {
    let plan: &[(&str, &[&str])] = &[("A", &["x..x", "wcw.", "...."]), ("B", &["...x", "xxxx"])];
    let accessible = |quantity, party| Wish { party, ..Wish::of(quantity) };
    let in_b = |quantity| Wish { sections: vec!["B".parse().expect("id")], ..Wish::of(quantity) };
    let mixed = |accessible, companion| Party::Mixed { accessible, companion };
    let table = [
        ("two", Wish::of(2), "A-1-2 A-1-3"),
        ("four", Wish::of(4), "A-3-1 A-3-2 A-3-3 A-3-4"),
        ("in a section", in_b(3), "B-1-1 B-1-2 B-1-3"),
        ("nowhere in a section", in_b(4), ""),
        ("wheelchair places of any kind", accessible(3, Party::Accessible), "A-2-1 A-2-2 A-2-3"),
        ("a wheelchair place", accessible(1, mixed(1, 0)), "A-2-3"),
        ("with a companion", accessible(2, mixed(1, 1)), "A-2-1 A-2-2"),
        ("with somebody in an ordinary seat", accessible(2, mixed(1, 0)), "A-2-3 A-2-4"),
        ("a companion and a friend", accessible(3, mixed(1, 1)), "A-2-2 A-2-3 A-2-4"),
        ("two companions side by side there are not", accessible(2, mixed(0, 2)), ""),
    ];
    for (what, wish, seats) in &table {
        assert_eq!(chosen(plan, wish), *seats, "{what}");
    }
    // Five fit nowhere: two and three in neighbouring rows, nobody alone; unless the party stays together or not at all.
    let plan: &[(&str, &[&str])] = &[("A", &["..xxx", "xxxxx", "xxxxx", "xx..x", "x...x"])];
    assert_eq!(chosen(plan, &Wish::of(5)), "A-4-3 A-4-4 A-5-2 A-5-3 A-5-4");
    assert_eq!(chosen(plan, &Wish { split: false, ..Wish::of(5) }), "");
    let far: &[(&str, &[&str])] = &[("A", &["..x", "xxx", "xxx", "..x"])];
    assert_eq!(chosen(far, &Wish::of(4)), "", "rows 1 and 4 are no neighbours");
}

#[test]
fn price_levels_that_will_do() {
    let (mut layout, states) = hall(&[("A", &["....", "...."])]);
    layout.sections[0].rows[1].seats.iter_mut().for_each(|seat| seat.level = 1);
    let of = |levels: Option<Vec<usize>>| {
        let found = best(&layout, &states, &Wish { levels, ..Wish::of(2) }, 1);
        found.first().map(|choice| choice.pieces[0].row)
    };
    assert_eq!(
        (of(None), of(Some(vec![1])), of(Some(vec![0, 1])), of(Some(vec![]))),
        (Some(0), Some(1), Some(0), None)
    );
}

#[test]
fn side_by_side_knows_rows_and_aisles() {
    let (layout, _) = hall(&[("A", &["....   ....", "...."]), ("B", &["...."])]);
    let index = SeatIndex::of(&layout);
    let table = [
        ("A-1-2 A-1-3", true),
        ("A-1-3 A-1-2 A-1-4", true),
        ("A-1-4 A-1-5", false),
        ("A-1-1 A-1-3", false),
        ("A-1-8 A-2-1", false),
        ("A-2-4 B-1-1", false),
        ("A-2-4", true),
        ("A-9-9", false),
    ];
    for (seats, together) in table {
        let seats: Vec<_> = seats.split(' ').map(|seat| seat.parse().expect("id")).collect();
        assert_eq!(side_by_side(&layout, &index, &seats), together, "{seats:?}");
    }
}
