//! Connect: stones fall to the bottom of a column, and who first has a line of them wins.

use richman_core::{Error, Game, LineBoard, PerfectIndex, Player, Scene, Terminal};

use crate::board::{Board, LONGEST_LINE, Lines, MOST_COLS, MOST_ROWS, Stones, Symmetries};
use crate::parameters::{Parameters, canonical_name};
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "connect",
    parameters: "rows=6,cols=7,line=4",
    description: "drop stones into columns; the first line of stones wins, a full board is a draw",
    chips: 20,
};

/// A move drops a stone of the player into a column with room. The first to have `line` stones in a row,
/// horizontally, vertically or diagonally, wins; a full board is a draw.
#[derive(Debug, Clone)]
pub struct Connect {
    board: Board,
    lines: Lines,
    symmetries: Symmetries,
    index: Option<Fillings>,
}

impl Connect {
    /// The game on `rows` x `cols` cells; where `line` is longer than both sides nobody can win.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] or [`GameError::BoardTooLarge`] for other boards and lines.
    pub fn new(rows: u32, cols: u32, line: u32) -> Result<Connect, GameError> {
        let board = Board::new(rows, cols)?;
        let lines = Lines::new(&board, line)?;
        Ok(Connect { board, lines, symmetries: Symmetries::mirror(&board), index: Fillings::new(&board) })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Connect, GameError> {
        Connect::new(
            given.number("rows", 6, 1..=MOST_ROWS)?,
            given.number("cols", 7, 1..=MOST_COLS)?,
            given.number("line", 4, 1..=LONGEST_LINE)?,
        )
    }
}

impl Game for Connect {
    type Position = Stones;

    fn name(&self) -> String {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        canonical_name(INFO.name, &[("rows", rows, 6), ("cols", cols, 7), ("line", self.lines.line(), 4)])
    }

    fn start(&self) -> Stones {
        Stones::NONE
    }

    fn terminal(&self, position: &Stones) -> Option<Terminal> {
        match self.lines.winner(*position) {
            Some(player) => Some(Terminal::Win(player)),
            None if position.occupied() == self.board.cells() => Some(Terminal::Draw),
            None => None,
        }
    }

    fn moves(&self, position: &Stones, player: Player, into: &mut Vec<Stones>) {
        // Adding one at the bottom of a column carries to its lowest empty cell; a full column carries off the board.
        let mut landings = position.occupied().wrapping_add(self.board.bottom()) & self.board.cells();
        while landings != 0 {
            let cell = landings & landings.wrapping_neg();
            into.push(position.with(player, cell));
            landings ^= cell;
        }
    }

    fn notation(&self, position: &Stones) -> String {
        self.board.notation(*position)
    }

    fn parse(&self, notation: &str) -> Result<Stones, Error> {
        let stones = self.board.parse(notation, &self.name())?;
        let occupied = stones.occupied();
        if occupied & !self.board.bottom() & !(occupied << 1) != 0 {
            return Err(self.board.refused(notation, &self.name(), "a stone floats above an empty cell"));
        }
        if self.lines.both(stones) {
            return Err(self.board.refused(notation, &self.name(), "both players have a line"));
        }
        Ok(stones)
    }

    fn move_name(&self, from: &Stones, to: &Stones, _player: Player) -> String {
        match self.board.added(*from, *to) {
            Some((_, col)) => Board::column_name(col),
            None => self.notation(to),
        }
    }

    fn picture(&self, position: &Stones) -> String {
        self.board.picture(*position)
    }

    fn scene(&self, position: &Stones) -> Option<Scene> {
        Some(self.board.scene_of_columns(*position))
    }

    fn pointing(&self, from: &Stones, to: &Stones, player: Player) -> Vec<String> {
        vec![self.move_name(from, to, player)]
    }

    fn line_board(&self) -> Option<LineBoard> {
        self.board.line_board(&self.lines, true)
    }

    fn line_stones(&self, position: &Stones) -> Option<[u64; 2]> {
        Some(self.board.line_stones(*position))
    }

