//! The flags of `richman random-turn`.

use clap::Args;

use super::{FormatArgs, Memory};

/// Flags of `random-turn`.
#[derive(Debug, Args)]
pub struct RandomTurnArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game file on standard input
    pub game: String,
    /// Start from this position, in the game's own notation
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// How many games are played for each end of an interval
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_hyphen_values = true)]
    pub games: u64,
    /// Look so many moves ahead at most, and play games of at most so many
    #[arg(long, value_name = "MOVES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    pub within: u32,
    /// What all chance comes from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
