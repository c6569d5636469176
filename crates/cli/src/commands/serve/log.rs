//! The log of the server on standard error: one line for each event of the libraries.

use std::io::{self, Write};

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Prints errors and warnings from now on, and requests too if `requests`; as JSON if `json`.
pub fn begin(requests: bool, json: bool) {
    let level = if requests { LevelFilter::INFO } else { LevelFilter::WARN };
    // Events of other libraries might hold addresses.
    let own = Targets::new().with_target("richman", level);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| ErrorOutput);
    let lines = if json { layer.json().flatten_event(true).boxed() } else { layer.boxed() };
    // Nothing else in this program installs a subscriber.
    let _ = tracing_subscriber::registry().with(lines.with_filter(own)).try_init();
}

/// Logs a warning of the command.
pub fn warn(text: &str) {
    tracing::warn!(target: "richman", "{text}");
}

/// Standard error, as a log: the server goes on if nobody can read it.
struct ErrorOutput;

impl Write for ErrorOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
