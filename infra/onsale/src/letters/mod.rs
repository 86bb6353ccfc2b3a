//! Dead letters: batches of the stream that no retry could deliver, kept whole by AWS in a bucket and by the local stack in
//! a folder, in the same shape. They are delivered again record by record, to the function that they were for.
//!
//! A record only says what to look at, so an old one does no harm: what is done follows from the table as it is now.

mod invoke;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub use invoke::{FAILED, Invoker};

use crate::stream::dead_letters::put;

/// A letter, and the file that it lies in.
#[derive(Debug)]
pub struct Letter {
    path: PathBuf,
    letter: Value,
    records: Vec<Value>,
}

/// Why a file is no letter that could be delivered.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// It names no function, or has no records in it: a notice that tells sequence numbers only, or something else.
    #[error("{0} is no dead letter with records in it")]
    NoLetter(PathBuf),
}

/// What became of a letter.
#[derive(Debug, PartialEq, Eq)]
pub struct Redriven {
    /// Records that were taken.
    pub taken: usize,
    /// Why others were not; these stay in the letter.
    pub left: Vec<String>,
}

/// Every file below a folder, whatever its name, in order of names: letters and what is none.
///
/// # Errors
/// The folder cannot be listed. One that is not there has no letters.
pub fn all(folder: &Path) -> std::io::Result<Vec<Result<Letter, Unread>>> {
    let mut files = Vec::new();
    if folder.exists() {
        list(folder, &mut files)?;
    }
    files.sort();
    Ok(files.into_iter().map(Letter::read).collect())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_none_or(|end| end != "new") {
            files.push(path);
        }
    }
    Ok(())
}

impl Letter {
    /// # Errors
    /// See [`Unread`].
    pub fn read(path: PathBuf) -> Result<Self, Unread> {
        let text = fs::read(&path).map_err(|error| Unread::File(path.clone(), error))?;
        match serde_json::from_slice::<Value>(&text).ok().and_then(|letter| Some((records(&letter)?, letter))) {
            Some((records, letter)) if function(&letter).is_some() => Ok(Self { path, letter, records }),
            _ => Err(Unread::NoLetter(path)),
        }
    }

    /// The function's name.
    #[must_use]
    pub fn function(&self) -> &str {
        function(&self.letter).unwrap_or_default()
    }

    /// When it was written, and why.
    #[must_use]
    pub fn why(&self) -> (&str, &str) {
        let text = |value: &'static str| self.letter.pointer(value).and_then(Value::as_str).unwrap_or("?");
        (text("/timestamp"), text("/requestContext/condition"))
    }

    /// The keys of the items that its records are about.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.records.iter().map(key).collect()
    }

    /// Delivers each record by itself. What is taken leaves the letter at once, and the last one takes the file along: whoever is
    /// interrupted goes on where it ended, at worst with one record twice.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub async fn redrive(mut self, to: &Invoker) -> std::io::Result<Redriven> {
        let (mut taken, mut left, mut at) = (0, Vec::new(), 0);
        while at < self.records.len() {
            match to.deliver(self.function(), &self.records[at]).await {
                Ok(()) => {
                    self.records.remove(at);
                    taken += 1;
                    self.keep()?;
                }
                Err(why) => {
                    left.push(format!("{}: {why}", key(&self.records[at])));
                    at += 1;
                }
            }
        }
        Ok(Redriven { taken, left })
    }

    fn keep(&mut self) -> std::io::Result<()> {
        if self.records.is_empty() {
            return fs::remove_file(&self.path);
        }
        self.letter["payload"] = json!({ "Records": self.records }).to_string().into();
        put(&self.path, &self.letter)
    }
}

/// The name alone: `settle` of `settle` or of `arn:aws:lambda:eu-central-1:1:function:settle:live`.
fn function(letter: &Value) -> Option<&str> {
    let arn = letter.pointer("/requestContext/functionArn")?.as_str()?;
    arn.split(':').nth(if arn.starts_with("arn:") { 6 } else { 0 }).filter(|name| !name.is_empty())
}

/// The payload is JSON within JSON, or JSON.
fn records(letter: &Value) -> Option<Vec<Value>> {
    let payload = letter.get("payload")?;
    let read: Value = payload.as_str().map_or_else(|| Some(payload.clone()), |text| serde_json::from_str(text).ok())?;
    read["Records"].as_array().filter(|records| !records.is_empty()).cloned()
}

fn key(record: &Value) -> String {
    let part = |name: &str| record.pointer(&format!("/dynamodb/Keys/{name}/S")).and_then(Value::as_str).unwrap_or("?");
    format!("{} {}", part("pk"), part("sk"))
}
