//! Ways to spoil bytes.

use super::dice::Dice;

/// Spoils `bytes` in one to three ways; `others` are good inputs to splice with.
pub fn spoil(dice: &mut Dice, bytes: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    (0..=dice.below(3)).fold(bytes.to_vec(), |bytes, _| one(dice, bytes, others))
}

fn one(dice: &mut Dice, mut bytes: Vec<u8>, others: &[Vec<u8>]) -> Vec<u8> {
    let at = dice.below(bytes.len() + 1);
    match dice.below(7) {
        0 | 1 => flip(dice, &mut bytes),
        2 => bytes.truncate(at),
        3 => {
            let len = 1 + dice.below(8);
            bytes.extend(dice.bytes(len));
        }
        4 => {
            // The head of one, the tail of another: as long as the other.
            let other = dice.pick(others);
            bytes.truncate(at.min(other.len()));
            bytes.extend_from_slice(&other[bytes.len()..]);
        }
        5 => {
            let piece = bytes.split_off(at);
            let other = dice.pick(others);
            bytes.extend_from_slice(&other[..at.min(other.len())]);
            bytes.extend(piece);
        }
        _ => {
            let byte = dice.byte();
            bytes.iter_mut().skip(at).take(1).for_each(|b| *b = byte);
        }
    }
    bytes
}

fn flip(dice: &mut Dice, bytes: &mut [u8]) {
    if !bytes.is_empty() {
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
    }
}
