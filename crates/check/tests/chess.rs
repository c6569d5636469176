//! Compares the moves of chess with counts stored as data, and two move generators with each other.

use std::collections::HashSet;

use richman_check::chess::PlainBoard;
use richman_chess::board::ChessBoard;
use richman_core::Player;

struct Row {
    position: &'static str,
    moves: [usize; 2],
    two: usize,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("data/chess_moves.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| fields[at].parse().unwrap();
            Row { position: fields[0], moves: [number(1), number(2)], two: number(3) }
        })
        .collect()
}

#[test]
fn the_rules_have_as_many_moves_as_the_data_say() {
    for Row { position, moves, two } in rows() {
        let board = ChessBoard::parse(position, 8).unwrap();
        let after = |board: ChessBoard, player| -> Vec<ChessBoard> {
            let has_ended = board.winner().is_some();
            let moves = if has_ended { Vec::new() } else { board.moves(player) };
            moves.into_iter().map(|made| board.after(player, made)).collect()
        };
        let first = Player::BOTH.map(|player| after(board, player));
        assert_eq!(first.each_ref().map(Vec::len), moves, "{position}");
        let second = first.iter().flatten().flat_map(|&next| Player::BOTH.map(|player| after(next, player).len()));
        assert_eq!(second.sum::<usize>(), two, "{position}");
    }
}

#[test]
fn square_by_square_there_are_as_many() {
    for Row { position, moves, two } in rows() {
        let board = PlainBoard::read(position);
        let after =
            |board: &PlainBoard, player| if board.winner().is_some() { Vec::new() } else { board.moves(player) };
        let first = Player::BOTH.map(|player| after(&board, player));
        assert_eq!(first.each_ref().map(Vec::len), moves, "{position}");
        let second = first.iter().flatten().flat_map(|next| Player::BOTH.map(|player| after(next, player).len()));
        assert_eq!(second.sum::<usize>(), two, "{position}");
    }
}

/// Along random play, in any order of movers, both give the same positions.
#[test]
fn both_generators_lead_to_the_same_positions() {
    let mut random = fastrand::Rng::with_seed(8);
    for (start, size) in [(rows()[0].position, 8), ("rqkr/pppp/PPPP/RQKR", 4), ("rnbqk/ppppp/5/PPPPP/RNBQK", 5)] {
        for _ in 0..20 {
            let mut board = ChessBoard::parse(start, size).unwrap();
            for _ in 0..60 {
                if board.winner().is_some() {
                    break;
                }
                let plain = PlainBoard::read(&board.notation());
                let mut next = Vec::new();
                for player in Player::BOTH {
                    let found: Vec<ChessBoard> =
                        board.moves(player).into_iter().map(|made| board.after(player, made)).collect();
                    assert_eq!(!found.is_empty(), board.can_move(player));
                    let by_squares = plain.moves(player);
                    assert_eq!(by_squares.len(), found.len(), "{}", board.notation());
                    let pieces: HashSet<ChessBoard> = by_squares.iter().map(PlainBoard::board).collect();
                    let read = |board: &ChessBoard| PlainBoard::of(board).board();
                    assert_eq!(found.iter().map(read).collect::<HashSet<_>>(), pieces, "{}", board.notation());
                    let king_is_taken = found.iter().any(|next| next.winner().is_some());
                    assert_eq!(king_is_taken, board.threatens_king(player), "{}", board.notation());
                    next.extend(found);
                }
                if next.is_empty() {
                    break;
                }
                board = next[random.usize(..next.len())];
            }
        }
    }
}
