//! `richman reproduce`

mod text;

use clap::Args;
use richman_core::Effort;

use crate::args::{FormatArgs, bytes};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// A paper's key (DP10, G12, K, GSZ09, LPR20), BOARDS for results found here, or a result's id
    /// or its beginning [default: everything]
    #[arg(default_value = "")]
    pub key: String,
    /// Check theorems over larger ranges; takes minutes
    #[arg(long)]
    pub deep: bool,
    /// The most memory to use for a board; larger boards are left out
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Recomputes published results. The exit status is 1 if one is not as recorded.
pub fn run(args: &ReproduceArgs, watch: &TerminalWatch) -> Done {
    let effort = Effort { memory: args.memory, ..Effort::watched(watch) };
    let report = richman_catalog::reproduce(&args.key, args.deep, &effort)?;
    let words = |layout| text::text(&report, layout);
    let printed = output::rendered(&args.format, &report, || text::rows(&report), words)?;
    output::verdict(output::text(&printed), report.as_recorded)
}
