//! `richman list`

use std::process::ExitCode;

use clap::Args;
use richman_analysis::{GameList, Games};

use crate::args::FormatArgs;
use crate::{Done, output};

#[derive(Debug, Args)]
pub struct ListArgs {
    /// One game, also with parameters: its rules, the values of its parameters, how positions are
    /// written, and a position
    pub game: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &ListArgs, games: &Games) -> Done {
    let report = match &args.game {
        Some(game) => GameList::of(games, game)?,
        None => GameList::from(games),
    };
    output::report(&args.format, &report)?;
    match args.game {
        None if args.format.is_text() => output::words("`richman list NAME` says more about one game."),
        _ => Ok(ExitCode::SUCCESS),
    }
}
