//! Progress and limits of one question.

use std::time::Duration;

use richman::analysis::QuestionDocument;
use richman::core::{Effort, Instant, TimedWatch, Watch};
use serde::Deserialize;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

use crate::refusal::Refusal;

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
extern "C" {
    /// Tells the page, or whoever asked.
    #[wasm_bindgen(js_namespace = richmanHost)]
    fn progress(stage: &str, done: f64, total: Option<f64>);
}

#[cfg(not(target_arch = "wasm32"))]
fn progress(_: &str, _: f64, _: Option<f64>) {}

/// What a question may take.
#[derive(Debug, Default, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Seconds.
    time: Option<f64>,
    /// Bytes.
    memory: Option<u64>,
    positions: Option<u64>,
}

/// The module may grow to twice as much: what is held counts, not what an allocator loses between.
const USUAL_MEMORY: u64 = 512 << 20;

impl Limits {
    /// The question within these limits.
    ///
    /// # Errors
    /// Refuses a time that is none.
    pub fn of(&self, question: QuestionDocument) -> Result<QuestionDocument, Refusal> {
        let unfit = |_| Refusal::because("time is a number of seconds, from 0 on");
        let time = self.time.map(Duration::try_from_secs_f64).transpose().map_err(unfit)?;
        let memory = Some(self.memory.unwrap_or(USUAL_MEMORY));
        Ok(QuestionDocument { time, memory, positions: self.positions, ..question })
    }

    /// Everything that a question may take. Its time ends the watch.
    pub fn effort<'a>(&self, question: &QuestionDocument, watch: &'a Told) -> Effort<'a> {
        question.effort(watch, |time| Instant::now().checked_add(time))
    }
}

/// Tells of progress, and ends what takes too long.
pub struct Told {
    deadline: Option<Instant>,
}

impl Told {
    /// A watch that says stop at the end of the time of a question.
    pub fn of(question: &QuestionDocument) -> Told {
        Told { deadline: question.end().and_then(|time| Instant::now().checked_add(time)) }
    }

    /// A watch that says stop after the time of a question.
    pub fn strictly(question: &QuestionDocument) -> Told {
        Told { deadline: question.time.and_then(|time| Instant::now().checked_add(time)) }
    }
}

impl Watch for Told {
    fn progress(&self, stage: &'static str, done: u64, total: Option<u64>) {
        progress(stage, done as f64, total.map(|total| total as f64));
    }

    fn cancelled(&self) -> bool {
        TimedWatch { watch: &richman::core::Unwatched, deadline: self.deadline }.is_over()
    }
}
