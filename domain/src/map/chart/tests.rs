use serde_json::{Value, json};

use super::*;
use crate::map::code::Rows;
use crate::map::{Packed, pack};

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

const STATES: [Packed; 4] = [Packed::Free, Packed::Held, Packed::Sold, Packed::Blocked];

/// A section from states as digits, a word for each row.
fn section(rows: &str) -> SheetSection {
    let states: Vec<Packed> =
        rows.bytes().filter(|b| *b != b' ').map(|digit| STATES[usize::from(digit - b'0')]).collect();
    let rows: Rows = rows.split(' ').map(str::len).collect();
    SheetSection { rows, states: base64(&pack(&states)), ..SheetSection::default() }
}

fn sheet(version: i64, sections: &[(&str, &str)], floor: u32) -> Sheet {
    let sections = sections.iter().map(|(id, rows)| (id.parse().expect("an id"), section(rows))).collect();
    let pools = [("floor".parse().expect("an id"), SheetPool { free: floor })].into();
    Sheet { version, sections, pools }
}

fn layout(chart: &Chart) -> Vec<Rows> {
    chart.sections.values().map(|section| section.now.rows.clone()).collect()
}

fn since(chart: &Chart, since: i64) -> Found {
    chart.find(&Ask { since: Some(since), section: None }).expect("no section is asked for")
}

fn some(positions: &[usize]) -> Found {
    Found::Part(Part::Some(positions.to_vec()))
}

#[test]
fn a_reader_gets_the_sections_that_changed_since() {
    let first = Chart::after(None, sheet(10, &[("A", "00 00"), ("B", "000")], 5));
    let second = Chart::after(Some(&first), sheet(12, &[("A", "00 00"), ("B", "020")], 5));
    let third = Chart::after(Some(&second), sheet(15, &[("A", "10 00"), ("B", "020")], 4));
    let whole = Found::Part(Part::Whole);
    let table =
        [(9, whole.clone()), (10, some(&[0, 1])), (11, some(&[0, 1])), (12, some(&[0])), (14, some(&[0])), (16, whole)];
    for (version, found) in table {
        assert_eq!(since(&third, version), found, "since {version}");
    }
    assert_eq!(since(&third, 15), Found::Unchanged);
    assert_eq!(third.find(&Ask::default()), Ok(Found::Part(Part::Whole)));
    let read = Document::read(&third.write(&Part::Some(vec![0])), &layout(&third)).expect("a map");
    assert_eq!(
        (read.version, read.whole, &read.sections, &read.pools, &read.states),
        (15, false, &vec![0], &vec![4], &vec![1, 0, 0, 0])
    );
    // Only a pool changed: no section travels.
    let fourth = Chart::after(Some(&third), sheet(16, &[("A", "10 00"), ("B", "020")], 3));
    assert_eq!(since(&fourth, 15), some(&[]));
    let read = Document::read(&fourth.write(&Part::Some(vec![])), &layout(&fourth)).expect("a map");
    assert_eq!((read.version, read.sections.len(), &read.pools), (16, 0, &vec![3]));
}

#[test]
fn one_section_is_found_by_its_id() {
    let first = Chart::after(None, sheet(10, &[("A", "0"), ("B", "000")], 5));
    let chart = Chart::after(Some(&first), sheet(12, &[("A", "0"), ("B", "020")], 5));
    let ask = |id: &str, since| chart.find(&Ask { since, section: Some(id.parse().expect("an id")) });
    assert_eq!(ask("B", None), Ok(some(&[1])));
    assert_eq!(
        (ask("B", Some(10)), ask("A", Some(10)), ask("A", Some(9))),
        (Ok(some(&[1])), Ok(Found::Unchanged), Ok(some(&[0])))
    );
    assert_eq!(ask("C", Some(12)), Err(NoSuchSection));
}

/// Versions that the map had before it went back, or before its sections were others, mean nothing any more.
#[test]
fn a_map_that_went_back_is_told_whole() {
    let before = Chart::after(None, sheet(100, &[("A", "0"), ("B", "0")], 0));
    let back = Chart::after(Some(&before), sheet(90, &[("A", "2"), ("B", "0")], 0));
    let on = Chart::after(Some(&back), sheet(95, &[("A", "2"), ("B", "2")], 0));
    for chart in [&back, &on, &Chart::after(Some(&on), sheet(100, &[("A", "2"), ("B", "0")], 0))] {
        for version in [90, 95, 100] {
            assert_eq!(since(chart, version), Found::Part(Part::Whole), "{} since {version}", chart.version);
        }
    }
    let past = Chart::after(Some(&on), sheet(101, &[("A", "2"), ("B", "0")], 0));
    let past = Chart::after(Some(&past), sheet(102, &[("A", "1"), ("B", "0")], 0));
    assert_eq!((since(&past, 100), since(&past, 101)), (Found::Part(Part::Whole), some(&[0])));
    let other = Chart::after(Some(&past), sheet(103, &[("A", "1"), ("B", "0"), ("C", "0")], 0));
    assert_eq!(since(&other, 102), Found::Part(Part::Whole));
}

