//! What the end-to-end tests share: a stack with an event on sale, and clients that speak to it from outside.
//!
//! Nothing here knows how a promise is kept; tests look at answers, the table and the provider's ledger only.

pub mod origin;
pub mod receiver;
pub mod scene;

pub use origin::Origin;
pub use receiver::{Call, Receiver};
pub use scene::Scene;
