//! Notation, special moves, names of moves, reflections.

use super::symmetry::image;
use super::*;
use richman_core::ByPlayer;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq";

fn board(text: &str) -> ChessBoard {
    ChessBoard::parse(text, 8).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn names(board: &ChessBoard, player: Player) -> Vec<String> {
    let mut names: Vec<String> = board.moves(player).into_iter().map(|made| board.name(player, made)).collect();
    names.sort();
    names
}

fn play(mut board: ChessBoard, moves: &[(Player, &str)]) -> ChessBoard {
    for &(player, name) in moves {
        let made = board.moves(player).into_iter().find(|&made| board.name(player, made) == name);
        board = board.after(player, made.unwrap_or_else(|| panic!("{name} in {}", board.notation())));
    }
    board
}

#[test]
fn notation_round_trips_and_the_start_has_twenty_moves() {
    for text in [START, "4N3/8/8/8/8/8/8/k2K4", "8/8/8/3pP3/8/8/8/k2K4 - d6", "8/8/8/8/8/8/8/3K4 1-0"] {
        assert_eq!(board(text).notation(), text);
    }
    assert_eq!(board(START).moves(Player::Alice).len(), 20);
    assert_eq!(board(START).moves(Player::Bob).len(), 20);
    assert_eq!(board(START).exchanged(), board(START));
}

#[test]
fn a_pawn_is_taken_in_passing_only_at_once_by_the_other_player() {
    let start = board("4k3/8/8/8/3p4/8/4P3/4K3");
    let stepped = play(start, &[(Player::Alice, "e4")]);
    assert_eq!(stepped.notation(), "4k3/8/8/8/3pP3/8/8/4K3 - e3");
    let taken = play(stepped, &[(Player::Bob, "dxe3")]);
    assert_eq!(taken.notation(), "4k3/8/8/8/8/4p3/8/4K3");
    let twice = play(stepped, &[(Player::Alice, "Kd1")]);
    assert!(!names(&twice, Player::Bob).contains(&"dxe3".to_string()));
    // After two double steps by one player, only the last pawn can be taken, never by its own side.
    let two = play(board("4k3/8/8/8/3p4/3P4/2P1P3/4K3"), &[(Player::Alice, "c4"), (Player::Alice, "e4")]);
    assert_eq!(two.passed(), Some(20));
    assert!(names(&two, Player::Alice).iter().all(|name| !name.contains('x')));
    // With no pawn of the other player to take, no square is recorded.
    assert_eq!(play(board("4k3/8/8/8/8/8/4P3/4K3"), &[(Player::Alice, "e4")]).passed(), None);
}

#[test]
fn castling_needs_unmoved_pieces_and_empty_squares_only() {
    // Castling through attacked squares and out of check is allowed.
    let open = board("4k3/8/8/8/8/8/4r3/R3K2R KQ");
    assert!(names(&open, Player::Alice).contains(&"O-O".to_string()));
    let castled = play(open, &[(Player::Alice, "O-O-O")]);
    assert_eq!(castled.notation(), "4k3/8/8/8/8/8/4r3/2KR3R");
    assert_eq!(play(open, &[(Player::Alice, "Ra2"), (Player::Alice, "Ra1")]).notation(), "4k3/8/8/8/8/8/4r3/R3K2R K");
    assert!(!names(&board("4k3/8/8/8/8/8/8/RN2K3 Q"), Player::Alice).contains(&"O-O-O".to_string()));
    // Where a rook was taken, no later rook can castle.
    let taken =
        play(board("4k3/8/8/8/8/8/6n1/4K2R K"), &[(Player::Bob, "Nf4"), (Player::Bob, "Ng2"), (Player::Bob, "Nxe1")]);
    assert_eq!(taken.winner(), Some(Player::Bob));
    assert_eq!(taken.notation(), "4k3/8/8/8/8/8/8/4n2R 0-1");
}

#[test]
fn reflections_fold_and_colours_exchange() {
    let one = board("8/8/8/8/2N5/8/8/k2K4");
    let canonical = one.canonical();
    for text in ["8/8/8/8/5N2/8/8/4K2k", "k2K4/8/8/2N5/8/8/8/8"] {
        assert_eq!(board(text).canonical(), canonical, "{text}");
    }
    assert_eq!(board("8/8/8/8/2P5/8/8/k2K4").canonical(), board("8/8/8/8/5P2/8/8/4K2k").canonical());
    assert_ne!(board("8/8/8/8/2P5/8/8/k2K4").canonical(), board("k2K4/8/8/2P5/8/8/8/8").canonical());
    let small = ChessBoard::parse("k3/4/1N2/3K", 4).unwrap();
    assert_eq!(small.canonical(), ChessBoard::parse("3k/4/2N1/K3", 4).unwrap().canonical());
    assert_eq!(small.exchanged().notation(), "3k/1n2/4/K3");
    assert_eq!(
        ChessBoard::parse("k3/4/4/3K", 4).unwrap().canonical(),
        ChessBoard::parse("3K/4/4/k3", 4).unwrap().canonical()
    );
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

/// Although found set by set, the canonical board is the least of all images.
#[test]
fn the_canonical_board_is_the_least_image() {
    let mut random = fastrand::Rng::with_seed(1);
    let [mut folded, mut symmetric, mut passed] = [0; 3];
    for case in 0..6000 {
        let size = [4, 5, 8][case % 3];
        let mut board = ChessBoard { kinds: [0; 6], sides: ByPlayer::both(0), passed: NOWHERE, castling: 0, size };
        let mut square = || bit(8 * random.u8(..size) + random.u8(..size));
        board.passed = if case % 5 == 0 { square().trailing_zeros() as u8 } else { NOWHERE };
        for _ in 0..case % 4 {
            // Sometimes the image is added, so that the first sets do not decide.
            let one = square();
            let squares = if case % 7 < 4 { one | image(one, (case % 8) as u32, size) } else { one };
            if (board.sides.alice | board.sides.bob) & squares == 0 {
                board.kinds[case * 5 % 6] |= squares;
                board.sides[Player::BOTH[usize::from(squares % 3 == 0)]] |= squares;
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
