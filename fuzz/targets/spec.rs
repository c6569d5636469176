//! Names of games: no text panics or takes long, and the name of an accepted game names that game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_games::ErasedGame;

/// The name and the start of a game.
fn named(game: &ErasedGame) -> (String, String) {
    (game.name(), game.walk(None).unwrap_or_else(|error| panic!("no start: {error}")).start())
}

fuzz_target!(|text: &str| {
    let games = richman_games::Games::default();
    match games.find(text) {
        Ok(game) => {
            let (name, start) = named(&game);
            let again = games.find(&name).unwrap_or_else(|error| panic!("{name:?} is refused: {error}"));
            assert_eq!(named(&again), (name, start));
        }
        Err(error) => assert!(error.to_string().len() < 2000, "a message that nobody can read"),
    }
});
