//! The writer thread: all waiting writes go into one transaction.

use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::mpsc;

use super::lock::OpenFiles;
use super::{StoreError, clock, rows};

/// The most writes in one transaction.
const MOST_TOGETHER: usize = 512;
/// The most waiting writes.
const LONGEST_QUEUE: usize = 4096;

/// Tells a waiting caller whether the write was committed.
pub(super) type CommitNotice = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Receives the connection, or the reason why it cannot be written.
pub(super) type WriteJob = Box<dyn FnOnce(Result<&Connection, StoreError>) -> CommitNotice + Send>;

/// Dropping this completes all writes and ends the thread.
pub(super) struct Writer {
    jobs: Option<mpsc::Sender<WriteJob>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Writes to a database, with its files if it has any.
    pub(super) fn new(connection: Connection, files: Option<OpenFiles>) -> Result<Writer, StoreError> {
        let (jobs, queue) = mpsc::channel(LONGEST_QUEUE);
        let thread = std::thread::Builder::new()
            .name("store".to_string())
            .spawn(move || write_all(&connection, files, queue))
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
            let _ = thread.join(); // waiting callers were told of a panic there
        }
    }
}

fn write_all(connection: &Connection, mut files: Option<OpenFiles>, mut queue: mpsc::Receiver<WriteJob>) {
    while let Some(first) = queue.blocking_recv() {
        let together = files.as_mut().map_or(Ok(()), OpenFiles::check).and_then(|()| begun(connection));
        match together {
            Ok(together) => write_together(together, first, &mut queue),
            Err(error) => first(Err(error))(Ok(())),
        }
    }
}

/// Begins a transaction, so that no other process can write before its end.
fn begun(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    let together = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    clock::advance(&together, rows::now())?;
    Ok(together)
}

/// Commits `first` and all waiting writes.
fn write_together(together: Transaction<'_>, first: WriteJob, queue: &mut mpsc::Receiver<WriteJob>) {
    let mut waiting = vec![first(Ok(&together))];
    while waiting.len() < MOST_TOGETHER
        && let Ok(next) = queue.try_recv()
    {
        waiting.push(next(Ok(&together)));
    }
    let committed = together.commit().map_err(Arc::new);
    for finish in waiting {
        finish(committed.clone().map_err(StoreError::NotCommitted));
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
