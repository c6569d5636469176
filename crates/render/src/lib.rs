//! What the faces share: boards, plots and trees as SVG, tables as rows, and what happens in a match in sentences.
//!
//! Nothing here reads, prints or serves.

pub mod board;
pub mod csv;
pub mod deciding;
pub mod events;
pub mod heat;
pub mod hint;
mod page;
pub mod plot;
pub mod report;
pub mod review;
pub mod review_plot;
pub mod score_map;
pub mod tree;
pub mod unitary_figures;
pub mod words;
