//! Game files: an accepted file is a game, and what is written of it reads as the same file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_formats::AnyGameFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(game) = AnyGameFile::parse("game.json", bytes) else { return };
    let (checked, text) = match &game {
        AnyGameFile::Win(game) => (game.graph().map(drop), game.to_json().to_string()),
        AnyGameFile::Score(game) => (game.graph().map(drop), game.to_json().to_string()),
    };
    if let Err(error) = checked {
        panic!("the file was accepted, but {error}");
    }
    match AnyGameFile::parse("again.json", text.as_bytes()) {
        Ok(again) => assert_eq!(again, game),
        Err(error) => panic!("{text} is refused: {error}"),
    }
});
