//! Numbers and texts in bytes.

/// Bits of the largest number: exact in JavaScript.
const BITS: u32 = 53;

/// Adds a number: seven bits a byte, the lowest first, the highest bit of a byte says that another follows (LEB128).
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// What is left to read.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// So many bytes, if they are there.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..=BITS).step_by(7) {
            let [byte] = self.take(1)? else { return None };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return (number >> BITS == 0).then_some(number);
            }
        }
        None
    }

    /// A number that is a length or a position.
    pub fn count(&mut self) -> Option<usize> {
        self.number().and_then(|number| usize::try_from(number).ok())
    }
}
