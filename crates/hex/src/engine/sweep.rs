//! The sweeps over the cells.

use crate::board::HexBoard;
use richman_core::{Effort, Error, Player};

use super::count::Count;
use super::frontier::LOST;
use super::{Fillings, Frontier};

/// The board is as wide as the frontier.
pub(super) fn fillings<C: Count>(frontier: &Frontier, stones: &HexBoard, effort: &Effort) -> Result<Fillings, Error> {
    let sweep = Sweep { frontier, stones };
    let (rows, cols) = (stones.rows(), stones.cols());
    let held = (rows + cols + 4) as u64 * frontier.states() as u64 * size_of::<C>() as u64;
    effort.check_memory("counting the fillings", held + frontier.bytes())?;
    // The winning fillings from every state before each row. After the last row every state wins,
    // because a cell in it is connected to the top.
    let mut before_rows: Vec<Vec<C>> = vec![vec![C::from(1); frontier.states()]];
    for row in (0..rows).rev() {
        effort.check_cancelled()?;
        effort.watch.progress("counting fillings", (rows - row) as u64, Some(3 * rows as u64));
        let mut wins = before_rows[before_rows.len() - 1].clone();
        for col in (0..cols).rev() {
            effort.check_cancelled()?;
            wins = sweep.back(row, col, &wins);
        }
        before_rows.push(wins);
    }
    let alice = before_rows[rows][0].into_big();
    let mut reached = vec![C::from(0); frontier.states()];
    reached[0] = C::from(1);
    let mut critical = Vec::with_capacity(rows * cols);
    for row in 0..rows {
        effort.check_cancelled()?;
        effort.watch.progress("counting fillings", (rows + 2 * row) as u64, Some(3 * rows as u64));
        before_rows.pop();
        // The winning fillings after each cell of the row, the last cell first.
        let mut after_cells: Vec<Vec<C>> = before_rows.last().cloned().into_iter().collect();
        for col in (1..cols).rev() {
            effort.check_cancelled()?;
            after_cells.push(sweep.back(row, col, &after_cells[after_cells.len() - 1]));
        }
        for col in 0..cols {
            effort.check_cancelled()?;
            let Some(wins) = after_cells.pop() else { break };
            critical.push(sweep.critical(row, col, &reached, &wins).into_big());
            reached = sweep.on(row, col, &reached);
        }
    }
    Ok(Fillings { open: stones.open(), alice, critical })
}

struct Sweep<'a> {
    frontier: &'a Frontier,
    stones: &'a HexBoard,
}

impl Sweep<'_> {
    fn colours(&self, row: usize, col: usize) -> [bool; 2] {
        match self.stones.cells()[row * self.stones.cols() + col] {
            None => [true, true],
            Some(player) => [player == Player::Alice, player == Player::Bob],
        }
    }

    /// The winning fillings from every state before a cell, given those after it.
    fn back<C: Count>(&self, row: usize, col: usize, wins: &[C]) -> Vec<C> {
        let of = |state: u32| if state == LOST { C::from(0) } else { wins[state as usize] };
        let leads = self.frontier.leads[col].iter();
        match self.colours(row, col) {
            [true, true] => leads.map(|lead| of(lead[0]) + of(lead[1])).collect(),
            [true, false] => leads.map(|lead| of(lead[0])).collect(),
            _ => leads.map(|lead| of(lead[1])).collect(),
        }
    }

    /// The fillings that lead to every state after a cell, given those before it.
    fn on<C: Count>(&self, row: usize, col: usize, reached: &[C]) -> Vec<C> {
        let next = (col + 1) % self.stones.cols();
        let mut after = vec![C::from(0); self.frontier.leads[next].len()];
        let colours = self.colours(row, col);
        for (lead, &count) in self.frontier.leads[col].iter().zip(reached) {
            if count == C::from(0) {
                continue;
            }
            for (&state, allowed) in lead.iter().zip(colours) {
                if allowed && state != LOST {
                    after[state as usize] = after[state as usize] + count;
                }
            }
        }
        after
    }

    /// The fillings of the other open cells in which a cell decides; `wins` is after it.
    fn critical<C: Count>(&self, row: usize, col: usize, reached: &[C], wins: &[C]) -> C {
        if self.colours(row, col) != [true, true] {
            return C::from(0);
        }
        let of = |state: u32| if state == LOST { C::from(0) } else { wins[state as usize] };
        let mut sum = C::from(0);
        for (lead, &count) in self.frontier.leads[col].iter().zip(reached) {
            if count != C::from(0) {
                sum = sum + count * (of(lead[0]) - of(lead[1])); // a stone of Alice's never hurts her
            }
        }
        sum
    }
}
