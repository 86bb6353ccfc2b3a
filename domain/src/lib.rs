//! The pure rules of Onsale: who stands where in the line, whose turn it is, who may have a seat, and what an order does next.
//!
//! Facts and `now` go in; decisions, plans (lists of conditional writes) or named refusals come out. The same code runs
//! natively in the lambdas and as wasm at the edge.
//!
//! **It deliberately knows nothing of** clocks, randomness, the environment, files, the network, HTTP, DynamoDB, SQLite,
//! Durable Objects or threads: time, random bytes and keys are arguments, and `tests/purity.rs` fails if that changes.

// The line.
pub mod beacon;
pub mod bytes32;
pub mod code;
pub mod cohort;
pub mod door;
pub mod draw;
pub mod edge_event;
pub mod ids;
pub mod keys;
pub mod lane;
pub mod merkle;
pub mod money;
pub mod oidc;
pub mod operate;
pub mod pace;
pub mod registration;
pub mod session;
pub mod shuffle;
pub mod sizing;
pub mod status;
pub mod time;
pub mod token;

// Booking.
pub mod allot;
pub mod audit;
pub mod channel;
pub mod choose;
pub mod erasure;
pub mod gate;
pub mod hold;
pub mod items;
pub mod layout;
pub mod mailing;
pub mod map;
pub mod notes;
pub mod order;
pub mod outbox;
pub mod plan;
pub mod plan_import;
pub mod pool;
pub mod price;
pub mod provider;
pub mod reimport;
pub mod report;
pub mod search;
pub mod seat;
pub mod stock;
pub mod ticket;
pub mod usage;
pub mod waiting;
pub mod webhook;

#[cfg(test)]
mod testing;
