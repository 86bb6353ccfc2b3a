//! `onsale event import-codes`: all of the file is checked here first, so that no part of a bad one is sent.

use std::path::Path;

use anyhow::{Context, bail};
use domain::code::read_file;
use serde_json::json;

use super::{Place, say};

/// Bytes of one part: the edge reads 512 KB at once.
const PART: usize = 400_000;

pub(super) async fn import(place: &Place, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = match read_file(&text) {
        Ok(lines) => lines,
        Err(findings) => bail!("nothing was imported:\n{}", findings.join("\n")),
    };
    let event = place.announced().await?;
    let lanes: Vec<&str> =
        event["lanes"].as_array().into_iter().flatten().filter_map(|lane| lane["id"].as_str()).collect();
    if let Some(line) = lines.iter().find(|line| !lanes.contains(&line.lane.as_str())) {
        bail!("nothing was imported: the event has no lane {:?}", line.lane);
    }
    let mut imported = 0;
    for part in parts(&text) {
        let answer = place.desk().order("codes", &json!({ "codes": part })).await;
        let answer = answer.with_context(|| format!("after {imported} codes; give the command again"))?;
        imported += answer["imported"].as_u64().unwrap_or_default();
    }
    say(place, &json!({ "imported": imported }), &format!("{}: {imported} codes imported", place.event));
    Ok(())
}

/// The file in parts of whole lines.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        let full = parts.last().is_some_and(|part| part.len() + line.len() > PART);
        if full {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_whole_lines_and_all_of_them() {
        let text: String = (0..40_000).map(|n| format!("CODE{n:08},club,1\n")).collect();
        let parts = parts(&text);
        assert!(parts.len() > 1 && parts.iter().all(|part| part.len() <= PART + 40 && part.ends_with('\n')));
        assert_eq!(parts.concat(), text);
    }
}
