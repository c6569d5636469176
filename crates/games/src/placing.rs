//! Games in which stones are placed and stay: about how many positions there are, without looking at all of them.
//!
//! Stone by stone a sample is kept of the positions at which the game goes on. A random move from each leads to positions with
//! a stone more. Such a position is found from each of the b positions that it has without a stone that could be the last; so
//! it is weighted by moves / b, where there were so many moves. The sum of the weights is the number of positions on average:
//! sequential Monte Carlo. Positions at which the game goes on are drawn again by their weights for the next stone. The
//! numbers of boards that have an arena are met within some percent. Symmetric positions are counted once, as if none was
//! symmetric to itself.

use fastrand::Rng;
use richman_core::{ArenaSize, Game, Player};

use crate::grid::StoneBoard;
use crate::stones::{Cells, Stones};

/// A game in which both players place stones on the same cells, and no stone makes a game go on that is over.
pub(crate) trait Placing<C: Cells>: Game<Position = Stones<C>> {
    /// Who has what wins; on a board without an empty cell the game is a draw if nobody has.
    fn winner(&self, stones: Stones<C>) -> Option<Player>;

    /// How many symmetries of the board, the identity included, leave a position as it is.
    fn symmetries(&self, stones: Stones<C>) -> u64;

    /// The cells of which the stone could be the last one placed, where stones are on all these cells.
    fn tops(&self, occupied: C) -> C {
        occupied
    }

    /// Why no play leads to these stones, where one can tell.
    fn unreachable(&self, stones: Stones<C>) -> Option<&'static str> {
        let _ = stones;
        None
    }

    /// What the move is called that places a stone there.
    fn placed(&self, row: u32, col: u32) -> String {
        crate::grid::cell_name(row, col)
    }
}

/// What all games of [`Placing`] say in the same way, for the body of their implementations of [`Game`].
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

/// About how large the arena of what follows on `start` is, with `most` positions where there are more.
pub(crate) fn about_arena<C: Cells>(
    game: &impl Placing<C>,
    board: &impl StoneBoard<C>,
    start: Stones<C>,
    most: u64,
) -> ArenaSize {
    /// How many positions are drawn: twice as many with every stone, since with few stones they hardly differ.
    const FEWEST: usize = 10;
    const MOST: usize = 100;
    let mut rng = Rng::with_seed(1); // any number: the same position gives the same answer
    let (mut moves, mut before) = (Vec::new(), Vec::new());
    let all_cells = || board.grid().places().map(|(row, col)| board.cell(row, col));
    let mut sample = vec![start; if game.terminal(&start).is_none() { FEWEST } else { 0 }];
    // With so many stones: how many there are at which the game goes on.
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
    // A move for every cell that is open.
    ArenaSize {
        positions: ((all / symmetries).ceil() as u64).min(most),
        longest_play: Some(all_cells().filter(|cell| start.occupied() & *cell == C::NONE).count() as u64),
        margin: 64,
    }
}
