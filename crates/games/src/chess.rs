//! Bidding chess: whoever captures the opposing king wins.

mod figures;
mod scene;

use richman_chess::board::{ChessBoard, ChessClass, ChessMove, Piece, letter, square_name};
use richman_core::{ArenaSize, Error, Game, Player, Scene, Structure, Terminal, excerpt};

use crate::parameters::{Parameters, canonical_name};
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "chess",
    parameters: "size=8,pieces=all",
    description: "move any piece, also into attack; who takes the other's king wins (pieces=KRK starts with those)",
    chips: 100,
    rules: "\
Alice has the white pieces, in capitals. Moves are written Nf3, exd5, e8=Q, O-O. There is no check: a king that is \
left under attack can be taken. \
Castling (O-O, O-O-O) needs a king and a rook that have not moved, and empty squares between them; attacked squares \
do not matter. Taking a pawn en passant is possible only with the very next move of the game, so whoever wants it must \
win that bid: it is gone once the other player moves again.",
    title: "Chess",
    notation: "the board in Forsyth-Edwards notation, Alice's pieces in capitals, without a side to move; then the \
               rights to castle",
    example: "chess",
    pictured: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R KQkq",
};

const USUAL: u32 = 8;
/// The values of `pieces`.
const PIECES: &str = "all, or Alice's king and pieces and then Bob's, such as KRK";
/// The value of `pieces` for the usual start.
const ALL: &str = "all";

/// Chess without check, checkmate or stalemate: any piece may move, and whoever captures the
/// opposing king wins. Alice has the white pieces.
///
/// Castling needs only empty squares and unmoved pieces. A pawn can be captured en passant only
/// right after the opponent's double step. A player without a move cannot be the one to move; if
/// neither has one, the game is a draw.
#[derive(Debug, Clone)]
pub struct Chess {
    start: ChessBoard,
    pieces: Option<ChessClass>,
}

impl Chess {
    /// The game on `size` x `size` squares, 4 to 8, from the usual start or with these pieces.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] for other sizes; [`GameError::ChessPieces`] if `pieces` are not
    /// pieces that fit.
    pub fn new(size: u32, pieces: Option<&str>) -> Result<Chess, GameError> {
        let size = crate::parameters::within("size", size, 4..=USUAL)?;
        let most = size as usize;
        let refused = |text| GameError::ChessPieces { given: excerpt(text), most };
        let read = |text| ChessClass::parse(text, most).ok_or_else(|| refused(text));
        let pieces = pieces.map(read).transpose()?;
        let start = match &pieces {
            Some(pieces) => set_up(pieces, size as u8),
            None => usual_start(size as u8),
        };
        Ok(Chess { start, pieces })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Chess, GameError> {
        let pieces = given.words("pieces", ALL, PIECES).filter(|text| !text.eq_ignore_ascii_case(ALL));
        Chess::new(given.number("size", USUAL, 4..=USUAL)?, pieces)
    }
}

/// The standard start of chess; on 4 x 4, 5 x 5 and 6 x 6 those of Silverman, Gardner and Los
/// Alamos.
fn usual_start(size: u8) -> ChessBoard {
    let row = match size {
        4 => "rqkr",
        5 => "rnbqk",
        6 => "rnqknr",
        7 => "rnbqknr",
        _ => "rnbqkbnr",
    };
    let mut rows = vec![row.to_string(), "p".repeat(size.into())];
    rows.extend((4..size).map(|_| size.to_string()));
    rows.extend(["P".repeat(size.into()), row.to_ascii_uppercase()]);
    let castling = if u32::from(size) == USUAL { " KQkq" } else { "" };
    ChessBoard::parse(&(rows.join("/") + castling), size).expect("it is a position")
}

/// Puts each player's king and pieces on the first rank, pawns on the second.
fn set_up(pieces: &ChessClass, size: u8) -> ChessBoard {
    let mut board = ChessBoard::empty(size);
    let middle = size / 2;
    // From the middle to the left, then to the right.
    let files: Vec<u8> = (0..=middle).rev().chain(middle + 1..size).collect();
    for player in Player::BOTH {
        let mut taken = [0, 0];
        for &piece in pieces.of(player) {
            let row = usize::from(piece == Piece::Pawn);
            let rank = if player == Player::Alice { row as u8 } else { size - 1 - row as u8 };
            board = board.with(player, piece, 8 * rank + files[taken[row]]);
            taken[row] += 1;
        }
    }
    board
}

impl Game for Chess {
    type Position = ChessBoard;

