//! The check of a database while a server starts. A damaged database is served nevertheless,
//! because most of its matches are intact; the log says what to do.

use std::path::Path;
use std::thread::JoinHandle;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, InterruptHandle};

use super::{StoreError, schema};

/// A running check. Dropping this ends it.
pub(super) struct Inspection {
    interrupt: InterruptHandle,
    thread: Option<JoinHandle<()>>,
}

impl Inspection {
    /// Begins to check the database at `path`.
    pub(super) fn new(path: &Path) -> Result<Inspection, StoreError> {
        let connection = schema::open_to_read(path)?;
        let (interrupt, path) = (connection.get_interrupt_handle(), path.to_path_buf());
        let thread = std::thread::Builder::new()
            .name("store check".to_string())
            .spawn(move || inspect(&connection, &path))
            .map_err(|reason| StoreError::Open("the thread that checks".into(), reason))?;
        Ok(Inspection { interrupt, thread: Some(thread) })
    }
}

impl Drop for Inspection {
    fn drop(&mut self) {
        self.interrupt.interrupt();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic there concerns only the check
        }
    }
}

fn inspect(connection: &Connection, path: &Path) {
    const WHAT_TO_DO: &str = "run `richman store check` on it, and restore a backup with `richman store restore`";
    let begun = Instant::now();
    match problems(connection, "quick_check") {
        Ok(problems) if problems.is_empty() => {
            let milliseconds = begun.elapsed().as_millis() as u64;
            tracing::info!(store = %path.display(), milliseconds, "the store was checked and is whole");
        }
        Ok(problems) => {
            let problem = problems.first().map_or("", String::as_str);
            tracing::error!(store = %path.display(), problem, "the store is damaged: {WHAT_TO_DO}");
        }
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {}
        Err(error) => tracing::error!(store = %path.display(), cause = %error, "the store is damaged: {WHAT_TO_DO}"),
    }
}

/// The problems that one of SQLite's checks finds, at most a hundred. They name no stored text.
pub(super) fn problems(connection: &Connection, check: &str) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare(&format!("PRAGMA {check}"))?;
    let found = check.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(if found == ["ok"] { Vec::new() } else { found })
}