    fn canonical(&self, position: Stones) -> Stones {
        self.symmetries.canonical(position)
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<Stones>> {
        self.index.as_ref().map(|index| index as &dyn PerfectIndex<Stones>)
    }
}

/// The fillings of the columns as digits of a number.
///
/// A column with h stones, the set bits of a being Alice's, is the digit 2^h - 1 + a. Digits are less than
/// 2^(rows + 1) - 1, so the guard row makes room for adding those of all columns at once.
#[derive(Debug, Clone)]
struct Fillings {
    cols: u32,
    digit_bits: u32,
    size: u64,
}

impl Fillings {
    fn new(board: &Board) -> Option<Fillings> {
        const LARGEST: u64 = 1 << 32;
        let digit_bits = board.rows() + 1;
        let base = 1_u64.checked_shl(digit_bits)? - 1;
        let size = base.checked_pow(board.cols()).filter(|&size| size <= LARGEST)?;
        Some(Fillings { cols: board.cols(), digit_bits, size })
    }
}

impl PerfectIndex<Stones> for Fillings {
    fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn rank(&self, position: &Stones) -> u64 {
        let base = (1 << self.digit_bits) - 1;
        let mut digits = position.occupied().wrapping_add(position.alice);
        let mut rank = 0;
        let mut weight = 1;
        for _ in 0..self.cols {
            rank += weight * (digits & base);
            weight *= base;
            // Two steps, because a single column may take up the whole word.
            digits = digits >> (self.digit_bits - 1) >> 1;
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{XorShift, random_position, reachable};

    #[test]
    fn pictures_and_names() {
        let game = Connect::new(3, 4, 3).unwrap();
        let position = game.parse("B.../A.B./BAA.").unwrap();
        assert_eq!(game.picture(&position), "  a b c d\n1 B . . .\n2 A . B .\n3 B A A .");
        let mut found = Vec::new();
        game.moves(&position, Player::Alice, &mut found);
        let names: Vec<String> = found.iter().map(|to| game.move_name(&position, to, Player::Alice)).collect();
        assert_eq!(names, ["b", "c", "d"]);
        assert_eq!(game.notation(&found[0]), "B.../AAB./BAA.");
    }

    #[test]
    fn ends_and_refusals() {
        let game = Connect::new(3, 3, 3).unwrap();
        for (text, end) in [
            ("..A/.AB/ABB", Some(Terminal::Win(Player::Alice))),
            ("B../B../BAA", Some(Terminal::Win(Player::Bob))),
            ("ABA/ABB/BAA", Some(Terminal::Draw)),
            (".BA/ABB/BAA", None),
        ] {
            assert_eq!(game.terminal(&game.parse(text).unwrap()), end, "{text}");
        }
        for (text, cause) in [
            ("A../.../...", "a stone floats"),
            ("..B/.../..A", "a stone floats"),
            (".../BBB/AAA", "both players have a line"),
        ] {
            let message = game.parse(text).unwrap_err().to_string();
            assert!(message.contains(cause), "{message}");
        }
    }

    #[test]
    fn notation_round_trips() {
        let mut random = XorShift(2);
        for (rows, cols, line) in [(6, 7, 4), (4, 4, 4), (1, 32, 9), (63, 1, 9), (7, 8, 5)] {
            let game = Connect::new(rows, cols, line).unwrap();
            for _ in 0..200 {
                let position = random_position(&game, &mut random, 50);
                assert_eq!(game.parse(&game.notation(&position)), Ok(position));
            }
        }
    }

    #[test]
    fn ranks_are_different_and_within_size() {
        for (rows, cols, line) in [(3, 3, 3), (4, 4, 4), (1, 5, 2), (7, 1, 3)] {
            let game = Connect::new(rows, cols, line).unwrap();
            let index = game.perfect_index().unwrap();
            let positions = reachable(&game);
            let ranks: HashSet<u64> = positions.iter().map(|position| index.rank(position)).collect();
            assert_eq!(ranks.len(), positions.len());
            assert!(ranks.iter().all(|&rank| rank < index.size()));
        }
        // Where nobody can win, every filling occurs: the index has no gaps.
        let game = Connect::new(3, 3, 9).unwrap();
        assert_eq!(reachable(&game).len() as u64, game.perfect_index().unwrap().size());
        assert_eq!(Connect::new(4, 4, 4).unwrap().perfect_index().unwrap().size(), 923_521);
        assert!(Connect::new(6, 7, 4).unwrap().perfect_index().is_none());
        assert!(Connect::new(63, 1, 4).unwrap().perfect_index().is_none());
    }
}
