//! The writer thread: all waiting writes go into one transaction.

use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::StoreError;

/// The most writes in one transaction.
const MOST_TOGETHER: usize = 512;
/// The most waiting writes.
const LONGEST_QUEUE: usize = 4096;

/// Tells a waiting caller whether the write was committed.
pub(super) type CommitNotice = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
pub(super) type WriteJob = Box<dyn FnOnce(&Connection) -> CommitNotice + Send>;

/// Dropping this completes all writes and ends the thread.
pub(super) struct Writer {
    jobs: Option<mpsc::Sender<WriteJob>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn new(connection: Connection) -> Result<Writer, StoreError> {
        let (jobs, queue) = mpsc::channel(LONGEST_QUEUE);
        let thread = std::thread::Builder::new()
            .name("store".to_string())
            .spawn(move || write_all(&connection, queue))
            .map_err(|reason| StoreError::Open("the thread that writes".into(), reason))?;
        Ok(Writer { jobs: Some(jobs), thread: Some(thread) })
    }

    pub(super) async fn queue(&self, job: WriteJob) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(job).await.map_err(|_| StoreError::Closed)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic there was told to those who waited
        }
    }
}

fn write_all(connection: &Connection, mut queue: mpsc::Receiver<WriteJob>) {
    while let Some(first) = queue.blocking_recv() {
        if let Err((error, waiting)) = write_together(connection, first, &mut queue) {
            if waiting.is_empty() {
                tracing::error!(cause = %error, "no write could begin");
            }
            let error = Arc::new(error);
            for finish in waiting {
                finish(Err(StoreError::NotCommitted(Arc::clone(&error))));
            }
        }
    }
}

/// Commits `first` and all waiting writes.
///
/// # Errors
/// The error of SQLite, with the callers to tell.
fn write_together(
    connection: &Connection,
    first: WriteJob,
    queue: &mut mpsc::Receiver<WriteJob>,
) -> Result<(), (rusqlite::Error, Vec<CommitNotice>)> {
    // Without a transaction nothing is done, and callers see that their request was dropped.
    let together = connection.unchecked_transaction().map_err(|error| (error, Vec::new()))?;
    let mut waiting = vec![first(connection)];
    while waiting.len() < MOST_TOGETHER
        && let Ok(next) = queue.try_recv()
    {
        waiting.push(next(connection));
    }
    match together.commit() {
        Ok(()) => {
            for finish in waiting {
                finish(Ok(()));
            }
            Ok(())
        }
        Err(error) => Err((error, waiting)),
    }
}

/// One write of a transaction. Its failure undoes only itself.
pub(super) fn all_or_nothing<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.prepare_cached("SAVEPOINT one")?.execute([])?;
    let done = work(connection);
    if done.is_err() {
        connection.prepare_cached("ROLLBACK TO one")?.execute([])?;
    }
    connection.prepare_cached("RELEASE one")?.execute([])?;
    done
}
