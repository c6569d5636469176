//! Unfolding: from the rules of a game to its arena.

use std::hash::Hash;

use crate::numbering::Numbering;
use crate::{Arena, ArenaBuilder, Effort, Error, Game, Node, Player, Terminal};

/// A move with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What the game calls it.
    pub name: String,
    /// Where it leads. Symmetric positions are one node, so several moves may lead to one node.
    pub to: Node,
}

/// A move from a position in the shape it is seen in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub step: Move,
    /// The position it leads to, in the game's notation, as it is seen then: not exchanged for a symmetric one.
    pub notation: String,
}

/// An unfolded game of any kind: its arena, and the names of things in it.
pub trait Unfolding: Send + Sync {
    /// The name of the game with its parameters.
    fn game(&self) -> String;
    /// The arena, with symmetric positions folded into one.
    fn arena(&self) -> &Arena;
    /// Bytes held, the arena included.
    fn bytes(&self) -> u64;
    /// A position in the game's notation; of the symmetric positions folded into `node`, the one first met.
    fn notation(&self, node: Node) -> String;
    /// A position drawn for people.
    fn picture(&self, node: Node) -> String;
    /// All moves of `player` at `node`, symmetric ones too.
    fn moves(&self, node: Node, player: Player) -> Vec<Move>;
    /// All moves of `player` at a position in the game's notation, in the shape it is written in.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if it is not a position.
    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step>, Error>;
    /// The node of a position in the game's notation.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if it is not a position, or cannot be reached from the start of the unfolding.
    fn node(&self, notation: &str) -> Result<Node, Error>;
}

/// A game together with its arena.
pub struct Unfolded<G: Game> {
    game: G,
    arena: Arena,
    nodes: Numbering<G::Position>,
}

/// Unfolds `game` from `start`, position by position in the order of discovery, symmetric positions folded.
///
/// Time and space grow with the number of positions and moves; its watch hears of progress under "unfolding".
///
/// # Errors
/// [`Error::TooManyPositions`] or [`Error::TooMuchMemory`] above the effort, [`Error::DeadEnd`] where the game goes on
/// but a player has no move, [`Error::Cancelled`].
pub fn unfold<G: Game>(game: G, start: G::Position, effort: &Effort) -> Result<Unfolded<G>, Error> {
    // The start keeps the shape it was given in, so that its moves carry the names a reader expects.
    let first = game.canonical(start.clone());
    let mut nodes = Numbering::new(start, first, game.perfect_index(), effort)?;
    let mut builder = ArenaBuilder::new();
    let mut batch = Batch::default();
    let mut targets: [Vec<Node>; 2] = [Vec::new(), Vec::new()];
    while builder.len() < nodes.positions().len() {
        batch.fill(&game, &nodes, builder.len());
        let mut found = batch.found.drain(..).zip(batch.keys.drain(..)).zip(batch.known.drain(..));
        for moves in batch.moves.drain(..) {
            match moves {
                Moves::None(end) => {
                    builder.terminal(end);
                }
                Moves::Of(counts) => {
                    for (player, count) in Player::BOTH.into_iter().zip(counts) {
                        if count == 0 {
                            let position = game.notation(&nodes.positions()[builder.len()]);
                            return Err(Error::DeadEnd { position, player });
                        }
                        let targets = &mut targets[player as usize];
                        targets.clear();
                        for ((next, key), known) in found.by_ref().take(count) {
                            targets.push(match known {
                                Some(number) => number,
                                None => nodes.number(key, next, || builder.bytes())?,
                            });
                        }
                        targets.sort_unstable();
                        targets.dedup();
                    }
                    builder.position(&targets[0], &targets[1]);
                }
            }
            nodes.pause(builder.len(), builder.bytes(), effort.watch)?;
        }
    }
    nodes.check(builder.bytes())?;
    nodes.shrink();
    let arena = builder.build(0)?;
    Ok(Unfolded { game, arena, nodes })
}

/// Positions whose moves are looked up together: numbers are far apart in memory, and are waited for at the same time.
struct Batch<P> {
    /// Of each position, in order.
    moves: Vec<Moves>,
    /// The positions that the moves lead to, one after another.
    found: Vec<P>,
    keys: Vec<u64>,
    /// The number of each position of `found` that has one already.
    known: Vec<Option<Node>>,
}

/// What can be done at a position.
enum Moves {
    /// Nothing, because the game has ended.
    None(Terminal),
    /// So many moves of Alice, then so many of Bob.
    Of([usize; 2]),
}

impl<P> Default for Batch<P> {
    fn default() -> Self {
        Batch { moves: Vec::new(), found: Vec::new(), keys: Vec::new(), known: Vec::new() }
    }
}

impl<P: Eq + Hash> Batch<P> {
    const POSITIONS: usize = 64;

    /// The positions numbered from `first` on, as many as there are and fit.
    fn fill<G: Game<Position = P>>(&mut self, game: &G, nodes: &Numbering<P>, first: usize) {
        for position in nodes.positions()[first..].iter().take(Batch::<P>::POSITIONS) {
            self.moves.push(match game.terminal(position) {
                Some(end) => Moves::None(end),
                None => Moves::Of(Player::BOTH.map(|player| {
                    let before = self.found.len();
                    game.successors(position, player, &mut self.found);
                    self.found.len() - before
                })),
            });
        }
        nodes.keys(game.perfect_index(), &self.found, &mut self.keys);
        nodes.get_all(&self.keys, &self.found, &mut self.known);
    }
}

impl<G: Game> Unfolded<G> {
    /// The number of a canonical position that was found.
    fn number(&self, position: &G::Position) -> Option<Node> {
        self.nodes.get(self.nodes.key(self.game.perfect_index(), position), position)
    }

    /// The moves from a position, and where they lead before folding.
    fn found(&self, from: &G::Position, player: Player) -> Vec<(Move, G::Position)> {
        let mut found = Vec::new();
        if self.game.terminal(from).is_none() {
            self.game.moves(from, player, &mut found);
        }
        let number = |to: &G::Position| self.number(&self.game.canonical(to.clone()));
        found
            .into_iter()
            .filter_map(|to| Some((Move { name: self.game.move_name(from, &to, player), to: number(&to)? }, to)))
            .collect()
    }
}

impl<G: Game> Unfolding for Unfolded<G> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn bytes(&self) -> u64 {
        self.game.bytes() + self.arena.bytes() + self.nodes.bytes()
    }

    fn notation(&self, node: Node) -> String {
        self.game.notation(&self.nodes.positions()[node as usize])
    }

    fn picture(&self, node: Node) -> String {
        self.game.picture(&self.nodes.positions()[node as usize])
    }

    fn moves(&self, node: Node, player: Player) -> Vec<Move> {
        self.found(&self.nodes.positions()[node as usize], player).into_iter().map(|(step, _)| step).collect()
    }

    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step>, Error> {
        let found = self.found(&self.game.parse(notation)?, player);
        Ok(found.into_iter().map(|(step, to)| Step { step, notation: self.game.notation(&to) }).collect())
    }

    fn node(&self, notation: &str) -> Result<Node, Error> {
        let position = self.game.canonical(self.game.parse(notation)?);
        self.number(&position).ok_or_else(|| Error::not_reached(notation, self.game.name()))
    }
}
