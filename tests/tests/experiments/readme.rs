//! Reads the experiments out of README.md: indented blocks, commands first, then what they print.

/// One experiment.
pub struct Experiment {
    /// What to type.
    pub commands: String,
    /// What it prints, line by line.
    pub shows: Vec<String>,
}

/// The experiments in order; the block before them only loads the helpers.
pub fn experiments(readme: &str) -> Vec<Experiment> {
    let section = readme.split("\n## ").find(|part| part.starts_with("Five experiments")).unwrap_or_default();
    let blocks = blocks(section);
    let pairs = blocks.get(1..).unwrap_or_default().chunks_exact(2);
    pairs.map(|pair| Experiment { commands: pair[0].join("\n"), shows: pair[1].clone() }).collect()
}

/// The example of docs/operating.md: commands after `$ `, what they print below.
pub fn example(document: &str) -> Experiment {
    let blocks = blocks(document);
    let lines = blocks.into_iter().find(|block| block[0].starts_with("$ ")).unwrap_or_default();
    let (commands, shows): (Vec<String>, Vec<String>) = lines.into_iter().partition(|line| line.starts_with("$ "));
    let commands: Vec<&str> = commands.iter().map(|line| &line[2..]).collect();
    Experiment { commands: commands.join("\n"), shows }
}

/// Runs of lines that are indented by four spaces.
fn blocks(text: &str) -> Vec<Vec<String>> {
    let mut blocks = vec![Vec::new()];
    for line in text.lines() {
        match line.strip_prefix("    ") {
            Some(code) => blocks.last_mut().expect("never empty").push(code.to_owned()),
            None => blocks.push(Vec::new()),
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Whether a line has the shape of a shown one.
pub fn looks_like(shown: &str, line: &str) -> bool {
    let (shown, line) = (without_numbers(shown), without_numbers(line));
    let mut rest = line.as_str();
    let parts: Vec<&str> = shown.split('…').collect();
    let Some((first, others)) = parts.split_first() else { return false };
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for part in others {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || shown.ends_with('…')
}

/// Every number as one `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

#[test]
fn shapes_are_compared() {
    assert!(looks_like("place 5 (cohort 0: 7 people)", "place 512 (cohort 0: 1 people)"));
    assert!(looks_like("{…,\"seat\":\"A-1\",…} 201", "{\"hold\":\"x\",\"seat\":\"A-1\",\"n\":2} 409"));
    assert!(!looks_like("the books balance", "the books do not balance: 1 findings"));
    assert!(!looks_like("open, admitted 14", "paused, admitted 14"));
    assert!(!looks_like("2 0 14", "2 0 14 more"));
}
