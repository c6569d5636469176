//! Progress on a terminal, Ctrl-C, and limits of time.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use richman_core::Watch;

static STOP: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether some work was told that Ctrl-C was pressed.
static TOLD: AtomicBool = AtomicBool::new(false);

/// The exit status of a run that was stopped.
pub const STOPPED: u8 = 130;
/// How long a computation that was asked to stop may take to do so: what it is in the middle of, and the report of what it has by then.
const GRACE: Duration = Duration::from_millis(700);

/// Whether the process waits for input: then there is nothing to stop but the process, and the first Ctrl-C ends it.
pub fn waiting(waits: bool) {
    WAITING.store(waits, Ordering::Relaxed);
}

/// Shows progress on standard error, if it is a terminal, of anything that takes over a second, and stops at Ctrl-C.
pub struct Terminal {
    started: Instant,
    /// From when on limits of time count.
    began: Mutex<Instant>,
    bar: OnceLock<ProgressBar>,
    stage: Mutex<Option<Stage>>,
    /// When the work has to end, as if by Ctrl-C.
    limit: OnceLock<Instant>,
    /// Until when input is waited for.
    patience: OnceLock<Instant>,
}

/// What goes on, since when, and how far it was then.
#[derive(Clone, Copy)]
struct Stage {
    name: &'static str,
    total: u64,
    since: Instant,
    done: u64,
}

impl Stage {
    /// How many seconds are left, as far as can be told so early.
    fn left(&self, done: u64) -> Option<f64> {
        const EARLY: f64 = 0.5;
        let (passed, done_since) = (self.since.elapsed().as_secs_f64(), done.saturating_sub(self.done));
        let left = passed * self.total.saturating_sub(done) as f64 / done_since as f64;
        (passed > EARLY && left.is_finite()).then_some(left)
    }
}

impl Terminal {
    /// Starts to watch. The first Ctrl-C asks to stop, and ends the process where that takes too long; the second ends it at once.
    pub fn new() -> Terminal {
        // Without a handler Ctrl-C still ends the process.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) || WAITING.load(Ordering::Relaxed) {
                end();
            }
            thread::spawn(end_soon);
        });
        Terminal {
            started: Instant::now(),
            began: Mutex::new(Instant::now()),
            bar: OnceLock::new(),
            stage: Mutex::new(None),
            limit: OnceLock::new(),
            patience: OnceLock::new(),
        }
    }

    /// Effort of time count from now on.
    pub fn begin(&self) {
        if let Ok(mut began) = self.began.lock() {
            *began = Instant::now();
        }
    }

    /// From now on work ends, as if by Ctrl-C, so long after the start of the watch.
    pub fn limit(&self, time: Duration) {
        let _ = self.started.checked_add(time).map(|limit| self.limit.set(limit));
    }

    /// Input is waited for no longer than that after the start of the watch.
    pub fn limit_waiting(&self, time: Duration) {
        let _ = self.started.checked_add(time).map(|limit| self.patience.set(limit));
    }

    /// Whether input was waited for as long as it may be.
    pub fn has_waited(&self) -> bool {
        self.patience.get().is_some_and(|limit| Instant::now() >= *limit)
    }

    /// When `time` is over, since the start of the watch or of what was begun last.
    pub fn after(&self, time: Duration) -> Option<Instant> {
        self.began.lock().map_or(self.started, |began| *began).checked_add(time)
    }

    /// Whether work was told to stop because of Ctrl-C.
    pub fn was_stopped(&self) -> bool {
        TOLD.load(Ordering::Relaxed)
    }

    /// The stage that goes on, which begins here where it is another one.
    fn stage(&self, name: &'static str, done: u64, total: u64) -> Option<Stage> {
        let mut stage = self.stage.lock().ok()?;
        match *stage {
            Some(known) if known.name == name && known.total == total && known.done <= done => Some(known),
            _ => Some(*stage.insert(Stage { name, total, since: Instant::now(), done })),
        }
    }
}

/// Removes the progress line.
impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Terminal {
    fn progress(&self, stage_name: &'static str, done: u64, total: Option<u64>) {
        const QUIET: Duration = Duration::from_secs(1);
        let stage = total.and_then(|total| self.stage(stage_name, done, total));
        if self.started.elapsed() < QUIET {
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

/// Ends the process in the middle of its work. Files that have their names are whole at any moment; what is being written is removed.
fn end() -> ! {
    richman_files::abandon();
    std::process::exit(STOPPED.into());
}

/// Ends the process if it still works when the grace is over.
fn end_soon() {
    thread::sleep(GRACE);
    // Whoever asks for input did stop.
    if !WAITING.load(Ordering::Relaxed) {
        let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        eprintln!("{clear}richman: stopped in the middle of its work");
        end();
    }
}
