//! Positions in the notation of their game: an accepted position, and every position after a move,
//! prints and parses back to itself. Folding twice equals folding once.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use richman_core::{Error, Game, Player, Walk};
use richman_games::{Chess, Connect, ErasedGame, Games, Hex, TicTacToe, Y};

/// Games with parameters, in addition to the listed games with their defaults.
const MORE: [&str; 6] = [
    "tic-tac-toe:rows=2,cols=12",
    "hex:rows=5,cols=6",
    "chess:size=4",
    "ultimatum:degree=100",
    "expr:~(((A & B^2) & B) & (A^12 & ~(E & E)))",
    "subtraction:heap=1000,set=3+5+9",
];

static GAMES: LazyLock<Vec<ErasedGame>> = LazyLock::new(|| {
    let games = Games::default();
    let listed = games.list().into_iter().map(|info| info.name).filter(|name| *name != "expr");
    listed.chain(MORE).map(|spec| games.find(spec).expect("a game")).collect()
});

fn walk(game: &ErasedGame, text: &str) -> Result<Box<dyn Walk>, Error> {
    game.walk(Some(text))
}

fn check(game: &ErasedGame, text: &str) {
    let Ok(position) = walk(game, text) else { return };
    let mut met = vec![position.boxed()];
    for player in Player::BOTH {
        for name in position.moves(player) {
            let mut next = position.boxed();
            next.play(player, &name).expect("a move");
            met.push(next);
        }
    }
    for position in met {
        let notation = position.notation();
        assert_eq!(walk(game, &notation).map(|again| again.notation()).as_ref(), Ok(&notation));
    }
}

struct Folded {
    tic_tac_toe: TicTacToe,
    connect: Connect,
    hex: Hex<u32>,
    y: Y,
    chess: Chess,
    small_chess: Chess,
}

static FOLDED: LazyLock<Folded> = LazyLock::new(|| Folded {
    tic_tac_toe: TicTacToe::new(3, 3, 3).expect("a game"),
    connect: Connect::new(6, 7, 4).expect("a game"),
    hex: Hex::new(5, 6).expect("a game"),
    y: Y::new(5).expect("a game"),
    chess: Chess::new(8, None).expect("a game"),
    small_chess: Chess::new(4, None).expect("a game"),
});

fn check_folding<G: Game>(game: &G, text: &str) {
    let Ok(position) = game.parse(text) else { return };
    let mut met = vec![position.clone()];
    if game.terminal(&position).is_none() {
        for player in Player::BOTH {
            game.moves(&position, player, &mut met);
        }
    }
    for position in met {
        assert_eq!(game.parse(&game.notation(&position)).as_ref(), Ok(&position));
        let folded = game.canonical(position);
        assert_eq!(game.canonical(folded.clone()), folded, "folding twice is folding once");
    }
}

fuzz_target!(|text: &str| {
    GAMES.iter().for_each(|game| check(game, text));
    check_folding(&FOLDED.tic_tac_toe, text);
    check_folding(&FOLDED.connect, text);
    check_folding(&FOLDED.hex, text);
    check_folding(&FOLDED.y, text);
    check_folding(&FOLDED.chess, text);
    check_folding(&FOLDED.small_chess, text);
});
