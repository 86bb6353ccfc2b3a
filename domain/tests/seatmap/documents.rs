//! Seat maps as they travel: their size for the stadium, vectors for the reader of browsers, and bytes that are none.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::map::chart::{Chart, Document, Part, Sheet};
use domain::map::code::Rows;
use domain::map::{Packed, pack};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::bytes::entropy;
use crate::{sales, stadium};

const STATES: [Packed; 4] = [Packed::Free, Packed::Held, Packed::Sold, Packed::Blocked];

/// A map of sections that are named S000 and so on, with one pool.
fn chart(sections: &[Rows], states: &[u8], version: i64) -> Chart {
    let mut rest = states;
    let section = |(n, rows): (usize, &Rows)| {
        let (own, after) = rest.split_at(rows.iter().sum());
        rest = after;
        let own: Vec<Packed> = own.iter().map(|state| STATES[usize::from(*state)]).collect();
        (format!("S{n:03}"), json!({ "rows": rows, "states": STANDARD.encode(pack(&own)) }))
    };
    let sections: serde_json::Map<String, Value> = sections.iter().enumerate().map(section).collect();
    let sheet = json!({ "version": version, "sections": sections, "pools": { "floor": { "free": 1_940 } } });
    Chart::after(None, Sheet::read(&sheet).expect("a map"))
}

/// The version of a map whose seats changed three times each.
const VERSION: i64 = (3 * 39_350) << 16;

#[test]
fn the_stadium_travels_in_about_its_entropy() {
    let sections = stadium::rows();
    for (share, context) in [(0.02, 341), (0.5, 2_662), (0.95, 3_392)] {
        let independent = sales::independent(&sections, share, 1);
        let bytes = chart(&sections, &independent, VERSION).write(&Part::Whole).len();
        let least = entropy(&independent);
        println!("independent, {share} taken: {bytes} bytes travel; order 0 {least:.0}");
        assert!(f64::from(u32::try_from(bytes).expect("some thousands")) <= 1.03 * least, "{share}: {bytes}");
        let clumped = sales::clumped(&sections, share, 1);
        let bytes = chart(&sections, &clumped, VERSION).write(&Part::Whole).len();
        println!("clumped, {share} taken: {bytes} bytes travel; a context coder {context}");
        assert!(bytes <= context, "{share}: {bytes}");
    }
}

