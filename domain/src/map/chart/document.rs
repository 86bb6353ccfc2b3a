//! The bytes of the seat map: `docs/formats.md` has them one by one, and `map/document.js` of the pages reads them too.
//!
//! The checksum is over the states that come out, not over the bytes that carry them: so it tells of damage on the way as well
//! as of a reader who has another layout.

use super::bytes::{Bytes, put};
use super::{Chart, Part, SheetSection};
use crate::ids::ChannelId;
use crate::map::code::{Rows, decode, encode};
use crate::map::pack::{Packed, unpack};

const MAGIC: &[u8; 2] = b"SM";
const FORMAT: u8 = 1;
/// Bit of the flags: all sections are in it.
const WHOLE: u8 = 1;
/// The state of a seat that is free for a channel's buyers.
const FOR_CHANNEL: u8 = 4;
const BLOCKED: u8 = Packed::Blocked as u8;
const SUM_BYTES: usize = 4;

/// A seat map or a part of it, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The map's version.
    pub version: u64,
    /// Whether every section is in it.
    pub whole: bool,
    /// Positions of its sections, in the order of their ids.
    pub sections: Vec<usize>,
    /// Free places of every pool, in the order of their ids.
    pub pools: Vec<u64>,
    /// Channels that have free seats in it.
    pub channels: Vec<ChannelId>,
    /// The states of its sections' seats, one after the other, as anybody may take them: 0 free, 1 held, 2 sold, 3 blocked.
    pub states: Vec<u8>,
    /// Seats in `states` that are free for a channel's buyers, with the channel's position.
    pub kept: Vec<(usize, usize)>,
}

/// Bytes that are no seat map of this layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// They begin with something else, or with a format that came later.
    #[error("this is no seat map of a known format")]
    Format,
    /// They end too early, or say what no writer says.
    #[error("the seat map is damaged")]
    Damaged,
    /// They belong to another layout, or were changed on the way.
    #[error("the seat map does not fit this layout, or is damaged")]
    Sum,
}

impl From<crate::map::code::CodeError> for DocumentError {
    fn from(_: crate::map::code::CodeError) -> Self {
        Self::Damaged
    }
}

impl Chart {
    /// The bytes of a part.
    #[must_use]
    pub fn write(&self, part: &Part) -> Vec<u8> {
        let at = |position: &usize| {
            matches!(part, Part::Whole) || matches!(part, Part::Some(some) if some.contains(position))
        };
        let sections = self.sections.values().enumerate().filter(|(position, _)| at(position));
        let sections: Vec<&SheetSection> = sections.map(|(_, section)| &section.now).collect();
        let (states, kept) = states(&sections);
        let mut bytes = self.head(part);
        put_kept(&mut bytes, &kept);
        let sum = sum(&bytes, &states);
        let rows: Vec<Rows> = sections.iter().map(|section| section.rows.clone()).collect();
        bytes.extend(encode(&rows, &states));
        bytes.extend(sum);
        bytes
    }

    fn head(&self, part: &Part) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([FORMAT, if *part == Part::Whole { WHOLE } else { 0 }]);
        put(&mut bytes, u64::try_from(self.version).unwrap_or_default());
        put(&mut bytes, self.sections.len() as u64);
        if let Part::Some(some) = part {
            let mut bits = vec![0; self.sections.len().div_ceil(8)];
            for at in some {
                bits.iter_mut().skip(at / 8).take(1).for_each(|byte| *byte |= 1_u8 << (at % 8));
            }
            bytes.extend(bits);
        }
        put(&mut bytes, self.pools.len() as u64);
        self.pools.values().for_each(|pool| put(&mut bytes, pool.free.into()));
        bytes
    }
}

/// The states of sections, with [`FOR_CHANNEL`] where a channel has a free seat, and which channel that is, seat by seat.
fn states(sections: &[&SheetSection]) -> (Vec<u8>, Vec<ChannelId>) {
    let (mut states, mut kept) = (Vec::new(), Vec::new());
    for section in sections {
        let seats = section.seats().unwrap_or_default();
        let channels: Vec<(&ChannelId, Vec<u8>)> =
            section.channels.iter().map(|(id, bits)| (id, SheetSection::bytes(bits))).collect();
        for (seat, state) in unpack(&SheetSection::bytes(&section.states), seats).into_iter().enumerate() {
            let has = |bits: &Vec<u8>| bits.get(seat / 8).is_some_and(|byte| byte >> (seat % 8) & 1 == 1);
            let own = channels.iter().find(|(_, bits)| state == Packed::Blocked && has(bits));
            states.push(if own.is_some() { FOR_CHANNEL } else { state as u8 });
            kept.extend(own.map(|(channel, _)| (*channel).clone()));
        }
    }
    (states, kept)
}

