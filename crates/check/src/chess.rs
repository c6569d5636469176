//! The rules of bidding chess square by square, without tables and sets, to count moves and prove
//! endgames.

use richman_chess::board::{ChessBoard, Piece};
use richman_core::Player;

/// A position as a list of squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainBoard {
    size: i32,
    /// By rank, from the first.
    squares: Vec<Option<(Player, Piece)>>,
    /// The file and rank that a pawn has just passed.
    passed: Option<(i32, i32)>,
    /// The corners among a1, h1, a8, h8 with a rook that can castle.
    castling: Vec<(i32, i32)>,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

impl PlainBoard {
    /// Reads Forsyth-Edwards notation without a side to move; does not validate it.
    pub fn read(text: &str) -> PlainBoard {
        let mut fields = text.split_whitespace();
        let rows: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
        let size = rows.len() as i32;
        let mut squares = Vec::new();
        for row in rows.iter().rev() {
            for letter in row.chars() {
                let empty = letter.to_digit(10).unwrap_or(0) as usize;
                squares.extend(std::iter::repeat_n(None, empty));
                if let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) {
                    squares.push(Some((if letter.is_uppercase() { Player::Alice } else { Player::Bob }, piece)));
                }
            }
        }
        let rights = fields.next().unwrap_or_default();
        let corner = |letter| match letter {
            'K' => Some((7, 0)),
            'Q' => Some((0, 0)),
            'k' => Some((7, 7)),
            'q' => Some((0, 7)),
            _ => None,
        };
        let passed = fields.next().and_then(|name| {
            let mut letters = name.bytes();
            Some((i32::from(letters.next()?) - 97, i32::from(letters.next()?) - 49))
        });
        PlainBoard { size, squares, passed, castling: rights.chars().filter_map(corner).collect() }
    }

    /// The same pieces, without castling rights and the square just passed.
    pub fn of(board: &ChessBoard) -> PlainBoard {
        let size = i32::from(board.size());
        let cells = (0..size).flat_map(|rank| (0..size).map(move |file| (8 * rank + file) as u8));
        let squares = cells.map(|square| board.piece_at(square)).collect();
        PlainBoard { size, squares, passed: None, castling: Vec::new() }
    }

    /// The pieces as a board.
    pub fn board(&self) -> ChessBoard {
        let mut board = ChessBoard::empty(self.size as u8);
        for (cell, content) in (0..).zip(&self.squares) {
            if let Some((player, piece)) = *content {
                board = board.with(player, piece, (8 * (cell / self.size) + cell % self.size) as u8);
            }
        }
        board
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<(Player, Piece)> {
        self.squares[(rank * self.size + file) as usize]
    }

    fn set(&mut self, (file, rank): (i32, i32), content: Option<(Player, Piece)>) {
        self.squares[(rank * self.size + file) as usize] = content;
    }

    fn holds(&self, (file, rank): (i32, i32)) -> bool {
        (0..self.size).contains(&file) && (0..self.size).contains(&rank)
    }

    /// The player who has taken the other's king.
    pub fn winner(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| !self.squares.contains(&Some((player.other(), Piece::King))))
    }

    /// The positions after every move of a player.
    pub fn moves(&self, player: Player) -> Vec<PlainBoard> {
        let mut found = Vec::new();
        for rank in 0..self.size {
            for file in 0..self.size {
                let from = (file, rank);
                let Some((owner, piece)) = self.at(from) else { continue };
                if owner != player {
                    continue;
                }
                match piece {
                    Piece::Pawn => self.pawn(player, from, &mut found),
                    Piece::Knight => self.steps(player, from, &JUMPS, 1, &mut found),
                    Piece::Bishop => self.steps(player, from, &DIAGONAL, 8, &mut found),
                    Piece::Rook => self.steps(player, from, &STRAIGHT, 8, &mut found),
                    Piece::Queen | Piece::King => {
                        let far = if piece == Piece::King { 1 } else { 8 };
                        self.steps(player, from, &STRAIGHT, far, &mut found);
                        self.steps(player, from, &DIAGONAL, far, &mut found);
                    }
                }
            }
        }
        self.castle(player, &mut found);
        found
    }

    fn steps(&self, player: Player, from: (i32, i32), ways: &[(i32, i32)], far: i32, found: &mut Vec<PlainBoard>) {
        for (right, up) in ways {
            for far in 1..=far {
                let to = (from.0 + far * right, from.1 + far * up);
                let content = if self.holds(to) { self.at(to) } else { break };
                if content.is_none_or(|(owner, _)| owner != player) {
                    found.push(self.moved(from, to));
                }
                if content.is_some() {
                    break;
                }
            }
        }
    }

    fn moved(&self, from: (i32, i32), to: (i32, i32)) -> PlainBoard {
        let mut next = self.clone();
        next.passed = None;
        next.set(to, self.at(from));
        next.set(from, None);
        // A king or rook that moved, or a rook that is taken, never castles again.
        next.castling
            .retain(|&corner| corner != from && corner != to && (from != (4, corner.1)) && (to != (4, corner.1)));
        next
    }

    fn pawn(&self, player: Player, from: (i32, i32), found: &mut Vec<PlainBoard>) {
        let (up, home, last) = player.either((1, 1, self.size - 1), (-1, self.size - 2, 0));
        let mut arrive = |next: PlainBoard, to: (i32, i32)| {
            if to.1 != last {
                return found.push(next);
            }
            for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
                let mut promoted = next.clone();
                promoted.set(to, Some((player, piece)));
                found.push(promoted);
            }
        };
        let to = (from.0, from.1 + up);
        if self.at(to).is_none() {
            arrive(self.moved(from, to), to);
            let twice = (from.0, from.1 + 2 * up);
            if self.size == 8 && from.1 == home && self.at(twice).is_none() {
                let mut next = self.moved(from, twice);
                let beside = [-1, 1].map(|side| (from.0 + side, twice.1));
                if beside.iter().any(|&at| self.holds(at) && self.at(at) == Some((player.other(), Piece::Pawn))) {
                    next.passed = Some(to);
                }
                arrive(next, twice);
            }
        }
        for side in [-1, 1] {
            let to = (from.0 + side, from.1 + up);
            if !self.holds(to) {
                continue;
            }
            if self.at(to).is_some_and(|(owner, _)| owner != player) {
                arrive(self.moved(from, to), to);
            } else if self.passed == Some(to) && self.at((to.0, from.1)) == Some((player.other(), Piece::Pawn)) {
                let mut next = self.moved(from, to);
                next.set((to.0, from.1), None);
                arrive(next, to);
            }
        }
    }

    fn castle(&self, player: Player, found: &mut Vec<PlainBoard>) {
        let home = if player == Player::Alice { 0 } else { 7 };
        for &(corner, rank) in self.castling.iter().filter(|(_, rank)| *rank == home) {
            let (between, king_to, rook_to) = if corner == 7 { (5..7, 6, 5) } else { (1..4, 2, 3) };
            if between.into_iter().all(|file| self.at((file, rank)).is_none()) {
                let mut next = self.moved((4, rank), (king_to, rank));
                next.set((rook_to, rank), next.at((corner, rank)));
                next.set((corner, rank), None);
                found.push(next);
            }
        }
    }
}
