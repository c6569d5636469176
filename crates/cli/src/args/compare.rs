//! The flags of `richman compare`.

use clap::Args;

use super::{FormatArgs, MechanismArgs, Memory};

/// Flags of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game file on standard input
    #[arg(value_name = "G")]
    pub game: String,
    /// The second game, in the same way
    #[arg(value_name = "H")]
    pub other: String,
    /// Start G from this position, in the game's own notation; for boards A, B and . by rows from the top: A.B/.A./...
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Start H from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub other_position: Option<String>,
    /// A play of more than this many moves is a draw, in both games
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub within: Option<u32>,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// How many seconds to take in all, most of them to look for a proof for all totals; where there is none the totals up to 1023 are
    /// compared [default: 150 for the proofs]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
