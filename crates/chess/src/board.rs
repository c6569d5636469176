//! A position of bidding chess: the pieces and their moves.

mod class;
mod index;
mod symmetry;

use std::fmt::Write;
use std::hash::{Hash, Hasher};

use cozy_chess::{
    BitBoard, Color, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use richman_core::{ByPlayer, Player, counted};

pub use class::ChessClass;
pub use cozy_chess::Piece;
pub use index::ChessIndex;

pub(crate) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// A move of a piece; castling is a move of the king by two squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChessMove {
    /// The square left: 8 * rank + file, both from 0.
    pub from: u8,
    /// The square reached.
    pub to: u8,
    /// The piece that a pawn becomes on the last rank.
    pub promotion: Option<Piece>,
}

/// A chess position without a side to move. Alice has the white pieces.
///
/// Smaller boards are the lower left corner of the 8 x 8 board. Squares are numbered 8 * rank +
/// file, so a1 is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChessBoard {
    kinds: [u64; 6],
    sides: ByPlayer<u64>,
    /// The square that a pawn has just passed by a double step, if it can be taken there, else
    /// [`NOWHERE`].
    passed: u8,
    /// The castlings still possible: a bit for each of K, Q, k, q.
    castling: u8,
    size: u8,
}

impl Hash for ChessBoard {
    /// As arrays, whose words are hashed at once. Estimates depend on the slots of the search.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let ByPlayer { alice, bob } = self.sides;
        (self.kinds, [alice, bob], self.passed, self.castling, self.size).hash(state);
    }
}

const NOWHERE: u8 = 64;
const USUAL: u8 = 8;

struct Castling {
    player: Player,
    letter: char,
    king: u8,
    king_to: u8,
    rook: u8,
    rook_to: u8,
    between: u64,
}

const CASTLINGS: [Castling; 4] = [
    Castling { player: Player::Alice, letter: 'K', king: 4, king_to: 6, rook: 7, rook_to: 5, between: 0x60 },
    Castling { player: Player::Alice, letter: 'Q', king: 4, king_to: 2, rook: 0, rook_to: 3, between: 0x0e },
    Castling { player: Player::Bob, letter: 'k', king: 60, king_to: 62, rook: 63, rook_to: 61, between: 0x60 << 56 },
    Castling { player: Player::Bob, letter: 'q', king: 60, king_to: 58, rook: 56, rook_to: 59, between: 0x0e << 56 },
];

/// The numbers of the set bits, lowest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// The name of a square, such as e4.
pub fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

fn bit(square: u8) -> u64 {
    1 << square
}

#[inline]
fn at(square: u8) -> Square {
    Square::index(usize::from(square))
}

impl ChessBoard {
    /// An empty board of `size` x `size` squares, 1 to 8.
    pub fn empty(size: u8) -> ChessBoard {
        ChessBoard { kinds: [0; 6], sides: ByPlayer::both(0), passed: NOWHERE, castling: 0, size: size.clamp(1, USUAL) }
    }

    /// Adds a piece on an empty square.
    pub fn with(mut self, player: Player, piece: Piece, square: u8) -> ChessBoard {
        self.put(player, piece, square);
        self
    }

    /// The number of squares in a row.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// All squares of the board, as a bit set.
    #[inline]
    pub fn squares(&self) -> u64 {
        let row = (1_u64 << self.size) - 1;
        (row * 0x0101_0101_0101_0101) & (u64::MAX >> (8 * (USUAL - self.size)))
    }

    /// The squares with pieces of one kind, of both players.
    #[inline]
    pub fn of_kind(&self, piece: Piece) -> u64 {
        self.kinds[piece as usize]
    }

    /// The squares with a player's pieces.
    #[inline]
    pub fn of(&self, player: Player) -> u64 {
        self.sides[player]
    }

    /// The squares with a player's pieces of one kind.
    #[inline]
    pub fn pieces(&self, player: Player, piece: Piece) -> u64 {
        self.of(player) & self.of_kind(piece)
    }