    fn name(&self) -> String {
        let pieces = self.pieces.as_ref().map_or(ALL.to_string(), ChessClass::to_string);
        let size = self.start.size().to_string();
        canonical_name(INFO.name, &[("size", size, USUAL.to_string()), ("pieces", pieces, ALL.to_string())])
    }

    fn start(&self) -> ChessBoard {
        self.start
    }

    fn terminal(&self, position: &ChessBoard) -> Option<Terminal> {
        let can_move = || Player::BOTH.into_iter().any(|player| position.can_move(player));
        match position.winner() {
            Some(player) => Some(Terminal::Win(player)),
            None => (!can_move()).then_some(Terminal::Draw),
        }
    }

    fn moves(&self, position: &ChessBoard, player: Player, into: &mut Vec<ChessBoard>) {
        position.each_move(player, |made| into.push(position.after(player, made)));
    }

    fn notation(&self, position: &ChessBoard) -> String {
        position.notation()
    }

    fn parse(&self, notation: &str) -> Result<ChessBoard, Error> {
        ChessBoard::parse(notation, self.start.size()).map_err(|cause| {
            let start = self.start.notation();
            let reason =
                format!("{cause}; write the board in Forsyth-Edwards notation without a side to move, such as {start}");
            Error::bad_position(notation, self.name(), reason)
        })
    }

    fn move_name(&self, from: &ChessBoard, to: &ChessBoard, player: Player) -> String {
        made(from, to, player).map_or_else(|| to.notation(), |made| from.name(player, made))
    }

    fn picture(&self, position: &ChessBoard) -> String {
        let size = position.size();
        let letter = |square| position.piece_at(square).map_or('.', |(player, piece)| letter(player, piece));
        let mut rows: Vec<String> = (0..size)
            .rev()
            .map(|rank| {
                (0..size).fold((rank + 1).to_string(), |row, file| format!("{row} {}", letter(8 * rank + file)))
            })
            .collect();
        rows.push((0..size).fold(" ".to_string(), |row, file| format!("{row} {}", char::from(b'a' + file))));
        rows.join("\n")
    }

    fn scene(&self, position: &ChessBoard) -> Option<Scene> {
        Some(scene::scene(position, Player::Alice))
    }

    fn scene_for(&self, position: &ChessBoard, below: Player) -> Option<Scene> {
        Some(scene::scene(position, below))
    }

    fn pointing(&self, from: &ChessBoard, to: &ChessBoard, player: Player) -> Vec<String> {
        made(from, to, player).map_or_else(Vec::new, |made| vec![square_name(made.from), square_name(made.to)])
    }

    fn structure(&self, position: &ChessBoard) -> Option<Structure> {
        Some(Structure::new(*position))
    }

    fn canonical(&self, position: ChessBoard) -> ChessBoard {
        position.canonical()
    }

    /// The ways to place the pieces, up to reflection. Blocked pieces reach few of them.
    fn about_arena(&self, position: &ChessBoard, most: u64) -> Option<ArenaSize> {
        let mirrors = if position.of_kind(Piece::Pawn) == 0 { 8 } else { 2 };
        let squares = u64::from(position.size()).pow(2);
        let ways = squares.saturating_pow(position.occupied().count_ones()) / mirrors;
        Some(ArenaSize { positions: ways.min(most), longest_play: None, margin: 1_000_000 })
    }

