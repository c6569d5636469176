//! `richman random-turn`

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use richman_analysis::Games;
use richman_analysis::random_turn::{self, RandomTurnOptions};
use richman_core::Effort;

use crate::args::{FormatArgs, bytes, whole};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct RandomTurnArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game
    /// file on standard input
    pub game: OsString,
    /// Start from this position, in the game's own notation
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The number of games played for each end of an interval
    #[arg(long, value_name = "NUMBER", default_value_t = random_turn::USUAL_GAMES, allow_hyphen_values = true)]
    #[arg(value_parser = whole(1..=1_000_000_000_u64))]
    pub games: u64,
    /// The most moves to look ahead, and in a game played out
    #[arg(long, value_name = "MOVES", default_value_t = random_turn::USUAL_ROUNDS, allow_hyphen_values = true)]
    #[arg(value_parser = whole(1..=1_000_000_u32))]
    pub within: u32,
    /// The seed of all randomness
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    #[arg(value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: u64,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &RandomTurnArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let subject = super::subject(games, &args.game, super::reading(args.memory, None, watch), watch)?;
    let effort = Effort { memory: args.memory, ..Effort::watched(watch) };
    let options = RandomTurnOptions { rounds: args.within, games: args.games, seed: args.seed };
    let report = random_turn::of_subject(&subject, args.position.as_deref(), options, &effort)?;
    output::report(&args.format, &report)?;
    let agrees = report.wins.agree && report.holds.agree;
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
