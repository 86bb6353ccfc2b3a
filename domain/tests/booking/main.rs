//! Holds and orders over an in-memory table: tables of cases, seeded schedules with faults, and what happens when a
//! guard is taken away.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod channels;
mod golden;
mod holds;
mod imports;
mod invariants;
mod mutation;
mod orders;
mod parts;
mod payments;
mod pools;
mod prices;
mod provider;
mod shop;
mod simulation;
