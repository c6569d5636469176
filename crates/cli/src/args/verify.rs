//! The flags of `richman verify`.

use std::path::PathBuf;

use clap::Args;

use super::{FormatArgs, Memory};

/// Flags of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The saved solution, or - for one on standard input, or the folder of a database
    pub file: PathBuf,
    /// Do not prove a database of chess, but tell what is remarkable about its classes
    #[arg(long)]
    pub survey: bool,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
