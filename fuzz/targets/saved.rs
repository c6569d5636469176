//! Saved solutions: what is read can be written, and reads back as the same solution.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_analysis::saved::SavedSolution;

fuzz_target!(|bytes: &[u8]| {
    let Ok(solution): Result<SavedSolution, _> = richman_formats::read("saved.json", bytes) else { return };
    let mut written = Vec::new();
    if let Err(error) = richman_formats::write(&solution, &mut written) {
        panic!("a solution that was read cannot be written: {error}");
    }
    match richman_formats::read("again.json", &written) {
        Ok(again) => assert_eq!(again, solution),
        Err(error) => panic!("{} is refused: {error}", String::from_utf8_lossy(&written)),
    }
});
