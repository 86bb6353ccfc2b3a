//! `[door.checks]` of `event.toml`.

use std::str::FromStr;

use super::event::small;
use super::finding::{Code, Finding};
use super::reader::Reader;
use crate::door::checks::{Checks, NETWORKS_MAX};

const KEYS: &[&str] =
    &["challenge", "work_bits", "claims", "deny", "address_per_minute", "account_per_minute", "joins_per_second"];

/// Reads the checks; what is left out is as usual.
pub(super) fn read(table: &toml::Table, findings: &mut Vec<Finding>) -> Option<Checks> {
    let usual = Checks::default();
    let mut r = Reader::new(table, "door.checks", KEYS, findings);
    let challenge = match r.opt_text("challenge") {
        Some(word) => word_of(&mut r, "challenge", &word),
        None => Some(usual.challenge),
    };
    let claims = words(&mut r, "claims");
    let deny = words(&mut r, "deny");
    if deny.len() > NETWORKS_MAX {
        r.finds(Code::Range, "deny", format!("at most {NETWORKS_MAX} networks"));
    }
    let mut numbers = [usual.work_bits.into(), 0, 0, 0];
    for (number, (name, usual, least, most)) in numbers.iter_mut().zip(usual.ranges()) {
        *number = small(r.whole(name, i64::from(least)..=i64::from(most), Some(i64::from(usual)))?);
    }
    let [work_bits, address_per_minute, account_per_minute, joins_per_second] = numbers;
    let work_bits = u8::try_from(work_bits).unwrap_or(usual.work_bits);
    Some(Checks {
        challenge: challenge?,
        work_bits,
        claims,
        deny,
        address_per_minute,
        account_per_minute,
        joins_per_second,
    })
}

fn words<T: FromStr>(r: &mut Reader<'_>, name: &str) -> Vec<T> {
    let list: Vec<String> = r.list(name);
    list.iter().filter_map(|word| word_of(r, name, word)).collect()
}

fn word_of<T: FromStr>(r: &mut Reader<'_>, name: &str, word: &str) -> Option<T> {
    let parsed = word.parse().ok();
    if parsed.is_none() {
        r.finds(Code::Word, name, format!("{word:?}"));
    }
    parsed
}
