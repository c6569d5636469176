//! Y: both players try to connect all three sides of a triangle of hexagons.

use richman_core::{CellSet, Game, Mark, MarkRole, MarkShape, Player, Scene, Selection};

use crate::grid::{Grid, StoneBoard};
use crate::hexagons::{Hexagons, middle, rim};
use crate::parameters::{Parameters, canonical_name, within};
use crate::placing::{Placing, stones_on};
use crate::stones::Stones;
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "y",
    parameters: "size=4",
    description: "place stones on a triangle of hexagons; whoever connects all three sides wins",
    chips: 50,
    rules: "",
    title: "Y",
    notation: "rows from the top with / between them: A and B for stones, . for an empty cell",
    example: "y",
    pictured: "A.B./.AB/A./.",
};

/// The most cells along a side.
pub const LARGEST: u32 = 8;
/// The default number of cells along a side.
const USUAL: u32 = 4;

/// A move places a stone on an empty cell. A player with connected stones that touch all three
/// sides wins. A full board has exactly one winner. A corner touches two sides.
///
/// Each row is one cell shorter than the one above. The cell in row r and column c touches (r,
/// c±1), (r±1, c), (r-1, c+1) and (r+1, c-1).
#[derive(Debug, Clone)]
pub struct Y {
    board: Hexagons<u64>,
    /// The last cells of the rows.
    diagonal: CellSet,
    /// For each symmetry of the triangle, the image of each cell, indexed by the cell's bit.
    symmetries: [Vec<CellSet>; 6],
}

impl Y {
    /// The game on a triangle with `size` cells along each side.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless the size is from 1 to [`LARGEST`].
    pub fn new(size: u32) -> Result<Y, GameError> {
        let size = within("size", size, 1..=LARGEST)?;
        let board: Hexagons<CellSet> = Hexagons::new(Grid::triangle(size));
        // Each permutes the distances of a cell from the three sides.
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let symmetries = orders.map(|order| {
            let mut images = vec![0; CellSet::BITS as usize];
            for (row, col) in board.grid.coordinates() {
                let distances: [u32; 3] = [row, col, size - 1 - row - col];
                images[board.cell(row, col).trailing_zeros() as usize] =
                    board.cell(distances[order[0]], distances[order[1]]);
            }
            images
        });
        let diagonal = board.grid.coordinates().filter(|(row, col)| row + col == size - 1);
        let diagonal = diagonal.map(|(row, col)| board.cell(row, col)).sum();
        Ok(Y { board, diagonal, symmetries })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Y, GameError> {
        Y::new(given.number("size", USUAL, 1..=LARGEST)?)
    }

    /// The images of a position under all symmetries, including the identity.
    fn images(&self, position: Stones<u64>) -> impl Iterator<Item = Stones<u64>> {
        self.symmetries.iter().map(move |images| {
            let of = |set| richman_core::cells(set).map(|cell| images[cell.trailing_zeros() as usize]).sum();
            Stones { alice: of(position.alice), bob: of(position.bob) }
        })
    }

    fn sides(&self) -> [CellSet; 3] {
        [self.board.first_row, self.board.first_col, self.diagonal]
    }

    /// Whether a connected group of the cells touches all sides.
    fn connects(&self, cells: CellSet) -> bool {
        let sides = self.sides();
        richman_core::cells(cells & self.board.first_row).any(|start| {
            let connected = self.board.connected(start, cells);
            sides.iter().all(|side| connected & side != 0)
        })
    }
}

impl Game for Y {
    stones_on!(u64);

    fn name(&self) -> String {
        canonical_name(INFO.name, &[("size", self.board.grid.rows, USUAL)])
    }

    fn moves(&self, position: &Stones, player: Player, into: &mut Vec<Stones>) {
        self.board.moves(*position, player, into);
    }

    fn scene(&self, position: &Stones) -> Option<Scene> {
        let last = self.board.grid.rows as i32 - 1;
        let [first, right, below] = [middle(0, 0), middle(0, last), middle(last, 0)];
        let corners = [(first, 0), (first, 1), (right, 2), (right, 3), (below, 4), (below, 5)];
        let points = corners.map(|(cell, corner)| rim(cell, corner)).to_vec();
        let triangle = Mark::seen(MarkShape::Polygon { points }, MarkRole::Board);
        let chain = |player| (player, self.board.chain(position.of(player), &self.sides()));
        Some(self.board.scene(*position, vec![triangle], &Player::BOTH.map(chain)))
    }

    fn canonical(&self, position: Stones<u64>) -> Stones<u64> {
        self.images(position).min().unwrap_or(position)
    }
}

impl Placing<u64> for Y {
    fn winner(&self, stones: Stones) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.connects(stones.of(*player)))
    }

    fn symmetries(&self, stones: Stones) -> u64 {
        self.images(stones).filter(|image| *image == stones).count() as u64
    }
}

impl Selection for Y {
    fn board(&self) -> CellSet {
        self.board.all
    }

    fn payoff(&self, hers: CellSet) -> i64 {
        if self.connects(hers) { 1 } else { -1 }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use richman_core::Terminal;

    use super::*;
    use crate::testing::{folds, has_ends, random_position, refuses, round_trips};

    #[test]
    fn one_player_connects_a_full_board() {
        for size in 1..=5 {
            let game = Y::new(size).unwrap();
            for hers in richman_core::subsets(game.board.all) {
                assert_ne!(game.connects(hers), game.connects(game.board.all & !hers), "{size} {hers:b}");
            }
        }
        let (game, mut random) = (Y::new(8).unwrap(), Rng::with_seed(3));
        for _ in 0..500 {
            let hers = random.u64(..) & game.board.all;
            assert_ne!(game.connects(hers), game.connects(game.board.all & !hers), "{hers:b}");
        }
    }

    #[test]
    fn ends() {
        let game = Y::new(3).unwrap();
        let wins = |player| Some(Terminal::Win(player));
        has_ends(&game, &[("A../A./A", wins(Player::Alice)), (".BB/B./.", wins(Player::Bob))]);
        has_ends(&game, &["B../.B/.", ".B./B./.", ".B./.B/.", "A.A/../A"].map(|text| (text, None)));
        refuses(&game, &["", "...", ".../.../...", "../../.", "..C/../."], &[]);
        let message = game.parse("A").unwrap_err().to_string();
        assert!(
            message.contains("write 3 rows of 3 cells to 1 from the top") && message.ends_with(".../../."),
            "{message}"
        );
    }

    #[test]
    fn folding_keeps_ends_and_moves() {
        let game = Y::new(4).unwrap();
        let mut random = Rng::with_seed(8);
        for _ in 0..200 {
            let position = random_position(&game, &mut random, 10);
            round_trips(&game, [position]);
            folds(&game, &position);
        }
    }

    #[test]
    fn pictures_lean() {
        let game = Y::new(3).unwrap();
        let position = game.parse("A../.B/A").unwrap();
        assert_eq!(game.picture(&position), "  a b c\n1 A . .\n 2 . B\n  3 A");
    }
}
