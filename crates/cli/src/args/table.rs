//! The flags of `richman table`.

use std::path::PathBuf;

use clap::Args;

use super::{FormatArgs, GameArgs, Totals};

/// Flags of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The totals, both ends included: 0..255, or one total [default: 0..31]
    #[arg(help_heading = "Chips", long, value_name = "FROM..TO", allow_hyphen_values = true)]
    pub chips: Option<Totals>,
    /// In place of totals: what Alice needs against so many chips of Bob. Where the bank is paid no total stays, and this is what is
    /// printed [default then: 0..20]
    #[arg(
        help_heading = "Chips",
        long,
        value_name = "FROM..TO",
        conflicts_with_all = ["chips", "alice", "save", "stability", "svg"],
        allow_hyphen_values = true
    )]
    pub bob: Option<Totals>,
    /// In place of totals: what Bob needs against so many chips of Alice
    #[arg(
        help_heading = "Chips",
        long,
        value_name = "FROM..TO",
        conflicts_with_all = ["chips", "save", "stability", "svg"],
        allow_hyphen_values = true
    )]
    pub alice: Option<Totals>,
    /// Say for which totals the game is unstable: best play with chips needs moves that are not best with real money
    #[arg(help_heading = "Chips", long, conflicts_with = "csv")]
    pub stability: bool,
    /// How many seconds to take in all; without it the proofs of the periods end after 60
    #[arg(help_heading = "Chips", long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// Save the solution of every position and total to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Save the rules of every position, for all totals, to a file by which `richman verify` proves the periods
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Draw the table to an SVG file, or with - to standard output in place of the table
    ///
    /// (a) Win and draw thresholds less their real-money share R of the total. Of more than 4096 totals only the extremes are
    /// drawn, and the figure says so. (b, c) Who can force a win, for Alice's chips against Bob's when Alice or Bob holds the
    /// star: up to 63 chips each, and in all as many as the greatest total; smaller totals than asked for are solved too.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
