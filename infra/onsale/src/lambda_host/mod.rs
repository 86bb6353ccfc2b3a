//! The part of AWS Lambda that the stack needs: the Runtime API for real function binaries and a
//! function URL with IAM in front of one of them.
//!
//! One invocation at a time per instance, as on AWS; several instances may serve one function.
//! It does not know what the functions do, and it never starts a process: whoever does tells the
//! host that a process has ended by dropping its [`Sandbox`], and the invocation it carried fails
//! at that moment.

mod function;
mod instance;
mod origin_log;
mod payload;
mod runtime_api;
mod sigv4;
#[cfg(test)]
mod tests;
mod url;

pub use function::{Function, InvokeError};
pub use instance::Instance;
pub use origin_log::{OriginLog, OriginRequest};
pub use runtime_api::Sandbox;
pub use sigv4::{Signer, SignerKeys};
pub use url::{FunctionUrl, serve as serve_function_url};
