//! The flags of `richman review`.

use std::path::PathBuf;

use clap::Args;

use super::{FormatArgs, Memory};

/// Flags of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The record of a match, or - for one on standard input
    pub file: PathBuf,
    /// Most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Draw both players' margins over the turns to an SVG file, or with - to standard output in place of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
