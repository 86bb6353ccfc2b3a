//! What operators may do: commands and when they are legal, roles, keys, and the journal of all that was done.
//!
//! ```text
//! scheduled → prequeue → drawing → open ⇄ sold_out        time, the draw and the stock move this way by themselves
//!      any of them ⇄ paused     pause and resume; after the opening also the second failed beat in a row
//!      any of them ⇄ stopped    stop and lift: booking calls are refused as well
//!      any of them → closed     close, or the end of the on-sale; never back
//! ```
//!
//! Commands do not set a phase. They leave [`Orders`], or a new opening, behind; [`crate::pace::PaceState::phase`] reads both
//! at each beat. [`decide`] says which command is legal when, and names the reason of every refusal.

mod command;
#[cfg(test)]
mod invitations;
mod journal;
mod key;
mod opening;
mod role;
#[cfg(test)]
mod tests;
mod told;

pub use command::{Change, Command, INVITE_MAX, Orders, RATE_MAX, Refused, Situation, TEXT_MAX, decide};
pub use journal::{Broken, Head, Line, Note, changed, verify};
pub use key::{OperatorKey, OperatorName};
pub use opening::{LAST_CALL_MS, new_opening};
pub use role::{Action, Role};
pub use told::told;
