//! A board of stones and lines, for solvers that go through all of its positions layer by layer.

use richman_core::Player;

/// The rules of a game in which stones are placed, never moved or taken, and who first has a line of their own wins; a full board without one is a draw.
///
/// Cells are numbered from 0, at most 63 of them, and sets of cells are bits. A cell can be played once all the cells of its support have stones: in
/// Connect the one below it, in Tic-Tac-Toe none. Both players have the same moves. The players' lines may differ, as they do once stones lie.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LineBoard {
    support: Vec<u64>,
    lines: [Vec<u64>; 2],
}

/// Stones on a board of lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinePosition {
    /// The empty board.
    pub board: LineBoard,
    /// The cells with Alice's stones, and those with Bob's.
    pub stones: [u64; 2],
}

impl LinePosition {
    /// The game that is left; `None` where it is over.
    pub fn rest(&self) -> Option<LineBoard> {
        self.board.after(self.stones)
    }
}

impl LineBoard {
    /// The most cells.
    pub const MOST_CELLS: usize = 63;

    /// A board with a support for each cell, and Alice's and Bob's lines; `None` with no cells or too many, where a support names its own or a later cell, or a line has
    /// no cells or ones that the board has not.
    pub fn new(support: Vec<u64>, lines: [Vec<u64>; 2]) -> Option<LineBoard> {
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

    /// The lines of a player, each a set of cells.
    pub fn lines(&self, player: Player) -> &[u64] {
        &self.lines[player as usize]
    }

    /// The cells that can be played when those of `occupied` have stones.
    pub fn open(&self, occupied: u64) -> u64 {
        let open =
            |(cell, below): (usize, &u64)| u64::from(occupied >> cell & 1 == 0 && below & !occupied == 0) << cell;
        self.support.iter().enumerate().map(open).sum()
    }

    /// The cells in the smallest sets such that stones outside of a set never decide which of its cells can be played: in
    /// Connect the columns, in Tic-Tac-Toe single cells.
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

    /// Whether `stones`, those of one player, hold a line.
    pub fn has_line(&self, player: Player, stones: u64) -> bool {
        self.lines(player).iter().any(|line| line & !stones == 0)
    }

    /// Whether the game is the same with the players exchanged.
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
        let [alice, bob] = self.lines.clone();
        LineBoard { support: self.support.clone(), lines: [bob, alice] }
    }

    /// The game that is left after stones: its cells are the empty ones, renumbered in their order. `None` where it is over, or stones lie on the same cell or beside
    /// the board.
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
        LineBoard::new(support, [lines(Player::Alice, bob), lines(Player::Bob, alice)])
    }
}
