//! Notation, names of moves, and reflections. What moves there are is checked in `richman-check`.

use super::symmetry::image;
use super::*;

fn board(text: &str) -> ChessBoard {
    ChessBoard::parse(text, 8).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn names(board: &ChessBoard, player: Player) -> Vec<String> {
    let mut names: Vec<String> = board.moves(player).into_iter().map(|made| board.name(player, made)).collect();
    names.sort();
    names
}

#[test]
fn illegal_positions_are_refused() {
    for (text, cause) in [
        ("", "1 rank instead of 8"),
        ("8/8/8/8/8/8/8/8/k2K4", "9 ranks"),
        ("8/8/8/8/8/8/8/8", "no white king"),
        ("8/8/8/8/8/8/8/3K4", "no black king"),
        ("8/8/8/8/8/8/8/kk1K4", "2 black kings"),
        ("8/8/8/8/8/8/8/k2K4 1-0", "the black king was not taken"),
        ("P7/8/8/8/8/8/8/k2K4", "a pawn stands on rank 8"),
        ("8/8/8/8/8/8/8/k2Kp3", "a pawn stands on rank 1"),
        ("9/8/8/8/8/8/8/k2K4", "rank 8 has more than 8"),
        ("7/8/8/8/8/8/8/k2K4", "rank 8 has 7 squares"),
        ("8/8/8/8/8/8/8/k2K40", "'0' is neither"),
        ("8/8/8/8/8/8/8/k2Kx3", "'x' is neither"),
        ("8/8/8/8/8/8/8/k2K4 w - -", "no side to move"),
        ("8/8/8/8/8/8/8/k2K4 K", "the king must stand on e1"),
        ("8/8/8/8/8/8/8/k2K4 x", "no castling"),
        ("8/8/8/8/8/8/8/k2K4 - e3", "no pawn has just passed"),
        ("8/8/8/8/8/8/8/k2K4 - \u{1f600}", "no pawn has just passed"),
        ("8/8/8/8/8/8/8/k2K4 - - 0 1", "too much"),
    ] {
        let error = ChessBoard::parse(text, 8).expect_err(text);
        assert!(error.contains(cause), "{text}: {error}");
    }
}

#[test]
fn names_tell_moves_apart() {
    let queens = board("k7/8/8/Q1Q5/8/Q7/8/7K");
    let names = names(&queens, Player::Alice);
    for name in ["Qab5", "Qcb5", "Qa5b4", "Q3b4", "Qcb4", "Qxa8", "Qh5"] {
        assert!(names.contains(&name.to_string()), "{name}: {names:?}");
    }
    let different: std::collections::HashSet<&String> = names.iter().collect();
    assert_eq!(different.len(), names.len());
    let pawns = board("1n5k/P7/8/8/8/8/8/7K");
    assert!(self::names(&pawns, Player::Alice).contains(&"axb8=N".to_string()));
}

/// Found set by set, the canonical board is the least of all images as a whole.
#[test]
fn the_canonical_board_is_the_least_image() {
    let mut random = fastrand::Rng::with_seed(1);
    let [mut folded, mut symmetric, mut passed] = [0; 3];
    for case in 0..6000 {
        let size = [4, 5, 8][case % 3];
        let mut board = ChessBoard { kinds: [0; 6], sides: [0; 2], passed: NOWHERE, castling: 0, size };
        let mut square = || bit(8 * random.u8(..size) + random.u8(..size));
        board.passed = if case % 5 == 0 { square().trailing_zeros() as u8 } else { NOWHERE };
        for _ in 0..case % 4 {
            // Now and then with its image, so that the first sets do not decide.
            let one = square();
            let squares = if case % 7 < 4 { one | image(one, (case % 8) as u32, size) } else { one };
            if (board.sides[0] | board.sides[1]) & squares == 0 {
                board.kinds[case * 5 % 6] |= squares;
                board.sides[usize::from(squares % 3 == 0)] |= squares;
            }
        }
        let symmetries = if board.of_kind(Piece::Pawn) == 0 { 0..8 } else { 0..2 };
        let images: Vec<ChessBoard> =
            symmetries.map(|symmetry| board.mapped(|set, size| image(set, symmetry, size))).collect();
        let canonical = board.canonical();
        assert_eq!(Some(&canonical), images.iter().min(), "{board:?}");
        folded += u32::from(canonical != board);
        symmetric += u32::from(images[1..].contains(&images[0]));
        passed += u32::from(board.passed != NOWHERE && canonical.passed != board.passed);
    }
    assert!(folded > 1000 && symmetric > 1000 && passed > 100, "{folded}, {symmetric}, {passed}");
}
