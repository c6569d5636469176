//! `richman reproduce`

use clap::Args;
use richman_core::Effort;

use crate::args::{FormatArgs, bytes};
use crate::render::reproduce;
use crate::{Done, Terminal, output};

/// Flags of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// A paper's key (DP10, G12, K, GSZ09, LPR20), BOARDS for what was found here, the id of a result or its beginning; everything without it
    #[arg(default_value = "")]
    pub key: String,
    /// Check theorems over larger ranges; takes minutes
    #[arg(long)]
    pub deep: bool,
    /// Most memory to use for a board; larger ones are left out
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Compares published results with what is computed; exit status 1 where one is not as recorded.
pub fn run(args: &ReproduceArgs, watch: &Terminal) -> Done {
    let effort = Effort { memory: args.memory, ..Effort::watched(watch) };
    let report = richman_catalog::reproduce(&args.key, args.deep, &effort)?;
    let printed = output::report(&args.format, &report, || reproduce::rows(&report), || reproduce::text(&report));
    output::verdict(printed, report.as_recorded)
}
