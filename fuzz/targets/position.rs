//! Positions in the notation of their game: an accepted position, and every position that a move leads to, prints and
//! parses back to itself.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use richman_core::{Game, Player, ScoringGame};
use richman_games::{Chess, Connect, Expr, Hex, Subtraction, TicTacToe, TugOfWar, Ultimatum, Y};

struct Games {
    tic_tac_toe: TicTacToe,
    wide: TicTacToe,
    connect: Connect,
    hex: Hex<u32>,
    y: Y,
    chess: Chess,
    small_chess: Chess,
    tug_of_war: TugOfWar,
    ultimatum: Ultimatum,
    expr: Expr,
    subtraction: Subtraction,
}

static GAMES: LazyLock<Games> = LazyLock::new(|| Games {
    tic_tac_toe: TicTacToe::new(3, 3, 3).expect("a game"),
    wide: TicTacToe::new(2, 12, 3).expect("a game"),
    connect: Connect::new(6, 7, 4).expect("a game"),
    hex: Hex::new(5, 6).expect("a game"),
    y: Y::new(5).expect("a game"),
    chess: Chess::new(8, None).expect("a game"),
    small_chess: Chess::new(4, None).expect("a game"),
    tug_of_war: TugOfWar::new(12, 5).expect("a game"),
    ultimatum: Ultimatum::new(100).expect("a game"),
    expr: Expr::parse("~(((A & B^2) & B) & (A^12 & ~(E & E)))").expect("a game"),
    subtraction: Subtraction::new(1000, &[3, 5, 9]).expect("a game"),
});

fn check<G: Game>(game: &G, text: &str) {
    let Ok(position) = game.parse(text) else { return };
    let mut met = vec![position.clone()];
    if game.terminal(&position).is_none() {
        for player in Player::BOTH {
            game.moves(&position, player, &mut met);
        }
    }
    for position in met {
        let notation = game.notation(&position);
        assert_eq!(game.parse(&notation).as_ref(), Ok(&position), "{notation:?}");
        let folded = game.canonical(position);
        assert_eq!(game.canonical(folded.clone()), folded, "folding twice is folding once");
    }
}

fn check_scoring<G: ScoringGame>(game: &G, text: &str) {
    let Ok(position) = game.parse(text) else { return };
    let mut met = vec![(position.clone(), 0)];
    if game.score(&position).is_none() {
        for player in Player::BOTH {
            game.moves(&position, player, &mut met);
        }
    }
    for (position, _) in met {
        let notation = game.notation(&position);
        assert_eq!(game.parse(&notation).as_ref(), Ok(&position), "{notation:?}");
    }
}

fuzz_target!(|text: &str| {
    check(&GAMES.tic_tac_toe, text);
    check(&GAMES.wide, text);
    check(&GAMES.connect, text);
    check(&GAMES.hex, text);
    check(&GAMES.y, text);
    check(&GAMES.chess, text);
    check(&GAMES.small_chess, text);
    check(&GAMES.tug_of_war, text);
    check(&GAMES.ultimatum, text);
    check(&GAMES.expr, text);
    check_scoring(&GAMES.subtraction, text);
});
