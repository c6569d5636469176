//! The flags of `richman build`.

use std::path::PathBuf;

use clap::Args;

use super::{FormatArgs, Memory, Totals};

/// Flags of `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The game: connect or tic-tac-toe with its parameters, or chess:pieces=KQK and the like
    pub game: String,
    /// The folder for the database; one that is there already is gone on with
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Bid with chips: totals, such as 8 or 0..20, for chess with three pieces up to 64; without it with real money
    #[arg(long, value_name = "TOTALS", allow_hyphen_values = true)]
    pub chips: Option<Totals>,
    /// Only say how much memory, disk and time it needs
    #[arg(long)]
    pub plan: bool,
    /// Most memory to use; with little, layers are read back from the disk
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Most room on the disk to use
    #[arg(long, value_name = "SIZE", default_value = "40GiB", allow_hyphen_values = true)]
    pub disk: Memory,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
