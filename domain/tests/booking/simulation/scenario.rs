//! Courses that random schedules seldom take, one for a clause: with it nothing happens, without it harm.
//!
//! A file under `guards/` names the clause after `clause`, after `second` each other clause that stops the same harm and has to be
//! gone for this one to be missed, and then the operations.

use super::lens::Lens;
use super::op::Op;
use super::shrink::replay;

#[derive(Clone, Debug, Default)]
pub struct Scenario {
    pub clause: String,
    firsts: Vec<String>,
    ops: Vec<Op>,
}

/// All of them, by file.
pub fn all() -> Vec<(String, Scenario)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/booking/guards");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| (path.display().to_string(), read(&std::fs::read_to_string(path).unwrap()));
    paths.map(read).collect()
}

fn read(text: &str) -> Scenario {
    let mut scenario = Scenario::default();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(clause) = line.strip_prefix("clause ") {
            scenario.clause = clause.to_owned();
        } else if let Some(first) = line.strip_prefix("second ") {
            scenario.firsts.push(first.to_owned());
        } else {
            scenario.ops.push(line.parse().unwrap_or_else(|e| panic!("{line}: {e}")));
        }
    }
    scenario
}

impl Scenario {
    /// The harm that only this clause keeps off once its company is gone.
    pub fn harm(&self) -> Option<String> {
        let firsts: Vec<&str> = self.firsts.iter().map(String::as_str).collect();
        replay(&self.ops, Lens::Clear).unwrap_or_else(|what| panic!("{}: {what}", self.clause));
        if let Err(what) = replay(&self.ops, Lens::second(&firsts)) {
            panic!("{}: without its company already {what}", self.clause);
        }
        let all = [firsts.as_slice(), &[&self.clause]].concat();
        replay(&self.ops, if firsts.is_empty() { Lens::without(&all) } else { Lens::second(&all) }).err()
    }

    /// As [`super::guards`] prints it.
    pub fn told(&self) -> Option<String> {
        let what = self.harm()?.split_whitespace().take(9).collect::<Vec<_>>().join(" ");
        let company = self.firsts.join(", ");
        Some(if company.is_empty() { what } else { format!("second to {company}: {what}") })
    }
}

#[test]
fn every_scenario_shows_its_clause() {
    let dull: Vec<String> = all().into_iter().filter(|(_, s)| s.harm().is_none()).map(|(path, _)| path).collect();
    assert_eq!(dull, Vec::<String>::new(), "without the clause nothing happens");
}
