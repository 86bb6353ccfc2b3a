//! Scripted fans: programs that use the public HTTP API only, and remember what they were told.
//! They know nothing of tables, shards or keys, so their logs are evidence about the system from outside.

pub mod api;
pub mod door;
pub mod journey;
pub mod log;

pub use api::{Api, CallError};
pub use journey::{Fan, Habits};
pub use log::FanLog;
