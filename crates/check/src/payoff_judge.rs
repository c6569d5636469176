//! The judge of mean payoff and energy with chips: it writes the game out position by position and
//! holding by holding, as a game in which one player moves at a time, and solves that by its least
//! credits (Brim, Chaloupka, Doyen, Gentilini and Raskin 2011). It knows nothing about thresholds.
//!
//! One of the players names their bid first. With sealed bids no player can do better than when
//! naming second, nor worse than when naming first; so where both orders agree, sealed play has
//! that average too. An average counts whole turns, so only the last move of a turn takes time.

use dashu_ratio::RBig;
use richman_core::{MeanPayoff, MeanPayoffArena, Mechanism, Player};

use crate::energy::EnergyGame;
use crate::oracle::OracleState;
use crate::written::WrittenOutGame;

/// A mean-payoff game with chips, written out.
pub struct PayoffJudge {
    written: WrittenOutGame<MeanPayoff>,
}

richman_core::debug_by_name!(PayoffJudge {});

impl PayoffJudge {
    /// Writes the game out for all holdings of `total` chips, where `first` names the bid that the
    /// other player answers.
    ///
    /// # Panics
    /// If the winner of a bid does not pay the other player.
    pub fn new(arena: &MeanPayoffArena, mechanism: &Mechanism, total: u32, first: Player) -> PayoffJudge {
        PayoffJudge { written: WrittenOutGame::new(arena, mechanism, total, first) }
    }

    /// The number of a state in the answers; with ties `alice` and `bob` the star is that player's.
    ///
    /// # Panics
    /// If the state is not one of the game.
    pub fn number(&self, state: OracleState) -> usize {
        self.written.number(state)
    }

    /// The least credit of `player`, who wants a long-run average of `average`; weights are each
    /// turn's weight less that average, times its denominator; `None` where no credit suffices. Bob
    /// wants the averages small, and his weights are negated.
    ///
    /// # Panics
    /// If a part of the average has more than 64 bits.
    pub fn credits(&self, player: Player, average: &RBig) -> Vec<Option<i128>> {
        let [numerator, denominator] = [average.numerator().clone(), average.denominator().clone().into()]
            .map(|part| i128::from(i64::try_from(part).expect("averages of small games are small")));
        let mut game = EnergyGame::default();
        for &owner in &self.written.owners {
            game.add(owner == player);
        }
        let sign = player.either(1, -1);
        let gain =
            |weight: Option<i64>| weight.map_or(0, |weight| sign * (i128::from(weight) * denominator - numerator));
        for (at, moves) in self.written.moves.iter().enumerate() {
            game.set_moves(at, moves.iter().map(|&(to, weight)| (to, gain(weight))).collect());
        }
        game.least_credits()
    }
}
