//! Format, size and refusals of the status file. The golden file freezes the bytes.

use super::*;

const SEED: [u8; 32] = [5; 32];

fn status() -> Status {
    Status {
        v: 1,
        event: "demo".parse().expect("a valid id"),
        beat: 77,
        phase: Phase::Open,
        clock: (1_800_000_077_000, 1_800_000_070_000, 3_000),
        opens: WallMs(1_800_000_000_000),
        admitted: 1_234,
        given: 45_678,
        joined: 46_000,
        turns: 12_000,
        moved: Some(WallMs(1_800_000_076_000)),
        rate: 2_000,
        bands: BTreeMap::from([
            ("back".into(), Band::None),
            ("front".into(), Band::Few),
            ("middle".into(), Band::Many),
        ]),
        draw: Some(crate::draw::file_hash(b"draw")),
        rev: 0,
        why: None,
        msg: None,
        fresh: WallMs(1_800_000_082_000),
        next: 2_000,
        seal: None,
        lanes: vec![],
    }
}

#[test]
fn status_format_unchanged() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../golden/status.json")).expect("golden/status.json is JSON");
    let text = String::from_utf8(status().sign(&SEED).expect("short enough")).expect("JSON is text");
    assert_eq!(
        golden["file"].as_str(),
        Some(text.as_str()),
        "pages in open tabs and API clients could not read the status any more"
    );
    assert_eq!(golden["public_key"].as_str(), Some(public_key(&SEED).as_str()));
}

#[test]
fn signs_verifies_and_reads() {
    let bytes = status().sign(&SEED).expect("short enough");
    assert_eq!(Status::verify(&bytes, &public_key(&SEED)), Ok(status()));
    assert_eq!(Status::parse_unverified(&bytes), Ok(status()));
    assert_eq!(status().event_clock().now(WallMs(1_800_000_078_000)), EventMs(1_800_000_071_000));
}

#[test]
fn every_flipped_bit_cut_and_tail_is_refused() {
    let (bytes, key) = (status().sign(&SEED).expect("short enough"), public_key(&SEED));
    for at in 0..bytes.len() {
        let mut odd = bytes.clone();
        odd[at] ^= 1;
        assert!(Status::verify(&odd, &key).is_err(), "byte {at}");
        assert!(Status::verify(&bytes[..at], &key).is_err(), "cut at {at}");
    }
    assert!(Status::verify(&[&bytes[..], b"\n"].concat(), &key).is_err(), "trailing");
    assert_eq!(Status::verify(&bytes, &public_key(&[6; 32])), Err(BadStatus::Signature), "foreign key");
    assert_eq!(Status::verify(&bytes, "short"), Err(BadStatus::Signature));
}

#[test]
fn the_largest_file_fits_and_its_size_is_known_beforehand() {
    let event = "a".repeat(40).parse().expect("a valid id");
    let levels = |n: usize| (0..n).map(|i| format!("lvl-{i}")).collect::<Vec<_>>();
    let with_texts = |n: usize| {
        let texts = Some("\"".repeat(MAX_MESSAGE));
        let level_ids = levels(n);
        Status { why: texts.clone(), msg: texts, ..largest::largest(&event, level_ids.iter().map(String::as_str), 0) }
    };
    let bytes = with_texts(8).sign(&SEED).expect("the largest file with eight levels fits");
    let texts_len = 2 * (2 * MAX_MESSAGE + 2);
    let foreseen = largest_bytes(&event, levels(8).iter().map(String::as_str), 0);
    println!("largest status file without its texts: {} bytes with 8 levels", bytes.len() - texts_len);
    assert!(bytes.len() - texts_len <= foreseen && foreseen <= MAX_BYTES, "{} and {foreseen}", bytes.len() - texts_len);
    assert!(matches!(with_texts(40).sign(&SEED), Err(BadStatus::TooLong(_))));
    let level_ids = levels(8);
    let drawn = largest::largest(&event, level_ids.iter().map(String::as_str), 0);
    let sealed = Status { admitted: 0, given: 0, turns: 0, moved: None, seal: drawn.draw.clone(), draw: None, ..drawn };
    assert!(sealed.sign(&SEED).expect("fits").len() <= foreseen, "the sealed list's file is the larger one");
}

#[test]
fn long_messages_are_cut_at_a_character_and_do_not_count() {
    let long = Status { msg: Some("ä".repeat(1_000)), ..status() };
    let read = Status::verify(&long.sign(&SEED).expect("the message does not count"), &public_key(&SEED))
        .expect("own signature");
    assert_eq!(read.msg, Some("ä".repeat(MAX_MESSAGE / 2)));
}

#[test]
fn lanes_are_counted_by_themselves_and_fit() {
    let lanes = Status { lanes: vec![(7, 9), (0, 40)], ..status() };
    assert_eq!([0, 1, 2, 3, 255].map(|lane| lanes.admitted_of(lane)), [1_234, 7, 0, 0, 0]);
    let bytes = lanes.sign(&SEED).expect("short enough");
    assert!(String::from_utf8_lossy(&bytes).contains(r#""next":2000,"lanes":[[7,9],[0,40]],"sig":"#));
    assert_eq!(Status::verify(&bytes, &public_key(&SEED)), Ok(lanes));
    let event = "a".repeat(20).parse().expect("a valid id");
    let most = largest::largest(&event, ["front", "back"].into_iter(), crate::lane::MAX_LANES);
    let foreseen = largest_bytes(&event, ["front", "back"].into_iter(), crate::lane::MAX_LANES);
    println!(
        "largest status file without its texts: {foreseen} bytes with 2 levels and {} lanes",
        crate::lane::MAX_LANES
    );
    assert!(most.sign(&SEED).expect("fits").len() <= foreseen && foreseen <= MAX_BYTES, "{foreseen}");
}

#[test]
fn bands() {
    for (free, capacity, want) in
        [(0, 10, Band::None), (1, 10, Band::Many), (9, 100, Band::Few), (10, 100, Band::Many), (0, 0, Band::None)]
    {
        assert_eq!(band(free, capacity), want, "{free} of {capacity}");
    }
}

#[test]
fn freshness_is_exclusive_and_follows_slow_beats() {
    assert!(status().is_fresh(WallMs(1_800_000_081_999)) && !status().is_fresh(WallMs(1_800_000_082_000)));
    assert_eq!([fresh_until(WallMs(0), 1_000), fresh_until(WallMs(0), 30_000)], [WallMs(5_000), WallMs(90_000)]);
}
