//! The gate's side of tickets: the list that is written from the table, and the kit that a device carries.
//!
//! What is let in is decided by `domain::gate`; here are files only.

mod kit;
mod write;

pub use kit::{Kit, KitError};
pub use write::{list, tickets};
