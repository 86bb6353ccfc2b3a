//! Presale codes: each opens a lane to so many accounts and not one more, whatever is lost or crashes.
//!
//! A code is counted where its hash says (one shard), an entry is written where its account says (another shard). So a use is
//! taken in two steps, and either may be the last thing that happens:
//!
//! ```text
//! account's shard                               code's shard
//! claim(code, account) ───────────────────────▶ free use? note (account, until) — counted from here on
//! now < until? write the entry ◀─────────────── granted until
//! entered ────────────────────────────────────▶ note: entered
//!                       entered by this code? ◀ later, the code is full, and a use was not confirmed: ask; if not, free it
//! ```
//!
//! A use without an entry is freed only after [`may_free`], when the account's shard no longer writes an entry with that grant
//! ([`may_enter`]). So no use is lost to a crash, and none is given twice. A repeated claim of the same account is the same use.

#[cfg(test)]
mod simulation;

use crate::keys::hmac;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// How long a granted use waits for its entry, in milliseconds.
pub const GRANT_MS: i64 = 10_000;
/// How far apart the clocks of two shards may be, in milliseconds, and how long a message of theirs may be under way.
pub const CLOCKS_APART_MS: i64 = 20_000;
/// Characters of a code, without spaces and dashes.
pub const LENGTH: std::ops::RangeInclusive<usize> = 6..=40;
/// Most uses of one code: what more people know is no secret, and each claim counts them.
pub const MOST_USES: u32 = 10_000;
/// Wrong codes that an account may try within [`TRIES_MS`].
pub const TRIES: u32 = 10;
/// The time in which tries are counted, in milliseconds.
pub const TRIES_MS: i64 = 600_000;

/// A code as fans may type it: letters and digits, upper case; spaces and dashes do not count. `None` if it cannot be one.
pub fn normalized(typed: &str) -> Option<String> {
    let kept = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let code: String = kept.map(|c| c.to_ascii_uppercase()).collect();
    let good = LENGTH.contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
    good.then_some(code)
}

/// The name under which a code is kept: HMAC-SHA256(code key of the event, normalized code). The code itself is not kept.
pub fn hash(key: &[u8; 32], code: &str) -> [u8; 32] {
    hmac(key, &[code.as_bytes()])
}

/// The shard that counts a code: the first 8 bytes of its hash, modulo `shards` (at least 1).
pub fn shard_of(hash: &[u8; 32], shards: u16) -> u16 {
    let [a, b, c, d, e, f, g, h, ..] = *hash;
    (u64::from_be_bytes([a, b, c, d, e, f, g, h]) % u64::from(shards.max(1))) as u16 // below `shards`
}

/// What a code is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The lane it opens.
    pub lane: u8,
    /// Accounts that may use it.
    pub uses: u32,
    /// From when, wall time; by default at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_ms: Option<WallMs>,
    /// Until when, wall time; by default as long as the lane may be joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<WallMs>,
}

/// What the code's shard knows when an account claims a use.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The code, if there is one of this hash.
    pub terms: Option<&'a Terms>,
    /// The lane asked for; `None` leaves it to the code.
    pub lane: Option<u8>,
    /// Uses counted, with or without an entry.
    pub used: u32,
    /// Whether one of them is this account's.
    pub mine: bool,
    /// Wall time.
    pub now: WallMs,
}

/// Why a code does not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refused {
    /// No such code, or one of another lane: one answer for both.
    #[error("no code of this lane")]
    Wrong,
    /// Outside its window.
    #[error("not valid at this time")]
    NotNow,
    /// All its uses are taken.
    #[error("used up")]
    UsedUp,
}

/// Whether an account may have a use; count it in the same turn. Ladder: a code of this lane, its own use again, the window,
/// a use that is left.
pub fn claim(facts: &Facts<'_>) -> Result<(), Refused> {
    let Facts { terms, lane, used, mine, now } = *facts;
    let terms = terms.filter(|terms| lane.is_none_or(|lane| terms.lane == lane)).ok_or(Refused::Wrong)?;
    let in_window = terms.from_ms.is_none_or(|from| from <= now) && terms.until_ms.is_none_or(|until| now < until);
    match () {
        () if mine => Ok(()),
        () if !in_window => Err(Refused::NotNow),
        () if used >= terms.uses => Err(Refused::UsedUp),
        () => Ok(()),
    }
}

/// Whether an entry may still be written with a use that was granted until then.
pub fn may_enter(granted_until: WallMs, now: WallMs) -> bool {
    now < granted_until
}

/// Whether a use that was granted until then, and has no entry, may be given to somebody else.
pub fn may_free(granted_until: WallMs, now: WallMs) -> bool {
    now >= granted_until.plus(CLOCKS_APART_MS)
}

/// One line of an operator's file of codes: `code,lane,uses[,from[,until]]`; times in RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The code, normalized.
    pub code: String,
    /// Id of its lane.
    pub lane: String,
    /// Accounts that may use it.
    pub uses: u32,
    /// From when, wall time.
    #[serde(default)]
    pub from_ms: Option<WallMs>,
    /// Until when, wall time.
    #[serde(default)]
    pub until_ms: Option<WallMs>,
}