    /// All squares with pieces.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.sides.alice | self.sides.bob
    }

    /// The piece on a square and its owner.
    pub fn piece_at(&self, square: u8) -> Option<(Player, Piece)> {
        let player = Player::BOTH.into_iter().find(|&player| self.of(player) & bit(square) != 0)?;
        Some((player, self.kind_at(square)?))
    }

    #[inline]
    fn kind_at(&self, square: u8) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.of_kind(piece) & bit(square) != 0)
    }

    /// The square that a pawn has just passed by a double step, if a pawn of the other player can
    /// take there.
    pub fn passed(&self) -> Option<u8> {
        (self.passed != NOWHERE).then_some(self.passed)
    }

    /// Whether any castling is still possible.
    pub fn has_castling(&self) -> bool {
        self.castling != 0
    }

    /// The player who has taken the other's king.
    #[inline]
    pub fn winner(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.pieces(player.other(), Piece::King) == 0)
    }

    fn put(&mut self, player: Player, piece: Piece, square: u8) {
        self.kinds[piece as usize] |= bit(square);
        self.sides[player] |= bit(square);
    }

    fn clear(&mut self, square: u8) {
        for set in self.kinds.iter_mut().chain(self.sides.iter_mut()) {
            *set &= !bit(square);
        }
    }

    /// The squares where a piece could take. Pieces of either player block.
    #[inline]
    pub fn attacks(&self, player: Player, piece: Piece, square: u8) -> u64 {
        // Squares off a small board block like pieces.
        let blockers = BitBoard(self.occupied() | !self.squares());
        let from = at(square);
        let BitBoard(to) = match piece {
            Piece::Pawn => get_pawn_attacks(from, player.either(Color::White, Color::Black)),
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, blockers),
            Piece::Rook => get_rook_moves(from, blockers),
            Piece::Queen => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
            Piece::King => get_king_moves(from),
        };
        to & self.squares()
    }

    /// Whether `player` could take the other king now.
    pub fn threatens_king(&self, player: Player) -> bool {
        // Attacks are symmetric, except that a pawn's reverse those of the other colour.
        let takes = |king, piece| self.attacks(player.other(), piece, king) & self.pieces(player, piece) != 0;
        squares(self.pieces(player.other(), Piece::King))
            .any(|king| Piece::ALL.into_iter().any(|piece| takes(king, piece)))
    }

    fn last_rank(&self, player: Player) -> u64 {
        let rank = if player == Player::Alice { self.size - 1 } else { 0 };
        (0xff << (8 * rank)) & self.squares()
    }

    #[inline]
    fn pawn_moves(&self, player: Player, square: u8) -> u64 {
        let empty = self.squares() & !self.occupied();
        let (step, home): (fn(u64) -> u64, u8) = player.either((|set| set << 8, 1), (|set| set >> 8, 6));
        let once = step(bit(square)) & empty;
        let can_twice = self.size == USUAL && square / 8 == home;
        let twice = if can_twice { step(once) & empty } else { 0 };
        // Only the other player's double steps leave squares to take on.
        let passed = if self.passed != NOWHERE && (self.passed / 8 == 5) == (player == Player::Alice) {
            bit(self.passed)
        } else {
            0
        };
        once | twice | (self.attacks(player, Piece::Pawn, square) & (self.of(player.other()) | passed))
    }

    #[inline]
    fn reach(&self, player: Player, piece: Piece, from: u8) -> u64 {
        match piece {
            Piece::Pawn => self.pawn_moves(player, from),
            _ => self.attacks(player, piece, from) & !self.of(player),
        }
    }

    /// Calls `found` with every move of `player`, including those that leave the own king to be
    /// taken.
    #[inline]
    pub fn each_move(&self, player: Player, mut found: impl FnMut(ChessMove)) {
        for piece in Piece::ALL {
            for from in squares(self.pieces(player, piece)) {
                let last = if piece == Piece::Pawn { self.last_rank(player) } else { 0 };
                for to in squares(self.reach(player, piece, from)) {
                    if last & bit(to) == 0 {
                        found(ChessMove { from, to, promotion: None });
                    } else {
                        PROMOTIONS.into_iter().for_each(|to_be| found(ChessMove { from, to, promotion: Some(to_be) }));
                    }
                }
            }
        }
        if self.castling != 0 {
            for (way, right) in CASTLINGS.iter().zip(0..) {
                let can = self.castling & (1 << right) != 0 && self.occupied() & way.between == 0;
                if can && way.player == player {
                    found(ChessMove { from: way.king, to: way.king_to, promotion: None });
                }
            }
        }
    }

    /// All moves of `player`, in a fixed order.
    pub fn moves(&self, player: Player) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        self.each_move(player, |one| moves.push(one));
        moves
    }

    /// Whether `player` has a move.
    pub fn can_move(&self, player: Player) -> bool {
        // A king that can castle can also go one step.
        let has_move = |piece| squares(self.pieces(player, piece)).any(|from| self.reach(player, piece, from) != 0);
        Piece::ALL.into_iter().any(has_move)
    }

    /// The position after a move of `player`, which must be one of [`ChessBoard::moves`].
    #[inline]
    pub fn after(&self, player: Player, made: ChessMove) -> ChessBoard {
        let ChessMove { from, to, promotion } = made;
        let Some(piece) = self.kind_at(from) else { return *self };
        let mut next = *self;
        next.passed = NOWHERE;
        next.clear(from);
        next.clear(to);
        next.put(player, promotion.unwrap_or(piece), to);
        match piece {
            Piece::Pawn if to == self.passed && from % 8 != to % 8 => {
                next.clear(if to > from { to - 8 } else { to + 8 });
            }
            Piece::Pawn if to.abs_diff(from) == 16 => {
                let passed = from.midpoint(to);
                let takers = self.attacks(player, Piece::Pawn, passed) & self.pieces(player.other(), Piece::Pawn);
                if takers != 0 {
                    next.passed = passed;
                }
            }
            Piece::King if (from % 8).abs_diff(to % 8) == 2 => {
                if let Some(way) = CASTLINGS.iter().find(|way| way.king == from && way.king_to == to) {
                    next.clear(way.rook);
                    next.put(player, Piece::Rook, way.rook_to);
                }
            }
            _ => {}
        }
        if self.castling != 0 {
            for (way, right) in CASTLINGS.iter().zip(0..) {
                if [way.king, way.rook].iter().any(|&home| home == from || home == to) {
                    next.castling &= !(1 << right);
                }
            }
        }
        next
    }

    /// The move in standard algebraic notation, such as Nf3, exd5, O-O or e8=Q; unique for a
    /// player.
    pub fn name(&self, player: Player, made: ChessMove) -> String {
        let ChessMove { from, to, promotion } = made;
        let Some(piece) = self.kind_at(from) else { return String::new() };
        if piece == Piece::King && (from % 8).abs_diff(to % 8) == 2 {
            return if to > from { "O-O" } else { "O-O-O" }.to_string();
        }
        let takes = self.occupied() & bit(to) != 0 || (piece == Piece::Pawn && from % 8 != to % 8);
        let file = |square: u8| char::from(b'a' + square % 8);
        let mut name = String::new();
        if piece == Piece::Pawn {
            if takes {
                name.push(file(from));
            }
        } else {
            name.push(letter(Player::Alice, piece));
            let others = self.pieces(player, piece) & self.attacks(player, piece, to) & !bit(from);
            if others != 0 {
                let same = |part: fn(u8) -> u8| squares(others).any(|other| part(other) == part(from));
                let (in_file, in_rank) = (same(|square| square % 8), same(|square| square / 8));
                if !in_file || in_rank {
                    name.push(file(from));
                }
                if in_file {
                    name.push(char::from(b'1' + from / 8));
                }
            }
        }
        if takes {
            name.push('x');
        }
        name.push_str(&square_name(to));
        if let Some(piece) = promotion {
            let _ = write!(name, "={}", letter(Player::Alice, piece));
        }
        name
    }

    /// The position in Forsyth-Edwards notation without a side to move: the board, any castlings,
    /// any square that a pawn has just passed, and `1-0` or `0-1` if a king was taken.
    pub fn notation(&self) -> String {
        let at = |square| self.piece_at(square).map_or('.', |(player, piece)| letter(player, piece));
        let rank = |rank: u8| (0..self.size).map(|file| at(8 * rank + file)).collect::<String>();
        let mut text = (0..self.size).rev().map(rank).collect::<Vec<String>>().join("/");
        for empty in (1..=usize::from(self.size)).rev() {
            text = text.replace(&".".repeat(empty), &empty.to_string());
        }
        if self.castling != 0 || self.passed != NOWHERE {
            text.push(' ');
            let rights = CASTLINGS.iter().zip(0..).filter(|(_, right)| self.castling & (1 << right) != 0);
            text.extend(rights.map(|(way, _)| way.letter));
            if self.castling == 0 {
                text.push('-');
            }
        }
        if self.passed != NOWHERE {
            let _ = write!(text, " {}", square_name(self.passed));
        }
        match self.winner() {
            Some(Player::Alice) => text.push_str(" 1-0"),
            Some(Player::Bob) => text.push_str(" 0-1"),
            None => {}
        }
        text
    }

    /// Reads a position on a board of that size.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, size: u8) -> Result<ChessBoard, String> {
        let mut fields = text.split_ascii_whitespace();
        let rows = fields.next().unwrap_or_default();
        let mut board = read_rows(rows, size)?;
        let rest: Vec<&str> = fields.collect();
        let (rest, ended) = match rest.split_last() {
            Some((&"1-0", rest)) => (rest, Some(Player::Alice)),
            Some((&"0-1", rest)) => (rest, Some(Player::Bob)),
            _ => (&rest[..], None),
        };
        board.has_kings(ended)?;
        let (castling, passed) = match *rest {
            [] => ("-", "-"),
            ["w" | "b", ..] => {
                return Err("there is no side to move: leave out the w or b and the counters".to_string());
            }
            [castling] => (castling, "-"),
            [castling, passed] => (castling, passed),
            _ => {
                return Err("there is too much behind the board: only castlings and the square passed can stand there"
                    .to_string());
            }
        };
        if castling != "-" {
            for letter in castling.chars() {
                board.allow_castling(letter)?;
            }
        }
        if passed != "-" {
            board.allow_passing(passed)?;
        }
        Ok(board)
    }

    fn has_kings(&self, ended: Option<Player>) -> Result<(), String> {
        for player in Player::BOTH {
            let colour = player.either("white", "black");
            let wanted = u32::from(ended != Some(player.other()));
            match self.pieces(player, Piece::King).count_ones() {
                kings if kings == wanted => {}
                0 => return Err(format!("there is no {colour} king")),
                1 => return Err(format!("the {colour} king was not taken")),
                kings => return Err(format!("there are {kings} {colour} kings")),
            }
        }
        Ok(())
    }

    fn allow_castling(&mut self, letter: char) -> Result<(), String> {
        let found = CASTLINGS.iter().zip(0..).find(|(way, _)| way.letter == letter);
        let Some((way, right)) = found else {
            return Err(format!("{letter:?} is no castling: write some of KQkq, or -"));
        };
        let stands = |piece, square| self.piece_at(square) == Some((way.player, piece));
        if self.size != USUAL || !stands(Piece::King, way.king) || !stands(Piece::Rook, way.rook) {
            let (king, rook) = (square_name(way.king), square_name(way.rook));
            return Err(format!("for the castling {letter} the king must stand on {king} and the rook on {rook}"));
        }
        self.castling |= 1 << right;
        Ok(())
    }

    fn allow_passing(&mut self, name: &str) -> Result<(), String> {
        let square = squares(self.squares()).find(|&square| square_name(square) == name);
        let passed = square.and_then(|square| {
            let (player, pawn, from) = match square / 8 {
                2 => (Player::Alice, square + 8, square - 8),
                5 => (Player::Bob, square - 8, square + 8),
                _ => return None,
            };
            let fits =
                self.piece_at(pawn) == Some((player, Piece::Pawn)) && self.occupied() & (bit(square) | bit(from)) == 0;
            (self.size == USUAL && fits).then_some((player, square))
        });
        let Some((player, square)) = passed else {
            return Err(format!("no pawn has just passed {name:?} by a double step"));
        };
        if self.attacks(player, Piece::Pawn, square) & self.pieces(player.other(), Piece::Pawn) != 0 {
            self.passed = square;
        }
        Ok(())
    }
}

