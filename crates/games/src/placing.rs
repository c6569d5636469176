//! Games in which stones are placed and stay: an estimate of the number of positions.
//!
//! The estimate is sequential Monte Carlo. For each number of stones there is a sample of the
//! positions where the game goes on. A random move from each adds a stone. The new position could
//! have come from b positions, one for each stone that could be the last, so its weight is the
//! number of moves divided by b. The expected sum of the weights is the number of positions. The
//! next sample is drawn from the new positions by weight. Where an arena gives the exact number,
//! the estimate is within a few percent. Dividing by the symmetries ignores that some positions are
//! symmetric to themselves.

use fastrand::Rng;
use richman_core::{ArenaSize, Game, Player};

use crate::grid::StoneBoard;
use crate::stones::{Cells, Stones};

/// A game in which both players place stones on the same cells. More stones never undo an end.
pub(crate) trait Placing<C: Cells>: Game<Position = Stones<C>> {
    /// The winner with these stones. A full board without a winner is a draw.
    fn winner(&self, stones: Stones<C>) -> Option<Player>;

    /// The number of symmetries of the board, including the identity, that fix a position.
    fn symmetries(&self, stones: Stones<C>) -> u64;

    /// The occupied cells whose stone could have been placed last.
    fn tops(&self, occupied: C) -> C {
        occupied
    }

    /// The reason why no play leads to these stones, if known.
    fn unreachable(&self, stones: Stones<C>) -> Option<&'static str> {
        let _ = stones;
        None
    }

    /// The name of the move that places a stone there.
    fn placed(&self, row: u32, col: u32) -> String {
        crate::grid::cell_name(row, col)
    }
}

/// The part of `impl Game` that all [`Placing`] games share.
macro_rules! stones_on {
    ($cells:ty) => {
        type Position = Stones<$cells>;

        fn start(&self) -> Stones<$cells> {
            Stones::NONE
        }

        fn terminal(&self, position: &Stones<$cells>) -> Option<richman_core::Terminal> {
            match self.winner(*position) {
                Some(player) => Some(richman_core::Terminal::Win(player)),
                None => (position.occupied() == self.board.all).then_some(richman_core::Terminal::Draw),
            }
        }

        fn notation(&self, position: &Stones<$cells>) -> String {
            self.board.notation(*position)
        }

        fn parse(&self, notation: &str) -> Result<Stones<$cells>, richman_core::Error> {
            let stones = self.board.parse(notation, &Game::name(self))?;
            let refused = |cause: &str| self.board.grid().refused(notation, &Game::name(self), cause);
            self.unreachable(stones).map_or(Ok(stones), |cause| Err(refused(cause)))
        }

        fn move_name(&self, from: &Stones<$cells>, to: &Stones<$cells>, _: Player) -> String {
            let added = self.board.added(*from, *to);
            added.map_or_else(|| self.notation(to), |(row, col)| self.placed(row, col))
        }

        fn picture(&self, position: &Stones<$cells>) -> String {
            self.board.picture(*position)
        }

        fn pointing(&self, from: &Stones<$cells>, to: &Stones<$cells>, player: Player) -> Vec<String> {
            vec![self.move_name(from, to, player)]
        }

        fn about_arena(&self, position: &Stones<$cells>, most: u64) -> Option<richman_core::ArenaSize> {
            Some(crate::placing::about_arena(self, &self.board, *position, most))
        }
    };
}
pub(crate) use stones_on;

/// An estimate of the arena from `start`; `positions` is at most `most`.
pub(crate) fn about_arena<C: Cells>(
    game: &impl Placing<C>,
    board: &impl StoneBoard<C>,
    start: Stones<C>,
    most: u64,
) -> ArenaSize {
    /// The sample size doubles with every stone, because positions with few stones hardly differ.
    const FEWEST: usize = 10;
    const MOST: usize = 100;
    let mut rng = Rng::with_seed(1); // any number: the same position gives the same answer
    let (mut moves, mut before) = (Vec::new(), Vec::new());
    let all_cells = || board.grid().coordinates().map(|(row, col)| board.cell(row, col));
    let mut sample = vec![start; if game.terminal(&start).is_none() { FEWEST } else { 0 }];
    // An estimate of the positions with the current number of stones where the game goes on.
    let mut going_on = 1.0;
    let mut all = 1.0;
    let symmetries = game.symmetries(start) as f64;
    while !sample.is_empty() && all / symmetries < most as f64 {
        let (each, size) = (going_on / sample.len() as f64, MOST.min(2 * sample.len()));
        going_on = 0.0;
        let mut next: Vec<(Stones<C>, f64)> = Vec::with_capacity(sample.len());
        for from in sample.drain(..) {
            moves.clear();
            before.clear();
            game.moves(&from, Player::BOTH[rng.usize(..2)], &mut moves);
            let ways = 2 * moves.len();
            let to = moves.swap_remove(rng.usize(..moves.len()));
            let placed = game.tops(to.occupied()) & !start.occupied();
            before.extend(all_cells().filter(|cell| placed & *cell != C::NONE).map(|cell| to.without(cell)));
            let is_over = game.terminal(&to).is_some();
            if is_over {
                before.retain(|from| game.terminal(from).is_none());
            }
            let weight = each * ways as f64 / before.len() as f64;
            all += weight;
            if !is_over {
                going_on += weight;
                next.push((to, weight));
            }
        }
        let step = going_on / size as f64;
        let mut drawn = step * rng.f64();
        for (position, weight) in next {
            while drawn < weight {
                sample.push(position);
                drawn += step;
            }
            drawn -= weight;
        }
    }
    // One move for every open cell.
    ArenaSize {
        positions: ((all / symmetries).ceil() as u64).min(most),
        longest_play: Some(all_cells().filter(|cell| start.occupied() & *cell == C::NONE).count() as u64),
        margin: 64,
    }
}
