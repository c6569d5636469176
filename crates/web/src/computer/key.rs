//! Keys for the knowledge of computer players.

use richman_core::{Holding, Mechanism, Total};
use richman_play::Match;
use richman_play::players::Base;
use sha2::{Digest, Sha256};

use crate::refused::Refusal;
use crate::setup::MatchSetup;

/// The game that a piece of knowledge covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct KnowledgeKey {
    game: String,
    /// The hash of the game file.
    file: Option<[u8; 32]>,
    position: Option<String>,
    pub(super) mechanism: Mechanism,
    pub(super) total: Total,
    base: Base,
    /// Whether there was less time than usual to find it.
    is_hurried: bool,
}

impl KnowledgeKey {
    pub(super) fn of(setup: &MatchSetup, game: &Match, base: Base, is_hurried: bool) -> Result<KnowledgeKey, Refusal> {
        let chips = game.rules().start.map(Holding::chips).into_iter().sum();
        Ok(KnowledgeKey {
            game: setup.game.clone(),
            file: setup.file.as_ref().map(|text| Sha256::digest(text.as_bytes()).into()),
            position: setup.position.clone(),
            mechanism: setup.mechanism.0.clone(),
            total: Total::new(chips)?,
            base,
            is_hurried,
        })
    }
}
