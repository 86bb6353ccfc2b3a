//! Many want the same at once. Each race has a twin that leaves conditions out, in which the damage must show.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod pools;
mod seats;
#[path = "../support/mod.rs"]
mod support;
