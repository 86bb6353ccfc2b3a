//! Holds and orders over an in-memory table: tables of cases, seeded schedules with faults, and what happens when a
//! guard is taken away.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod audit;
mod books;
mod channels;
mod golden;
mod hoarding;
mod holds;
mod imports;
mod lane_imports;
mod mutation;
mod notes;
mod orders;
mod parts;
mod payments;
mod pools;
mod prices;
mod promises;
mod provider;
mod shop;
mod simulation;
mod unknown;
mod words;
