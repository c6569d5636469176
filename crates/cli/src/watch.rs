//! Progress on a terminal, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use richman_core::Watch;

static STOP: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);

/// Whether the process waits for input: then there is nothing to stop but the process, and the first Ctrl-C ends it.
pub fn waiting(waits: bool) {
    WAITING.store(waits, Ordering::Relaxed);
}

/// Shows progress on standard error, if it is a terminal, of anything that takes over a second, and stops at Ctrl-C.
pub struct Terminal {
    started: Instant,
    bar: OnceLock<ProgressBar>,
    stage: Mutex<Option<Stage>>,
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
    /// Starts to watch. The first Ctrl-C asks to stop, the second ends the process at once.
    pub fn new() -> Terminal {
        // Without a handler Ctrl-C still ends the process.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) || WAITING.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        Terminal { started: Instant::now(), bar: OnceLock::new(), stage: Mutex::new(None) }
    }

    /// Removes the progress line.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Terminal {
    /// The stage that goes on, which begins here where it is another one.
    fn stage(&self, name: &'static str, done: u64, total: u64) -> Option<Stage> {
        let mut stage = self.stage.lock().ok()?;
        match *stage {
            Some(known) if known.name == name && known.total == total && known.done <= done => Some(known),
            _ => Some(*stage.insert(Stage { name, total, since: Instant::now(), done })),
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
        STOP.load(Ordering::Relaxed)
    }
}