/// The letter of a piece, capital for White.
pub fn letter(player: Player, piece: Piece) -> char {
    let small = char::from(piece);
    if player == Player::Alice { small.to_ascii_uppercase() } else { small }
}

fn read_rows(text: &str, size: u8) -> Result<ChessBoard, String> {
    let mut board = ChessBoard::empty(size);
    let ranks = text.split('/').count();
    if ranks != usize::from(size) {
        return Err(format!("it has {} instead of {size}", counted(ranks as u64, "rank")));
    }
    for (rank, row) in (0..size).rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            let wide = || format!("rank {} has more than {size} squares", rank + 1);
            if let Some(empty @ 1..) = letter.to_digit(10) {
                file += empty as u8;
                if file > size {
                    return Err(wide());
                }
                continue;
            }
            let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) else {
                return Err(format!("{letter:?} is neither a piece nor a number of empty squares"));
            };
            if file >= size {
                return Err(wide());
            }
            let player = if letter.is_ascii_uppercase() { Player::Alice } else { Player::Bob };
            if piece == Piece::Pawn && (rank == 0 || rank + 1 == size) {
                return Err(format!("a pawn stands on rank {}", rank + 1));
            }
            board.put(player, piece, 8 * rank + file);
            file += 1;
        }
        if file != size {
            return Err(format!("rank {} has {file} squares instead of {size}", rank + 1));
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests;
