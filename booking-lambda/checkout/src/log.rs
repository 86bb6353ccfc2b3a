//! Logs: JSON lines on standard output, at the level of `RUST_LOG`. Nothing that goes through here may
//! carry tokens, bodies or personal data; fields are ids, codes and times.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Starts logging for this process; a second call changes nothing.
pub fn start() {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    let logs = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(filter)
        .with_current_span(true)
        .with_span_list(false);
    let _ = logs.try_init(); // already started: one logger is enough
}