/// Whatever changes and whichever versions readers miss: what they put together is the map.
#[test]
fn readers_who_miss_versions_still_have_the_map() {
    let mut chart = Chart::after(None, sheet(1, &[("A", "000"), ("B", "00 00"), ("C", "0")], 9));
    let mut readers: Vec<(i64, Vec<Vec<u8>>)> = vec![(0, vec![vec![9; 3], vec![9; 4], vec![9; 1]]); 7];
    for step in 2_usize..400 {
        let digit = |n: usize| char::from(b'0' + u8::try_from((step / (n + 1) + n * n) % 4).expect("a digit"));
        let text = |from: usize, len: usize| (from..from + len).map(digit).collect::<String>();
        let (a, b, c) = (text(0, 3), format!("{} {}", text(9, 2), text(30, 2)), text(4, 1));
        chart = Chart::after(
            Some(&chart),
            sheet(i64::try_from(step * step).expect("small"), &[("A", &a), ("B", &b), ("C", &c)], 9),
        );
        for (n, (version, has)) in readers.iter_mut().enumerate().filter(|(n, _)| step % (n + 1) == 0) {
            if let Found::Part(part) = since(&chart, *version) {
                take(has, &Document::read(&chart.write(&part), &layout(&chart)).expect("a map"));
            }
            *version = chart.version;
            let all = Document::read(&chart.write(&Part::Whole), &layout(&chart)).expect("a map");
            assert_eq!(has.concat(), all.states, "reader {n} at step {step}");
        }
    }
}

fn take(has: &mut [Vec<u8>], document: &Document) {
    let mut states = document.states.iter().copied();
    for at in &document.sections {
        has[*at].iter_mut().for_each(|state| *state = states.next().expect("as many states as seats"));
    }
}

#[test]
fn a_channels_seats_are_told_from_blocked_ones() {
    let mut sent = sheet(3, &[("A", "3333 0003"), ("B", "33")], 0);
    let mut keep = |id: &str, channel: &str, bits: &[u8]| {
        let section = sent.sections.get_mut(&id.parse::<SectionId>().expect("an id")).expect("a section");
        section.channels.insert(channel.parse().expect("an id"), base64(bits));
    };
    keep("A", "lane-1", &[0b0000_0110]);
    keep("A", "club", &[0b1001_1000]);
    keep("B", "club", &[0b11]);
    let chart = Chart::after(None, sent);
    let read = Document::read(&chart.write(&Part::Whole), &layout(&chart)).expect("a map");
    assert_eq!(read.states, [3, 3, 3, 3, 0, 0, 0, 3, 3, 3]);
    let names: Vec<&str> = read.channels.iter().map(crate::ids::ChannelId::as_str).collect();
    // Seat 4 is free for anybody, whatever the channel's bits say.
    assert_eq!((names, read.kept), (vec!["club", "lane-1"], vec![(1, 1), (2, 1), (3, 0), (7, 0), (8, 0), (9, 0)]));
}

#[test]
fn a_sheet_that_makes_no_sense_is_refused() {
    let good = json!({ "version": 7, "sections": { "A": { "rows": [2, 3], "states": "AAA=" } }, "pools": { "floor": { "free": 1 } } });
    assert!(Sheet::read(&good).is_ok());
    let table: [(&str, Value, &str); 9] = [
        ("/version", json!(-1), "version -1"),
        ("/version", json!(1_i64 << 53), "is none"),
        ("/version", json!("7"), "cannot be read"),
        ("/sections/A/rows", json!([2, 7]), "section A: its states"),
        ("/sections/A/rows", json!([u64::MAX, u64::MAX]), "more than"),
        ("/sections/A/rows", json!([1_000_001]), "more than"),
        ("/sections/A/rows", Value::Null, "cannot be read"),
        ("/sections/A/states", json!("A"), "section A: its states"),
        ("/pools/floor/free", json!(-3), "cannot be read"),
    ];
    for (at, value, why) in table {
        let mut bad = good.clone();
        *bad.pointer_mut(at).expect("a field") = value;
        let refused = Sheet::read(&bad).map_err(|error| error.to_string());
        assert!(refused.as_ref().is_err_and(|error| error.contains(why)), "{bad}: {refused:?}");
    }
    let mut bad = good;
    bad["sections"]["A"]["channels"] = json!({ "club": "AAA=" });
    assert_eq!(
        Sheet::read(&bad).map_err(|error| error.to_string()),
        Err("section A: the seats of channel club are not among its own".into())
    );
}

#[test]
fn bytes_of_another_layout_or_format_are_refused() {
    let chart = Chart::after(None, sheet(7, &[("A", "0000 0220")], 5));
    let bytes = chart.write(&Part::Whole);
    assert!(Document::read(&bytes, &[vec![4, 4]]).is_ok());
    let read = |bytes: &[u8], layout: &[Rows]| Document::read(bytes, layout).expect_err("refused");
    assert_eq!(read(&bytes, &[vec![4, 3]]), DocumentError::Sum);
    // The same seats in other rows: where the states come out the same nevertheless, nothing is wrong.
    assert_eq!(Document::read(&bytes, &[vec![2, 6]]).map(|read| read.states), Ok(vec![0, 0, 0, 0, 0, 2, 2, 0]));
    assert_eq!(read(&bytes, &[vec![4, 4], vec![1]]), DocumentError::Damaged);
    assert_eq!(read(&bytes[1..], &[vec![4, 4]]), DocumentError::Format);
    let mut later = bytes.clone();
    later[2] = 2;
    assert_eq!(read(&later, &[vec![4, 4]]), DocumentError::Format);
    for at in 3..bytes.len() {
        for bit in 0..8 {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << bit;
            // Some codes differ in bits that no state depends on.
            let read = Document::read(&bad, &[vec![4, 4]]);
            assert!(read.is_err() || read == Document::read(&bytes, &[vec![4, 4]]), "bit {bit} of byte {at}: {read:?}");
        }
        assert!(Document::read(&bytes[..at], &[vec![4, 4]]).is_err(), "cut at {at}");
    }
}
