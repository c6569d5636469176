//! Game files: an accepted file is a game, and its other forms read as the same file. Binary files
//! are tried with the right checksum too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_core::{Effort, Unwatched};
use richman_formats::{AnyGraph, FileObjective, GameForm, Reading, WrittenGame, of_any, read_game};

fuzz_target!(|bytes: &[u8]| {
    try_file(bytes);
    if bytes.starts_with(b"RICHGAME") {
        try_file(&[bytes, &crc32fast::hash(bytes).to_le_bytes()].concat());
    }
});

fn reading() -> Reading<'static> {
    Reading::within(Effort { memory: 64 << 20, ..Effort::default() })
}

fn try_file(bytes: &[u8]) {
    let Ok(graph) = read_game("game.json", &mut &bytes[..], &reading()) else { return };
    of_any!(&graph, game => check(&graph, &WrittenGame::from(game)));
}

fn check<L: FileObjective>(graph: &AnyGraph, game: &WrittenGame<L>) {
    if let Err(error) = game.graph() {
        panic!("the file was accepted, but {error}");
    }
    let json = game.to_json().into_bytes();
    for (form, json) in
        [(GameForm::Json, Some(json)), (GameForm::Json, None), (GameForm::Binary, None), (GameForm::Gm, None)]
    {
        if graph.check_form(form, "game").is_err() {
            continue;
        }
        let text = json.unwrap_or_else(|| {
            let mut text = Vec::new();
            graph.write(form, &mut text, &Unwatched).unwrap();
            text
        });
        let read = read_game("again", &mut &text[..], &reading());
        let again = match read.and_then(|again| again.played_for("again")) {
            Ok(again) => WrittenGame::from(&again),
            Err(error) => panic!("{:?} is refused: {error}", String::from_utf8_lossy(&text)),
        };
        // Other names, and loops at the ends.
        if form == GameForm::Gm {
            assert_eq!(again.positions.len(), game.positions.len());
        } else {
            assert_eq!(again, *game);
        }
    }
}
