//! Vectors, frozen: browsers decode by a twin of this code, and pages that are open must go on to understand the map.

use domain::map::code::{Rows, encode};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{sales, stadium};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn small(sections: &[Rows], states: &[u8]) -> Value {
    let digits: String = states.iter().map(ToString::to_string).collect();
    json!({ "rows": sections, "states": digits, "code": hex(&encode(sections, states)) })
}

/// Halls of a few sections with states of all kinds.
fn any(case: u64) -> Value {
    let mut dice = StdRng::seed_from_u64(case);
    let mut rows = |most: usize| (0..dice.random_range(0..6)).map(|_| dice.random_range(0..=most)).collect::<Rows>();
    let sections: Vec<Rows> = (0..4).map(|_| rows(30)).collect();
    let (kinds, stay) = (1 + case % 8, dice.random_range(0.0..1.0));
    let mut last = 0;
    let mut state = || {
        if !dice.random_bool(stay) {
            last = u8::try_from(dice.random_range(0..kinds)).expect("below 8");
        }
        last
    };
    let states: Vec<u8> = (0..sections.iter().flatten().sum()).map(|_| state()).collect();
    small(&sections, &states)
}

fn whole(share: f64) -> Value {
    let sections = stadium::rows();
    let states = sales::clumped(&sections, share, 1);
    json!({ "share": share, "code": hex(&encode(&sections, &states)), "sha256": hex(&Sha256::digest(&states)) })
}

#[test]
fn codes_are_unchanged() {
    let example = small(&[vec![6, 6]], &[0, 0, 2, 2, 0, 0, 0, 1, 1, 0, 0, 3]);
    let (small, stadium) = ((0..100).map(any).collect::<Vec<_>>(), [0.02, 0.5, 0.95].map(whole));
    let now = json!({ "example": example, "small": small, "stadium": stadium });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/seatmap.json");
    if std::env::var_os("ONSALE_WRITE_GOLDEN").is_some() {
        std::fs::write(path, format!("{now}\n")).expect("a writable file");
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the golden file")).expect("JSON");
    assert_eq!(golden, now, "pages that are open could not read this map");
}
