//! Progress on a terminal, Ctrl-C, and time limits.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use richman_analysis::{Error, QuestionDocument};
use richman_core::{Effort, Watch};

use crate::output;

static STOP: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);
static QUIET: AtomicBool = AtomicBool::new(false);
/// Whether any work was told of Ctrl-C.
static TOLD: AtomicBool = AtomicBool::new(false);

/// The exit status of a stopped run.
pub const STOPPED: u8 = 130;
/// The time that stopped work may take to finish its step and its report.
const GRACE: Duration = Duration::from_millis(700);

/// Sets whether the process waits for input. If it does there is no work to stop, and the first
/// Ctrl-C ends the process.
pub fn waiting(waits: bool) {
    WAITING.store(waits, Ordering::Relaxed);
}

/// Sets whether progress stays hidden.
pub fn be_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Shows the progress of work of over a second on standard error, if it is a terminal and not to be
/// quiet. Stops at Ctrl-C.
pub struct TerminalWatch {
    started: Instant,
    /// The start of time limits.
    began: Mutex<Instant>,
    bar: OnceLock<ProgressBar>,
    stage: Mutex<Option<ProgressStage>>,
    /// When work must end, as if by Ctrl-C.
    limit: OnceLock<Instant>,
    /// When to stop waiting for input.
    patience: OnceLock<Instant>,
}

/// The current stage, with its start and the progress then.
#[derive(Clone, Copy)]
struct ProgressStage {
    name: &'static str,
    total: u64,
    since: Instant,
    done: u64,
}

impl ProgressStage {
    /// The estimated seconds left; `None` if it is too early to tell.
    fn left(&self, done: u64) -> Option<f64> {
        const EARLY: f64 = 0.5;
        let (passed, done_since) = (self.since.elapsed().as_secs_f64(), done.saturating_sub(self.done));
        let left = passed * self.total.saturating_sub(done) as f64 / done_since as f64;
        (passed > EARLY && left.is_finite()).then_some(left)
    }
}

impl TerminalWatch {
    /// Starts to watch. The first Ctrl-C asks to stop, and ends the process if that takes too long;
    /// the second ends it at once.
    pub fn new() -> TerminalWatch {
        // Without a handler Ctrl-C still ends the process.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) || WAITING.load(Ordering::Relaxed) {
                end();
            }
            if thread::Builder::new().spawn(end_soon).is_err() {
                end(); // the system gives no thread that could wait
            }
        });
        TerminalWatch {
            started: Instant::now(),
            began: Mutex::new(Instant::now()),
            bar: OnceLock::new(),
            stage: Mutex::new(None),
            limit: OnceLock::new(),
            patience: OnceLock::new(),
        }
    }

    /// Time limits count from now on.
    pub fn begin(&self) {
        if let Ok(mut began) = self.began.lock() {
            *began = Instant::now();
        }
    }

    /// Work ends, as if by Ctrl-C, this long after the start of the watch.
    pub fn limit(&self, time: Duration) {
        let _ = self.started.checked_add(time).map(|limit| self.limit.set(limit));
    }

    /// Waiting for input ends this long after the start of the watch.
    pub fn limit_waiting(&self, time: Duration) {
        let _ = self.started.checked_add(time).map(|limit| self.patience.set(limit));
    }

    pub fn has_waited(&self) -> bool {
        self.patience.get().is_some_and(|limit| Instant::now() >= *limit)
    }

    /// The effort for a question, which starts its limits of time.
    ///
    /// # Errors
    /// The first contradiction in the question.
    pub fn effort(&self, document: &QuestionDocument) -> Result<Effort<'_>, Error> {
        document.check()?;
        if let Some(time) = document.time {
            self.limit_waiting(time);
        }
        if let Some(time) = document.end() {
            self.limit(time);
        }
        Ok(document.effort(self, |time| self.after(time)))
    }

    /// The moment `time` after the start of the watch, or after the last [`TerminalWatch::begin`].
    pub fn after(&self, time: Duration) -> Option<Instant> {
        self.began.lock().map_or(self.started, |began| *began).checked_add(time)
    }

    /// Whether Ctrl-C stopped any work.
    pub fn was_stopped(&self) -> bool {
        TOLD.load(Ordering::Relaxed)
    }

    /// The current stage; begins a new one if it differs.
    fn stage(&self, name: &'static str, done: u64, total: u64) -> Option<ProgressStage> {
        let mut stage = self.stage.lock().ok()?;
        match *stage {
            Some(known) if known.name == name && known.total == total && known.done <= done => Some(known),
            _ => Some(*stage.insert(ProgressStage { name, total, since: Instant::now(), done })),
        }
    }
}

/// Removes the progress line.
impl Drop for TerminalWatch {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watch for TerminalWatch {
    fn progress(&self, stage_name: &'static str, done: u64, total: Option<u64>) {
        const SILENCE: Duration = Duration::from_secs(1);
        let stage = total.and_then(|total| self.stage(stage_name, done, total));
        if QUIET.load(Ordering::Relaxed) || self.started.elapsed() < SILENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            bar.set_style(ProgressStyle::default_spinner());
            bar
        });
        let passed = self.started.elapsed().as_secs();
        let left = stage.and_then(|stage| stage.left(done)).map(|left| format!(", about {left:.0} s left"));
        let of = total.map_or(String::new(), |total| format!(" of {total}"));
        bar.set_message(format!("{stage_name}: {done}{of} ({passed} s{})", left.unwrap_or_default()));
        bar.tick();
    }

    fn cancelled(&self) -> bool {
        let stop = STOP.load(Ordering::Relaxed);
        if stop {
            TOLD.store(true, Ordering::Relaxed);
        }
        stop || self.limit.get().is_some_and(|limit| Instant::now() >= *limit)
    }
}

/// Ends the process in the middle of its work, and removes partly written files. Files under their
/// final names are always whole.
fn end() -> ! {
    richman_files::abandon();
    std::process::exit(STOPPED.into());
}

/// Ends the process if it still works after the grace period.
fn end_soon() {
    thread::sleep(GRACE);
    // A process that asks for input has stopped.
    if !WAITING.load(Ordering::Relaxed) {
        let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        output::complain(format_args!("{clear}richman: stopped in the middle of its work"));
        end();
    }
}
