//! Work on a thread of its own, while the calling thread listens for Ctrl-C without the
//! interpreter's lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use richman::core::Watch;

use crate::error::{Error, Fault};
use crate::threads;

/// The time between two looks at signals.
pub const MOMENT: Duration = Duration::from_millis(50);
/// The time that stopped work may take to end; after that it is left to end by itself.
const GRACE: Duration = Duration::from_millis(700);
/// As much as the main thread of a program usually has, twice.
const STACK: usize = 16 << 20;

/// Receives the progress of work, and stops it.
pub struct Worker {
    started: Instant,
    stop: AtomicBool,
    /// When work must end, as if stopped.
    limit: Option<Instant>,
    stage: Mutex<Option<(&'static str, u64, Option<u64>)>>,
}

impl Worker {
    /// The moment `time` after the start.
    pub fn after(&self, time: Duration) -> Option<Instant> {
        self.started.checked_add(time)
    }
}

impl Watch for Worker {
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        if let Ok(mut current) = self.stage.lock() {
            *current = Some((stage, done, total));
        }
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.limit.is_some_and(|limit| Instant::now() >= limit)
    }
}

/// Does `work` without the interpreter's lock. `limit` ends it as if stopped; `progress` is called
/// with stage, done and total a few times a second.
///
/// # Errors
/// The fault as a `richman.Error`; whatever a signal raises, such as KeyboardInterrupt, or
/// `progress`.
pub fn done<T: Send + 'static>(
    py: Python<'_>,
    limit: Option<Duration>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Worker) -> Result<T, Fault> + Send + 'static,
) -> PyResult<T> {
    let started = Instant::now();
    let limit = limit.and_then(|time| started.checked_add(time));
    let worker = Arc::new(Worker { started, stop: AtomicBool::new(false), limit, stage: Mutex::new(None) });
    let (send, mut results) = mpsc::sync_channel(1);
    let own = Arc::clone(&worker);
    let pool = threads::taken(py, STACK)?;
    let task = move || {
        let result = catch_unwind(AssertUnwindSafe(|| match &pool {
            Some(pool) => pool.install(|| work(&own)),
            None => work(&own),
        }));
        let _ = send.send((result, pool)); // nobody waits for stopped work
    };
    let spawned = thread::Builder::new().name("richman".to_string()).stack_size(STACK).spawn(task);
    spawned.map_err(|error| Error::new_err(format!("no thread can be started: {error}")))?;
    loop {
        let (result, back) = py.detach(move || waited(results, MOMENT));
        results = back;
        match result {
            Ok((Ok(result), pool)) => {
                threads::left(py, pool);
                return Ok(result?);
            }
            Ok((Err(_), _)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new_err("a fault of Richman: please report it with the question that you asked"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let told = py.check_signals().and_then(|()| tell(&worker, progress));
        if let Err(signal) = told {
            worker.stop.store(true, Ordering::Relaxed);
            drop(py.detach(move || waited(results, GRACE)));
            return Err(signal);
        }
    }
}

/// Waits for a result, and returns the receiver, which must not be shared.
fn waited<T>(results: Receiver<T>, time: Duration) -> (Result<T, RecvTimeoutError>, Receiver<T>) {
    (results.recv_timeout(time), results)
}

fn tell(worker: &Worker, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let stage = worker.stage.lock().ok().and_then(|stage| *stage);
    stage.map_or(Ok(()), |stage| progress.call1(stage).map(|_| ()))
}
