//! What several benchmarks share.
#![allow(dead_code)] // no benchmark uses all of it

use richman_core::ByPlayer;
use richman_lines::board::LineBoard;

const LINE: usize = 4;

/// The board of Connect Four. Cells are row by row from the bottom.
pub fn board(rows: usize, cols: usize) -> LineBoard {
    let cell = |row: usize, col: usize| 1_u64 << (row * cols + col);
    let support = (0..rows * cols).map(|at| if at < cols { 0 } else { 1 << (at - cols) }).collect();
    LineBoard::new(support, ByPlayer::both(lines(rows, cols, cell))).expect("a small board")
}

/// The lines of four cells, each cell as `cell` gives it by row and column.
pub fn lines(rows: usize, cols: usize, cell: impl Fn(usize, usize) -> u64) -> Vec<u64> {
    let mut lines = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let ends = (row + (LINE - 1) * up, col as isize + (LINE as isize - 1) * right);
                if ends.0 < rows && (0..cols as isize).contains(&ends.1) {
                    let at = |step: usize| cell(row + step * up, (col as isize + step as isize * right) as usize);
                    lines.push((0..LINE).map(at).sum());
                }
            }
        }
    }
    lines
}

/// The time of one core that all threads have had, in seconds.
pub fn process_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or("").split(' ');
    fields.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
