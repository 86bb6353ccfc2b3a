//! A function: its queue of invocations and how many instances live.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, oneshot};

/// Why an invocation brought no answer.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum InvokeError {
    /// Nobody could serve it: every instance is gone.
    #[error("no instance of the function is running")]
    NoInstance,
    /// The instance ended before it answered.
    #[error("the instance ended during the invocation")]
    Crashed,
    /// It ran longer than the function's timeout.
    #[error("the invocation timed out")]
    TimedOut,
    /// The function itself reported an error (its JSON is kept).
    #[error("the function failed: {0}")]
    Function(String),
}

/// What an invocation ends with.
pub(super) type Outcome = Result<Bytes, InvokeError>;

/// One invocation, waiting or running.
#[derive(Debug)]
pub(super) struct Invocation {
    pub id: String,
    pub payload: Bytes,
    pub reply: oneshot::Sender<Outcome>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Invocation>,
    live: usize,
}

/// A Lambda function with its queue.
#[derive(Debug)]
pub struct Function {
    name: String,
    timeout: Duration,
    queue: Mutex<Queue>,
    wake: Notify,
}

impl Function {
    /// A function called `name` whose invocations may run for `timeout`.
    pub fn new(name: &str, timeout: Duration) -> Self {
        Self { name: name.to_owned(), timeout, queue: Mutex::default(), wake: Notify::new() }
    }

    /// The function's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long one invocation may run.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// How many instances are running.
    pub fn live(&self) -> usize {
        self.queue().live
    }

    /// Invokes the function and waits for its answer.
    ///
    /// # Errors
    /// [`InvokeError`]; at once when no instance lives or the serving one dies.
    pub async fn invoke(&self, payload: Bytes) -> Result<Bytes, InvokeError> {
        let answer = self.enqueue(payload)?;
        // Waiting for a free instance may take as long as a run; the run itself is timed by the instance.
        match tokio::time::timeout(self.timeout * 2, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(InvokeError::Crashed),
            Err(_) => Err(InvokeError::TimedOut),
        }
    }

    fn enqueue(&self, payload: Bytes) -> Result<oneshot::Receiver<Outcome>, InvokeError> {
        let (reply, answer) = oneshot::channel();
        let mut queue = self.queue();
        if queue.live == 0 {
            return Err(InvokeError::NoInstance);
        }
        queue.waiting.push_back(Invocation { id: request_id(), payload, reply });
        drop(queue);
        self.wake.notify_one();
        Ok(answer)
    }

    /// Waits for the next invocation somebody still waits for.
    pub(super) async fn take(&self) -> Invocation {
        loop {
            let woken = self.wake.notified();
            if let Some(next) = self.pop() {
                return next;
            }
            woken.await;
        }
    }

    fn pop(&self) -> Option<Invocation> {
        let mut queue = self.queue();
        loop {
            let next = queue.waiting.pop_front()?;
            if !next.reply.is_closed() {
                return Some(next);
            }
        }
    }

    pub(super) fn opened(&self) {
        self.queue().live += 1;
    }

    pub(super) fn closed(&self) {
        let mut queue = self.queue();
        queue.live = queue.live.saturating_sub(1);
        if queue.live > 0 {
            return;
        }
        for waiting in queue.waiting.drain(..) {
            let _ = waiting.reply.send(Err(InvokeError::NoInstance));
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A random id in the shape of AWS's request ids.
pub(super) fn request_id() -> String {
    let n: u128 = rand::random();
    let h = format!("{n:032x}");
    format!("{}-{}-{}-{}-{}", &h[..8], &h[8..12], &h[12..16], &h[16..20], &h[20..])
}
