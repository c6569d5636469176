//! What was asked for, understood: a game at a position, a mechanism, and what the players hold.

use std::sync::Arc;

use richman_analysis::chips::Hands;
use richman_analysis::{Stake, Subject};
use richman_core::{Mechanism, Payment, Preset, Total, Walk};

use super::asked::{Asked, FIRST_GAME, SCORING_TOTAL, bounded};
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
pub struct Question {
    /// How it was asked.
    pub asked: Asked,
    /// Where the rules are.
    pub source: Source,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// What is bid.
    pub stake: Stake,
    /// After so many moves a play is a draw.
    pub within: Option<u32>,
    /// The greatest number of the table.
    pub table_end: Total,
    /// How many moves deep the tree is.
    pub tree_depth: u32,
}

impl Question {
    /// Understands what was asked about the game of `source`, whose subject is given.
    pub fn new(asked: &Asked, source: Source, is_scoring: bool) -> Result<Question, Refused> {
        let usual = if is_scoring { Preset::Larsson } else { Preset::DevelinPayne };
        let mechanism = asked.mechanism(usual)?;
        let within = asked.within()?;
        if is_scoring && within.is_some() {
            let reason = "a scoring game is played to its end: leave out the number of moves";
            return Err(Refused::BadRequest(reason.to_string()));
        }
        let stake = stake(asked, &mechanism, is_scoring)?;
        let (table_end, tree_depth) = (asked.table_end(mechanism.payment != Payment::Richman)?, asked.tree_depth()?);
        Ok(Question { asked: asked.clone(), source, mechanism, stake, within, table_end, tree_depth })
    }

    /// The position in its notation, if it is not the start.
    pub fn position(&self) -> Option<&str> {
        Some(self.asked.position.as_str()).filter(|position| !position.is_empty())
    }

    /// Whether the bank is paid, so that no total stays.
    pub fn is_bank(&self) -> bool {
        self.mechanism.payment != Payment::Richman
    }

    /// Whether the game is played for a score.
    pub fn is_scoring(&self) -> bool {
        matches!(self.stake, Stake::Score { .. })
    }
}

/// The game's rules as a name, where no file is asked for.
pub fn named(asked: &Asked) -> Source {
    let name = if asked.game.is_empty() { FIRST_GAME } else { &asked.game };
    Source::Named(name.to_string())
}

fn stake(asked: &Asked, mechanism: &Mechanism, is_scoring: bool) -> Result<Stake, Refused> {
    let (hands, total) = (asked.hands()?, asked.total()?);
    let Some([alice, bob]) = hands else {
        return match total {
            _ if is_scoring => {
                let total = total.map_or_else(|| Total::new(u64::from(SCORING_TOTAL)), Ok)?;
                Ok(Stake::Score { total, alice: None })
            }
            None => Ok(Stake::Money),
            Some(_) if mechanism.payment != Payment::Richman => Err(Refused::BadRequest(format!(
                "with payment {} chips leave the game, so a number of all chips says too little: write what both hold, such as {} and \
                 4, or leave it out for real money",
                mechanism.payment,
                if mechanism.has_star() { "4*" } else { "4" }
            ))),
            Some(total) => Ok(Stake::Total(total)),
        };
    };
    let hands = Hands { alice, bob, trace: false };
    let both = bounded(hands.total(mechanism)?)?;
    match total {
        Some(total) if total != both => Err(Refused::BadRequest(format!(
            "{alice} for Alice and {bob} for Bob make {both} chips, not {total}: leave out the number of chips, or correct a holding"
        ))),
        _ if is_scoring => Ok(Stake::Score { total: both, alice: Some(alice) }),
        _ => Ok(Stake::Hands(hands)),
    }
}

/// The game at the position that is asked for, to be walked.
pub fn walk(subject: &Subject, asked: &Asked) -> Result<Box<dyn Walk>, Refused> {
    let position = Some(asked.position.as_str()).filter(|position| !position.is_empty());
    Ok(subject.walk(position)?)
}
