//! Two bits a seat, lowest bits first.

use crate::items::SeatState;

/// What a browser sees of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Packed {
    /// Anybody may take it.
    Free = 0,
    /// Somebody has it for now.
    Held = 1,
    /// Sold.
    Sold = 2,
    /// Not for sale.
    Blocked = 3,
}

impl From<SeatState> for Packed {
    fn from(state: SeatState) -> Self {
        match state {
            SeatState::Free => Self::Free,
            SeatState::Held | SeatState::Claimed => Self::Held,
            SeatState::Sold => Self::Sold,
            SeatState::Blocked => Self::Blocked,
        }
    }
}

impl Packed {
    const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Free,
            1 => Self::Held,
            2 => Self::Sold,
            _ => Self::Blocked,
        }
    }
}

/// Bytes that `seats` seats take.
#[must_use]
pub const fn len_bytes(seats: usize) -> usize {
    seats.div_ceil(4)
}

/// Packs states in order; unused bits of the last byte are zero.
#[must_use]
pub fn pack(states: &[Packed]) -> Vec<u8> {
    let byte = |four: &[Packed]| four.iter().enumerate().fold(0, |byte, (i, s)| byte | ((*s as u8) << (2 * i)));
    states.chunks(4).map(byte).collect()
}

/// The state of the seat at `index`; past the end it is blocked.
#[must_use]
pub fn get(bytes: &[u8], index: usize) -> Packed {
    bytes.get(index / 4).map_or(Packed::Blocked, |byte| Packed::from_bits(byte >> (2 * (index % 4))))
}

/// Changes the state of the seat at `index`, if there is one.
pub fn set(bytes: &mut [u8], index: usize, state: Packed) {
    if let Some(byte) = bytes.get_mut(index / 4) {
        let shift = 2 * (index % 4);
        *byte = *byte & !(3 << shift) | (state as u8) << shift;
    }
}

/// The states of the first `seats` seats.
#[must_use]
pub fn unpack(bytes: &[u8], seats: usize) -> Vec<Packed> {
    (0..seats).map(|i| get(bytes, i)).collect()
}
