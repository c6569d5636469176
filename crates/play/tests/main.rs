//! All tests of this crate in one program, which is linked once and runs them side by side.

mod boards;
mod chess;
mod endless;
mod hex;
mod matches;
mod owned;
mod perfect;
mod players;
mod records;
mod review;
