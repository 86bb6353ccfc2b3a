//! One instance of a function: it serves one invocation at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::{Notify, oneshot};

use super::function::{Function, Invocation, InvokeError, Outcome};

/// The invocation an instance is busy with.
#[derive(Debug)]
struct Running {
    id: String,
    reply: oneshot::Sender<Outcome>,
}

/// What the runtime gets from `next`.
#[derive(Debug)]
pub(super) struct Work {
    pub id: String,
    pub payload: Bytes,
}

/// A running process of a function, as the host sees it.
#[derive(Debug)]
pub struct Instance {
    function: Arc<Function>,
    current: Mutex<Option<Running>>,
    evict: Notify,
    closed: AtomicBool,
}

impl Instance {
    pub(super) fn open(function: Arc<Function>) -> Arc<Self> {
        function.opened();
        Arc::new(Self { function, current: Mutex::default(), evict: Notify::new(), closed: AtomicBool::new(false) })
    }

    /// The function it belongs to.
    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }

    /// To be called when the process has ended: the invocation it carried fails now.
    pub(super) fn closed(&self) {
        if self.closed.swap(true, Ordering::SeqCst) {
            return;
        }
        self.fail(InvokeError::Crashed);
        self.function.closed();
    }

    /// Resolves when the host wants the process ended, because an invocation ran too long.
    pub async fn evicted(&self) {
        self.evict.notified().await;
    }

    /// Waits for work. An invocation still open from before has been forgotten by the runtime.
    pub(super) async fn next(self: &Arc<Self>) -> Work {
        self.fail(InvokeError::Crashed);
        let Invocation { id, payload, reply } = self.function.take().await;
        *self.current() = Some(Running { id: id.clone(), reply });
        tokio::spawn(expire(Arc::clone(self), id.clone()));
        Work { id, payload }
    }

    /// Ends the invocation `id` with `outcome`; false if it is not the current one.
    pub(super) fn finish(&self, id: &str, outcome: Outcome) -> bool {
        let Some(running) = self.current().take_if(|r| r.id == id) else {
            return false;
        };
        let _ = running.reply.send(outcome);
        true
    }

    fn fail(&self, why: InvokeError) {
        if let Some(running) = self.current().take() {
            let _ = running.reply.send(Err(why));
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<Running>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fails the invocation `id` and asks for the end of its process once its time is over.
async fn expire(instance: Arc<Instance>, id: String) {
    tokio::time::sleep(instance.function.timeout()).await;
    if instance.finish(&id, Err(InvokeError::TimedOut)) {
        tracing::warn!(function = instance.function.name(), "invocation timed out");
        instance.evict.notify_one();
    }
}