/// Reads a file of codes; empty lines and lines that begin with `#` do not count. All that is wrong, by line, or the codes.
pub fn read_file(text: &str) -> Result<Vec<Line>, Vec<String>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let read = lines.map(|(at, line)| read_line(line).map_err(|why| format!("line {at}: {why}")));
    let (good, bad): (Vec<_>, Vec<_>) = read.partition(Result::is_ok);
    let mut bad: Vec<String> = bad.into_iter().filter_map(Result::err).collect();
    let good: Vec<Line> = good.into_iter().flatten().collect();
    let mut seen = std::collections::BTreeSet::new();
    bad.extend(
        good.iter()
            .filter(|line| !seen.insert(&line.code))
            .map(|line| format!("the code {} is given twice", line.code)),
    );
    if bad.is_empty() { Ok(good) } else { Err(bad) }
}

fn read_line(line: &str) -> Result<Line, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (code, lane, uses, times) = match fields.as_slice() {
        [code, lane, uses, times @ ..] if times.len() <= 2 => (code, lane, uses, times),
        _ => return Err("is not code,lane,uses[,from[,until]]".into()),
    };
    let code = normalized(code)
        .ok_or_else(|| format!("a code has {} to {} letters and digits", LENGTH.start(), LENGTH.end()))?;
    let uses = uses
        .parse()
        .ok()
        .filter(|uses| (1..=MOST_USES).contains(uses))
        .ok_or_else(|| format!("uses must be 1 to {MOST_USES}"))?;
    let at = |n: usize| times.get(n).filter(|text| !text.is_empty()).map(|text| instant(text)).transpose();
    let (from_ms, until_ms) = (at(0)?, at(1)?);
    if from_ms.zip(until_ms).is_some_and(|(from, until)| until <= from) {
        return Err("ends before it begins".into());
    }
    Ok(Line { code, lane: (*lane).to_owned(), uses, from_ms, until_ms })
}

fn instant(text: &str) -> Result<WallMs, String> {
    let time: jiff::Timestamp = text.parse().map_err(|_| format!("{text:?} is no time like 2027-03-01T09:00:00Z"))?;
    Ok(WallMs(time.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_as_people_type_them() {
        for typed in ["abcd1234", "ABCD-1234", " abcd 1234 ", "AbCd12-34"] {
            assert_eq!(normalized(typed).as_deref(), Some("ABCD1234"), "{typed:?}");
        }
        let long = "A".repeat(41);
        for typed in ["", "ABC12", "ABCD_123", "ÄBCD123", long.as_str()] {
            assert_eq!(normalized(typed), None, "{typed:?}");
        }
    }

    #[test]
    fn every_rung_of_the_ladder() {
        let terms = Terms { lane: 1, uses: 2, from_ms: Some(WallMs(10)), until_ms: Some(WallMs(20)) };
        let base = Facts { terms: Some(&terms), lane: Some(1), used: 1, mine: false, now: WallMs(15) };
        let cases = [
            ("a use is left", base, Ok(())),
            ("no such code", Facts { terms: None, ..base }, Err(Refused::Wrong)),
            ("of another lane", Facts { lane: Some(2), ..base }, Err(Refused::Wrong)),
            ("of whatever lane", Facts { lane: None, ..base }, Ok(())),
            ("too early", Facts { now: WallMs(9), ..base }, Err(Refused::NotNow)),
            ("the last moment", Facts { now: WallMs(19), ..base }, Ok(())),
            ("too late", Facts { now: WallMs(20), ..base }, Err(Refused::NotNow)),
            ("used up", Facts { used: 2, ..base }, Err(Refused::UsedUp)),
            ("used up, but by this account", Facts { used: 2, mine: true, ..base }, Ok(())),
            ("its own use, too late", Facts { mine: true, now: WallMs(20), ..base }, Ok(())),
        ];
        for (name, facts, want) in cases {
            assert_eq!(claim(&facts), want, "{name}");
        }
    }

    #[test]
    fn a_grant_is_over_before_it_is_given_away() {
        let until = WallMs(1_000);
        assert!(may_enter(until, WallMs(999)) && !may_enter(until, WallMs(1_000)));
        assert!(
            !may_free(until, WallMs(1_000 + CLOCKS_APART_MS - 1)) && may_free(until, WallMs(1_000 + CLOCKS_APART_MS))
        );
    }

    #[test]
    fn a_file_of_codes() {
        let text = "# presale\n\nclub-2027,club,100\nFANS99,fans,1,2027-03-01T09:00:00Z\nxxxxxx,fans,1,,2027-03-02T09:00:00+01:00\n";
        let lines = read_file(text).expect("a good file");
        assert_eq!(lines.len(), 3);
        assert_eq!((lines[0].code.as_str(), lines[0].lane.as_str(), lines[0].uses), ("CLUB2027", "club", 100));
        assert_eq!(lines[2].until_ms, Some(WallMs(1_803_974_400_000)));
    }

    #[test]
    fn everything_wrong_with_a_file_is_named_by_line() {
        let text = "CLUB2027,club\nCLUB2027,club,0\nx,club,1\nCLUB2027,club,1,soon\nCLUB2027,club,1,2027-03-02T00:00:00Z,2027-03-01T00:00:00Z\n\
                    TWICE99,club,1\ntwice-99,club,1";
        let found = read_file(text).expect_err("a bad file");
        assert_eq!(found.len(), 6, "{found:#?}");
        for (found, part) in found.iter().zip(["line 1", "line 2", "line 3", "line 4", "line 5", "TWICE99"]) {
            assert!(found.contains(part), "{found}");
        }
    }
}
