//! What the faces share: boards, plots and trees as SVG, tables as rows, and what happens in a match in sentences.
//!
//! Nothing here reads, prints or serves.

pub mod board;
mod page;
