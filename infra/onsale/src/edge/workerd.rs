//! One running Worker process.

use std::fs::{File, OpenOptions};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::oneshot;

use super::{EdgeBundle, EdgeConfig, EdgeError, io};
use crate::process;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A running Worker; dropping it kills the process. Its storage stays.
pub struct Workerd {
    child: Child,
    address: SocketAddr,
    bundle: EdgeBundle,
    config: EdgeConfig,
}

impl Workerd {
    /// Starts the runtime and waits until it listens.
    pub async fn spawn(bundle: &EdgeBundle, config: &EdgeConfig) -> Result<Self, EdgeError> {
        std::fs::create_dir_all(&config.state).map_err(io("making the edge's state folder"))?;
        let state = config.state.canonicalize().map_err(io("the edge's state folder"))?;
        let command = command(bundle, config, &state)?;
        let mut child = process::spawn(command).await.map_err(io("starting workerd"))?;
        let stdout = child.stdout.take().ok_or_else(|| EdgeError::Start("no control channel".into()))?;
        let (tell, told) = oneshot::channel();
        tokio::spawn(follow(stdout, tell));
        let port = tokio::time::timeout(START_TIMEOUT, told)
            .await
            .map_err(|_| EdgeError::Start("it did not listen in time".into()))?
            .map_err(|_| EdgeError::Start("it ended at once; see its words on standard error".into()))?;
        let address = SocketAddr::new(config.listen.ip(), port);
        Ok(Self { child, address, bundle: bundle.clone(), config: config.clone() })
    }

    /// The base address, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The process id while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Whether the process still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills the process at once (SIGKILL) and waits for its end.
    pub async fn kill(&mut self) -> Result<(), EdgeError> {
        self.child.kill().await.map_err(io("killing workerd"))
    }

    /// Starts again on the same port with the same storage.
    pub async fn restart(&mut self) -> Result<(), EdgeError> {
        if self.is_running() {
            self.kill().await?;
        }
        let config = EdgeConfig { listen: self.address, ..self.config.clone() };
        *self = Self::spawn(&self.bundle.clone(), &config).await?;
        Ok(())
    }
}

fn command(bundle: &EdgeBundle, config: &EdgeConfig, state: &Path) -> Result<Command, EdgeError> {
    let mut command = process::guarded(&bundle.workerd);
    command
        // The pages are the current folder of the process; see config.capnp.
        .current_dir(&bundle.pages)
        .args(["serve", "--experimental", "--control-fd=1"])
        .arg(format!("--socket-addr=http={}", config.listen))
        .arg(format!("--directory-path=storage={}", state.display()))
        .arg(bundle.folder.join("config.capnp"))
        .env_clear()
        .envs(config.environment())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log(state)?);
    Ok(command)
}

/// What the runtime says itself goes into a file beside its state folder.
fn log(state: &Path) -> Result<File, EdgeError> {
    let path = state.with_extension("log");
    OpenOptions::new().create(true).append(true).open(path).map_err(io("opening the edge's log"))
}

/// Reads the control channel to its end: first the port, one JSON object a line, then what the Worker logs.
async fn follow(stdout: ChildStdout, tell: oneshot::Sender<u16>) {
    let mut tell = Some(tell);
    let mut lines = BufReader::new(stdout).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        match port(&line) {
            Some(port) => drop(tell.take().map(|tell| tell.send(port))),
            None => tracing::info!(part = "edge", "{line}"),
        }
    }
}

fn port(line: &str) -> Option<u16> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    (event["event"] == "listen" && event["socket"] == "http").then(|| u16::try_from(event["port"].as_u64()?).ok())?
}
