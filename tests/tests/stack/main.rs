//! The promises, tried on the whole stack: the real worker, the real function binaries, a DynamoDB, a provider.
//!
//! `ONSALE_TEST_DYNAMODB=http://…` runs the same tests on another DynamoDB than the embedded one.

mod bad_events;
mod card_numbers;
mod choosing;
mod crashes;
mod holds;
mod letters;
mod outage;
mod papers;
mod provider_events;
mod rehearsal;
mod report;
mod rotation;
mod search;
mod seatmap;
mod seats;
mod silence;
mod tokens;
mod waiting;
mod webhooks;
