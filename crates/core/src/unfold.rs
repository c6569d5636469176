//! Unfolding: from the rules of a game to its arena.

use std::hash::Hash;

use crate::numbering::Numbering;
use crate::{Effort, Error, Game, LabelledArena, LabelledArenaBuilder, Node, NodeData, Objective, Player, WinLose};

/// A move with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<L: Objective = WinLose> {
    /// The game's name for it.
    pub name: String,
    /// The target. Symmetric positions are one node, so several moves may lead to the same node.
    pub to: Node,
    /// The label.
    pub label: L::Move,
}

/// A move, with its target before folding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<L: Objective = WinLose> {
    /// The move.
    pub step: Move<L>,
    /// The target in the game's notation.
    pub notation: String,
}

/// An unfolded game of any kind: its arena, and the names of its positions and moves.
pub trait Unfolding<L: Objective = WinLose>: Send + Sync {
    /// The name of the game with its parameters.
    fn game(&self) -> String;
    /// The arena, with symmetric positions folded into one.
    fn arena(&self) -> &LabelledArena<L>;
    /// Bytes held, including the arena.
    fn bytes(&self) -> u64;
    /// A position in the game's notation; of those folded into `node`, the first met.
    fn notation(&self, node: Node) -> String;
    /// A position drawn as text.
    fn picture(&self, node: Node) -> String;
    /// All moves of `player` at `node`, including symmetric ones.
    fn moves(&self, node: Node, player: Player) -> Vec<Move<L>>;
    /// All moves of `player` at a position in the game's notation, with targets before folding.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if the text is not a position.
    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step<L>>, Error>;
    /// The node of a position in the game's notation.
    ///
    /// # Errors
    /// [`Error::BadPosition`] if the text is not a position, or one not reachable from the start.
    fn node(&self, notation: &str) -> Result<Node, Error>;
}

/// A game together with its arena.
pub struct Unfolded<G: Game<L>, L: Objective = WinLose> {
    game: G,
    arena: LabelledArena<L>,
    nodes: Numbering<G::Position>,
}

crate::debug_by_name!([G: Game<L>, L: Objective] Unfolded<G, L> {});

/// Unfolds `game` from `start`, in the order of discovery, folding symmetric positions.
///
/// Time and space are linear in positions and moves. The watch receives progress under "unfolding".
///
/// # Errors
/// [`Error::TooManyPositions`] or [`Error::TooMuchMemory`] above the limits; [`Error::Cancelled`]
/// if the watch says stop; the errors of [`LabelledArenaBuilder::build`], with positions in
/// notation.
pub fn unfold<L: Objective, G: Game<L>>(game: G, start: G::Position, effort: &Effort) -> Result<Unfolded<G, L>, Error> {
    // The start is not folded, so that its moves keep the names a reader expects.
    let first = game.canonical(start.clone());
    let mut nodes = Numbering::new(start, first, game.perfect_index(), effort)?;
    let mut builder = LabelledArenaBuilder::new();
    let mut batch = Batch::new();
    let mut targets: [Vec<(Node, L::Move)>; 2] = [Vec::new(), Vec::new()];
    while builder.len() < nodes.positions().len() {
        batch.fill(&game, &nodes, builder.len());
        let mut found = batch.found.drain(..).zip(batch.keys.drain(..)).zip(batch.known.drain(..));
        let mut labels = batch.labels.drain(..);
        for (data, counts) in batch.data.drain(..) {
            for (targets, count) in targets.iter_mut().zip(counts) {
                targets.clear();
                for (((next, key), known), label) in found.by_ref().zip(labels.by_ref()).take(count) {
                    let node = match known {
                        Some(number) => number,
                        None => nodes.number(key, next, || builder.bytes())?,
                    };
                    targets.push((node, label));
                }
                targets.sort_unstable();
                targets.dedup();
            }
            let [alice, bob] = targets.each_ref().map(|targets| targets.iter().copied());
            builder.push(data, alice, bob);
            builder.check().map_err(|error| named(error, &game, &nodes))?;
            nodes.pause(builder.len(), builder.bytes(), effort.watch)?;
        }
    }
    nodes.check(builder.bytes())?;
    nodes.shrink();
    let arena = builder.build(0).map_err(|error| named(error, &game, &nodes))?;
    Ok(Unfolded { game, arena, nodes })
}