/// Channels by name, then how many seats in a row are each one's, of those with [`FOR_CHANNEL`].
fn put_kept(bytes: &mut Vec<u8>, kept: &[ChannelId]) {
    let mut channels: Vec<&ChannelId> = kept.iter().collect();
    channels.sort();
    channels.dedup();
    put(bytes, channels.len() as u64);
    for channel in &channels {
        put(bytes, channel.as_str().len() as u64);
        bytes.extend(channel.as_str().bytes());
    }
    let runs: Vec<&[ChannelId]> = kept.chunk_by(|one, next| one == next).collect();
    if !channels.is_empty() {
        put(bytes, runs.len() as u64);
    }
    for run in runs {
        put(bytes, channels.iter().position(|channel| run.first() == Some(channel)).unwrap_or_default() as u64);
        put(bytes, run.len() as u64);
    }
}

fn sum(head: &[u8], states: &[u8]) -> [u8; SUM_BYTES] {
    let mut sum = crc32fast::Hasher::new();
    sum.update(head);
    sum.update(states);
    sum.finalize().to_be_bytes()
}

impl Document {
    /// Reads bytes as somebody who has the layout: the rows of all its sections, in the order of the sections' ids.
    ///
    /// # Errors
    /// They are no map of this layout.
    pub fn read(bytes: &[u8], layout: &[Rows]) -> Result<Self, DocumentError> {
        let told = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_first());
        let (_, rest) = told.filter(|(format, _)| **format == FORMAT).ok_or(DocumentError::Format)?;
        let mut from = Bytes(rest);
        let (mut document, runs) = head(&mut from, layout.len()).ok_or(DocumentError::Damaged)?;
        let head = bytes.len().saturating_sub(from.0.len());
        let code = from.0.len().checked_sub(SUM_BYTES).and_then(|len| from.take(len)).ok_or(DocumentError::Damaged)?;
        let rows: Vec<Rows> = document.sections.iter().filter_map(|at| layout.get(*at).cloned()).collect();
        let states = decode(&rows, code)?;
        if sum(bytes.get(..head).unwrap_or_default(), &states) != *from.0 {
            return Err(DocumentError::Sum);
        }
        document.kept = keepers(&states, &runs, document.channels.len()).ok_or(DocumentError::Damaged)?;
        document.states = states.into_iter().map(|state| state.min(BLOCKED)).collect();
        Ok(document)
    }
}

/// The version of a map, for those who do not know its layout.
#[must_use]
pub fn version_of(bytes: &[u8]) -> Option<u64> {
    let told = bytes.strip_prefix(MAGIC)?.strip_prefix(&[FORMAT])?;
    Bytes(told.get(1..)?).number()
}

/// All that stands before the states, and the runs of channels' seats.
fn head(from: &mut Bytes<'_>, sections: usize) -> Option<(Document, Vec<(usize, usize)>)> {
    let [flags] = *from.take(1)? else { return None };
    let (whole, version) = (flags == WHOLE, from.number()?);
    if flags & !WHOLE != 0 || from.count()? != sections {
        return None;
    }
    let bits = if whole { None } else { Some(from.take(sections.div_ceil(8))?) };
    let is_in = |at: &usize| bits.is_none_or(|bits| bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1));
    let sections = (0..sections).filter(is_in).collect();
    let pools = many(from, Bytes::number)?;
    let channels = many(from, |from| {
        let length = from.count()?;
        std::str::from_utf8(from.take(length)?).ok()?.parse().ok()
    })?;
    let runs = if channels.is_empty() { Vec::new() } else { many(from, |from| Some((from.count()?, from.count()?)))? };
    Some((Document { version, whole, sections, pools, channels, ..Document::default() }, runs))
}

/// So many things as the number before them says. Each takes a byte at least, so a wrong number costs nothing.
fn many<'a, T>(from: &mut Bytes<'a>, mut one: impl FnMut(&mut Bytes<'a>) -> Option<T>) -> Option<Vec<T>> {
    let count = from.count()?;
    (0..count).map(|_| one(from)).collect()
}

/// Which channel each seat is kept for; none if the runs are not those of the states.
fn keepers(states: &[u8], runs: &[(usize, usize)], channels: usize) -> Option<Vec<(usize, usize)>> {
    let mut seats = states.iter().enumerate().filter(|(_, state)| **state == FOR_CHANNEL).map(|(seat, _)| seat);
    let mut kept = Vec::new();
    for (channel, run) in runs {
        for _ in 0..*run {
            kept.push((seats.next()?, *channel));
        }
    }
    let known = runs.iter().all(|(channel, _)| *channel < channels);
    let told = known && seats.next().is_none() && states.iter().all(|state| *state <= FOR_CHANNEL);
    told.then_some(kept)
}
