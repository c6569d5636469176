//! The threads of the desk. Solving threads have a low priority, and work only while there is
//! memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};
use richman_hall::refused::Refusal;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// A thread for one job after another. It also does the work that solvers would share among
/// threads: on common threads, a short job would wait for long ones.
#[derive(Clone, Default)]
pub(super) struct Worker {
    /// Made for the first job.
    thread: Arc<OnceLock<ThreadPool>>,
    /// Whether it has the usual priority, like serving threads.
    is_prompt: bool,
}

impl Worker {
    /// A worker of usual priority.
    pub(super) fn prompt() -> Worker {
        Worker { is_prompt: true, ..Worker::default() }
    }

    /// Runs `work` on the thread.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if the system provides no thread; [`Refusal::Internal`] if `work` panics.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        let runtime = Handle::current();
        self.thread()?.spawn(move || {
            let _runtime = runtime.enter(); // for deferred work of a job
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                // The caller may be gone.
                let _ = answer.send(done);
            }
        });
        // The message of a panic may quote input, so it is left out.
        answered.await.map_err(|_| Refusal::internal(std::io::Error::other("a job at the desk panicked")))
    }

    fn thread(&self) -> Result<&ThreadPool, Refusal> {
        if self.thread.get().is_none() {
            // Panics are caught earlier. Without this handler, a panic while dropping their remains
            // would end the process.
            let one = ThreadPoolBuilder::new().num_threads(1).panic_handler(|_| {});
            let one = one.thread_name(|_| "desk".to_string());
            let one = if self.is_prompt { one } else { one.start_handler(|_| lower_priority()) };
            let made = one.build().map_err(|_| no_room())?;
            let _ = self.thread.set(made); // only the holder of the slot asks
        }
        self.thread.get().ok_or_else(no_room)
    }
}

fn no_room() -> Refusal {
    Refusal::Busy("this server has no memory left for that now: try again later".to_string())
}

/// Lowers this thread's priority below the serving threads, where the system can.
fn lower_priority() {
    /// A niceness of Linux: from 0, the usual, to 19.
    #[cfg(target_os = "linux")]
    const LOW: i32 = 10;
    #[cfg(target_os = "linux")]
    // Linux takes this for the calling thread alone. A refusal costs only some fairness.
    let _ = rustix::process::setpriority_process(None, LOW);
}

/// Reserved for the serving threads.
const RESERVE: u64 = 128 << 20;

/// The bytes, at most `memory`, that each of `jobs` large jobs may take, so that all of them
/// together fit into the address space.
pub(super) fn within_room(memory: u64, jobs: u64) -> u64 {
    room().map_or(memory, |room| memory.min(room.saturating_sub(RESERVE) / jobs.max(1)))
}

/// Checks that the process may take `bytes` more address space, and some for the rest of the
/// server: a job that exhausts it would crash the process.
///
/// # Errors
/// [`Refusal::Busy`] if not.
pub(super) fn check_room(bytes: u64) -> Result<(), Refusal> {
    match room() {
        Some(room) if room < bytes.saturating_add(RESERVE) => Err(no_room()),
        _ => Ok(()),
    }
}

/// The remaining address space, if there is a limit.
fn room() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::As).current?;
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        let taken = pages.split(' ').next()?.parse::<u64>().ok()? * rustix::param::page_size() as u64;
        Some(limit.saturating_sub(taken))
    }
    #[cfg(not(target_os = "linux"))]
    None
}
