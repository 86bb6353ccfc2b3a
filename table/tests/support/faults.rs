//! Faults under the real SDK: replies that no emulator gives.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::config::interceptors::{
    BeforeDeserializationInterceptorContextMut, BeforeTransmitInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_types::body::SdkBody;

/// What happens to one request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It passes.
    Pass,
    /// It is not sent: the reply is this error type with these cancellation reasons.
    Instead(&'static str, &'static [&'static str]),
    /// It is done, and the reply is replaced by a server error: the caller cannot know.
    LostReply,
}

/// A queue of faults for coming requests; afterwards all pass. Counts what went by.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    queue: Arc<Mutex<VecDeque<Fault>>>,
    current: Arc<Mutex<Option<Fault>>>,
    tokens: Arc<Mutex<Vec<String>>>,
}

impl Faults {
    pub fn of(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { queue: Arc::new(Mutex::new(faults.into_iter().collect())), ..Self::default() }
    }

    /// Client tokens of all transactions that were sent, in order.
    pub fn tokens(&self) -> Vec<String> {
        self.tokens.lock().unwrap().clone()
    }

    pub fn left(&self) -> usize {
        self.queue.lock().unwrap().len()
    }
}

impl Intercept for Faults {
    fn name(&self) -> &'static str {
        "Faults"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let body = context.request().body().bytes().unwrap_or_default();
        let Some(token) = token_in(&String::from_utf8_lossy(body)) else { return Ok(()) };
        self.tokens.lock().unwrap().push(token);
        let fault = self.queue.lock().unwrap().pop_front().unwrap_or(Fault::Pass);
        if matches!(fault, Fault::Instead(..)) {
            // An operation that does nothing: its reply is replaced below.
            context.request_mut().headers_mut().insert("x-amz-target", "DynamoDB_20120810.ListTables");
            *context.request_mut().body_mut() = SdkBody::from("{}");
            context.request_mut().headers_mut().insert("content-length", "2");
        }
        *self.current.lock().unwrap() = Some(fault);
        Ok(())
    }

    fn modify_before_deserialization(
        &self,
        context: &mut BeforeDeserializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let (status, body): (u16, String) = match self.current.lock().unwrap().take() {
            Some(Fault::LostReply) => (500, reply("InternalServerError", &[])),
            Some(Fault::Instead(kind, reasons)) => (400, reply(kind, reasons)),
            _ => return Ok(()),
        };
        let response = context.response_mut();
        *response.status_mut() = aws_smithy_runtime_api::http::StatusCode::try_from(status)?;
        // A checksum of the true body would give the game away.
        response.headers_mut().remove("x-amz-crc32");
        *response.body_mut() = SdkBody::from(body);
        Ok(())
    }
}

fn reply(kind: &str, reasons: &[&str]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|r| format!(r#"{{"Code":"{r}"}}"#)).collect();
    let list = reasons.join(",");
    format!(
        r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{kind}","message":"injected","CancellationReasons":[{list}]}}"#
    )
}

fn token_in(body: &str) -> Option<String> {
    let (_, rest) = body.split_once(r#""ClientRequestToken":""#)?;
    Some(rest.split_once('"')?.0.to_owned())
}
