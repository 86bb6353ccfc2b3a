//! How likely each state of a seat is, learned from the seats before it.

use std::ops::Range;

use super::range::{Decoder, Encoder, MOST, Slice};
use super::{CodeError, STATES};

/// What a seat adds to the count of its state.
const STEP: u32 = 8;
/// A head start for the state of the neighbour, in the first seat of a kind.
const LIKE_LEFT: u32 = 8;
/// How far back a run of equal states is counted.
const RUN: usize = 4;
/// How far to both sides the row in front is looked at.
const AROUND: usize = 2;
/// The state of no seat: left of a row's first.
const NONE: usize = STATES;

/// What is known of a seat beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Nothing: for states that do not depend on each other.
    Alone = 0,
    /// Its left neighbours, and whether somebody has a seat in front.
    Neighbours = 1,
}

impl Model {
    /// Both, as numbered in the code.
    pub const ALL: [Self; 2] = [Self::Alone, Self::Neighbours];

    const fn kinds(self) -> usize {
        match self {
            Self::Alone => 1,
            Self::Neighbours => (STATES + 1) * RUN * 3,
        }
    }
}

/// The states of a code so far, counted for each kind of seat.
#[derive(Debug)]
pub struct Counts {
    model: Model,
    kinds: Vec<[u32; STATES]>,
}

impl Counts {
    /// Before the first seat. Only states in the set (bit n: state n) ever occur.
    pub fn new(model: Model, set: u8) -> Self {
        let mut kinds = vec![std::array::from_fn(|state| u32::from(set >> state & 1)); model.kinds()];
        for (kind, counts) in kinds.iter_mut().enumerate() {
            let left = kind / (RUN * 3);
            if model == Model::Neighbours && left != NONE && counts[left] != 0 {
                counts[left] += LIKE_LEFT;
            }
        }
        Self { model, kinds }
    }

    /// Which kind of seat comes at `at` in a row that begins at `row`, with the seats `front` in the row before it.
    pub fn kind(&self, states: &[u8], row: usize, at: usize, front: Option<&Range<usize>>) -> usize {
        if self.model == Model::Alone {
            return 0;
        }
        let before = states.get(row..at).unwrap_or_default();
        let left = before.last().map_or(NONE, |state| usize::from(*state));
        let run = before.iter().rev().take(RUN).take_while(|state| usize::from(**state) == left).count().max(1);
        (left * RUN + run - 1) * 3 + ahead(states, at - row, front)
    }

    /// Writes a state.
    pub fn put(&mut self, kind: usize, state: u8, to: &mut Encoder) {
        if let Some(counts) = self.kinds.get_mut(kind) {
            to.put(slice(counts, usize::from(state)));
            learn(counts, usize::from(state));
        }
    }

    /// Reads a state.
    ///
    /// # Errors
    /// No encoder writes this.
    pub fn take(&mut self, kind: usize, from: &mut Decoder<'_>) -> Result<u8, CodeError> {
        let counts = self.kinds.get_mut(kind).ok_or(CodeError::Damaged)?;
        let place = from.place(counts.iter().sum())?;
        let mut end = 0;
        let found = counts.iter().position(|count| {
            end += count;
            place < end
        });
        let state = found.ok_or(CodeError::Damaged)?;
        from.take(slice(counts, state));
        learn(counts, state);
        u8::try_from(state).map_err(|_| CodeError::Damaged)
    }
}

/// 0 if all seats around the same position in front are free, 1 if one of them is not, 2 if there is no such row or it ends
/// before that.
fn ahead(states: &[u8], position: usize, front: Option<&Range<usize>>) -> usize {
    let Some(front) = front.filter(|front| position < front.len()) else { return 2 };
    let around = position.saturating_sub(AROUND)..(position + AROUND + 1).min(front.len());
    let seats = states.get(front.start + around.start..front.start + around.end).unwrap_or_default();
    usize::from(seats.iter().any(|state| *state != 0))
}

fn slice(counts: &[u32; STATES], state: usize) -> Slice {
    let (from, width) = (counts.iter().take(state).sum(), counts.get(state).copied().unwrap_or_default());
    Slice { from, width, total: counts.iter().sum() }
}

fn learn(counts: &mut [u32; STATES], state: usize) {
    counts.iter_mut().skip(state).take(1).for_each(|count| *count += STEP);
    if counts.iter().sum::<u32>() > MOST {
        counts.iter_mut().for_each(|count| *count = count.div_ceil(2));
    }
}
