//! The search, with and without known endgames.

use std::sync::Arc;
use std::time::Instant;

use richman_chess::board::{ChessBoard, ChessClass, Piece};
use richman_chess::engine::endgames::{self, FIXED_POINT_UNIT, Tables, needed, of_three};
use richman_chess::engine::search::{ChessSearch, USUAL_POSITIONS};
use richman_core::{ByPlayer, Effort, Player};

fn little() -> Effort<'static> {
    Effort { positions: 60, ..Effort::default() }
}

/// A position on a small board where nobody can take a king.
fn quiet(random: &mut fastrand::Rng, row: u8, pieces: &[(Player, Piece)]) -> ChessBoard {
    loop {
        let mut free: Vec<u8> = (0..row * row).map(|cell| 8 * (cell / row) + cell % row).collect();
        random.shuffle(&mut free);
        let kings = ByPlayer::from_fn(|player| (player, Piece::King));
        let put = |board: ChessBoard, ((player, piece), at): (&(Player, Piece), u8)| board.with(*player, *piece, at);
        let board = kings.iter().chain(pieces).zip(free).fold(ChessBoard::empty(row), put);
        if Player::BOTH.into_iter().all(|player| !board.threatens_king(player)) {
            return board;
        }
    }
}

fn chance(tables: &Tables, board: &ChessBoard) -> f64 {
    let [low, high] = tables.bounds(board).unwrap().of(Player::Alice);
    (low + high) as f64 / 2.0 / FIXED_POINT_UNIT as f64
}

#[test]
fn three_pieces_are_known_and_won() {
    let tables = Arc::new(of_three(5, &Effort::default()).unwrap());
    let mut search = ChessSearch::default();
    search.learn(Arc::clone(&tables));
    let mut random = fastrand::Rng::with_seed(1);
    for piece in [Piece::Queen, Piece::Rook, Piece::Knight] {
        for _ in 0..20 {
            let mut board = quiet(&mut random, 5, &[(Player::Alice, piece)]);
            let found = search.estimate(&board, &little());
            assert!((found.value - chance(&tables, &board)).abs() < 1e-9, "{}", board.notation());
            // A player who always moves and follows these moves takes the king.
            for moves in 0.. {
                assert!(moves < 20, "no progress from {}", board.notation());
                let best = search.estimate(&board, &little()).best.alice[0];
                board = board.after(Player::Alice, best);
                if board.winner() == Some(Player::Alice) {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_is_known_of_endgames_makes_estimates_better() {
    let class = ChessClass::parse("KRKN", 4).unwrap();
    let mut tables = Tables::default();
    for class in needed(&class) {
        let chances = endgames::solve(endgames::index(&class, 5).unwrap(), &tables, &Effort::default()).unwrap();
        tables.insert(chances);
    }
    let known = Arc::new(of_three(5, &Effort::default()).unwrap());
    let mut random = fastrand::Rng::with_seed(2);
    let [mut without, mut with] = [0.0; 2];
    for _ in 0..60 {
        let board = quiet(&mut random, 5, &[(Player::Alice, Piece::Rook), (Player::Bob, Piece::Knight)]);
        let mut search = ChessSearch::default();
        let error =
            |search: &mut ChessSearch| (search.estimate(&board, &little()).value - chance(&tables, &board)).abs();
        without += error(&mut search);
        search.learn(Arc::clone(&known));
        with += error(&mut search);
    }
    assert!(with < 0.9 * without, "mean errors {} and {}", with / 60.0, without / 60.0);
}

#[test]
fn without_time_every_move_is_still_looked_at() {
    let start = ChessBoard::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq", 8).unwrap();
    let effort = Effort { positions: USUAL_POSITIONS, deadline: Some(Instant::now()), ..Effort::default() };
    let found = ChessSearch::default().estimate(&start, &effort);
    assert!(found.depth < 1.0 && found.best.iter().all(|moves| !moves.is_empty()), "{found:?}");
}

/// Entries overwrite others of their slot, so estimates depend on how positions are hashed.
#[test]
fn slots_stay_where_they_are() {
    let start = ChessBoard::parse("rnbqk/ppppp/5/PPPPP/RNBQK", 5).unwrap();
    let found = ChessSearch::default().estimate(&start, &Effort { positions: 150_000, ..Effort::default() });
    assert_eq!(found.positions, 150_012);
}
