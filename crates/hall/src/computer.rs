//! The computer players of a match. A program sees the match from its own seat, without the other
//! player's sealed bid. It keeps no state between actions: its random numbers come from the match's
//! seed and the number of the action, so a restart changes nothing.

use std::sync::Arc;

use richman_analysis::Games;
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Player, Total, Watch};
use richman_play::players::{Base, Knowledge, Seat, Strength};
use richman_play::{Action, Match};
use richman_render::hint::Hints;
use sha2::{Digest, Sha256};

use crate::refused::Refusal;
use crate::setup::MatchSetup;
use crate::state::MatchState;

/// The programs of a match.
///
/// # Errors
/// [`Refusal::BadRequest`] if a level is invalid.
pub fn programs(setup: &MatchSetup) -> Result<impl Iterator<Item = Strength>, Refusal> {
    let [alice, bob] = Player::BOTH.map(|player| setup.strength(player));
    Ok([alice?, bob?].into_iter().flatten())
}

/// The program that the match waits for.
pub fn waited(setup: &MatchSetup, now: &MatchState) -> Option<(Player, Strength)> {
    Player::BOTH.into_iter().find_map(|player| {
        now.game.decision(player)?;
        Some((player, setup.strength(player).ok()??))
    })
}

/// The seed of a program's random numbers for its action number `step`.
pub fn seed(setup: &MatchSetup, player: Player, step: u32) -> u64 {
    // Spreads the steps, so that consecutive seeds give unrelated numbers.
    let number = 2 * u64::from(step) + player as u64;
    setup.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The action of a program.
///
/// # Errors
/// [`Refusal`] if its level cannot play the match.
pub fn act(
    strength: Strength,
    known: &Arc<Knowledge>,
    seed: u64,
    game: &Match,
    player: Player,
    effort: &Effort,
) -> Result<Action, Refusal> {
    let mut program = strength.computer(known, seed)?;
    Ok(program.act(&Seat::new(game, player), effort)?)
}

/// The game that a piece of knowledge covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KnowledgeKey {
    game: String,
    /// The hash of the game file.
    file: Option<[u8; 32]>,
    position: Option<String>,
    mechanism: Mechanism,
    total: Total,
    base: Base,
    /// Whether there was less time than usual to find it.
    is_hurried: bool,
}

impl KnowledgeKey {
    /// For a match of that setup.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if there are too many chips.
    pub fn of(setup: &MatchSetup, game: &Match, base: Base, is_hurried: bool) -> Result<KnowledgeKey, Refusal> {
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

    /// The knowledge for a program of that strength.
    ///
    /// # Errors
    /// [`Refusal`] if its level cannot play the game, or it takes too much.
    pub fn knowledge(
        &self,
        setup: &MatchSetup,
        games: &Games,
        strength: Strength,
        watch: &dyn Watch,
        effort: &Effort,
    ) -> Result<Arc<Knowledge>, Refusal> {
        let (subject, position) = (setup.subject(games, watch)?, setup.position.as_deref());
        Ok(Knowledge::of(&subject, position, &self.mechanism, self.total, &[strength], effort)?)
    }
}

/// What hints depend on: the game and the initial holdings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HintKey {
    key: KnowledgeKey,
    start: ByPlayer<Holding>,
}

impl HintKey {
    /// For a match of that setup.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if there are too many chips.
    pub fn of(setup: &MatchSetup, game: &Match) -> Result<HintKey, Refusal> {
        Ok(HintKey { key: KnowledgeKey::of(setup, game, Base::Perfect, false)?, start: game.rules().start })
    }
}

/// Solves the game of a match for hints.
///
/// # Errors
/// [`Refusal`] if it takes too much.
pub fn hints(
    setup: &MatchSetup,
    games: &Games,
    game: &Match,
    watch: &dyn Watch,
    effort: &Effort,
) -> Result<Hints, Refusal> {
    let subject = setup.subject(games, watch)?;
    Ok(Hints::solve(&subject, setup.position.as_deref(), game.rules(), effort)?)
}
