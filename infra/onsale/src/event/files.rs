//! An event's files: `event.toml` and the plan it names, which may be compressed.

use std::io::Read;
use std::path::Path;

use domain::plan_import::{Imported, import, plan_file};
use flate2::read::GzDecoder;

use super::EventError;

/// The largest plan read, unpacked: a bound against files that unpack without end.
const PLAN_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Reads an event and its plan (beside it; gzip if its name ends in `.gz`).
///
/// # Errors
/// A file cannot be read, or everything that is wrong with the two.
pub fn read(event_toml: &Path) -> Result<Imported, EventError> {
    let text = std::fs::read_to_string(event_toml).map_err(failed(event_toml))?;
    let name = plan_file(&text).ok_or(EventError::NoPlan)?;
    let path = event_toml.parent().unwrap_or(Path::new(".")).join(name);
    let bytes = std::fs::read(&path).map_err(failed(&path))?;
    let zipped = path.extension().is_some_and(|e| e == "gz");
    let plan =
        if zipped { gunzip(&bytes).map_err(failed(&path))? } else { String::from_utf8_lossy(&bytes).into_owned() };
    import(&text, &plan).map_err(EventError::Findings)
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> EventError {
    let path = path.display().to_string();
    move |source| EventError::File { path, source }
}

pub(super) fn gunzip(bytes: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(bytes).take(PLAN_BYTES_MAX).read_to_string(&mut text)?;
    Ok(text)
}
