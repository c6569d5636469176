//! The parsed question: a game at a position, a mechanism, and the players' holdings.

use std::sync::Arc;

use richman_analysis::{Question, QuestionDocument, Subject, TableRows, Wanted};
use richman_core::{Player, Total, Walk};
use richman_hall::refused::Refusal;
use richman_hall::setup::check_stake;

use super::asked::ExploreFields;

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
    /// A link that holds the game file, if nobody else reaches the pages.
    pub shared: Option<String>,
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
    pub document: QuestionDocument,
    pub of: Question,
    /// The greatest number of the table.
    pub table_end: Total,
}

impl Inquiry {
    /// Parses a question about the game of `source`.
    pub fn new(asked: &ExploreFields, source: RulesSource) -> Result<Inquiry, Refusal> {
        let subject = &source.subject;
        let document = asked.document(subject.aim())?;
        let of = document.question(subject.aim())?;
        check_stake(&of)?;
        let table_end = asked.table_end(&of.mechanism)?;
        Ok(Inquiry { asked: asked.clone(), source, document, of, table_end })
    }

    /// The same question for a table.
    pub fn of_table(&self) -> QuestionDocument {
        let chips = Total::default()..=self.table_end;
        let of = self.is_bank().then_some(Player::Bob);
        QuestionDocument { wanted: Wanted::Table, rows: Some(TableRows { of, chips }), ..self.document.clone() }
    }

    /// The same question for a tree.
    pub fn of_tree(&self) -> QuestionDocument {
        QuestionDocument { wanted: Wanted::Tree, chips: self.of.tree_chips(), ..self.document.clone() }
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
        self.of.aim.facts().won_at_end && !self.is_bank()
    }
}
