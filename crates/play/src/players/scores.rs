//! Perfect play of scoring games, from their solution with chips.
//!
//! The player makes sure of the value of the position: by an equilibrium bid where there is one, else by its maximin bid. Among such bids
//! it takes the one that gets most on average when the other player bids whatever is allowed.

use std::sync::Arc;

use richman_core::{Node, Player, ScoreSolution, ScoreState, Scores, Unfolding};
use richman_solvers::scores;

use super::{Computer, Knowledge, PlayerError, Seat, Thinking, any};
use crate::{Action, Decision};

/// Plays from the solution of a scoring game.
pub struct PerfectScores {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
}

impl PerfectScores {
    /// A player who chooses between equal options as `seed` says. The game must have been solved.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64) -> PerfectScores {
        PerfectScores { knowledge, rng: fastrand::Rng::with_seed(seed) }
    }

    /// All that it might do now: options that it takes to be equal.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] without a solution of the game under these rules, [`PlayerError::NotNow`],
    /// [`richman_core::Error::BadPosition`].
    pub fn options(&self, seat: &Seat) -> Result<Vec<Action>, PlayerError> {
        let total = u64::from(seat.own().chips()) + u64::from(seat.other().chips());
        let fits = |solution: &ScoreSolution| {
            solution.mechanism == seat.rules().mechanism && u64::from(solution.total.chips()) == total
        };
        let known = self.knowledge.scores().filter(|(_, solution)| fits(solution));
        let Some((unfolding, solution)) = known else {
            return Err(PlayerError::Unfit {
                player: self.name(),
                game: seat.walk().game(),
                reason: "it was not solved under these rules for so many chips".to_string(),
            });
        };
        let node = unfolding.node(&seat.view().position)?;
        let sight = Sight { unfolding, solution, node, player: seat.player() };
        let [alice, _] = seat.view().hands;
        let state =
            ScoreState { alice: alice.chips(), star: if alice.has_star() { Player::Alice } else { Player::Bob } };
        match seat.decision() {
            Some(Decision::Bid) => Ok(sight.bids(state)),
            Some(Decision::Star { bid }) => {
                let after = |winner: Player, holder: Player| {
                    let alice = match winner {
                        Player::Alice => state.alice - bid,
                        Player::Bob => state.alice + bid,
                    };
                    sight.won(winner, ScoreState { alice, star: holder })
                };
                let other = seat.player().other();
                // Used, the star goes to the other player with the chips; kept, the other player wins the bid.
                let used = after(seat.player(), other);
                let kept = after(other, seat.player());
                Ok(sight.best([(Action::UseStar(true), used), (Action::UseStar(false), kept)]))
            }
            Some(Decision::Move { may_let }) => sight.moves(seat, state, may_let),
            None => Err(PlayerError::NotNow { player: seat.player() }),
        }
    }
}

impl Computer for PerfectScores {
    fn name(&self) -> String {
        "perfect".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        thinking.check()?;
        any(&self.options(seat)?, &mut self.rng, seat.player())
    }
}

struct Sight<'a> {
    unfolding: &'a dyn Unfolding<Scores>,
    solution: &'a ScoreSolution,
    node: Node,
    player: Player,
}

impl Sight<'_> {
    /// What the player makes sure of at a position, in Alice's score.
    fn value(&self, to: Node, state: ScoreState) -> i64 {
        let score = self.solution.score(to, state);
        if self.player == Player::Alice { score.low } else { score.high }
    }

    /// What follows when `mover` moves.
    fn moved(&self, mover: Player, state: ScoreState) -> i64 {
        let arena = self.unfolding.arena();
        let values = arena.labelled(self.node, mover).map(|(to, weight)| weight + self.value(to, state));
        let best = if mover == Player::Alice { values.max() } else { values.min() };
        best.unwrap_or(arena.stuck(self.node, mover))
    }

    /// What follows when `winner` has won the bid.
    fn won(&self, winner: Player, state: ScoreState) -> i64 {
        let own = self.moved(winner, state);
        if !self.solution.mechanism.right.may_let() {
            return own;
        }
        let let_move = self.moved(winner.other(), state);
        if winner == Player::Alice { own.max(let_move) } else { own.min(let_move) }
    }

    fn best(&self, options: impl IntoIterator<Item = (Action, i64)>) -> Vec<Action> {
        let options: Vec<(Action, i64)> = options.into_iter().collect();
        let values = options.iter().map(|&(_, value)| value);
        let best = if self.player == Player::Alice { values.max() } else { values.min() };
        options.into_iter().filter(|&(_, value)| Some(value) == best).map(|(action, _)| action).collect()
    }

    fn bids(&self, state: ScoreState) -> Vec<Action> {
        let matrix = scores::matrix(self.unfolding.arena(), self.solution, self.node, state);
        let sum = |bid: Option<u32>| -> i64 {
            let at = |bids: &[Option<u32>]| bids.iter().position(|&known| known == bid);
            match self.player {
                Player::Alice => at(&matrix.alice).map_or(0, |at| matrix.rows.iter().map(|row| row[at].low).sum()),
                Player::Bob => at(&matrix.bob).map_or(0, |at| matrix.rows[at].iter().map(|score| score.high).sum()),
            }
        };
        let best = if self.player == Player::Alice { matrix.alice_best() } else { matrix.bob_best() };
        self.best(best.into_iter().filter_map(|bid| Some((Action::Bid(bid?), sum(bid)))))
    }

    fn moves(&self, seat: &Seat, state: ScoreState, may_let: bool) -> Result<Vec<Action>, PlayerError> {
        let mut options: Vec<(Action, i64)> = Vec::new();
        let score = seat.walk().score().unwrap_or(0);
        for name in &seat.view().moves {
            let mut next = seat.walk().boxed();
            next.play(self.player, name)?;
            let weight = next.score().unwrap_or(0).saturating_sub(score);
            let to = self.unfolding.node(&next.notation())?;
            options.push((Action::Move(name.clone()), weight.saturating_add(self.value(to, state))));
        }
        if seat.walk().stuck(self.player).is_some() {
            options.push((Action::Stay, self.unfolding.arena().stuck(self.node, self.player)));
        }
        if may_let {
            options.push((Action::Let, self.moved(self.player.other(), state)));
        }
        Ok(self.best(options))
    }
}
