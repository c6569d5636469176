//! The flags of `richman list`.

use clap::Args;

/// Flags of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
