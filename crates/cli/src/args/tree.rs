//! The flags of `richman tree`.

use std::path::PathBuf;

use clap::Args;
use richman_core::Total;

use super::{FormatArgs, GameArgs};

/// Flags of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The best moves for this many chips in all; without it for real money
    #[arg(help_heading = "Tree", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// The best moves for the draw threshold: Bob plays to win, Alice to prevent it
    #[arg(help_heading = "Tree", long)]
    pub draw: bool,
    /// Every move to another position that is equally good, not only one
    #[arg(help_heading = "Tree", long)]
    pub all: bool,
    /// Also the positions that are won at once
    #[arg(help_heading = "Tree", long)]
    pub full: bool,
    /// No moves from positions that equal A^n, B^n or E: their wedge sum says it all
    #[arg(help_heading = "Tree", long)]
    pub short: bool,
    /// Only the first moves
    #[arg(help_heading = "Tree", long, value_name = "MOVES", allow_hyphen_values = true)]
    pub depth: Option<u32>,
    /// How many seconds to take in all; without it the proofs of wedge sums, and on games that can repeat a position the search for exact
    /// thresholds, end after 40
    #[arg(help_heading = "Tree", long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// Print wedge sums in full however long they are
    #[arg(long, help_heading = "Output", conflicts_with_all = ["dot", "json", "csv"])]
    pub wide: bool,
    /// Print a graph for Graphviz
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "csv"])]
    pub dot: bool,
    /// Draw the tree to an SVG file, or with - to standard output in place of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Write what is printed to a file in place of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
