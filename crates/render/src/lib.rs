//! Output shared by the command line and the web pages: boards, plots and trees as SVG, tables as
//! CSV rows, and the events of a match as sentences.
//!
//! Nothing here reads files, prints or serves.

pub mod board;
pub mod csv;
pub mod deciding;
pub mod events;
pub mod heat;
pub mod hint;
pub mod layout;
mod page;
pub mod plot;
pub mod reports;
pub mod review;
pub mod review_plot;
pub mod score_map;
pub mod tree;
pub mod unitary_figures;
pub mod words;
