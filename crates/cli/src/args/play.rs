//! The flags of `richman play`.

use clap::Args;
use richman_core::{Holding, Total};
use richman_play::players::{Strength, USUAL_LEVEL};

use super::{MechanismArgs, Memory, Side};

/// Flags of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, or the path of a game file
    pub game: String,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the top: A.B/.A./...;
    /// for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Whom to play: alice or bob
    #[arg(long = "as", value_name = "PLAYER", default_value = "alice", conflicts_with = "two")]
    pub side: Side,
    /// Two people at this keyboard: bids are typed unseen
    #[arg(long)]
    pub two: bool,
    /// How well the computer plays, from one that errs every other time to one that never does: beginner, intermediate, advanced, perfect,
    /// best (perfect where the game can be solved), rounding, greedy or random; with a chance to err if you like, such as best:errs=1/5
    #[arg(long, default_value = USUAL_LEVEL, conflicts_with = "two")]
    pub level: Strength,
    /// Draw chess with figures in place of letters, such as ♔ for K
    #[arg(long)]
    pub figures: bool,
    /// The computer's dice: the same seed and the same input make the same match
    #[arg(long, value_name = "NUMBER", conflicts_with = "two", allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// This many turns and no win are a draw
    #[arg(long, value_name = "TURNS", allow_hyphen_values = true)]
    pub limit: Option<u32>,
    /// Most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The number of chips, both players' together: half for each, Alice begins with the star where there is one [default:
    /// what suits the game: 200 for hex and chess, 100 for y, 40 for connect, else 16]
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// What Alice holds at the start, such as 4*. With --chips Bob has the rest
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// What Bob holds at the start. With --chips Alice has the rest; exactly one of the two carries the star, where
    /// there is one
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
}
