//! The Worker in the real Workers runtime, against an origin that only answers pulses and remembers calls.
//!
//! What is shown here needs neither table nor booking function: the heartbeat, the line, panics inside Durable
//! Objects, kills, and that no booking call without a good access token reaches the origin.

mod accounts;
mod any_shop;
mod checks;
mod codes;
mod course;
mod documents;
mod door;
mod draws;
mod edge;
mod forgetting;
mod fronts;
mod garbage;
mod heart;
mod journal;
mod kills;
mod lanes;
mod openings;
mod operators;
mod origin;
mod panics;
mod provider;
mod registration;
mod relays;
mod revoked;
mod search;
mod search_order;
mod search_rush;
mod seatmap;
mod sessions;
mod slowed;
mod stadium;
mod stamps;
mod storage;
mod stored;
mod waiting;
mod ways;
mod wrangler;
