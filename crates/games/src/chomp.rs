//! Chomp: the players eat a bar of chocolate, and nobody wants its poisoned corner.

use std::cmp::Ordering;

use richman_core::{ArenaSize, Error, Game, Mark, MarkRole, MarkShape, Player, Scene, Terminal};

use crate::board::scene;
use crate::grid::{Grid, cell_name};
use crate::parameters::{Parameters, canonical_name, within};
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "chomp",
    parameters: "rows=3,cols=4",
    description: "eat a square of the bar and all below and to the right of it; who eats the poisoned corner loses",
    chips: 8,
    rules: "",
    title: "Chomp",
    notation: "the squares left in each row from the top with / between them, or A or B for the winner",
    example: "chomp",
    pictured: "",
};

/// The most rows or columns. The web application still unfolds the largest bar's 2,704,157
/// positions.
pub const LONGEST: u32 = 12;
const USUAL: [u32; 2] = [3, 4];
/// The outline of a skull, with its eyes and its nose going round the other way.
const SKULL: &str = "M38 76v-10c-9-4-14-12-14-22a26 24 0 0 1 52 0c0 10-5 18-14 22v10zM33 46a8 8 0 1 0 16 0\
                     a8 8 0 1 0-16 0zM51 46a8 8 0 1 0 16 0a8 8 0 1 0-16 0zM50 54l-4 9h8z";

/// A move takes a square and all squares below and to the right of it. Whoever takes the poisoned
/// square, at the top left, loses.
#[derive(Debug, Clone, Copy)]
pub struct Chomp {
    rows: u32,
    cols: u32,
}

/// The rest of the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bar {
    /// The squares left in each row from the top: at least one in the first, never more than in the
    /// row above.
    Left([u8; LONGEST as usize]),
    /// This player won: the other took the poisoned square.
    Won(Player),
}

impl Chomp {
    /// The game on a bar of `rows` x `cols` squares.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless both are from 1 to [`LONGEST`].
    pub fn new(rows: u32, cols: u32) -> Result<Chomp, GameError> {
        Ok(Chomp { rows: within("rows", rows, 1..=LONGEST)?, cols: within("cols", cols, 1..=LONGEST)? })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Chomp, GameError> {
        Chomp::new(given.number("rows", USUAL[0], 1..=LONGEST)?, given.number("cols", USUAL[1], 1..=LONGEST)?)
    }

    /// The squares left in each row from the top.
    fn lengths(&self, position: &Bar) -> Vec<u32> {
        let left = if let Bar::Left(lengths) = position { *lengths } else { Default::default() };
        left[..self.rows as usize].iter().map(|length| u32::from(*length)).collect()
    }

    fn taken(&self, from: &Bar, to: &Bar) -> Option<(u32, u32)> {
        let (before, after) = (self.lengths(from), self.lengths(to));
        let row = before.iter().zip(&after).position(|(before, after)| before != after)?;
        Some((row as u32, after[row]))
    }

    /// Reads row lengths that fit in the bar, never increase downwards, and leave a square.
    fn read(&self, text: &str) -> Option<Bar> {
        let mut left = [0; LONGEST as usize];
        let lengths: Vec<u8> = text.split('/').map(|length| length.parse().ok()).collect::<Option<_>>()?;
        let fits = lengths.len() == self.rows as usize && (1..=self.cols).contains(&u32::from(lengths[0]));
        if !fits || !lengths.is_sorted_by(|above, below| above >= below) {
            return None;
        }
        left[..lengths.len()].copy_from_slice(&lengths);
        Some(Bar::Left(left)).filter(|bar| self.notation(bar) == text)
    }
}

impl Game for Chomp {
    type Position = Bar;

    fn name(&self) -> String {
        canonical_name(INFO.name, &[("rows", self.rows, USUAL[0]), ("cols", self.cols, USUAL[1])])
    }

    fn start(&self) -> Bar {
        Bar::Left(std::array::from_fn(|row| if row < self.rows as usize { self.cols as u8 } else { 0 }))
    }

    fn terminal(&self, position: &Bar) -> Option<Terminal> {
        if let Bar::Won(player) = position { Some(Terminal::Win(*player)) } else { None }
    }

