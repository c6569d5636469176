//! The flags of `richman list`.

use clap::Args;

use super::FormatArgs;

/// Flags of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
