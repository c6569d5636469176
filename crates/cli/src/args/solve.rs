//! The flags of `richman solve`.

use std::path::PathBuf;

use clap::Args;
use richman_core::{Holding, Total};

use super::{FormatArgs, GameArgs, Width};

/// Flags of `solve`.
#[derive(Debug, Clone, Args)]
pub struct SolveArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// More games, solved one after the other
    #[arg(value_name = "GAME", conflicts_with_all = ["position", "save", "svg", "bounds", "db"])]
    pub more: Vec<String>,
    /// Every position that can be reached, not only the first; in JSON under `rows`
    #[arg(long, help_heading = "Output", conflicts_with_all = ["svg", "bounds", "db", "trace"])]
    pub all: bool,
    /// Does not solve: prints what every engine offers for this question, what it would cost, and the order in which they
    /// would be tried
    #[arg(long, help_heading = "Output", conflicts_with_all = ["all", "save", "svg", "csv"])]
    pub why: bool,
    /// Real money on games that can repeat a position: exact thresholds or an error, never bounds. With poorman and taxman such
    /// games only have bounds
    #[arg(help_heading = "Real money", long)]
    pub exact: bool,
    /// Real money: the width of bounds to aim at where exact thresholds do not fit, such as 1e-12
    #[arg(
        help_heading = "Real money",
        long,
        value_name = "WIDTH",
        default_value = "2^-40",
        allow_hyphen_values = true
    )]
    pub width: Width,
    /// How many seconds to take in all: real money is answered by proved bounds then, chips by an error [default: 60 for real money]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// Real money on boards of Connect and Tic-Tac-Toe too large to solve: keep bounds in a file, and go on from those that are in it
    #[arg(help_heading = "Real money", long, value_name = "FILE", conflicts_with_all = ["chips", "alice", "bob", "exact", "db", "save"])]
    pub bounds: Option<PathBuf>,
    /// Bid with chips, this many in all; without it with real money
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// What Alice holds, such as 4*: adds the outcome and advice for both players. With --chips Bob has the rest
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// What Bob holds. With --chips Alice has the rest; exactly one of the two carries the star, where there is one
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// With holdings: print a line of best play, turn by turn
    #[arg(help_heading = "Chips", long, conflicts_with_all = ["csv", "db"])]
    pub trace: bool,
    /// Save the solution of every position to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Look the position up in a database that `richman build` made
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["save", "svg"])]
    pub db: Option<PathBuf>,
    /// Real money: draw the board to an SVG file with the best moves, and on Hex with every cell coloured by how often it decides; - for
    /// standard output in place of the text
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["chips", "alice", "bob", "save"])]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether a table of another game has begun: it has its header.
    #[arg(skip)]
    pub continues: bool,
}
