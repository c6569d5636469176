//! Tests over all positions of a board whether players' habits (blocking, making threats) are best
//! moves.

use rayon::prelude::*;
use richman_core::{Effort, Error as CoreError, Numbers, Player, Share};
use richman_lines::board::LineBoard;
use richman_lines::engine::{BoardQuestion, BoardStake, LayerValues, Layers, lacking};

use crate::Error;

/// A player's habit. A threat is a line that lacks one cell, which can be played.
#[derive(Debug, Clone, Copy)]
enum Habit {
    /// Bob, who cannot win at once, blocks one of Alice's threats.
    BobBlocks,
    /// Alice, who cannot win at once and can make a threat, makes one.
    AliceThreatens,
    /// Alice, who can neither win at once nor make a threat, blocks one of Bob's threats.
    AliceBlocks,
}

/// The habits, in the order of the enum.
pub const HABITS: [&str; 3] = ["Bob should block", "Alice should make a threat", "Alice, who cannot, should block"];

/// The quality of a habit where it can be followed.
#[derive(Debug, Clone, Copy, Default)]
pub struct HabitResult<Loss> {
    /// The number of positions where it applies.
    pub positions: u64,
    /// The number of these with a best move that follows it.
    pub best: u64,
    /// The greatest loss by the best move that follows it.
    pub loss: Loss,
}

impl<Loss: Ord> HabitResult<Loss> {
    fn plus(self, other: HabitResult<Loss>) -> HabitResult<Loss> {
        let (positions, best) = (self.positions + other.positions, self.best + other.best);
        HabitResult { positions, best, loss: self.loss.max(other.loss) }
    }
}

/// Each habit's results, with losses in the units of a layer.
type HabitTallies = [HabitResult<u64>; 3];

fn sum(one: HabitTallies, two: HabitTallies) -> HabitTallies {
    std::array::from_fn(|habit| one[habit].plus(two[habit]))
}

/// Judges the habits at every position of a board by Alice's win threshold in real money; a draw
/// counts for Bob, as in G12. Losses are shares of all the money.
///
/// # Errors
/// `TooLarge` or `TooMuchMemory` for too large a board; `Cancelled`.
pub fn habits(board: &LineBoard, effort: &Effort) -> Result<[HabitResult<Share>; 3], Error> {
    let question = BoardQuestion { board: board.clone(), stake: BoardStake::Money };
    let mut layers = Layers::new(question, *effort)?;
    let mut all = [(); 3].map(|()| HabitResult { positions: 0, best: 0, loss: Share::ZERO });
    layers.step()?;
    while let Some(stones) = layers.next() {
        let after = &layers.shapes()[stones as usize + 1];
        let Some((_, LayerValues::Kept(numbers))) = layers.last() else { break };
        let one = |shape: &u64| -> Result<HabitTallies, CoreError> {
            effort.check_cancelled()?;
            let index = |next: u64| after.index(next).expect("a stone on an open cell gives a shape");
            Ok(judge(board, *shape, numbers, &index))
        };
        let found = layers.shapes()[stones as usize].sets().par_iter().map(one);
        let layer = found.try_reduce(HabitTallies::default, |one, two| Ok(sum(one, two)))?;
        for (known, HabitResult { positions, best, loss }) in all.iter_mut().zip(layer) {
            let loss = Share::dyadic(loss, board.cells() - stones - 1);
            *known = known.clone().plus(HabitResult { positions, best, loss });
        }
        layers.step()?;
    }
    Ok(all)
}

/// A playable cell, with the data common to all positions of a shape.
struct Cell {
    cell: u64,
    /// The number of filled cells with lower numbers.
    index: u32,
    /// The index of the first successor position.
    block: usize,
    /// Alice's lines that then lack one open cell.
    threats: Vec<u64>,
}

fn judge(board: &LineBoard, shape: u64, after: &Numbers, index: &dyn Fn(u64) -> usize) -> HabitTallies {
    let stones = shape.count_ones();
    let mut tallies = HabitTallies::default();
    let open = board.open(shape);
    let filled = |(filled, _): (u64, u64)| filled;
    let full = |player| lacking(board, player, shape, open, 0).into_iter().map(filled).collect::<Vec<u64>>();
    let [alice_full, bob_full] = Player::BOTH.map(full);
    let [alice_lacks, bob_lacks] = Player::BOTH.map(|player| lacking(board, player, shape, open, 1));
    let cells: Vec<Cell> = (0..64)
        .filter(|cell| open >> cell & 1 == 1)
        .map(|cell| {
            let next = shape | 1 << cell;
            let threats = lacking(board, Player::Alice, next, board.open(next), 1).into_iter().map(filled).collect();
            let place_of = (shape & ((1 << cell) - 1)).count_ones();
            Cell { cell: 1 << cell, index: place_of, block: index(next) << (stones + 1), threats }
        })
        .collect();
    for x in 0..1_u64 << stones {
        let hers = |line: &u64| line & !x == 0;
        let his = |line: &u64| line & x == 0;
        if alice_full.iter().any(hers) || bob_full.iter().any(his) {
            continue;
        }
        let insert = |cell: &Cell, stone: u64| {
            x >> cell.index << (cell.index + 1) | stone << cell.index | (x & ((1 << cell.index) - 1))
        };
        let need = |cell: &Cell, stone: u64| after.get(cell.block + insert(cell, stone) as usize).unwrap_or(0);
        let alice: u64 = alice_lacks.iter().filter(|(filled, _)| hers(filled)).fold(0, |all, (_, cell)| all | cell);
        let bob: u64 = bob_lacks.iter().filter(|(filled, _)| his(filled)).fold(0, |all, (_, cell)| all | cell);
        let mut follow = |habit: Habit, follows: &dyn Fn(&Cell) -> bool| {
            let tally = &mut tallies[habit as usize];
            let moves = || cells.iter().filter(|cell| follows(cell));
            let cost = match habit {
                Habit::BobBlocks => {
                    let best = cells.iter().map(|cell| need(cell, 0)).max();
                    best.unwrap_or(0) - moves().map(|cell| need(cell, 0)).max().unwrap_or(0)
                }
                Habit::AliceThreatens | Habit::AliceBlocks => {
                    let best = cells.iter().map(|cell| need(cell, 1)).min();
                    moves().map(|cell| need(cell, 1)).min().unwrap_or(0) - best.unwrap_or(0)
                }
            };
            *tally = tally.plus(HabitResult { positions: 1, best: u64::from(cost == 0), loss: cost });
        };
        if bob == 0 && alice != 0 {
            follow(Habit::BobBlocks, &|cell| alice & cell.cell != 0);
        }
        if alice == 0 {
            let threatens = |cell: &Cell| {
                let next = insert(cell, 1);
                cell.threats.iter().any(|line| line & !next == 0)
            };
            if cells.iter().any(threatens) {
                follow(Habit::AliceThreatens, &threatens);
            } else if bob != 0 {
                follow(Habit::AliceBlocks, &|cell| bob & cell.cell != 0);
            }
        }
    }
    tallies
}