    /// In pawns.
    fn lead(&self, position: &ChessBoard) -> i64 {
        const WORTH: [i64; 6] = [1, 3, 3, 5, 9, 0];
        let of = |player| -> i64 {
            let count = |piece| i64::from(position.pieces(player, piece).count_ones());
            Piece::ALL.into_iter().map(|piece| count(piece) * WORTH[piece as usize]).sum()
        };
        of(Player::Alice) - of(Player::Bob)
    }
}

/// The move of `player` that leads from one position to the other.
fn made(from: &ChessBoard, to: &ChessBoard, player: Player) -> Option<ChessMove> {
    from.moves(player).into_iter().find(|&made| from.after(player, made) == *to)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{has_ends, random_position, refuses, round_trips};

    #[test]
    fn names_starts_and_refusals() {
        for (spec, name, start) in [
            ("chess:size=8", "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq"),
            ("chess:size=4", "chess:size=4", "rqkr/pppp/PPPP/RQKR"),
            ("chess:size=5", "chess:size=5", "rnbqk/ppppp/5/PPPPP/RNBQK"),
            ("chess:size=7", "chess:size=7", "rnbqknr/ppppppp/7/7/7/PPPPPPP/RNBQKNR"),
            ("chess:pieces=KNK", "chess:pieces=KNK", "4k3/8/8/8/8/8/8/3NK3"),
            ("chess:pieces=KPRKB", "chess:pieces=KRPKB", "3bk3/8/8/8/8/8/4P3/3RK3"),
            ("chess:pieces=KPKP,size=4", "chess:size=4,pieces=KPKP", "2k1/2p1/2P1/2K1"),
        ] {
            let game = crate::Games::default().find(spec).unwrap();
            let found = game.walk(None).unwrap().start();
            assert_eq!((game.name().as_str(), found.as_str()), (name, start), "{spec}");
        }
        for (spec, cause) in [
            ("chess:size=3", "from 4 to 8"),
            ("chess:size=9", "from 4 to 8"),
            ("chess:pieces=KN", "KN"),
            ("chess:pieces=NKK", "NKK"),
            ("chess:pieces=KKK", "KKK"),
            ("chess:pieces=KQQQQK,size=4", "KQQQQK"),
        ] {
            let message = crate::Games::default().find(spec).err().unwrap().to_string();
            assert!(message.contains(cause), "{spec}: {message}");
        }
        let words = "no white king; write the board in Forsyth-Edwards";
        refuses(&Chess::new(8, None).unwrap(), &["8/8/8/8/8/8/8/8"], &[words]);
    }

    #[test]
    fn positions_round_trip_and_names_tell_moves_apart() {
        let mut random = Rng::with_seed(64);
        for (size, pieces) in [(8, None), (4, None), (5, None), (8, Some("KPPKPP"))] {
            let game = Chess::new(size, pieces).unwrap();
            for _ in 0..60 {
                let position = random_position(&game, &mut random, 80);
                round_trips(&game, [position]);
                if game.terminal(&position).is_some() {
                    continue;
                }
                for player in Player::BOTH {
                    let mut found = Vec::new();
                    game.moves(&position, player, &mut found);
                    let names: HashSet<String> = found.iter().map(|to| game.move_name(&position, to, player)).collect();
                    assert_eq!(names.len(), found.len(), "{}", game.notation(&position));
                    assert!(found.iter().all(|to| game.pointing(&position, to, player).len() == 2));
                }
            }
        }
    }

    #[test]
    fn who_takes_the_king_wins_and_without_moves_it_is_a_draw() {
        let game = Chess::new(4, None).unwrap();
        let wins = |player| Some(Terminal::Win(player));
        has_ends(
            &game,
            &[("4/4/4/3K 1-0", wins(Player::Alice)), ("4/3k/4/4 0-1", wins(Player::Bob)), ("k3/4/4/3K", None)],
        );
        // Alice cannot move but Bob can, so the game goes on.
        has_ends(&Chess::new(5, None).unwrap(), &[("k4/5/p1p2/P1P2/KB3", None)]);
    }

    #[test]
    fn the_picture_has_the_usual_letters() {
        let game = Chess::new(4, None).unwrap();
        assert_eq!(game.picture(&game.start()), "4 r q k r\n3 p p p p\n2 P P P P\n1 R Q K R\n  a b c d");
    }
}
