//! Checkout: the payment provider's client, and the executor that carries an order along the steps of
//! `domain::order`.
//!
//! Both lambda crates use it, so that an order is carried on in one way only, whoever does it. It
//! deliberately knows nothing of HTTP routes, tokens, streams or schedules, and it decides nothing: what
//! comes next is asked of `domain`, what is written goes through `table`.

pub mod client;
pub mod config;
mod courier;
mod delivery;
mod executor;
pub mod log;
mod pay;
pub mod registry;
mod step;
pub mod sweep;
mod terms;

pub use courier::{Courier, Unsent};
pub use executor::{Carried, Checkout, Goal, Unfinished};
pub use pay::PayError;
pub use terms::{Terms, wall_now};
