//! Exact thresholds of a class and all those it can become, in one arena.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{ChessBoard, ChessClass, ChessIndex};
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Error, Exactness, Mechanism, MoneySolution, Node, Player, Share, Terminal,
};

use super::{needed, without};
use richman_solvers::money;

/// Classes with their numberings and the node of number 0.
pub type NumberedClasses = BTreeMap<ChessClass, (ChessIndex, Node)>;

/// An arena of every position of some classes, and its exact thresholds.
#[derive(Debug)]
pub struct ExactClasses {
    /// The arena: Alice's win and Bob's, then the positions of each class by number.
    pub arena: Arena,
    /// Its classes.
    pub classes: NumberedClasses,
    /// The thresholds.
    pub solution: MoneySolution,
}

impl ExactClasses {
    /// The node of a position of one of the classes, oriented as stored, or of an end.
    pub fn node(&self, board: &ChessBoard) -> Option<Node> {
        node(&self.classes, board)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + self.solution.win.bytes() + self.solution.draw.bytes()
    }

    /// The exact win and draw thresholds at a node.
    pub fn thresholds(&self, node: Node) -> Option<[Share; 2]> {
        let exact = |bounds: richman_core::ShareBounds| bounds.as_exact().cloned();
        Some([exact(self.solution.win.get(node))?, exact(self.solution.draw.get(node))?])
    }
}

fn node(classes: &NumberedClasses, board: &ChessBoard) -> Option<Node> {
    if let Some(winner) = board.winner() {
        return Some(winner as Node);
    }
    let (index, first) = classes.get(&ChessClass::of_board(board))?;
    Some(first + index.rank(board) as Node)
}

/// An arena of some classes and all classes they can become, also with the players exchanged, on a
/// board of `row` x `row` squares. Its nodes are Alice's win and Bob's, then the positions of each
/// class by number.
///
/// # Errors
/// [`Error::Unsupported`] for classes without an index; [`Error::DeadEnd`] if a player has no move;
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn arena(classes: &[ChessClass], row: u8, effort: &Effort) -> Result<(Arena, NumberedClasses), Error> {
    let mut all: Vec<ChessClass> = classes.iter().flat_map(needed).collect::<BTreeSet<_>>().into_iter().collect();
    all.sort_by_key(|class| (class.pieces(), class.pawns()));
    // A capture can leave the other player with more pieces; the arena then needs both orders.
    if all.iter().any(|class| class.of(Player::Bob).len() > 1) {
        let exchanged: Vec<ChessClass> =
            all.iter().map(ChessClass::exchanged).filter(|other| !all.contains(other)).collect();
        all.extend(exchanged);
    }
    let mut classes = BTreeMap::new();
    let mut first = 2u64;
    for class in &all {
        let index = super::index(class, row)?;
        effort.check_memory("solving the positions of the class", (first + index.size()) * 200)?;
        let size = index.size();
        classes.insert(class.clone(), (index, first as Node));
        first += size;
    }
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.terminal(Terminal::Win(Player::Bob));
    let mut moves = ByPlayer::new(Vec::new(), Vec::new());
    for class in &all {
        let (index, _) = &classes[class];
        for rank in 0..index.size() {
            if rank % (1 << 12) == 0 {
                effort.check_cancelled()?;
                effort.watch.progress("positions", builder.len() as u64, Some(first));
            }
            let Some(board) = index.unrank(rank) else {
                builder.terminal(Terminal::Draw);
                continue;
            };
            for player in Player::BOTH {
                let found = &mut moves[player];
                found.clear();
                let mut unknown = None;
                board.each_move(player, |made| {
                    let next = board.after(player, made);
                    match node(&classes, &next) {
                        Some(node) => found.push(node),
                        None => unknown = Some(next),
                    }
                });
                if let Some(next) = unknown {
                    return Err(without(&next));
                }
                found.sort_unstable();
                found.dedup();
            }
            builder.position(&moves.alice, &moves.bob);
        }
    }
    Ok((builder.build(2)?, classes))
}

/// The exact thresholds of an [`arena`] of these classes.
///
/// # Errors
/// [`Error::Unsupported`] for classes without an index, or if exact values exceed the limits;
/// [`Error::DeadEnd`] if a player has no move; [`Error::TooMuchMemory`]; [`Error::OutOfTime`];
/// [`Error::Cancelled`].
pub fn exact(classes: &[ChessClass], row: u8, effort: &Effort) -> Result<ExactClasses, Error> {
    let (arena, classes) = arena(classes, row, effort)?;
    let effort = Effort { held: effort.held + arena.bytes(), exactness: Exactness::Required, ..*effort };
    let solution = money::solve(&arena, &Mechanism::default(), &effort)?;
    Ok(ExactClasses { arena, classes, solution })
}
