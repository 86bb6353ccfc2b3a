//! The processes of one function: started, watched, restarted when they end by themselves.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::lambda_host::{Function, Sandbox};
use crate::process;

/// Pause before an instance that ended by itself is replaced.
const RESTART_PAUSE: Duration = Duration::from_millis(200);
/// The longest such pause, when instances keep ending.
const RESTART_PAUSE_MAX: Duration = Duration::from_secs(5);

/// What to run for a function.
pub(super) struct FleetSpec {
    pub binary: PathBuf,
    pub instances: usize,
    pub environment: BTreeMap<&'static str, String>,
    pub log: PathBuf,
}

/// A function's instances. Dropping it kills them.
pub(super) struct Fleet {
    function: Arc<Function>,
    spec: Arc<FleetSpec>,
    running: Mutex<Option<Running>>,
}

struct Running {
    stop: watch::Sender<bool>,
    watchers: Vec<JoinHandle<()>>,
}

impl Fleet {
    pub fn new(function: Arc<Function>, spec: FleetSpec) -> Self {
        Self { function, spec: Arc::new(spec), running: Mutex::default() }
    }

    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }

    pub fn is_running(&self) -> bool {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Starts all instances, if none run.
    ///
    /// # Errors
    /// No local port is free for the Runtime API.
    pub fn start(&self) -> std::io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() {
            return Ok(());
        }
        let (stop, stopped) = watch::channel(false);
        let mut watchers = Vec::new();
        for _ in 0..self.spec.instances {
            // Registered before its process is up: requests wait for it instead of failing.
            let first = Sandbox::open(&self.function)?;
            let watcher = Watcher {
                function: Arc::clone(&self.function),
                spec: Arc::clone(&self.spec),
                stopped: stopped.clone(),
                pause: RESTART_PAUSE,
            };
            watchers.push(tokio::spawn(watcher.run(first)));
        }
        *running = Some(Running { stop, watchers });
        Ok(())
    }

    /// Kills all instances; returns when they are gone.
    pub async fn kill(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(running) = running {
            let _ = running.stop.send(true);
            futures::future::join_all(running.watchers).await;
        }
    }
}

/// Keeps one instance alive.
struct Watcher {
    function: Arc<Function>,
    spec: Arc<FleetSpec>,
    stopped: watch::Receiver<bool>,
    pause: Duration,
}

impl Watcher {
    async fn run(mut self, first: Sandbox) {
        let mut next = Ok(first);
        loop {
            let began = Instant::now();
            let again = match next {
                Ok(sandbox) => self.one_life(sandbox).await,
                Err(error) => self.failed(&error),
            };
            if !again {
                return;
            }
            self.rest(began.elapsed()).await;
            next = Sandbox::open(&self.function);
        }
    }

    /// Pauses, longer each time, for as long as instances end at once.
    async fn rest(&mut self, lived: Duration) {
        self.pause = if lived > RESTART_PAUSE_MAX { RESTART_PAUSE } else { self.pause };
        let _ = tokio::time::timeout(self.pause, self.stopped.wait_for(|stop| *stop)).await;
        self.pause = (self.pause * 2).min(RESTART_PAUSE_MAX);
    }

    /// Runs one process to its end; false when the fleet was stopped.
    async fn one_life(&mut self, sandbox: Sandbox) -> bool {
        if *self.stopped.borrow() {
            return false;
        }
        let by_itself = match process::spawn(self.command(&sandbox)).await {
            Ok(mut child) => self.watch(&sandbox, &mut child).await,
            Err(error) => self.failed(&error),
        };
        if by_itself {
            tracing::warn!(function = self.function.name(), log = %self.spec.log.display(), "an instance ended and is replaced");
        }
        by_itself
    }

    fn failed(&self, error: &std::io::Error) -> bool {
        tracing::error!(function = self.function.name(), %error, "the function could not be started");
        !*self.stopped.borrow()
    }

    async fn watch(&mut self, sandbox: &Sandbox, child: &mut Child) -> bool {
        let by_itself = tokio::select! {
            _ = child.wait() => true,
            () = sandbox.instance().evicted() => true,
            _ = self.stopped.wait_for(|stop| *stop) => false,
        };
        // An error means that it has ended already.
        let _ = child.kill().await;
        by_itself
    }

    fn command(&self, sandbox: &Sandbox) -> Command {
        let mut command = process::guarded(&self.spec.binary);
        command
            .env_clear()
            .envs(&self.spec.environment)
            .env("AWS_LAMBDA_RUNTIME_API", sandbox.runtime_api())
            .env("AWS_LAMBDA_FUNCTION_NAME", self.function.name())
            .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512")
            .stdin(Stdio::null())
            .stdout(log(&self.spec.log))
            .stderr(log(&self.spec.log));
        command
    }
}

/// Appends to a log file; without one the words are lost, the function still runs.
fn log(path: &std::path::Path) -> Stdio {
    let file: std::io::Result<File> = OpenOptions::new().create(true).append(true).open(path);
    file.map_or_else(|_| Stdio::null(), Stdio::from)
}
