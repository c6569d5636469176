//! The report of a chess position too large to solve: an estimate from searching the random-turn game.

mod source;

use std::time::Duration;

use richman_core::{ChessBoard, Mechanism, Piece, Player, Walk};
use richman_formats::MechanismJson;
use richman_solvers::Options;
use richman_solvers::chess_search::{ChessSearch, Effort};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

pub use source::Chess;

use crate::money::Moves;

/// How long to search at most.
const LONGEST: Duration = Duration::from_secs(5);

/// What a chess position seems to be worth in real money. Nothing of it is proved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChessReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// Null: the win threshold is not known; its bounds are 0 and 1.
    #[serde(flatten, serialize_with = "unknown_win")]
    pub win: Option<()>,
    /// Null: the draw threshold is not known; its bounds are 0 and 1.
    #[serde(flatten, serialize_with = "unknown_draw")]
    pub draw: Option<()>,
    /// False: these are estimates.
    pub exact: bool,
    /// What the search says.
    pub estimate: EstimateJson,
    /// The moves that seem best.
    pub moves: Moves,
}

fn unknown_win<S: Serializer>(_: &Option<()>, serializer: S) -> Result<S::Ok, S::Error> {
    unknown(["win", "win_bounds", "win_decimals"], serializer)
}

fn unknown_draw<S: Serializer>(_: &Option<()>, serializer: S) -> Result<S::Ok, S::Error> {
    unknown(["draw", "draw_bounds", "draw_decimals"], serializer)
}

/// A threshold of which nothing is proved but that it is a share.
fn unknown<S: Serializer>(keys: [&str; 3], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(keys.len()))?;
    map.serialize_entry(keys[0], &())?;
    map.serialize_entry(keys[1], &[0, 1])?;
    map.serialize_entry(keys[2], &[0.0, 1.0])?;
    map.end()
}

/// Estimates from a search, as shares of all the money.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EstimateJson {
    /// What Alice needs.
    pub needs: f64,
    /// What she needs after her best move.
    pub after_alice: f64,
    /// What she needs after Bob's best move.
    pub after_bob: f64,
    /// The best bid.
    pub bid: f64,
    /// How many moves the search looked ahead, at least along the likeliest lines.
    pub depth: f64,
    /// At how many positions it looked.
    pub positions: u64,
}

/// The board of a position that is estimated, where the game is chess, goes on, has too many pieces to be solved, and money goes to the other player.
pub fn board(walk: &dyn Walk, mechanism: &Mechanism) -> Option<ChessBoard> {
    walk.board::<ChessBoard>().filter(|board| !mechanism.has_bank() && walk.end().is_none() && is_large(board))
}

/// Whether there are too many ways to place the pieces of a position to solve it at once: of four pieces on the usual board, of six on the smallest.
pub fn is_large(board: &ChessBoard) -> bool {
    const MOST: u64 = 1 << 20;
    /// A pawn can become something else.
    const OF_A_PAWN: u64 = 3;
    let squares = u64::from(board.size()).pow(2);
    let pawns = board.of_kind(Piece::Pawn).count_ones();
    let ways = squares.saturating_pow(board.occupied().count_ones());
    ways.saturating_mul(OF_A_PAWN.saturating_pow(pawns)) > MOST
}

/// What the pieces of a player are worth more than the other's, in pawns.
pub fn material(board: &ChessBoard, player: Player) -> i64 {
    const WORTH: [i64; 6] = [1, 3, 3, 5, 9, 0];
    let of = |player| -> i64 {
        let count = |piece| i64::from(board.pieces(player, piece).count_ones());
        Piece::ALL.into_iter().map(|piece| count(piece) * WORTH[piece as usize]).sum()
    };
    of(player) - of(player.other())
}

/// Whether it would be in vain to unfold a position: as far as one can see without it, since blocked pieces reach little.
pub(crate) fn is_hopeless(board: &ChessBoard, most: u64) -> bool {
    const BLOCKED: f64 = 1e6;
    let squares = i32::from(board.size()).pow(2);
    let pieces = board.occupied().count_ones() as i32;
    f64::from(squares).powi(pieces) > BLOCKED * most as f64
}

/// Reports on the position that `walk` is at; `None` where it has no such [`board`], within a number of moves, and where exact values are required.
pub fn report(walk: &dyn Walk, mechanism: &Mechanism, options: &Options) -> Option<ChessReport> {
    let is_asked = options.within.is_none() && options.exactness != richman_solvers::Exactness::Required;
    let board = board(walk, mechanism).filter(|_| is_asked)?;
    let deadline = options.at_most(LONGEST).deadline;
    let effort = Effort { positions: 150_000, deadline, ..Effort::default() };
    let found = ChessSearch::new().estimate(&board, &effort, options.watch);
    let names = |player: Player| found.best[player as usize].iter().map(|&made| board.name(player, made)).collect();
    // Digits beyond these say nothing.
    let rounded = |share: f64| (share * 10_000.0).round() / 10_000.0;
    let [after_alice, after_bob] = found.after.map(|value| rounded(1.0 - value));
    Some(ChessReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        win: None,
        draw: None,
        exact: false,
        estimate: EstimateJson {
            needs: rounded(1.0 - found.value),
            after_alice,
            after_bob,
            bid: rounded((after_bob - after_alice).abs() / 2.0),
            depth: found.depth,
            positions: found.positions,
        },
        moves: Moves::best(names(Player::Alice), names(Player::Bob)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;

    #[test]
    fn estimates_say_that_they_are() {
        let subject = Subject::named("chess").unwrap();
        let of = |position: &str, options: &Options| {
            report(subject.walk(Some(position)).unwrap().as_ref(), &Mechanism::default(), options)
        };
        let options = Options::default().within_time(Duration::from_millis(20));
        // Alice's queen can take the king, Bob can only flee.
        let found = of("4k3/4p3/8/7Q/8/8/4P3/4K3", &options).unwrap();
        assert!(!found.exact && found.estimate.needs < 0.5 && found.estimate.after_alice == 0.0);
        assert_eq!(found.moves.alice, ["Qxe8"]);
        assert!(found.estimate.bid > 0.0);
        assert!(of("4k3/8/8/7Q/8/8/8/4K3", &options).is_none(), "three pieces are solved");
        let is_large =
            |game: &str| is_large(&Subject::named(game).unwrap().walk(None).unwrap().board::<ChessBoard>().unwrap());
        assert!(
            ["chess:pieces=KPK", "chess:size=4,pieces=KRKB", "chess:size=4,pieces=KRBKB"].map(is_large) == [false; 3]
        );
        assert!(["chess:pieces=KRKB", "chess:size=4", "chess:size=4,pieces=KPPKP"].map(is_large) == [true; 3]);
        assert!(of("8/4p3/4p3/7Q/8/8/4P3/4K3 1-0", &options).is_none(), "the game is over");
    }
}
