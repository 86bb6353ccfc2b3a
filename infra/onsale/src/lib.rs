//! Onsale on one machine: the command-line tool and the local stack.
//!
//! The stack runs the real worker, the real function binaries, an embedded DynamoDB and a payment
//! simulator, all on loopback. This crate deliberately knows nothing of seats, holds or the line:
//! rules live in `domain`, and only `table` names the DynamoDB SDK.

pub mod audit;
pub mod beacon;
pub mod build;
pub mod check_origin;
pub mod cli;
pub mod crowd;
pub mod dynamo;
pub mod edge;
pub mod event;
pub mod fan;
pub mod gate;
pub mod lambda_host;
pub mod letters;
pub mod on_sale;
pub mod operate;
pub mod payments;
mod process;
pub mod rehearse;
pub mod report;
pub mod search;
pub mod stack;
pub mod stand_ins;
pub mod stream;
pub mod verify;
