//! What it takes to be a scoring game, and unfolding one into its arena.

use std::fmt::Debug;
use std::hash::Hash;

use crate::numbering::Numbering;
use crate::{Effort, Error, Node, Player, Scene, ScoringArena, ScoringArenaBuilder};

/// The rules of a scoring game [LPR20, 2]. All numbers are added to Alice's score; Bob's moves usually carry negative ones.
pub trait ScoringGame: Send + Sync {
    /// A position, cheap to copy and compare.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;

    /// The name with its parameters, as it is written on the command line.
    fn name(&self) -> String;

    /// Where the game starts.
    fn start(&self) -> Self::Position;

    /// What the game ends with at `position`, or `None` where there is a bid.
    fn score(&self, position: &Self::Position) -> Option<i64>;

    /// Appends to `into` where `player` can move and what each move adds, in a fixed order. Where this is nothing the game ends as
    /// soon as `player` is to move.
    fn moves(&self, position: &Self::Position, player: Player, into: &mut Vec<(Self::Position, i64)>);

    /// What is added when `player` is to move at `position` and cannot.
    fn stuck(&self, position: &Self::Position, player: Player) -> i64 {
        let _ = (position, player);
        0
    }

    /// The position in the game's own notation.
    fn notation(&self, position: &Self::Position) -> String;

    /// The position that a notation stands for.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position of the game.
    fn parse(&self, notation: &str) -> Result<Self::Position, Error>;

    /// Bytes that the rules hold: the positions of a graph, nothing for rules that are code.
    fn bytes(&self) -> u64 {
        0
    }

    /// The position as a drawing with places to point at; `None` where faces should list the moves instead.
    fn scene(&self, position: &Self::Position) -> Option<Scene> {
        let _ = position;
        None
    }

    /// The places of the scene that a player points at, in this order, to move from one position to the next; empty where the move can only be
    /// chosen by its name.
    fn pointing(&self, from: &Self::Position, to: &Self::Position, player: Player) -> Vec<String> {
        let _ = (from, to, player);
        Vec::new()
    }
}

/// An unfolded scoring game of any kind: its arena, and the names of things in it.
pub trait ScoringUnfolding: Send + Sync {
    /// The name of the game with its parameters.
    fn game(&self) -> String;
    /// The arena.
    fn arena(&self) -> &ScoringArena;
    /// Bytes held, the arena included.
    fn bytes(&self) -> u64;
    /// A position in the game's notation.
    fn notation(&self, node: Node) -> String;
    /// The node of a position in the game's notation.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if it is not a position, or cannot be reached from the start of the unfolding.
    fn node(&self, notation: &str) -> Result<Node, Error>;
}

/// A scoring game together with its arena.
pub struct UnfoldedScoring<G: ScoringGame> {
    game: G,
    arena: ScoringArena,
    nodes: Numbering<G::Position>,
}

/// Unfolds `game` from `start`, position by position in the order of discovery.
///
/// Time and space grow with the number of positions and moves; its watch hears of progress under "unfolding".
///
/// # Errors
/// [`Error::TooManyPositions`] or [`Error::TooMuchMemory`] above the effort, [`Error::Cycle`] and [`Error::WeightTooLarge`]
/// with positions in the game's notation, [`Error::Cancelled`].
pub fn unfold_scoring<G: ScoringGame>(
    game: G,
    start: G::Position,
    effort: &Effort,
) -> Result<UnfoldedScoring<G>, Error> {
    let mut nodes = Numbering::new(start.clone(), start, None, effort)?;
    let mut builder = ScoringArenaBuilder::new();
    let mut found: Vec<(G::Position, i64)> = Vec::new();
    while let Some(position) = nodes.positions().get(builder.len()).cloned() {
        match game.score(&position) {
            Some(score) => builder.terminal(score),
            None => {
                let mut moves: [Vec<(Node, i64)>; 2] = [Vec::new(), Vec::new()];
                for player in Player::BOTH {
                    game.moves(&position, player, &mut found);
                    for (next, weight) in found.drain(..) {
                        let node = nodes.number(nodes.key(None, &next), next, || builder.bytes())?;
                        moves[player as usize].push((node, weight));
                    }
                }
                builder.labelled(&moves[0], &moves[1], Player::BOTH.map(|player| game.stuck(&position, player)))
            }
        };
        nodes.pause(builder.len(), builder.bytes(), effort.watch)?;
    }
    nodes.check(builder.bytes())?;
    nodes.shrink();
    let notation = |number: &str| match number.parse::<usize>() {
        Ok(node) => game.notation(&nodes.positions()[node]),
        Err(_) => number.to_string(),
    };
    match builder.build(0) {
        Ok(arena) => Ok(UnfoldedScoring { game, arena, nodes }),
        Err(Error::Cycle { positions }) => {
            Err(Error::Cycle { positions: positions.iter().map(|number| notation(number)).collect() })
        }
        Err(Error::WeightTooLarge { position, number }) => {
            Err(Error::WeightTooLarge { position: notation(&position), number })
        }
        Err(error) => Err(error),
    }
}

impl<G: ScoringGame> ScoringUnfolding for UnfoldedScoring<G> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn arena(&self) -> &ScoringArena {
        &self.arena
    }

    fn bytes(&self) -> u64 {
        self.game.bytes() + self.arena.bytes() + self.nodes.bytes()
    }

    fn notation(&self, node: Node) -> String {
        self.game.notation(&self.nodes.positions()[node as usize])
    }

    fn node(&self, notation: &str) -> Result<Node, Error> {
        let position = self.game.parse(notation)?;
        self.nodes
            .get(self.nodes.key(None, &position), &position)
            .ok_or_else(|| Error::not_reached(notation, self.game.name()))
    }
}
