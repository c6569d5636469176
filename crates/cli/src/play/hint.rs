//! Hints: the advice of the solution for a bid, and for any other decision the choices from which most can be forced.

use std::cmp::Reverse;

use richman_analysis::advice::advise;
use richman_analysis::chips::{self, Solved};
use richman_analysis::scores::{self, Choices};
use richman_analysis::{ScoreRequest, Subject};
use richman_core::{Holding, Limits, Mechanism, Payment, Player, Purses, Total, Unfolding};
use richman_play::{Action, Decision, Match};
use richman_solvers::{Options, purses, registry};

use super::words;
use crate::error::CliError;
use crate::watch::Terminal;

/// Games with more positions are not solved for a hint.
const MOST_POSITIONS: u64 = 4_000_000;

/// The game that hints are about, solved when the first is asked for.
pub struct Hints<'a> {
    subject: &'a Subject,
    position: Option<&'a str>,
    memory: u64,
    solved: Option<(Box<dyn Unfolding>, Solved)>,
}

/// What a player can make sure of, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// The other player forces a win, in so many moves at the least.
    Lost(u32),
    /// The other player can neither force a win nor be kept from one for sure.
    Unsure,
    /// At least a draw.
    Held,
    /// A win in so many moves.
    Won(Reverse<u32>),
    /// A score, from this player's side.
    Score(i64),
}

