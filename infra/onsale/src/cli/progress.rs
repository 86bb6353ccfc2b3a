//! Progress for a person: moving on a terminal, plain lines elsewhere. All of it on standard error.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::build::{Step, Steps};

/// Shows one step at a time.
pub(super) struct Progress {
    terminal: bool,
    current: Mutex<Option<Current>>,
}

struct Current {
    text: String,
    began: Instant,
    bar: ProgressBar,
}

impl Progress {
    pub fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), current: Mutex::default() }
    }

    pub fn start(&self, text: &str) {
        let bar = if self.terminal { spinner(text) } else { ProgressBar::hidden() };
        if !self.terminal {
            eprintln!("  … {text}");
        }
        *self.lock() = Some(Current { text: text.to_owned(), began: Instant::now(), bar });
    }

    pub fn note(&self, done: usize, of: usize) {
        if let Some(current) = self.lock().as_ref() {
            current.bar.set_message(format!("{} ({done} of {of})", current.text));
        }
    }

    pub fn end(&self) {
        if let Some(current) = self.lock().take() {
            current.bar.finish_and_clear();
            eprintln!("  ✓ {} ({:.1} s)", current.text, current.began.elapsed().as_secs_f64());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steps for Progress {
    fn begin(&self, step: Step) {
        self.start(step.text());
    }

    fn done(&self, _: Step) {
        self.end();
    }
}

fn spinner(text: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(text.to_owned());
    // The template is a constant that parses.
    if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
