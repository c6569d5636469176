//! Exact chances where chance moves too, by a random-turn game with only coin tosses, which has
//! thresholds.
//!
//! Where one player moves, the other player's only move stays there, so the owner moves sooner or
//! later. Where chance moves, a coin is tossed until the binary digits so far leave one move;
//! digits that match no move start again. Both end with probability 1, so no chance changes, not
//! even that of a play without an end.
//!
//! **Time and memory:** those of [`crate::money`], with at most m log2 d further positions for m
//! moves of chance whose least common denominator is d.
//!
//! **Checked by** `richman_check::verify::random_turn`, which knows nothing of coins, and by the
//! enumeration of all strategies.

use richman_core::{
    Arena, ArenaBuilder, Effort, Error, Mechanism, MoneySolution, Node, NodeData, Player, PositionKind,
    StochasticArena, StochasticLabel,
};

use super::{chance_moves, common_denominator};
use crate::money;

/// Alice's thresholds in the game of coin tosses, at every position of the arena and then at
/// further ones. Her chance to win is 1 less the win threshold, her chance not to lose 1 less the
/// draw threshold; exact or bounds, as in [`money::solve`].
///
/// # Errors
/// [`Error::TooManyPositions`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`]; and
/// [`Error::Unsupported`] or [`Error::OutOfTime`] if exact chances are required and not found.
///
/// ```
/// use richman_core::{Effort, Player, StochasticArenaBuilder, StochasticLabel, Terminal};
/// use richman_solvers::random_turn;
/// // Thrown again with a chance of 1/2; otherwise Alice wins once in three times.
/// let mut builder = StochasticArenaBuilder::new();
/// let [won, lost] = [Player::Alice, Player::Bob].map(|player| builder.terminal(Terminal::Win(player)));
/// let moves = [(won, "1/6".parse()?), (lost, "1/3".parse()?), (2, "1/2".parse()?)];
/// let start = builder.labelled(&moves, &[], StochasticLabel::Chance);
/// let solved = random_turn::exact(&builder.build(start)?, &Effort::default())?;
/// assert_eq!(solved.win.get(start).complement().to_string(), "1/3");
/// # Ok::<(), richman_core::Error>(())
/// ```
pub fn exact(arena: &StochasticArena, effort: &Effort) -> Result<MoneySolution, Error> {
    let coins = by_coins(arena, effort)?;
    let effort = Effort { held: effort.held.saturating_add(coins.bytes()), within: None, ..*effort };
    money::solve(&coins, &Mechanism::default(), &effort)
}

/// The arena of coin tosses, in which the positions keep their numbers.
fn by_coins(arena: &StochasticArena, effort: &Effort) -> Result<Arena, Error> {
    /// Positions between two checks.
    const OFTEN: u32 = 1 << 10;
    /// A position of one toss, here and in the arena.
    const TOSS: u64 = (size_of::<[Node; 2]>() + Arena::PER_POSITION + 2 * Arena::PER_MOVE) as u64;
    let own = arena.len() * Arena::PER_POSITION + (arena.edges() + arena.len()) * Arena::PER_MOVE;
    let mut builder = ArenaBuilder::new();
    let mut tosses: Vec<[Node; 2]> = Vec::new();
    for node in arena.nodes() {
        if node.is_multiple_of(OFTEN) {
            effort.check_cancelled()?;
        }
        let moves = |player| arena.moves(node, player);
        match arena.data(node) {
            NodeData::End(end) => builder.terminal(end),
            NodeData::On(StochasticLabel::Player(PositionKind::Bid)) => {
                builder.position(moves(Player::Alice), moves(Player::Bob))
            }
            NodeData::On(StochasticLabel::Player(PositionKind::Owned(Player::Alice))) => {
                builder.position(moves(Player::Alice), &[node])
            }
            NodeData::On(StochasticLabel::Player(PositionKind::Owned(Player::Bob))) => {
                builder.position(&[node], moves(Player::Bob))
            }
            NodeData::On(StochasticLabel::Chance) => {
                let choice = CoinChoice::of(arena, node);
                let most = (tosses.len() + choice.most_tosses()) as u64;
                if most + arena.len() as u64 >= u64::from(u32::MAX) / 2 {
                    return Err(Error::TooManyPositions { limit: u64::from(u32::MAX) });
                }
                effort.check_memory("writing the chances as coin tosses", own as u64 + most * TOSS)?;
                let [heads, tails] = choice.first_toss(arena.len() as Node, &mut tosses);
                builder.position(&[heads], &[tails])
            }
        };
    }
    for [heads, tails] in tosses {
        builder.position(&[heads], &[tails]);
    }
    builder.build(arena.start())
}

/// A choice of chance, made by tosses of a coin that give the binary digits of a number. Each move
/// has a range of numbers; numbers beyond the last range start again.
struct CoinChoice {
    node: Node,
    /// The end of each move's range, and its target.
    ranges: Vec<(u64, Node)>,
    /// The number of digits.
    digits: u32,
}

impl CoinChoice {
    fn of(arena: &StochasticArena, node: Node) -> CoinChoice {
        let common = common_denominator(arena, node);
        let mut end = 0;
        let range = |(to, chance): (Node, richman_core::Probability)| {
            end += chance.over(common);
            (end, to)
        };
        let ranges = chance_moves(arena, node).map(range).collect();
        CoinChoice { node, ranges, digits: u64::BITS - (common - 1).leading_zeros() }
    }

    /// An upper bound on the tosses after the first one: each divides the range of a move.
    fn most_tosses(&self) -> usize {
        self.ranges.len() * self.digits as usize
    }

    /// The positions after heads and tails of the first toss. Further tosses are added to the list,
    /// whose first is position `first`.
    fn first_toss(&self, first: Node, tosses: &mut Vec<[Node; 2]>) -> [Node; 2] {
        match self.digits.checked_sub(1) {
            Some(digits) => [0, 1 << digits].map(|from| self.after(from, digits, first, tosses)),
            None => [self.ranges[0].1; 2],
        }
    }

    /// The position where the number is at least `from`, with `digits` digits open. Recurses at
    /// most 60 deep.
    fn after(&self, from: u64, digits: u32, first: Node, tosses: &mut Vec<[Node; 2]>) -> Node {
        let at = self.ranges.partition_point(|(end, _)| *end <= from);
        let Some(&(end, to)) = self.ranges.get(at) else { return self.node };
        if from + (1 << digits) <= end {
            return to;
        }
        let index = tosses.len();
        tosses.push([self.node; 2]);
        // One number is in one range, so there are digits left.
        let half = digits - 1;
        tosses[index] = [from, from + (1 << half)].map(|from| self.after(from, half, first, tosses));
        first + index as Node
    }
}
