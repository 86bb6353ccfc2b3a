//! The Worker in the real Workers runtime, against an origin that only answers pulses and remembers calls.
//!
//! What is shown here needs neither table nor booking function: the heartbeat, the line, panics inside Durable
//! Objects, kills, and that no booking call without a good access token reaches the origin.

mod door;
mod edge;
mod heart;
mod kills;
mod origin;
mod panics;
mod wrangler;