#[test]
fn the_stadium_is_written_and_read_within_ten_milliseconds() {
    let sections = stadium::rows();
    let chart = chart(&sections, &sales::clumped(&sections, 0.5, 1), VERSION);
    let bytes = chart.write(&Part::Whole);
    let shortest = |run: &dyn Fn()| {
        let once = || {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        (0..10).map(|_| once()).min().unwrap_or_default()
    };
    let write = shortest(&|| assert_eq!(chart.write(&Part::Whole).len(), bytes.len()));
    let read = shortest(&|| assert!(Document::read(&bytes, &sections).is_ok()));
    println!("the stadium's map: written in {write:?}, read in {read:?}");
    assert!(write.max(read) < Duration::from_millis(10), "written in {write:?}, read in {read:?}");
}

/// A small hall with channels, and the map of it.
fn small(case: u64) -> (Vec<Rows>, Chart) {
    let mut dice = StdRng::seed_from_u64(case);
    let sections: Vec<Rows> = (0..dice.random_range(0..12))
        .map(|_| (0..dice.random_range(0..4)).map(|_| dice.random_range(0..9)).collect())
        .collect();
    let section = |(n, rows): (usize, &Rows)| {
        let seats = rows.iter().sum();
        let stay = dice.random_range(0.0..1.0);
        let mut last = Packed::Free;
        let states: Vec<Packed> = (0..seats)
            .map(|_| {
                if !dice.random_bool(stay) {
                    last = *STATES.choose(&mut dice).expect("four");
                }
                last
            })
            .collect();
        let bits: Vec<u8> = (0..seats.div_ceil(8)).map(|_| dice.random()).collect();
        let channels: serde_json::Map<String, Value> = ["club", "lane-1", "box-office"][..dice.random_range(0..=3)]
            .iter()
            .map(|name| {
                (
                    (*name).to_owned(),
                    STANDARD.encode(bits.iter().map(|byte| byte & dice.random::<u8>()).collect::<Vec<_>>()).into(),
                )
            })
            .collect();
        (format!("S{n:03}"), json!({ "rows": rows, "states": STANDARD.encode(pack(&states)), "channels": channels }))
    };
    let drawn: serde_json::Map<String, Value> = sections.iter().enumerate().map(section).collect();
    let pools: serde_json::Map<String, Value> =
        (0..case % 3).map(|n| (format!("P{n}"), json!({ "free": case * 97 % 40_000 }))).collect();
    let version = (case * case * 7_919) << (case % 20);
    let sheet = json!({ "version": version, "sections": drawn, "pools": pools });
    (sections, Chart::after(None, Sheet::read(&sheet).expect("a map")))
}

/// A part of it: the whole, or sections by chance.
fn part(case: u64, sections: usize) -> Part {
    let mut dice = StdRng::seed_from_u64(case ^ (1 << 40));
    match case % 2 {
        0 => Part::Whole,
        _ => Part::Some((0..sections).filter(|_| dice.random_bool(0.4)).collect()),
    }
}

fn vector(case: u64) -> Value {
    let (sections, chart) = small(case);
    let bytes = chart.write(&part(case, sections.len()));
    let read = Document::read(&bytes, &sections).expect("what was written");
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let states: String = read.states.iter().map(ToString::to_string).collect();
    let kept: Vec<Value> = read.kept.iter().map(|(seat, channel)| json!([seat, read.channels[*channel]])).collect();
    json!({
        "rows": sections, "bytes": hex, "version": read.version, "whole": read.whole, "sections": read.sections,
        "pools": read.pools, "states": states, "kept": kept,
    })
}

#[test]
fn documents_are_unchanged() {
    let now = Value::Array((0..100).map(vector).collect());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/seatmap-documents.json");
    if std::env::var_os("ONSALE_WRITE_GOLDEN").is_some() {
        std::fs::write(path, format!("{now}\n")).expect("a writable file");
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the golden file")).expect("JSON");
    assert_eq!(golden, now, "pages that are open could not read this map");
}

/// Changed, cut, prolonged, or nothing but noise: never a panic, never slow, and never another map.
#[test]
fn bytes_that_are_no_map_are_refused() {
    let mut dice = StdRng::seed_from_u64(1);
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    let made: Vec<_> = (0..200).map(|case| (small(case), case)).collect();
    for case in 0..150_000_u64 {
        let ((sections, chart), n) = &made[usize::try_from(case % 200).expect("small")];
        let good = chart.write(&part(*n, sections.len()));
        let bad = spoiled(good.clone(), &mut dice);
        let start = Instant::now();
        let read = Document::read(&bad, sections);
        slowest = slowest.max(start.elapsed());
        refused += u32::from(read.is_err());
        // Some codes differ in bits that no state depends on.
        assert!(read.is_err() || read == Document::read(&good, sections), "case {case}: {read:?}");
    }
    println!("{refused} of 150000 refused, the slowest in {slowest:?}");
    assert!(refused > 100_000 && slowest < Duration::from_millis(500), "{refused}, {slowest:?}");
}

fn spoiled(mut bytes: Vec<u8>, dice: &mut StdRng) -> Vec<u8> {
    for _ in 0..dice.random_range(1..4) {
        let at = dice.random_range(0..=bytes.len());
        match dice.random_range(0..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = dice.random(),
            2 => bytes.truncate(at),
            3 => bytes.insert(at, dice.random()),
            4 if at < bytes.len() => drop(bytes.remove(at)),
            _ => {
                let from = at.min(4);
                bytes.iter_mut().skip(from).for_each(|byte| *byte = dice.random());
            }
        }
    }
    bytes
}
