//! Tickets as documents: a page, a PDF and a calendar file.
//!
//! What they say is put together once, in [`Papers`], and every document is a function of it. Fonts are carried along, so a PDF
//! looks the same wherever it is made.
//!
//! **It deliberately knows nothing of** HTTP, tables, mail, clocks and who may read a document.

mod calendar;
mod fonts;
mod page;
mod papers;
mod pdf;
pub mod qr;
mod when;

pub use calendar::calendar;
pub use page::{escape, page};
pub use papers::{Paper, Papers, Signer};
pub use pdf::{Undrawn, pdf};
