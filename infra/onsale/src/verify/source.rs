//! Where published files come from: an event's address, or a folder with copies of them.

use std::path::PathBuf;

use anyhow::{Context, bail};
use reqwest::StatusCode;

/// Names are those of the folder: `event.json`, `status.json`, `draw/0.json`, `draw/1.json`, …
pub enum Source {
    /// `…/v1/events/{id}`.
    Address {
        /// The event's API address, without a trailing slash.
        base: String,
        /// Where copies are kept, if anywhere.
        save: Option<PathBuf>,
        /// The client.
        http: reqwest::Client,
    },
    /// A folder.
    Folder(PathBuf),
}

impl Source {
    /// An event's API or page address, or a folder. What is fetched is also written to `save`.
    pub fn new(from: &str, save: Option<PathBuf>) -> Self {
        if !from.starts_with("http://") && !from.starts_with("https://") {
            return Self::Folder(from.into());
        }
        let base = from.trim_end_matches('/').replacen("/e/", "/v1/events/", 1);
        Self::Address { base, save, http: reqwest::Client::new() }
    }

    /// A published file, or `None` if it is not there.
    ///
    /// # Errors
    /// Trouble of the network or the disk.
    pub async fn read(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Self::Folder(folder) => match std::fs::read(folder.join(name)) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error).with_context(|| name.to_owned()),
            },
            Self::Address { base, save, http } => {
                let path = if name == "event.json" { base.clone() } else { format!("{base}/{name}") };
                let answer = http.get(&path).send().await?;
                if answer.status() == StatusCode::NOT_FOUND {
                    return Ok(None);
                }
                let bytes = answer.error_for_status()?.bytes().await?.to_vec();
                if let Some(folder) = save {
                    keep(&folder.join(name), &bytes).with_context(|| folder.display().to_string())?;
                }
                Ok(Some(bytes))
            }
        }
    }

    /// A published file that must be there.
    ///
    /// # Errors
    /// It is not.
    pub async fn need(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        self.read(name).await?.with_context(|| format!("{name} is not published there"))
    }

    /// Asks the line as the holder of a place token.
    ///
    /// # Errors
    /// The source is a folder, or the line refuses.
    pub async fn with_token(&self, name: &str, token: &str) -> anyhow::Result<Vec<u8>> {
        let Self::Address { base, http, .. } = self else {
            bail!("a token needs an address; from a folder use --proof")
        };
        let answer = http.get(format!("{base}/{name}")).header("x-place-token", token).send().await?;
        let (status, bytes) = (answer.status(), answer.bytes().await?);
        if !status.is_success() {
            bail!("{name}: {status}: {}", String::from_utf8_lossy(&bytes));
        }
        Ok(bytes.to_vec())
    }
}

fn keep(path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes)
}