    fn moves(&self, position: &Bar, player: Player, into: &mut Vec<Bar>) {
        let Bar::Left(lengths) = position else { return };
        for (row, length) in lengths.iter().enumerate() {
            into.extend((0..*length).map(|col| match (row, col) {
                (0, 0) => Bar::Won(player.other()),
                _ => Bar::Left(std::array::from_fn(|at| if at < row { lengths[at] } else { lengths[at].min(col) })),
            }));
        }
    }

    /// All bars contained in this one; the empty bar counts as two, one win for each player.
    fn about_arena(&self, position: &Bar, most: u64) -> Option<ArenaSize> {
        let lengths = self.lengths(position);
        // The ways to leave the rows from some row on, by the length of the row above.
        let mut ways = vec![1_u64; self.cols as usize + 1];
        for &length in lengths.iter().rev() {
            let mut all = 0;
            let sums = ways.iter().enumerate().map(|(left, ways)| {
                all += if left <= length as usize { *ways } else { 0 };
                all
            });
            ways = sums.collect();
        }
        let positions = if self.terminal(position).is_some() { 1 } else { ways[self.cols as usize] + 1 };
        let squares = lengths.iter().sum::<u32>();
        Some(ArenaSize { positions: positions.min(most), longest_play: Some(squares.into()), margin: 1 })
    }

    fn notation(&self, position: &Bar) -> String {
        match position {
            Bar::Won(Player::Alice) => "A".to_string(),
            Bar::Won(Player::Bob) => "B".to_string(),
            Bar::Left(_) => self.lengths(position).iter().map(u32::to_string).collect::<Vec<_>>().join("/"),
        }
    }

    fn parse(&self, notation: &str) -> Result<Bar, Error> {
        let position = match notation {
            "A" => Some(Bar::Won(Player::Alice)),
            "B" => Some(Bar::Won(Player::Bob)),
            _ => self.read(notation),
        };
        position.ok_or_else(|| {
            let (rows, cols, full) = (self.rows, self.cols, self.notation(&self.start()));
            let wanted = format!(
                "write how many squares are left in each of {rows} rows, at most {cols} and never more than in \
                 the row above, such as {full}, or A or B for the winner"
            );
            Error::bad_position(notation, self.name(), wanted)
        })
    }

    fn move_name(&self, from: &Bar, to: &Bar, _: Player) -> String {
        self.taken(from, to).map_or_else(|| self.notation(to), |(row, col)| cell_name(row, col))
    }

    fn picture(&self, position: &Bar) -> String {
        let lengths = self.lengths(position);
        Grid::rectangle(self.rows, self.cols).picture(false, |row, col| match (row, col) {
            (0, 0) if lengths[0] > 0 => 'x',
            _ if col < lengths[row as usize] => '#',
            _ => '.',
        })
    }

    fn scene(&self, position: &Bar) -> Option<Scene> {
        let mut marks = scene::names(self.rows, self.cols);
        for (row, length) in (0..).zip(self.lengths(position)) {
            for col in 0..self.cols {
                let (look, state) = match (row, col) {
                    _ if col >= length => (MarkRole::Field, "eaten"),
                    (0, 0) => (MarkRole::Block, "poisoned"),
                    _ => (MarkRole::Block, "chocolate"),
                };
                let name = cell_name(row, col);
                let label = format!("{name}, {state}");
                marks.push(Mark::place(scene::square(row, col), look, name, label));
            }
        }
        if let Bar::Left(_) = position {
            let skull = MarkShape::Figure { at: scene::corner(0, 0), outline: SKULL };
            marks.push(Mark::seen(skull, MarkRole::Neutral));
        }
        Some(scene::scene(self.rows, self.cols, marks))
    }

    fn pointing(&self, from: &Bar, to: &Bar, player: Player) -> Vec<String> {
        vec![self.move_name(from, to, player)]
    }

