//! What was asked for, understood: a game at a position, a mechanism, and what the players hold.

use std::sync::Arc;

use richman_analysis::{Question, Subject};
use richman_core::{Aim, Total, Walk};

use super::asked::{Asked, FIRST_GAME};
use crate::refused::Refused;

/// Where the rules are.
#[derive(Debug, Clone)]
pub enum Source {
    /// A game with a name.
    Named(String),
    /// A game file.
    File {
        /// What it is called.
        name: String,
        /// What is in it.
        text: Arc<str>,
    },
}

impl Source {
    /// The game.
    pub fn subject(&self) -> Result<Subject, Refused> {
        Ok(match self {
            Source::Named(name) => Subject::named(name)?,
            Source::File { name, text } => Subject::from_file(name, text.as_bytes())?,
        })
    }
}

/// A question that has an answer, if it can be found in time.
#[derive(Debug, Clone)]
pub struct Inquiry {
    /// How it was asked.
    pub asked: Asked,
    /// Where the rules are.
    pub source: Source,
    /// What is asked.
    pub of: Question,
    /// The greatest number of the table.
    pub table_end: Total,
    /// How many moves deep the tree is.
    pub tree_depth: u32,
}

impl Inquiry {
    /// Understands what was asked about the game of `source`, which is `subject`.
    pub fn new(asked: &Asked, source: Source, subject: &Subject) -> Result<Inquiry, Refused> {
        let mechanism = asked.mechanism(subject.usual_preset())?;
        let of = Question {
            position: asked.position().map(str::to_string),
            within: asked.within()?,
            stake: asked.stake(&mechanism, subject.aim())?,
            aim: subject.aim(),
            ..Question::new(mechanism)
        };
        let (table_end, tree_depth) = (asked.table_end(&of.mechanism)?, asked.tree_depth()?);
        Ok(Inquiry { asked: asked.clone(), source, of, table_end, tree_depth })
    }

    /// Whether the bank is paid, so that no total stays.
    pub fn is_bank(&self) -> bool {
        self.of.mechanism.has_bank()
    }

    /// Whether the game is played for a score.
    pub fn is_scoring(&self) -> bool {
        self.of.aim == Aim::Score
    }
}

/// The game's rules as a name, where no file is asked for.
pub fn named(asked: &Asked) -> Source {
    let name = if asked.game.is_empty() { FIRST_GAME } else { &asked.game };
    Source::Named(name.to_string())
}

/// The game at the position that is asked for, to be walked.
pub fn walk(subject: &Subject, asked: &Asked) -> Result<Box<dyn Walk>, Refused> {
    Ok(subject.walk(asked.position())?)
}
