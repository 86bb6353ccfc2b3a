//! The form of draw files, and that no change to one goes unnoticed.

use super::*;
use crate::beacon::sign;
use crate::cohort::{Cut, CutAnswer, LogAnswer, Sealed, close};

const SECRET: [u8; 32] = [9; 32];

fn row() -> Row {
    let answer = |shard, len, root| {
        let logs = vec![LogAnswer { epoch: 0, len, root: [root; 32] }, LogAnswer { epoch: 1, len: 9, root: [0; 32] }];
        CutAnswer { shard, cut: Cut { k: 0, t: WallMs(1_800_000_000_000) }, logs }
    };
    let cut = Cut { k: 0, t: WallMs(1_800_000_000_000) };
    close(None, &cut, &[0, 0], &[answer(1, 3, 2), answer(0, 4, 1)], &SECRET).expect("all answered").expect("7 people")
}

fn round() -> BeaconDraw {
    BeaconDraw { sealed: WallMs(1_800_000_002_100), round: Round { round: 7, signature: sign(&[3; 64], 7) } }
}

fn file() -> DrawFile {
    DrawFile::new(&"demo".parse().expect("a valid id"), &row(), commitment(&SECRET))
}

#[test]
fn draw_file_format_unchanged() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../golden/draw.json")).expect("golden/draw.json is JSON");
    let text = String::from_utf8(file().to_bytes()).expect("JSON is text");
    assert_eq!(golden["file"].as_str(), Some(text.as_str()), "published draw files could no longer be read or checked");
    assert_eq!(
        golden["hash"].as_str(),
        Some(file_hash(text.as_bytes()).as_str()),
        "status files would name other draws"
    );
    let places: Vec<_> =
        (0..4).map(|i| (0, i)).chain((0..3).map(|i| (1, i))).map(|(s, i)| file().place_of(s, 0, i)).collect();
    let want: Vec<_> = golden["places"].as_array().expect("a list").iter().map(serde_json::Value::as_u64).collect();
    assert_eq!(places, want, "people who are already numbered would get other places");
}

/// The same people, drawn with a real round of a real beacon.
#[test]
fn files_with_a_beacon_unchanged() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../golden/draw.json")).expect("golden/draw.json is JSON");
    let golden = &golden["beacon"];
    let (t, sealed) = (WallMs(1_692_803_727_000), WallMs(1_692_803_728_500));
    let Row { k, cuts, n, base, .. } = row();
    let list = Sealed { k, t, cuts, n, base };
    let seal = SealFile::new(&file().event, &list, commitment(&SECRET), sealed, 123);
    let signature = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
    let round = Round { round: 123, signature: bytes32::from_hex(signature).expect("48 bytes") };
    let row = list.draw(&SECRET, Some(BeaconDraw { sealed, round }));
    let file = DrawFile::new(&file().event, &row, commitment(&SECRET));
    for (name, bytes) in [("file", file.to_bytes()), ("seal", seal.text().into_bytes())] {
        let text = String::from_utf8(bytes).expect("JSON is text");
        assert_eq!(golden[name].as_str(), Some(text.as_str()), "published {name}s could no longer be read or checked");
    }
    assert_eq!(golden["seal_hash"].as_str(), Some(seal.hash().as_str()), "status files would name other seals");
    assert_eq!(SealFile::of_draw(&file), Some(seal));
    assert_eq!(DrawFile::parse(&file.to_bytes()).and_then(|file| file.verify(&SECRET)), Ok(()));
}

#[test]
fn a_published_draw_reads_and_verifies() {
    let read = DrawFile::parse(&file().to_bytes());
    assert_eq!(read, Ok(file()));
    assert_eq!(file().verify(&SECRET), Ok(()));
}

#[test]
fn every_change_is_found() {
    type Change = fn(&mut DrawFile);
    let cases: [(Change, DrawFault); 8] = [
        (|f| f.n = 8, DrawFault::Cuts(8)),
        (|f| f.cuts.swap(0, 1), DrawFault::Cuts(7)),
        (|f| f.cuts[0].from = 5, DrawFault::Cuts(7)),
        (|f| f.cuts[0].root = [7; 32], DrawFault::Seed),
        (|f| f.k = 1, DrawFault::Seed),
        (|f| f.seed = [0; 32], DrawFault::Seed),
        (|f| f.beacon = Some(round().into()), DrawFault::Beacon),
        (|f| f.commitment = [0; 32], DrawFault::Commitment),
    ];
    for (at, (change, fault)) in cases.into_iter().enumerate() {
        let mut file = file();
        change(&mut file);
        assert_eq!(file.verify(&SECRET), Err(fault), "case {at}");
    }
    assert_eq!(file().verify(&[8; 32]), Err(DrawFault::Commitment));
}

#[test]
fn nonsense_is_not_a_draw_file() {
    let bytes = file().to_bytes();
    assert!((0..bytes.len()).all(|cut| DrawFile::parse(&bytes[..cut]).is_err()), "truncated");
    assert!(DrawFile::parse(&[bytes, b"x".to_vec()].concat()).is_err(), "trailing");
}

#[test]
fn entries_of_other_cohorts_have_no_place_here() {
    for (shard, epoch, index) in [(0, 0, 4), (1, 0, 3), (0, 1, 0), (2, 0, 0)] {
        assert_eq!(file().place_of(shard, epoch, index), None);
    }
}
