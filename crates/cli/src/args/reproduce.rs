//! The flags of `richman reproduce`.

use clap::Args;

use super::{FormatArgs, Memory};

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
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
