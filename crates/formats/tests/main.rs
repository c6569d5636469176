//! All tests of this crate in one program, which is linked once and runs them side by side.

mod common;
mod forms;
mod game_files;
mod mutations;
mod openings;
mod records;
#[path = "common/records.rs"]
mod samples;
mod written_games;
