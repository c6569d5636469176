//! Who wins parity games without bids from every position, for other programs.

use std::io::{self, Write};

use richman_core::{Effort, Game, ParityGraph, Watch};
use richman_formats::{AnyGraph, FormatError, GameForm, write_winners};
use richman_solvers::parity::{self, ParityWins};

use crate::Error;

/// Who wins from every position of a parity game in which nobody bids, also from those that cannot
/// follow the start, and how.
pub struct ParityWinners {
    graph: ParityGraph,
    wins: ParityWins,
}

richman_core::debug_by_name!(ParityWinners {});

impl ParityWinners {
    /// Solves a game, called `source` in messages.
    ///
    /// # Errors
    /// [`Error::Format`] if the players bid for a move or the game has no priorities;
    /// `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn new(graph: AnyGraph, source: &str, effort: &Effort) -> Result<ParityWinners, Error> {
        graph.check_form(GameForm::Gm, source)?;
        let AnyGraph::Parity(graph) = graph else {
            return Err(FormatError::OtherAim { file: source.to_string(), aim: graph.aim() }.into());
        };
        let named = |error: richman_core::Error| Error::Core(error.with_names(|node| graph.name_of(node).into_owned()));
        // The arena takes about as much as the graph.
        effort.check_memory("solving the parity game", 2 * graph.bytes())?;
        let arena = graph.arena().map_err(named)?;
        let effort = Effort { held: effort.held.saturating_add(graph.bytes() + arena.bytes()), ..*effort };
        let wins = parity::without_bids(&arena, &effort).map_err(named)?;
        Ok(ParityWinners { graph, wins })
    }

    /// Writes them as PGSolver and Oink write solutions.
    ///
    /// # Errors
    /// Fails as [`write_winners`] does.
    pub fn write(&self, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        write_winners(&self.graph, |node| (self.wins.winner(node), self.wins.winning_move(node)), out, watch)
    }
}

#[cfg(test)]
mod tests {
    use richman_check::zielonka::TurnGame;
    use richman_core::{ByPlayer, GraphPosition, Node, NodeData, Parity, ParityLabel, Player, PositionKind, Priority};
    use richman_formats::WrittenGame;

    use super::*;

    const GAMES: usize = 1_000;

    /// A game of up to nine positions, of which some have ended.
    fn drawn(random: &mut fastrand::Rng) -> ParityGraph {
        let count = random.usize(1..10);
        let position = |at: usize| {
            let owner = Player::BOTH[random.usize(..2)];
            let to = |random: &mut fastrand::Rng| (random.usize(..count).to_string(), ()).into();
            let (data, moves) = if random.usize(..8) == 0 {
                (NodeData::End(owner), Vec::new())
            } else {
                let kind = PositionKind::Owned(owner);
                let priority = Priority(random.u32(..7));
                (NodeData::On(ParityLabel { priority, kind }), (0..random.usize(1..4)).map(|_| to(random)).collect())
            };
            let mut of = ByPlayer::both(Vec::new());
            of[owner] = moves;
            GraphPosition { name: at.to_string(), data, moves: of }
        };
        let positions = (0..count).map(position).collect();
        WrittenGame::<Parity> { name: "drawn".into(), description: None, start: "0".into(), positions }.graph().unwrap()
    }

    /// The winners by the textbook, if the owner moves where `kept` says.
    fn by_definition(graph: &ParityGraph, kept: impl Fn(Node) -> Option<Node>) -> Vec<Player> {
        let mut game = TurnGame::default();
        for node in 0..graph.len() {
            match graph.data(node) {
                NodeData::End(winner) => game.add(winner, winner.either(0, 1)),
                NodeData::On(label) => game.add(label.kind.owner().unwrap(), label.priority.0),
            };
        }
        for node in 0..graph.len() {
            let all =
                || Player::BOTH.into_iter().flat_map(|player| graph.numbered_moves(node, player)).map(|step| step.to);
            let to = match kept(node) {
                Some(to) => vec![to],
                None if graph.data(node).end().is_some() => vec![node],
                None => all().collect(),
            };
            game.set_moves(node as usize, to.into_iter().map(|to| to as usize).collect());
        }
        game.won_by_alice().into_iter().map(|wins| if wins { Player::Alice } else { Player::Bob }).collect()
    }

    /// The winners are those of the textbook, and still win if they make only the moves written.
    #[test]
    fn winners_and_moves_agree_with_the_textbook() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..GAMES {
            let graph = drawn(&mut random);
            let solved = ParityWinners::new(AnyGraph::Parity(graph.clone()), "drawn", &Effort::default()).unwrap();
            let winners: Vec<Player> = (0..graph.len()).map(|node| solved.wins.winner(node)).collect();
            assert_eq!(by_definition(&graph, |_| None), winners);
            assert_eq!(by_definition(&graph, |node| solved.wins.winning_move(node)), winners);
            for node in 0..graph.len() {
                let (winner, to) = (solved.wins.winner(node), solved.wins.winning_move(node));
                let is_their_move =
                    matches!(graph.data(node), NodeData::On(label) if label.kind.owner() == Some(winner));
                assert_eq!(to.is_some(), is_their_move, "a winner who moves has a move");
                assert!(to.is_none_or(|to| graph.numbered_moves(node, winner).any(|step| step.to == to)));
            }
        }
    }
}
