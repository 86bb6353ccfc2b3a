//! The states of many seats in few bytes.
//!
//! A browser reads the map every other second, so its bytes count. Sales clump: parties sit side by side, and front rows go
//! first. So each seat is coded by what is known of it beforehand (see [`Model`]); where nothing is, that costs nothing.
//! `docs/formats.md` has the format step by step; `edge-worker/pages/assets/js/map/code.js` is the same decoder for browsers,
//! held against this one by `domain/golden/seatmap.json`.

mod model;
mod range;

pub use model::Model;

use model::Counts;
use range::{Decoder, Encoder, Slice};

/// How many states there may be.
pub const STATES: usize = 8;

/// The rows of a section, from the front, as numbers of seats.
pub type Rows = Vec<usize>;

/// Bytes that are no code of these seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// Not even the set of states is there.
    #[error("the code of the seats' states is cut off")]
    CutOff,
    /// No encoder writes this.
    #[error("the code of the seats' states is damaged")]
    Damaged,
}

/// Codes states, 0 to 7 each, of as many seats as the sections' rows have; the first byte says which states occur.
/// Seats without a state count as 0.
#[must_use]
pub fn encode(sections: &[Rows], states: &[u8]) -> Vec<u8> {
    let total = sections.iter().flatten().sum();
    let mut states: Vec<u8> = states.iter().map(|state| state & 7).collect();
    states.resize(total, 0);
    let set = states.iter().fold(0, |set, state| set | 1 << state);
    if u8::count_ones(set) < 2 {
        return vec![set];
    }
    let codes = Model::ALL.map(|model| encode_by(model, set, sections, &mut states));
    // The first of the shortest.
    codes.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

fn encode_by(model: Model, set: u8, sections: &[Rows], states: &mut [u8]) -> Vec<u8> {
    let (mut counts, mut to) = (Counts::new(model, set), Encoder::after(vec![set]));
    to.put(half(model));
    let written = each(sections, states, |seat, states| {
        let state = states.get(seat.at).copied().unwrap_or_default();
        counts.put(counts.kind(states, seat.row, seat.at, seat.front.as_ref()), state, &mut to);
        Ok(state)
    });
    debug_assert_eq!(written, Ok(()));
    to.finish()
}

/// Which model was taken: the first symbol.
const fn half(model: Model) -> Slice {
    Slice { from: model as u32, width: 1, total: 2 }
}

/// The states of the sections' seats.
///
/// # Errors
/// The bytes are no code of these seats. Not every change can be noticed here: that is for the document's checksum.
pub fn decode(sections: &[Rows], code: &[u8]) -> Result<Vec<u8>, CodeError> {
    let total = sections.iter().flatten().sum();
    let (&set, code) = code.split_first().ok_or(CodeError::CutOff)?;
    if set.count_ones() < 2 {
        let only = u8::try_from(set.trailing_zeros()).unwrap_or(0);
        let whole = code.is_empty() && (set != 0) == (total != 0);
        return if whole { Ok(vec![only; total]) } else { Err(CodeError::Damaged) };
    }
    let mut from = Decoder::new(code);
    let model = if from.place(2)? == 0 { Model::Alone } else { Model::Neighbours };
    from.take(half(model));
    let (mut counts, mut states) = (Counts::new(model, set), vec![0; total]);
    each(sections, &mut states, |seat, states| {
        counts.take(counts.kind(states, seat.row, seat.at, seat.front.as_ref()), &mut from)
    })?;
    from.finish().map(|()| states)
}

/// A seat by its number among all, its row's first seat, and the row before it in its section.
struct Place {
    at: usize,
    row: usize,
    front: Option<std::ops::Range<usize>>,
}

/// Gives each seat in order the state that `state` says, who knows those of all before.
fn each(
    sections: &[Rows],
    states: &mut [u8],
    mut state: impl FnMut(&Place, &[u8]) -> Result<u8, CodeError>,
) -> Result<(), CodeError> {
    let mut row = 0;
    for section in sections {
        let mut front = None;
        for seats in section {
            for at in row..row + seats {
                let this = state(&Place { at, row, front: front.clone() }, states)?;
                states.iter_mut().skip(at).take(1).for_each(|known| *known = this);
            }
            front = Some(row..row + seats);
            row += seats;
        }
    }
    Ok(())
}
