//! The flags of `richman unitary`.

use std::path::PathBuf;

use clap::Args;
use richman_core::Total;

use super::{FormatArgs, Totals};

/// Flags of `unitary`.
#[derive(Debug, Args)]
pub struct UnitaryArgs {
    /// The totals of chips whose heaps of convergence are printed, such as 0..300
    #[arg(
        long,
        visible_alias = "totals",
        value_name = "FROM..TO",
        default_value = "0..20",
        allow_hyphen_values = true
    )]
    pub chips: Totals,
    /// Print the bidding automaton of this total instead
    #[arg(long, value_name = "TOTAL", conflicts_with = "chips", allow_hyphen_values = true)]
    pub automaton: Option<Total>,
    /// Draw to an SVG file, or with - to standard output in place of the text
    ///
    /// Of totals: where they converge, the bound of LPR20 and a fitted law. Of an automaton: the winning bids as LPR20 draws them
    /// in figures 3 to 6.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
