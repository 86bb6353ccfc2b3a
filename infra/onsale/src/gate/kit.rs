//! A gate kit: a folder with the event's public keys, its list, and every scan that this device knows of.
//!
//! `event.json` is what `GET /v1/events/{id}` answers, `gate.json` the list, `scans.jsonl` the scans, one a line. With these
//! three a device needs no network. `layout.json` tells the phone page what places are called; this device does without. A scan is on the disk before its answer is told.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::gate::{BadList, Contradiction, Gate, List, Scan, Scans};
use domain::ids::EventId;
use domain::time::WallMs;
use serde::Deserialize;

/// The event's own part of `event.json`.
#[derive(Debug, Deserialize)]
struct Announced {
    id: EventId,
    ticket_keys: Vec<PublicKey>,
}

#[derive(Debug, Deserialize)]
struct PublicKey {
    id: u8,
    key: String,
}

/// What a device at the gate carries.
#[derive(Debug)]
pub struct Kit {
    folder: PathBuf,
    keys: HashMap<u8, [u8; 32]>,
    gate: Gate,
    log: File,
}

/// Why a kit cannot be used, or not go on.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}, line {line}: {why}")]
    Unreadable {
        /// The file.
        path: String,
        /// Its line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// The list is not to be used.
    #[error("gate.json: {0}")]
    List(#[from] BadList),
    /// Two devices' scans contradict each other.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

const EVENT: &str = "event.json";
const LIST: &str = "gate.json";
const LAYOUT: &str = "layout.json";
const SCANS: &str = "scans.jsonl";

impl Kit {
    /// Writes a kit's files for an event, the layout last; scans that lie in the folder stay.
    ///
    /// # Errors
    /// [`KitError::File`].
    pub fn write(folder: &Path, announced: &str, list: &str, layout: &str) -> Result<(), KitError> {
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        whole(&folder.join(EVENT), announced)?;
        whole(&folder.join(LIST), list)?;
        whole(&folder.join(LAYOUT), layout)
    }

    /// Opens a kit for the device of this name.
    ///
    /// # Errors
    /// See [`KitError`].
    pub fn open(folder: &Path, device: &str) -> Result<Self, KitError> {
        let path = folder.join(EVENT);
        let announced: Announced = serde_json::from_str(&text(&path)?).map_err(|error| unreadable(&path, 1, &error))?;
        let keys = announced.ticket_keys.iter().filter_map(|key| Some((key.id, bytes(&key.key)?))).collect();
        let list = List::verify(&text(&folder.join(LIST))?, &announced.id, known(&keys))?;
        let path = folder.join(SCANS);
        let gate = Gate::new(device, list, read_if_there(&path)?)?;
        whole(&path, &lines(gate.scans()))?; // ends with a whole line, so that scans can be added
        let log = OpenOptions::new().append(true).open(&path).map_err(at(&path))?;
        Ok(Self { folder: folder.to_owned(), keys, gate, log })
    }

    /// Answers a scan; it is on the disk before this returns.
    ///
    /// # Errors
    /// [`KitError::File`]: then nobody is to be let in.
    pub fn scan(&mut self, payload: &str, now: WallMs) -> Result<Scan, KitError> {
        let scan = self.gate.scan(payload.trim(), now, known(&self.keys));
        let noted = writeln!(self.log, "{}", json(&scan)).and_then(|()| self.log.sync_data());
        noted.map_err(at(&self.folder.join(SCANS)))?;
        Ok(scan)
    }

    /// The scan that let the ticket of this scan in, the first by the devices' clocks.
    #[must_use]
    pub fn first(&self, scan: &Scan) -> Option<&Scan> {
        self.gate.scans().first(scan.place.as_deref()?, scan.revision?)
    }

    /// Takes in the scans of other devices, from their files, and keeps all of them; answers everything that is known then.
    ///
    /// # Errors
    /// See [`KitError`]; then nothing is changed.
    pub fn meet(folder: &Path, files: &[PathBuf]) -> Result<Scans, KitError> {
        let path = folder.join(SCANS);
        let mut scans = read_if_there(&path)?;
        for file in files {
            for scan in read(file)?.iter() {
                scans.merge(scan.clone())?;
            }
        }
        whole(&path, &lines(&scans))?;
        Ok(scans)
    }
}

fn known(keys: &HashMap<u8, [u8; 32]>) -> impl Fn(u8) -> Option<[u8; 32]> {
    |id| keys.get(&id).copied()
}

fn bytes(key: &str) -> Option<[u8; 32]> {
    URL_SAFE_NO_PAD.decode(key).ok()?.try_into().ok()
}

fn json(scan: &Scan) -> String {
    serde_json::to_string(scan).unwrap_or_default() // texts and numbers only: always JSON
}

fn lines(scans: &Scans) -> String {
    scans.iter().map(|scan| json(scan) + "\n").collect()
}

fn read_if_there(path: &Path) -> Result<Scans, KitError> {
    if path.exists() { read(path) } else { Ok(Scans::default()) }
}

fn read(path: &Path) -> Result<Scans, KitError> {
    let (text, mut scans) = (text(path)?, Scans::default());
    let whole = text.rfind('\n').map_or("", |end| &text[..end]); // a last line without its end was never answered
    for (n, line) in (1..).zip(whole.lines()) {
        let scan = serde_json::from_str(line).map_err(|error| unreadable(path, n, &error))?;
        scans.merge(scan)?;
    }
    Ok(scans)
}

fn text(path: &Path) -> Result<String, KitError> {
    std::fs::read_to_string(path).map_err(at(path))
}

/// Whole or not at all.
fn whole(path: &Path, text: &str) -> Result<(), KitError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> KitError {
    let path = path.display().to_string();
    move |source| KitError::File { path, source }
}

fn unreadable(path: &Path, line: usize, why: &dyn std::fmt::Display) -> KitError {
    KitError::Unreadable { path: path.display().to_string(), line, why: why.to_string() }
}
