//! Names of games: no text panics or takes long, and the name of an accepted game names the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match richman_games::find(text) {
        Ok(game) => {
            let name = game.name();
            let again = richman_games::find(&name).unwrap_or_else(|error| panic!("{name:?} is refused: {error}"));
            assert_eq!(again.name(), name);
            assert_eq!(again.start_notation(), game.start_notation());
        }
        Err(error) => assert!(error.to_string().len() < 2000, "a message that nobody can read"),
    }
});
