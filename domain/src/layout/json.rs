//! Seats as short arrays: 39,350 of them travel in one file.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Seat;
use crate::ids::SeatId;

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let five = (&self.label, self.x, self.y, self.level, self.kind);
        match &self.id {
            None => five.serialize(to),
            Some(id) => (five.0, five.1, five.2, five.3, five.4, id).serialize(to),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Wire {
    Six(String, f64, f64, usize, u8, SeatId),
    Five(String, f64, f64, usize, u8),
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (label, x, y, level, kind, id) = match Wire::deserialize(from)? {
            Wire::Six(label, x, y, level, kind, id) => (label, x, y, level, kind, Some(id)),
            Wire::Five(label, x, y, level, kind) => (label, x, y, level, kind, None),
        };
        if kind > 2 {
            return Err(D::Error::custom("a seat's kind is 0, 1 or 2"));
        }
        Ok(Self { label, x, y, level, kind, id })
    }
}
