//! What happens after a sale, and after everything that stopped half-way: three small functions.
//!
//! *settle* and *project* read the table's stream, *janitor* runs on a schedule, and audits the books each night. Each is told only where to
//! look; what is to be done follows from the table, so all of it may happen twice, late or never.
//!
//! **It deliberately knows nothing of** HTTP routes, tokens, fans' requests and DynamoDB's SDK. The mail service's is named in
//! [`post`] alone; organisers' addresses are called in [`herald`] alone, and the edge in [`search`].

pub mod audit;
pub mod herald;
pub mod janitor;
pub mod post;
pub mod project;
pub mod records;
pub mod search;
pub mod settle;
