//! The state folder: what a restart must find again, addresses and keys included.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::keys::MasterKeys;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::{REGION, Ready, StackError};
use crate::lambda_host::SignerKeys;

/// Keeps ports and keys.
const FILE: &str = "stack.json";

/// The port of each server, 0 before the first start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Ports {
    pub edge: u16,
    pub origin: u16,
    pub payments: u16,
    pub dynamodb: u16,
    pub control: u16,
    #[serde(default)]
    pub stand_ins: u16,
    #[serde(default)]
    pub beacon: u16,
}

/// Keys of this stack, made at its first start. Not shown by `Debug` of anything.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Secrets {
    pub master_keys: String,
    pub operator_key: String,
    pub provider_key: String,
    pub access_key_id: String,
    pub secret_access_key: String,
    /// Base64url of 64 bytes.
    #[serde(default = "fresh_beacon")]
    pub beacon: String,
    /// What the payment simulator signs its events with.
    #[serde(default = "fresh_webhook")]
    pub webhook: String,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    ports: Ports,
    secrets: Secrets,
}

/// An open state folder; nobody else can open it meanwhile.
pub struct State {
    folder: PathBuf,
    pub(super) ports: Ports,
    pub(super) secrets: Secrets,
    _temporary: Option<tempfile::TempDir>,
    _lock: File,
}

impl State {
    /// The table of a running stack, for whoever may read its state folder.
    ///
    /// # Errors
    /// The folder's file is damaged.
    pub fn table_of(ready: &Ready) -> Result<table::Table, StackError> {
        let Saved { secrets, .. } = load(&ready.state.join(FILE))?;
        let (id, secret) = (&secrets.access_key_id, &secrets.secret_access_key);
        Ok(table::Table::at(&ready.dynamodb, REGION, id, secret, &ready.table))
    }

    /// The key to the payment provider of a running stack, likewise.
    ///
    /// # Errors
    /// The folder's file is damaged.
    pub fn provider_key_of(ready: &Ready) -> Result<String, StackError> {
        Ok(load(&ready.state.join(FILE))?.secrets.provider_key)
    }

    /// The master keys of a running stack, likewise.
    ///
    /// # Errors
    /// The folder's file is damaged.
    pub fn keys_of(ready: &Ready) -> Result<MasterKeys, StackError> {
        let file = ready.state.join(FILE);
        let Saved { secrets, .. } = load(&file)?;
        MasterKeys::parse(&secrets.master_keys).map_err(|_| StackError::State(file))
    }

    /// Opens `folder`, or a temporary one, and makes what is missing.
    pub(super) fn open(folder: Option<&Path>) -> Result<Self, StackError> {
        let temporary = folder.is_none().then(tempfile::tempdir).transpose()?;
        let path = folder.or(temporary.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
        std::fs::create_dir_all(path.join("logs"))?;
        let folder = path.canonicalize()?;
        let lock = lock(&folder)?;
        let Saved { ports, secrets } = load(&folder.join(FILE))?;
        Ok(Self { folder, ports, secrets, _temporary: temporary, _lock: lock })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Keeps ports and keys for the next start.
    pub(super) fn save(&self) -> io::Result<()> {
        let saved = Saved { ports: self.ports.clone(), secrets: self.secrets.clone() };
        write_private(&self.file(FILE), &serde_json::to_vec_pretty(&saved)?)
    }

    pub(super) fn keys(&self) -> SignerKeys {
        SignerKeys {
            access_key_id: self.secrets.access_key_id.clone(),
            secret_access_key: self.secrets.secret_access_key.clone(),
        }
    }
}

fn lock(folder: &Path) -> Result<File, StackError> {
    let file = File::create(folder.join("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StackError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn load(path: &Path) -> Result<Saved, StackError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| StackError::State(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Saved { ports: Ports::default(), secrets: Secrets::fresh() })
        }
        Err(error) => Err(error.into()),
    }
}

impl Secrets {
    fn fresh() -> Self {
        let key = || URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self {
            master_keys: format!("1:{}", key()),
            operator_key: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 18]>()),
            provider_key: format!("sk_test_{}", key()),
            access_key_id: format!("AKIALOCAL{:08X}", rand::random::<u32>()),
            secret_access_key: key(),
            beacon: fresh_beacon(),
            webhook: fresh_webhook(),
        }
    }

    /// The secret key of the beacon's stand-in; a damaged one is as good as any.
    pub fn beacon_key(&self) -> [u8; 64] {
        let bytes = URL_SAFE_NO_PAD.decode(&self.beacon).ok();
        bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or([7; 64])
    }
}

fn fresh_webhook() -> String {
    format!("whsec_{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>()))
}

fn fresh_beacon() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 64]>())
}

/// Writes a file that only its owner may read, whole or not at all.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    std::fs::rename(beside, path)
}

/// Listens on the kept port of 127.0.0.1, or on a free one when that is taken or none is kept.
pub(super) async fn listen(port: &mut u16) -> io::Result<TcpListener> {
    let kept = TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).await;
    let listener = match kept {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            tracing::warn!(port = *port, "the kept port is taken; another is used");
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?
        }
        other => other?,
    };
    *port = listener.local_addr()?.port();
    Ok(listener)
}