impl<'a> Hints<'a> {
    /// Hints about matches of `subject` from `position`.
    pub fn new(subject: &'a Subject, position: Option<&'a str>, memory: u64) -> Hints<'a> {
        Hints { subject, position, memory, solved: None }
    }

    /// What is best for `player`, who has `decision` to make.
    ///
    /// # Errors
    /// A game that is too large, or whose mechanism is not solved; being stopped.
    pub fn hint(&mut self, game: &Match, player: Player, decision: Decision) -> Result<String, CliError> {
        let watch = Terminal::new();
        let hint = self.watched(game, player, decision, &watch);
        watch.finish();
        hint
    }

    fn watched(
        &mut self,
        game: &Match,
        player: Player,
        decision: Decision,
        watch: &Terminal,
    ) -> Result<String, CliError> {
        if decision == Decision::Bid {
            return match self.subject.is_scoring() {
                true => self.score_bids(game, player, watch),
                false => self.bids(game, player, watch),
            };
        }
        let mut options = Vec::new();
        for action in choices(game, player) {
            let mut after = game.clone();
            if after.act(player, &action).is_ok() {
                options.push((action, self.worth(&after, player, watch)?));
            }
        }
        let best = options.iter().map(|(_, worth)| *worth).max();
        let actions: Vec<Action> =
            options.into_iter().filter(|(_, worth)| Some(*worth) == best).map(|(action, _)| action).collect();
        Ok(words::hint(player, &actions, best.unwrap_or(Worth::Unsure)))
    }

    fn bids(&mut self, game: &Match, player: Player, watch: &Terminal) -> Result<String, CliError> {
        let within = left(game);
        let worth = self.worth(game, player, watch)?;
        let (unfolding, solved) = self.solved(game, watch)?;
        let node = unfolding.node(&game.walk().notation())?;
        let [own, other] = hands(game, player);
        let advice = advise(unfolding, solved.forces(), node, player, own, other, within);
        Ok(words::hint_bids(player, advice.as_ref(), worth))
    }

    fn score_bids(&mut self, game: &Match, player: Player, watch: &Terminal) -> Result<String, CliError> {
        let (value, bids) = self.score(game, watch)?;
        let bids = if player == Player::Alice { bids.alice } else { bids.bob };
        Ok(words::hint_score(player, value[player as usize], &bids))
    }

    /// What `player` can make sure of, whoever has to decide something before the turn ends.
    fn worth(&mut self, game: &Match, player: Player, watch: &Terminal) -> Result<Worth, CliError> {
        let scoring = self.subject.is_scoring();
        if let Some(closed) = game.closed() {
            return Ok(match (closed, closed.winner()) {
                (richman_play::Closed::Game(richman_core::End::Score(score)), _) => {
                    Worth::Score(for_player(score, player))
                }
                (_, Some(winner)) if winner == player => Worth::Won(Reverse(0)),
                (_, Some(_)) => Worth::Lost(0),
                (_, None) => Worth::Held,
            });
        }
        let decider = Player::BOTH
            .into_iter()
            .find(|who| matches!(game.decision(*who), Some(Decision::Star { .. } | Decision::Move { .. })));
        let Some(decider) = decider else {
            return if scoring {
                let (value, _) = self.score(game, watch)?;
                Ok(Worth::Score(for_player(value[player as usize], player)))
            } else {
                self.forced(game, player, watch)
            };
        };
        let mut found: Option<Worth> = None;
        for action in choices(game, decider) {
            let mut after = game.clone();
            if after.act(decider, &action).is_err() {
                continue;
            }
            let worth = self.worth(&after, player, watch)?;
            found = Some(match found {
                None => worth,
                Some(best) if decider == player => best.max(worth),
                Some(worst) => worst.min(worth),
            });
        }
        Ok(found.unwrap_or(Worth::Unsure))
    }

    /// What `player` can force before a bid.
    fn forced(&mut self, game: &Match, player: Player, watch: &Terminal) -> Result<Worth, CliError> {
        let moves = left(game).unwrap_or(u32::MAX);
        let (unfolding, solved) = self.solved(game, watch)?;
        let node = unfolding.node(&game.walk().notation())?;
        let forces = solved.forces();
        let [own, other] = hands(game, player);
        let wins = |who, own, other| forces.wins_in(who, node, own, other).filter(|rank| *rank <= moves);
        Ok(match (wins(player, own, other), wins(player.other(), other, own)) {
            (Some(rank), _) => Worth::Won(Reverse(rank)),
            (None, Some(rank)) => Worth::Lost(rank),
            (None, None) if forces.holds_for(moves, player, node, own, other) => Worth::Held,
            (None, None) => Worth::Unsure,
        })
    }

    fn solved(&mut self, game: &Match, watch: &Terminal) -> Result<(&dyn Unfolding, &Solved), CliError> {
        if self.solved.is_none() {
            let limits = Limits { positions: MOST_POSITIONS, memory: self.memory };
            let unfolding = self.subject.unfold(self.position, &limits, watch)?;
            let options = Options { memory: self.memory, held: unfolding.bytes(), watch, ..Options::default() };
            let [alice, bob] = game.rules().start.map(Holding::chips);
            let mechanism = &game.rules().mechanism;
            let solved = match mechanism.payment {
                Payment::Richman => chips::solve(unfolding.arena(), mechanism, total(alice, bob)?, &options)?,
                Payment::Poorman => {
                    Solved::Purses(purses::solve(unfolding.arena(), mechanism, Purses::UpTo { alice, bob }, &options)?)
                }
                Payment::Taxman { .. } => Solved::Purses(purses::solve(
                    unfolding.arena(),
                    mechanism,
                    Purses::Together(total(alice, bob)?.chips()),
                    &options,
                )?),
            };
            self.solved = Some((unfolding, solved));
        }
        match &self.solved {
            Some((unfolding, solved)) => Ok((unfolding.as_ref(), solved)),
            None => Err(CliError::Usage("no solution".to_string())), // it was put there above
        }
    }

    /// What Alice can make sure of, what Bob can hold her to, counted from the start of the match; and the best bids.
    fn score(&self, game: &Match, watch: &Terminal) -> Result<([i64; 2], scores::BestBids), CliError> {
        let mechanism: &Mechanism = &game.rules().mechanism;
        let [alice, bob] = game.hands();
        let total = total(alice.chips(), bob.chips())?;
        registry::scores(mechanism, total)?;
        let limits = Limits { positions: MOST_POSITIONS, memory: self.memory };
        let unfolding = self.subject.unfold_scoring(Some(&game.walk().notation()), &limits, watch)?;
        let options = Options { memory: self.memory, held: unfolding.bytes(), watch, ..Options::default() };
        let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism, options };
        let solution = request.solve(total)?;
        let report =
            scores::report(&request, &solution, &Choices { alice: Some(alice), bids_table: false, all: false })?;
        let so_far = game.walk().score().unwrap_or(0);
        match report.holding {
            Some(holding) => Ok((holding.value.map(|value| value.0.saturating_add(so_far)), holding.bids)),
            None => Err(CliError::Usage("no value".to_string())), // the holding was given
        }
    }
}

fn for_player(score: i64, player: Player) -> i64 {
    if player == Player::Alice { score } else { -score }
}

fn total(alice: u32, bob: u32) -> Result<Total, richman_core::Error> {
    Total::new(u64::from(alice) + u64::from(bob))
}

/// What the player holds, and what the other one does.
fn hands(game: &Match, player: Player) -> [Holding; 2] {
    let hands = game.hands();
    [hands[player as usize], hands[player.other() as usize]]
}

/// Turns left under a limit.
fn left(game: &Match) -> Option<u32> {
    game.rules().limit.map(|limit| limit.saturating_sub(u32::try_from(game.turns().len()).unwrap_or(u32::MAX)))
}

/// What a player may do about the star, or a move.
fn choices(game: &Match, player: Player) -> Vec<Action> {
    match game.decision(player) {
        Some(Decision::Star { .. }) => vec![Action::UseStar(true), Action::UseStar(false)],
        Some(Decision::Move { may_let }) => {
            let moves = game.walk().moves(player);
            let stay = moves.is_empty().then_some(Action::Stay);
            let others = may_let.then_some(Action::Let);
            moves.into_iter().map(Action::Move).chain(stay).chain(others).collect()
        }
        Some(Decision::Bid) | None => Vec::new(),
    }
}
