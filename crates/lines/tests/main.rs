//! All tests of this crate in one program, which is linked once and runs them side by side.

mod boards;
#[path = "common/positions.rs"]
mod positions;
mod units;
