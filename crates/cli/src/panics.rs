//! Panic messages: the reason and its place in the source, without paths of the build machine.

use std::backtrace::{Backtrace, BacktraceStatus};

/// Reports panics in one line on standard error, with a backtrace if `RUST_BACKTRACE=1`.
pub fn report() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let reason = text.unwrap_or("no reason was given");
        let place = panic.location().map_or(String::new(), |at| format!(" at {}:{}", source(at.file()), at.line()));
        eprintln!("richman: internal error{place}: {reason}");
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            eprintln!("{trace}");
        }
    }));
}

/// The path of a source file within its package. For dependencies the compiler records where they
/// were unpacked.
fn source(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let package = match parts.iter().rposition(|&part| part == "src") {
        Some(source) => source.saturating_sub(1),
        None => parts.len() - 1,
    };
    parts[package..].join("/").trim_start_matches('/').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_the_machine_is_left() {
        let registry = "/home/anne/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/csv-1.4.0/src/de/reader.rs";
        assert_eq!(source(registry), "csv-1.4.0/src/de/reader.rs");
        assert_eq!(source("/rustc/59807616e/library/core/src/option.rs"), "core/src/option.rs");
        assert_eq!(source("crates/cli/src/main.rs"), "cli/src/main.rs");
        assert_eq!(source("/src/main.rs"), "src/main.rs");
        assert_eq!(source("/build/x/generated.rs"), "generated.rs");
        assert_eq!(source("C:\\Users\\anne\\x.rs"), "x.rs");
    }
}
