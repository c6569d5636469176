//! A board of stones and lines.

use richman_core::{ByPlayer, Player, cells};

/// The rules of a game in which players place stones that never move or leave. The first player
/// with a complete own line wins; a full board without one is a draw.
///
/// There are at most 63 cells, numbered from 0, and sets of cells are bit sets. A cell is playable
/// once every cell of its support has a stone: in Connect the cell below, in Tic-Tac-Toe none. Both
/// players have the same moves. Their lines may differ, as they do after some stones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LineBoard {
    support: Vec<u64>,
    lines: ByPlayer<Vec<u64>>,
}

/// Stones on a board of lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinePosition {
    /// The empty board.
    pub board: LineBoard,
    /// The cells with Alice's stones, and those with Bob's.
    pub stones: [u64; 2],
}

/// A part of a board: the positions with the same stones on some cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardRegion {
    /// The fixed stones.
    pub fixed: ByPlayer<u64>,
    /// The other cells that may be filled. A stone elsewhere leads to another region.
    pub growing: u64,
}

impl LinePosition {
    /// The game that remains; `None` if it is over.
    pub fn rest(&self) -> Option<LineBoard> {
        self.board.after(self.stones)
    }
}

impl LineBoard {
    /// The most cells.
    pub const MOST_CELLS: usize = 63;

    /// A board from each cell's support and the players' lines. `None` if there are no cells or too
    /// many, if a support names its own or a later cell, or if a line is empty or leaves the board.
    pub fn new(support: Vec<u64>, lines: ByPlayer<Vec<u64>>) -> Option<LineBoard> {
        let cells = support.len();
        let fits = (1..=LineBoard::MOST_CELLS).contains(&cells)
            && support.iter().enumerate().all(|(cell, below)| below >> cell == 0)
            && lines.iter().flatten().all(|line| *line != 0 && line >> cells == 0);
        fits.then_some(LineBoard { support, lines })
    }

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.support.len() as u32
    }

    /// The cells that must have stones before a cell can be played.
    pub fn support(&self, cell: u32) -> u64 {
        self.support[cell as usize]
    }

    /// The lines of a player, each a set of cells.
    pub fn lines(&self, player: Player) -> &[u64] {
        &self.lines[player]
    }

    /// The cells that can be played when those of `occupied` have stones.
    pub fn open(&self, occupied: u64) -> u64 {
        let open =
            |(cell, below): (usize, &u64)| u64::from(occupied >> cell & 1 == 0 && below & !occupied == 0) << cell;
        self.support.iter().enumerate().map(open).sum()
    }

    /// The smallest sets of cells whose playability never depends on other cells: in Connect the
    /// columns, in Tic-Tac-Toe single cells.
    pub fn parts(&self) -> Vec<u64> {
        let mut parts: Vec<u64> = Vec::new();
        for (cell, below) in self.support.iter().enumerate() {
            let mut joined = below | 1 << cell;
            parts.retain(|part| {
                let is_apart = part & joined == 0;
                joined |= if is_apart { 0 } else { *part };
                is_apart
            });
            parts.push(joined);
        }
        parts
    }

    /// Whether `stones`, all of one player, contain a line.
    pub fn has_line(&self, player: Player, stones: u64) -> bool {
        self.lines(player).iter().any(|line| line & !stones == 0)
    }

    /// Whether exchanging the players changes nothing.
    pub fn is_fair(&self) -> bool {
        let sorted = |player: Player| {
            let mut lines = self.lines(player).to_vec();
            lines.sort_unstable();
            lines
        };
        sorted(Player::Alice) == sorted(Player::Bob)
    }

    /// The same board with the players exchanged.
    #[must_use]
    pub fn exchanged(&self) -> LineBoard {
        LineBoard { support: self.support.clone(), lines: self.lines.clone().swapped() }
    }

    /// The same board with cell i numbered `to[i]`, a permutation. `None` if a cell then stands on
    /// a later one.
    pub fn renumbered(&self, to: &[u32]) -> Option<LineBoard> {
        let image = |set: u64| cells(set).map(|cell| 1_u64 << to[cell.trailing_zeros() as usize]).sum::<u64>();
        let mut support = vec![0; self.support.len()];
        to.iter().zip(&self.support).for_each(|(to, below)| support[*to as usize] = image(*below));
        LineBoard::new(support, self.lines.clone().map(|lines| lines.into_iter().map(image).collect()))
    }

    /// The same cells and lines, with every cell playable.
    #[must_use]
    pub fn without_support(&self) -> LineBoard {
        LineBoard { support: vec![0; self.support.len()], lines: self.lines.clone() }
    }

    /// The game that remains after stones, with the empty cells renumbered in order. `None` if the
    /// game is over, or if stones share a cell or lie off the board.
    pub fn after(&self, [alice, bob]: [u64; 2]) -> Option<LineBoard> {
        let all = u64::MAX >> (u64::BITS - self.cells());
        let over = self.has_line(Player::Alice, alice) || self.has_line(Player::Bob, bob);
        if over || alice & bob != 0 || (alice | bob) & !all != 0 {
            return None;
        }
        let empty = all & !alice & !bob;
        let cells = || (0..self.support.len()).filter(|cell| empty >> cell & 1 == 1);
        let left = |set: u64| cells().enumerate().map(|(to, from)| (set >> from & 1) << to).sum::<u64>();
        let lines = |player: Player, others: u64| {
            let mut lines: Vec<u64> =
                self.lines(player).iter().filter(|line| *line & others == 0).map(|line| left(line & empty)).collect();
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let support = cells().map(|cell| left(self.support[cell] & empty)).collect();
        LineBoard::new(support, ByPlayer::new(lines(Player::Alice, bob), lines(Player::Bob, alice)))
    }
}
