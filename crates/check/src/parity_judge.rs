//! The judge of parity with chips: it writes the game out position by position and holding by
//! holding, as a game in which one player moves at a time, and knows nothing about thresholds.
//!
//! One of the players names their bid first. With sealed bids no player can do better than when
//! naming second, nor worse than when naming first; so where both orders agree, sealed play has
//! that result too.

use richman_core::{Mechanism, NodeData, Parity, ParityArena, Player};

use crate::oracle::OracleState;
use crate::written::{Point, WrittenOutGame};
use crate::zielonka::TurnGame;

/// A parity game with chips, written out and solved.
pub struct ParityJudge {
    won: Vec<bool>,
    written: WrittenOutGame<Parity>,
}

richman_core::debug_by_name!(ParityJudge {});

impl ParityJudge {
    /// Writes the game out for all holdings of `total` chips, where `first` names the bid that the
    /// other player answers, and solves it.
    ///
    /// # Panics
    /// If the winner of a bid does not pay the other player.
    pub fn new(arena: &ParityArena, mechanism: &Mechanism, total: u32, first: Player) -> ParityJudge {
        let written = WrittenOutGame::new(arena, mechanism, total, first);
        let mut game = TurnGame::default();
        for (point, &owner) in written.points.iter().zip(&written.owners) {
            let priority = match point {
                Point::Turn(here) => match arena.data(here.node) {
                    NodeData::On(label) => label.priority.0,
                    NodeData::End(Player::Alice) => 0,
                    NodeData::End(Player::Bob) => 1,
                },
                _ => 0, // the least priority, so it decides nothing
            };
            game.add(owner, priority);
        }
        for (at, moves) in written.moves.iter().enumerate() {
            game.set_moves(at, moves.iter().map(|(to, _)| *to).collect());
        }
        ParityJudge { won: game.won_by_alice(), written }
    }

    /// Whether Alice wins; with ties `alice` and `bob` the star is that player's.
    pub fn is_won_by_alice(&self, state: OracleState) -> bool {
        self.won[self.written.number(state)]
    }
}