fn named<L: Objective, G: Game<L>>(error: Error, game: &G, nodes: &Numbering<G::Position>) -> Error {
    error.with_names(|node| game.notation(&nodes.positions()[node as usize]))
}

/// Positions whose moves are looked up together, so that distant memory accesses overlap.
struct Batch<P, L: Objective> {
    /// For each position, its labels and the numbers of Alice's and Bob's moves.
    data: Vec<(NodeData<L>, [usize; 2])>,
    /// The targets of the moves, one after another.
    found: Vec<P>,
    labels: Vec<L::Move>,
    keys: Vec<u64>,
    /// The number of each position of `found`, if it has one already.
    known: Vec<Option<Node>>,
}

impl<P: Eq + Hash, L: Objective> Batch<P, L> {
    const POSITIONS: usize = 64;

    fn new() -> Self {
        Batch { data: Vec::new(), found: Vec::new(), labels: Vec::new(), keys: Vec::new(), known: Vec::new() }
    }

    /// Adds positions from number `first` on, up to the size of a batch.
    fn fill<G: Game<L, Position = P>>(&mut self, game: &G, nodes: &Numbering<P>, first: usize) {
        for position in nodes.positions()[first..].iter().take(Self::POSITIONS) {
            self.data.push(match game.terminal(position) {
                Some(end) => (NodeData::End(end), [0, 0]),
                None => {
                    let counts = Player::BOTH.map(|player| {
                        let before = self.found.len();
                        game.successors(position, player, &mut self.found);
                        let count = self.found.len() - before;
                        game.labels(position, player, count, &mut self.labels);
                        count
                    });
                    (NodeData::On(game.label(position)), counts)
                }
            });
        }
        nodes.keys(game.perfect_index(), &self.found, &mut self.keys);
        nodes.get_all(&self.keys, &self.found, &mut self.known);
    }
}

impl<L: Objective, G: Game<L>> Unfolded<G, L> {
    fn number(&self, position: &G::Position) -> Option<Node> {
        self.nodes.get(self.nodes.key(self.game.perfect_index(), position), position)
    }

    /// The moves from a position, with their targets before folding.
    fn found(&self, from: &G::Position, player: Player) -> Vec<(Move<L>, G::Position)> {
        let (mut found, mut labels) = (Vec::new(), Vec::new());
        if self.game.terminal(from).is_none() {
            self.game.moves(from, player, &mut found);
            self.game.labels(from, player, found.len(), &mut labels);
        }
        let names = self.game.move_names(from, &found, player);
        let number = |to: &G::Position| self.number(&self.game.canonical(to.clone()));
        let step = |((to, label), name)| Some((Move { name, to: number(&to)?, label }, to));
        found.into_iter().zip(labels).zip(names).filter_map(step).collect()
    }
}

impl<L: Objective, G: Game<L>> Unfolding<L> for Unfolded<G, L> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn arena(&self) -> &LabelledArena<L> {
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

    fn moves(&self, node: Node, player: Player) -> Vec<Move<L>> {
        self.found(&self.nodes.positions()[node as usize], player).into_iter().map(|(step, _)| step).collect()
    }

    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step<L>>, Error> {
        let found = self.found(&self.game.parse(notation)?, player);
        Ok(found.into_iter().map(|(step, to)| Step { step, notation: self.game.notation(&to) }).collect())
    }

    fn node(&self, notation: &str) -> Result<Node, Error> {
        let position = self.game.canonical(self.game.parse(notation)?);
        self.number(&position).ok_or_else(|| Error::not_reached(notation, self.game.name()))
    }
}
