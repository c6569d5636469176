//! Game files: an accepted file is a game, and its printed form reads as the same file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_formats::{AnyGraph, FileObjective, Reading, WrittenGame, read_game};

fuzz_target!(|bytes: &[u8]| {
    match read_game("game.json", &mut &bytes[..], &Reading::default()) {
        Ok(AnyGraph::Win(graph)) => check(WrittenGame::from(&graph)),
        Ok(AnyGraph::Score(graph)) => check(WrittenGame::from(&graph)),
        Ok(AnyGraph::Parity(graph)) => check(WrittenGame::from(&graph)),
        Err(_) => {}
    }
});

fn check<L: FileObjective>(game: WrittenGame<L>) {
    if let Err(error) = game.graph() {
        panic!("the file was accepted, but {error}");
    }
    let text = game.to_json().to_string();
    match WrittenGame::parse("again.json", text.as_bytes()) {
        Ok(again) => assert_eq!(again, game),
        Err(error) => panic!("{text} is refused: {error}"),
    }
}
