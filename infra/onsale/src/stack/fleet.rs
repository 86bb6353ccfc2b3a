//! The processes of one function: started, watched, restarted when they end by themselves.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::lambda_host::{Function, Instance, RuntimeHost};
use crate::process;

/// Pause before an instance that ended by itself is replaced.
const RESTART_PAUSE: Duration = Duration::from_millis(200);

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
    host: RuntimeHost,
    spec: Arc<FleetSpec>,
    running: Mutex<Option<Running>>,
}

struct Running {
    stop: watch::Sender<bool>,
    watchers: Vec<JoinHandle<()>>,
}

impl Fleet {
    pub fn new(function: Arc<Function>, host: RuntimeHost, spec: FleetSpec) -> Self {
        Self { function, host, spec: Arc::new(spec), running: Mutex::default() }
    }

    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }

    pub fn is_running(&self) -> bool {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Starts all instances, if none run.
    pub fn start(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() {
            return;
        }
        let (stop, stopped) = watch::channel(false);
        let watch_one = |_| {
            // Registered before its process is up: requests wait for it instead of failing.
            let first = self.host.open(&self.function);
            let watcher = Watcher { host: self.host.clone(), spec: self.spec.clone(), stopped: stopped.clone() };
            tokio::spawn(watcher.run(first))
        };
        let watchers = (0..self.spec.instances).map(watch_one).collect();
        *running = Some(Running { stop, watchers });
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
    host: RuntimeHost,
    spec: Arc<FleetSpec>,
    stopped: watch::Receiver<bool>,
}

impl Watcher {
    async fn run(mut self, first: Arc<Instance>) {
        let mut instance = first;
        while self.one_life(&instance).await {
            tokio::time::sleep(RESTART_PAUSE).await;
            instance = self.host.open(&Arc::clone(instance.function()));
        }
    }

    /// Runs one process to its end; false when the fleet was stopped.
    async fn one_life(&mut self, instance: &Instance) -> bool {
        let name = instance.function().name().to_owned();
        let ended = match process::spawn(self.command(instance)).await {
            Ok(mut child) => self.watch(instance, &mut child).await,
            Err(error) => {
                tracing::error!(function = name, %error, "the function could not be started");
                !*self.stopped.borrow()
            }
        };
        self.host.close(instance);
        if ended {
            tracing::warn!(function = name, "an instance ended and is replaced");
        }
        ended
    }

    async fn watch(&mut self, instance: &Instance, child: &mut Child) -> bool {
        let by_itself = tokio::select! {
            _ = child.wait() => true,
            () = instance.evicted() => true,
            _ = self.stopped.wait_for(|stop| *stop) => false,
        };
        // An error means that it has ended already.
        let _ = child.kill().await;
        by_itself
    }

    fn command(&self, instance: &Instance) -> Command {
        let name = instance.function().name();
        let mut command = process::guarded(&self.spec.binary);
        command
            .env_clear()
            .envs(&self.spec.environment)
            // The runtime reads an address without a scheme only if it has no path; ours names the instance.
            .env("AWS_LAMBDA_RUNTIME_API", format!("http://{}", self.host.runtime_api(instance)))
            .env("AWS_LAMBDA_FUNCTION_NAME", name)
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
