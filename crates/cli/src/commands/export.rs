//! `richman export`

use std::ffi::OsString;

use clap::Args;
use richman_analysis::{Error, ExportedGame, Games};
use richman_core::{Effort, Watch};
use richman_formats::StatedObjective;

use crate::args::{bytes, objectives, whole};
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game
    /// file on standard input
    pub game: OsString,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the
    /// top: A.B/.A./...; for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The most positions to write; nothing is written if more can follow
    #[arg(
        long,
        value_name = "LIMIT",
        default_value_t = ExportedGame::USUAL_POSITIONS,
        value_parser = whole(1..=u64::MAX),
        allow_hyphen_values = true
    )]
    pub positions: u64,
    /// Let both players bid for the moves that one player makes without a bid
    #[arg(long)]
    pub with_bids: bool,
    #[arg(long, help = objectives("A game file: what it is played for"))]
    pub objective: Option<StatedObjective>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
}

pub fn run(args: &ExportArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let subject =
        super::subject_for(args.objective, games, &args.game, super::reading(args.memory, None, watch), watch)?;
    let subject = if args.with_bids { subject.with_bids()? } else { subject };
    let effort = Effort { memory: args.memory, positions: args.positions, ..Effort::watched(watch) };
    let game = ExportedGame::new(&subject, args.position.as_deref(), &effort).map_err(|error| match error {
        Error::Core(richman_core::Error::TooManyPositions { limit }) => CliError::Usage(format!(
            "{}: more than {limit} positions can follow: raise --positions, or start from a later one with --position",
            richman_core::excerpt(&subject.name())
        )),
        error => error.into(),
    })?;
    let printed = output::streamed(|out| game.write(out, watch));
    match printed {
        Err(CliError::Output(_)) if watch.cancelled() => Err(richman_core::Error::Cancelled.into()),
        printed => printed,
    }
}
