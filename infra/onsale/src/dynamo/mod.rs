//! The table's database: the embedded emulator, or another DynamoDB at an endpoint.
//!
//! Only what the stack itself needs is called here, as signed JSON: the table's creation and the
//! stream. Items are read and written by `table` alone.

mod client;
mod embedded;
mod schema;
#[cfg(test)]
mod tests;

pub use client::{CallError, DynamoClient};
pub use embedded::{Embedded, EmbeddedError};
pub use schema::{TABLE_NAME, create_table_request, ensure_table};
