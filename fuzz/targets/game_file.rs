//! Game files: an accepted file is a game, and what is written of it reads as the same file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_formats::GameFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(game) = GameFile::parse("game.json", bytes) else { return };
    if let Err(error) = game.graph() {
        panic!("the file was accepted, but {error}");
    }
    let text = game.to_json().to_string();
    match GameFile::parse("again.json", text.as_bytes()) {
        Ok(again) => assert_eq!(again, game),
        Err(error) => panic!("{text} is refused: {error}"),
    }
});
