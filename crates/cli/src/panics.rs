//! Panic messages: the reason and its place in the source, without paths of the build machine.

use std::backtrace::{Backtrace, BacktraceStatus};

use crate::output;

/// Reports panics in one line on standard error, with a backtrace if `RUST_BACKTRACE=1`.
pub fn report() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let reason = text.unwrap_or("no reason was given");
        let place = panic.location().map_or(String::new(), |at| format!(" at {}:{}", source(at.file()), at.line()));
        // A panic in here would abort the process: a server, too, whose other requests are fine.
        output::complain(format_args!("richman: internal error{place}: {reason}"));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            output::complain(trace);
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

    /// In a process of its own, whose standard error cannot be written.
    #[cfg(all(target_os = "linux", feature = "web"))]
    #[test]
    fn a_caught_panic_ends_no_server_that_cannot_report_it() {
        use std::process::{Command, Stdio};

        const ALONE: &str = "RICHMAN_TEST_PROCESS";
        const DONE: i32 = 42;
        if std::env::var_os(ALONE).is_some() {
            serve_jobs_that_panic();
            std::process::exit(DONE);
        }
        let run = |command: &mut Command| {
            let test = "panics::tests::a_caught_panic_ends_no_server_that_cannot_report_it";
            command.args(["--exact", test, "--nocapture"]).env(ALONE, "1").env("RUST_BACKTRACE", "1");
            command.stdout(Stdio::null()).status().unwrap().code()
        };
        let here = std::env::current_exe().unwrap();
        let (reader, gone) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(Command::new(&here).stderr(gone)), Some(DONE), "a reader that is gone");
        for to in ["2>/dev/full", "2>&-"] {
            let line = format!("exec \"$0\" \"$@\" {to}");
            assert_eq!(run(Command::new("sh").args(["-c", &line]).arg(&here)), Some(DONE), "{to}");
        }
    }

    #[cfg(all(target_os = "linux", feature = "web"))]
    fn serve_jobs_that_panic() {
        use std::time::Duration;

        use richman_hall::refused::Refusal;
        use richman_serve::App;

        const TIME: Duration = Duration::from_secs(9);
        report();
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let app = App::in_memory().unwrap();
            for _ in 0..2 {
                let refused = app.desk.run(TIME, |_| -> Result<(), Refusal> { panic!("a job of a test") }).await;
                assert!(matches!(refused, Err(Refusal::Internal(_))));
            }
            assert_eq!(app.desk.run(TIME, |_| Ok(7)).await.unwrap(), 7);
        });
    }
}
