//! The gate: who is let in, by devices that may be offline for hours.
//!
//! A device carries the event's public ticket keys and a signed [`List`] of what is worth nothing any more. It notes every
//! scan, whatever the answer, and never changes or drops one. Devices that meet exchange their scans ([`Scans::merge`]):
//! of two that let the same ticket in the first wins, and the other is reported as a conflict.
//!
//! Tickets do not change with time, so a device's clock decides nothing but whether it is the event's day, and which of two
//! scans is told as the first.

mod list;
mod scan;
mod scans;
#[cfg(test)]
mod tests;

pub use list::{BadList, List, Told};
pub use scan::{Gate, Scan, Verdict};
pub use scans::{Conflict, Contradiction, Report, Scans};
