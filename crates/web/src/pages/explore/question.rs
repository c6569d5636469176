//! What was asked for, understood: a game at a position, a mechanism, and what the players hold.

use std::sync::Arc;

use richman_analysis::{Question, Subject};
use richman_core::{Aim, Total};

use super::asked::Asked;
use crate::refused::Refused;
use crate::setup::subject;

/// Where the rules are.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name of the game, or what its file is called.
    pub name: String,
    /// The text of the game file, where the rules are in one.
    pub file: Option<Arc<str>>,
}

impl Source {
    /// The game.
    pub fn subject(&self) -> Result<Subject, Refused> {
        subject(&self.name, self.file.as_deref())
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
        let mechanism = asked.mechanism(subject.aim().usual_preset())?;
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
