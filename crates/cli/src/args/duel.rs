//! The flags of `richman duel`.

use clap::Args;
use richman_core::Total;
use richman_play::players::Strength;

use super::{FormatArgs, GameArgs, Holdings};

/// Flags of `duel`.
#[derive(Debug, Args)]
pub struct DuelArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The first player, who is Alice in the first game
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "best")]
    pub alice: Strength,
    /// The second player
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "greedy")]
    pub bob: Strength,
    /// How many games
    #[arg(help_heading = "Games", long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_hyphen_values = true)]
    pub games: u64,
    /// Start from every division of this many chips, with the star on either side, one after the other
    #[arg(
        help_heading = "Games",
        long,
        value_name = "TOTAL",
        default_value = "8",
        conflicts_with = "holdings",
        allow_hyphen_values = true
    )]
    pub chips: Total,
    /// Start from these holdings, Alice's and Bob's, such as 4*:4; several, one after the other: 4*:4,4:4*
    #[arg(
        help_heading = "Games",
        long,
        value_name = "ALICE:BOB,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub holdings: Vec<Holdings>,
    /// So many random moves, of the two players in turn, before every match: the same before the two games with exchanged roles
    #[arg(help_heading = "Games", long, value_name = "MOVES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000), allow_hyphen_values = true)]
    pub opening: u32,
    /// Print the time that each player takes for an action
    #[arg(help_heading = "Output", long)]
    pub times: bool,
    /// The first player is Alice in every game; without it the two take turns
    #[arg(help_heading = "Games", long)]
    pub no_exchange: bool,
    /// What all chance comes from
    #[arg(help_heading = "Games", long, default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// How many seconds to take in all; without it solving the game first ends after 60
    #[arg(help_heading = "Players", long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}
