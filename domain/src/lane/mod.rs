//! Lanes: lines of their own inside an event.
//!
//! Lane 0 is the main line, open to everybody. Each further lane is the same kind of line once more: logs, cohorts, draw and
//! numbers of its own, by the same [`crate::cohort`] protocol, so that its proofs are checked in the same way. What differs is
//! who may join it ([`Access`]) and its share of the rate ([`Credits`]): a lane gets at least its share while people wait in it,
//! and what it does not use flows to the others. Stock, sessions and the late lane are the event's, not a lane's.
//!
//! The registration lottery ([`crate::registration`]) is such a line, too ([`REGISTRATION`]), that admits nobody.

mod share;

pub use share::Credits;

use crate::door::Claim;
use serde::{Deserialize, Serialize};

/// The main line.
pub const MAIN: u8 = 0;
/// Most lanes beside the main line: each adds to the status file.
pub const MAX_LANES: usize = 4;
/// The line of those who registered for the lottery.
pub const REGISTRATION: u8 = 255;
/// Most shards of a line beside the main one: fewer people come that way, and each shard is asked twice a beat.
pub const SHARDS_MAX: u16 = 4;

/// Who may join a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Whoever shows a presale code of the lane ([`crate::code`]).
    Codes,
    /// Whoever the registration lottery invited ([`crate::registration`]).
    Invitation,
    /// Accounts whose identity provider vouches for all of [`Lane::claims`].
    Claims,
}

/// A lane beside the main line. Its number is its position in the event's list, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// Id, unique in the event.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// Share of the rate, in percent; the main line has the rest.
    pub share_percent: u8,
    /// Who may join.
    pub access: Access,
    /// What is vouched for, where that is the way in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// The number and definition of the lane with this id.
pub fn find<'a>(lanes: &'a [Lane], id: &str) -> Option<(u8, &'a Lane)> {
    (1..).zip(lanes).find(|(_, lane)| lane.id == id)
}

/// The lane with this number; `None` for the main line and for numbers that no lane has.
pub fn numbered(lanes: &[Lane], number: u8) -> Option<&Lane> {
    lanes.get(usize::from(number).checked_sub(1)?)
}

/// All lines of an event whose places are admitted: the main line and its lanes.
pub fn numbers(lanes: &[Lane]) -> impl Iterator<Item = u8> + use<> {
    (MAIN..).take(lanes.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_numbered_by_position() {
        let lane = |id: &str| Lane {
            id: id.into(),
            name: id.into(),
            share_percent: 10,
            access: Access::Codes,
            claims: vec![],
        };
        let lanes = [lane("club"), lane("fans")];
        assert_eq!(find(&lanes, "fans").map(|(number, _)| number), Some(2));
        assert_eq!(find(&lanes, "main"), None);
        assert_eq!(numbered(&lanes, 1), Some(&lanes[0]));
        assert_eq!([numbered(&lanes, 0), numbered(&lanes, 3), numbered(&lanes, REGISTRATION)], [None, None, None]);
        assert_eq!(numbers(&lanes).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