    /// Pressing a square eats it with all below and to the right; pressing an eaten one restores it
    /// with all above and to the left.
    fn set_up(&self, position: &Bar) -> Vec<(Mark, Bar)> {
        let lengths = self.lengths(position);
        let pressed = |row: u32, col: u32| {
            let is_there = col < lengths[row as usize];
            let mut left = [0; LONGEST as usize];
            for (at, &length) in lengths.iter().enumerate() {
                left[at] = match (is_there, at.cmp(&(row as usize))) {
                    (true, Ordering::Less) | (false, Ordering::Greater) => length,
                    (true, _) => length.min(col),
                    (false, _) => length.max(col + 1),
                } as u8;
            }
            let word = if is_there { "eat" } else { "put back" };
            let name = cell_name(row, col);
            let label = format!("{word} {name}");
            (Mark::place(scene::square(row, col), MarkRole::Clear, name, label), Bar::Left(left))
        };
        let is_bar = |(_, bar): &(Mark, Bar)| matches!(bar, Bar::Left(left) if left[0] > 0);
        let squares = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        squares.map(|(row, col)| pressed(row, col)).filter(is_bar).collect()
    }

    /// Reflects square bars along the diagonal.
    fn canonical(&self, position: Bar) -> Bar {
        let Bar::Left(lengths) = position else { return position };
        if self.rows != self.cols {
            return position;
        }
        let column = |col: usize| lengths.iter().filter(|length| usize::from(**length) > col).count() as u8;
        position.min(Bar::Left(std::array::from_fn(column)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{folds, has_ends, moves, reachable, refuses, round_trips, sets_up};

    fn binomial(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    #[test]
    fn what_is_left_is_a_path_from_corner_to_corner() {
        for (rows, cols) in [(1, 1), (1, 12), (12, 1), (2, 3), (3, 4), (5, 5), (4, 7)] {
            let positions = reachable(&Chomp::new(rows, cols).unwrap());
            // The empty bar counts twice, because it matters who took the last square.
            assert_eq!(positions.len() as u64, binomial(u64::from(rows + cols), u64::from(rows)) + 1, "{rows}x{cols}");
        }
    }

    #[test]
    fn folding_turns_square_bars_over() {
        for size in 1..=5 {
            let game = Chomp::new(size, size).unwrap();
            let positions = reachable(&game);
            let folded: std::collections::HashSet<Bar> = positions.iter().map(|bar| game.canonical(*bar)).collect();
            // One half of its path determines a bar that equals its reflection.
            assert_eq!(folded.len() as u64, (binomial(u64::from(2 * size), u64::from(size)) + (1 << size)) / 2 + 1);
            positions.iter().for_each(|bar| folds(&game, bar));
        }
        let game = Chomp::new(2, 3).unwrap();
        assert!(reachable(&game).into_iter().all(|bar| game.canonical(bar) == bar));
    }

    #[test]
    fn moves_are_named_by_the_square_and_the_poison_loses() {
        let game = Chomp::new(3, 4).unwrap();
        let bar = game.parse("4/2/0").unwrap();
        assert_eq!(game.picture(&bar), "  a b c d\n1 x # # #\n2 # # . .\n3 . . . .");
        let named = moves(&game, "4/2/0", Player::Alice).into_iter().map(|(name, to)| format!("{name} {to}"));
        let named: Vec<String> = named.collect();
        assert_eq!(named, ["a1 B", "b1 1/1/0", "c1 2/2/0", "d1 3/2/0", "a2 4/0/0", "b2 4/1/0"]);
        has_ends(&game, &[("B", Some(Terminal::Win(Player::Bob)))]);
        assert_eq!(game.picture(&game.parse("B").unwrap()), "  a b c d\n1 . . . .\n2 . . . .\n3 . . . .");
    }

    #[test]
    fn notation_round_trips_and_errors_name_the_way_out() {
        let game = Chomp::new(3, 4).unwrap();
        round_trips(&game, reachable(&game));
        let is_bar = |bar: &Bar| game.terminal(bar).is_none();
        sets_up(&game, reachable(&game).into_iter().filter(is_bar));
        let texts = [
            "", "4", "4/4", "4/4/5", "5/4/4", "3/4/0", "0/0/0", "4/4/4/0", "4/4/-1", "+4/4/4", "04/4/4", "C", "4/4/999",
        ];
        refuses(&game, &texts, &["each of 3 rows", "such as 4/4/4"]);
        for (rows, cols) in [(0, 3), (3, 0), (13, 1), (1, 13), (u32::MAX, u32::MAX)] {
            assert!(Chomp::new(rows, cols).unwrap_err().to_string().contains("from 1 to 12"), "{rows}x{cols}");
        }
    }
}
