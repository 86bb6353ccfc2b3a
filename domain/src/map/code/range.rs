//! A range coder: symbols into bytes, each costing about the logarithm of how likely it was.
//!
//! 32 bits of range, a byte at a time, after G. N. N. Martin (1979). All numbers are integers, so every machine makes the same
//! bytes. What follows the last byte counts as zeros.

use super::CodeError;

/// Below this the range grows by a byte.
const LEAST: u32 = 1 << 24;
/// The largest total that a symbol may be coded under: what is lost by rounding the range then stays below one in 256.
pub const MOST: u32 = 1 << 16;

/// Where a symbol lies among all: `from .. from + width` of `total`.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// What lies before it.
    pub from: u32,
    /// Its own part, not 0.
    pub width: u32,
    /// All parts together, [`MOST`] at most.
    pub total: u32,
}

/// Writes symbols.
#[derive(Debug)]
pub struct Encoder {
    bytes: Vec<u8>,
    low: u32,
    range: u32,
}

impl Encoder {
    /// Goes on after these bytes.
    pub const fn after(bytes: Vec<u8>) -> Self {
        Self { bytes, low: 0, range: u32::MAX }
    }

    /// Writes a symbol.
    pub fn put(&mut self, slice: Slice) {
        let step = self.range / slice.total;
        self.add(step * slice.from);
        self.range = step * slice.width;
        while self.range < LEAST {
            self.shift();
            self.range <<= 8;
        }
    }

    fn add(&mut self, value: u32) {
        let (low, carry) = self.low.overflowing_add(value);
        self.low = low;
        if carry {
            carry_into(&mut self.bytes);
        }
    }

    fn shift(&mut self) {
        self.bytes.push(self.low.to_be_bytes()[0]);
        self.low <<= 8;
    }

    /// All bytes: as few as say which number within the range is meant, without zeros at the end.
    pub fn finish(mut self) -> Vec<u8> {
        // The number in the range that has the most zeros at its end.
        let rest = (0..=32).rev().map(|bits| u32::try_from((1_u64 << bits) - 1).unwrap_or(u32::MAX));
        let up = rest.map(|mask| self.low.wrapping_neg() & mask).find(|up| *up < self.range).unwrap_or_default();
        self.add(up);
        (0..4).for_each(|_| self.shift());
        // The first byte is the caller's.
        while self.bytes.len() > 1 && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

fn carry_into(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

/// Reads symbols.
#[derive(Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    read: usize,
    code: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { bytes, read: 0, code: 0, range: u32::MAX };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.get(self.read).copied().unwrap_or_default());
        self.read += 1;
    }

    /// Where the next symbol lies: a number below `total`.
    ///
    /// # Errors
    /// No encoder writes this.
    pub fn place(&self, total: u32) -> Result<u32, CodeError> {
        let place = self.code / (self.range / total);
        if place < total { Ok(place) } else { Err(CodeError::Damaged) }
    }

    /// Steps over the symbol that was found at [`Self::place`].
    pub fn take(&mut self, slice: Slice) {
        let step = self.range / slice.total;
        self.code -= step * slice.from;
        self.range = step * slice.width;
        while self.range < LEAST {
            self.shift();
            self.range <<= 8;
        }
    }

    /// Ends.
    ///
    /// # Errors
    /// There are bytes that belong to no symbol.
    pub fn finish(self) -> Result<(), CodeError> {
        if self.read < self.bytes.len() || self.bytes.last() == Some(&0) { Err(CodeError::Damaged) } else { Ok(()) }
    }
}
