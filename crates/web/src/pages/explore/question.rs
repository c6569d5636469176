//! The parsed question: a game at a position, a mechanism, and the players' holdings.

use std::sync::Arc;

use richman_analysis::{Question, Subject};
use richman_core::{Judged, Total, Walk};

use super::asked::ExploreFields;
use crate::refused::Refusal;

/// The source of the rules.
#[derive(Debug, Clone)]
pub struct RulesSource {
    /// The name of the game, or of its file.
    pub name: String,
    /// Whether the rules are in a game file.
    pub is_file: bool,
    /// The game.
    pub subject: Arc<Subject>,
}

/// The question as far as it is valid.
pub struct ExploreView {
    pub asked: ExploreFields,
    pub source: RulesSource,
    pub walk: Box<dyn Walk>,
    pub question: Result<Inquiry, Refusal>,
}

/// A valid question; its answer may still take too long.
#[derive(Debug, Clone)]
pub struct Inquiry {
    pub asked: ExploreFields,
    pub source: RulesSource,
    pub of: Question,
    /// The greatest number of the table.
    pub table_end: Total,
    /// The depth of the tree, in moves.
    pub tree_depth: u32,
}

impl Inquiry {
    /// Parses a question about the game of `source`.
    pub fn new(asked: &ExploreFields, source: RulesSource) -> Result<Inquiry, Refusal> {
        let subject = &source.subject;
        let mechanism = asked.mechanism(subject.aim().facts().preset)?;
        let of = Question {
            position: asked.position().map(str::to_string),
            within: asked.within()?,
            share: asked.share()?,
            at_least: asked.at_least()?,
            stake: asked.stake(&mechanism, subject.aim())?,
            aim: subject.aim(),
            ..Question::new(mechanism)
        };
        let (table_end, tree_depth) = (asked.table_end(&of.mechanism)?, asked.tree_depth()?);
        Ok(Inquiry { asked: asked.clone(), source, of, table_end, tree_depth })
    }

    /// Whether bids go to the bank, so that the total shrinks.
    pub fn is_bank(&self) -> bool {
        self.of.mechanism.has_bank()
    }

    /// Whether the game has thresholds, not values.
    pub fn has_thresholds(&self) -> bool {
        self.of.has_thresholds()
    }

    /// Whether the thresholds by total can be drawn as curves.
    pub fn has_curves(&self) -> bool {
        self.of.aim.judged() == Judged::ByEnd && !self.is_bank()
    }
}
