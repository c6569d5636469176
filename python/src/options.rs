//! What is asked besides the game: the document of a question, and what only some functions take.

use std::ops::RangeInclusive;
use std::str::FromStr;

use richman::analysis::databases::KeptUnits;
use richman::analysis::{Question, QuestionDocument, Subject, Wanted, parse};
use richman::core::{Effort, Mechanism, Preset, Total};
use serde::Deserialize;

use crate::error::Fault;
use crate::work::Worker;

/// The options of every function; each takes those that it knows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(flatten)]
    pub question: QuestionDocument,
    pub other_position: Option<String>,
    /// A range of totals.
    pub totals: Option<String>,
    /// The players of a duel.
    pub alice_plays: Option<String>,
    pub bob_plays: Option<String>,
    pub games: Option<u64>,
    pub seed: Option<u64>,
    pub holdings: Vec<String>,
    pub opening: u32,
    pub times: bool,
    pub no_exchange: bool,
    pub limit: Option<u32>,
    pub deep: bool,
    /// The most numbers of a unit.
    pub unit: Option<u64>,
    /// The stones after which lines give bounds.
    pub leaves: Option<u32>,
    /// Which units stay.
    pub keep: KeptUnits,
}

/// The value of an option, if given.
pub fn parsed<T: FromStr<Err: ToString>>(text: Option<&String>) -> Result<Option<T>, Fault> {
    text.map(|text| text.parse()).transpose().map_err(|error: T::Err| Fault::because(error))
}

impl Options {
    /// Reads a document about what is `wanted`.
    ///
    /// # Errors
    /// Names the value that cannot be read.
    pub fn read(document: &str, wanted: Wanted) -> Result<Options, Fault> {
        // Errors about a value that is in memory do not say where it stood.
        let value: serde_json::Value = serde_json::from_str(document)?;
        let mut options = Options::deserialize(value)?;
        options.question.wanted = wanted;
        Ok(options)
    }

    /// The question about a game.
    pub fn about(&self, subject: &Subject) -> Result<Question, Fault> {
        Ok(self.question.question(subject.aim())?)
    }

    pub fn position(&self) -> Option<&str> {
        self.question.position.as_deref()
    }

    /// The mechanism; develin-payne if none is given.
    pub fn mechanism(&self) -> Mechanism {
        self.question.mechanism.clone().mechanism_or(Preset::default())
    }

    /// The range of totals, if given.
    pub fn totals(&self) -> Result<Option<RangeInclusive<Total>>, Fault> {
        self.totals.as_ref().map(|text| parse::totals(text)).transpose().map_err(Fault::Refused)
    }

    /// All limits, with a watch.
    pub fn effort<'a>(&self, worker: &'a Worker) -> Effort<'a> {
        self.question.effort(worker, |time| worker.after(time))
    }

    /// All limits but that of time.
    pub fn untimed<'a>(&self, worker: &'a Worker) -> Effort<'a> {
        self.question.effort(worker, |_| None)
    }
}
