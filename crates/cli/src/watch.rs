//! Progress on a terminal, and Ctrl-C.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
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
        Terminal { started: Instant::now(), bar: OnceLock::new() }
    }

    /// Removes the progress line.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Terminal {
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        const QUIET: Duration = Duration::from_secs(1);
        if self.started.elapsed() < QUIET {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            bar.set_style(ProgressStyle::default_spinner());
            bar
        });
        bar.set_message(match total {
            Some(total) => {
                let passed = self.started.elapsed().as_secs_f64();
                let left = passed * total.saturating_sub(done) as f64 / done.max(1) as f64;
                format!("{stage}: {done} of {total} ({passed:.0} s, about {left:.0} s left)")
            }
            None => format!("{stage}: {done} ({} s)", self.started.elapsed().as_secs()),
        });
        bar.tick();
    }

    fn cancelled(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}
