//! Files of bounds: whatever stands in one, it is refused, or the search goes on from it; and it is
//! proved or not.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use richman_core::{Effort, Walk};
use richman_engine::Engine;
use richman_games::Games;
use richman_lines::engine::LinesEngine;
use richman_lines::engine::deepen;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

fn start() -> Box<dyn Walk> {
    Games::default().find("connect:rows=3,cols=4,line=4").expect("a game").walk(None).expect("its start")
}

fuzz_target!(|bytes: &[u8]| {
    let file = FOLDER.path().join("bounds.json");
    std::fs::write(&file, bytes).expect("written");
    let effort = Effort { memory: 64 << 20, ..Effort::default() };
    let _ = deepen(start().as_ref(), 1.0, Some(&file), &effort);
    prove(&file, &effort);
});

/// The engine proves the file by the way that made it.
fn prove(file: &Path, effort: &Effort) {
    for way in LinesEngine.ways() {
        if let Ok(Some(proved)) = way.prove_bounds(start().as_ref(), file, effort) {
            assert!(proved.exact_positions <= proved.positions);
        }
    }
}
