//! All tests of this crate in one program, which is linked once and runs them side by side.

mod chess;
mod command;
mod compare;
mod convert;
mod csv;
mod databases;
#[path = "../../serve/tests/common/described.rs"]
mod described;
mod doors;
mod every_kind;
mod explore;
mod export;
mod figures;
mod files;
mod game_files;
mod guide;
mod inputs;
mod lists;
mod mechanisms;
mod memory;
mod play;
mod random_files;
mod recorded;
mod reports;
mod review;
mod said;
mod schema;
mod scores;
mod serve;
mod sources;
mod stop;
mod tables;
mod unitary;
mod vocabulary;
