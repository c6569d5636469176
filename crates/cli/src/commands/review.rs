//! `richman review`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use richman_analysis::{Games, Subject};
use richman_core::Effort;
use richman_formats::{FileKind, MAX_RECORD_BYTES, Record};
use richman_play::{MOST_POSITIONS, record, review};
use richman_render::review_plot;

use crate::args::{FormatArgs, bytes};
use crate::input::{self, Input};
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The record of a match, or - for one on standard input
    pub file: PathBuf,
    /// The most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    /// Draw both players' margins over the turns to an SVG file, or with - to standard output
    /// instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &ReviewArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let mut input = Input::open(&args.file, watch)?;
    let name = input.name.clone();
    let bytes = input.bytes(MAX_RECORD_BYTES)?;
    let read = Record::parse(&name, &bytes).map_err(|error| input.explained(error.into(), FileKind::Record))?;
    let in_record = |error: richman_analysis::Error| CliError::in_file(name.clone(), error);
    let subject = match &read.file {
        // The path of a game file is relative to the record.
        Some(file) => {
            let folder = args.file.parent().filter(|_| !input::is_standard(&args.file)).unwrap_or(Path::new(""));
            super::game_from(Input::open(&folder.join(file), watch)?, None, super::reading(args.memory, None, watch))?
        }
        None => Subject::recorded(games, &read.game).map_err(in_record)?,
    };
    let walk = subject.walk(read.position.as_deref()).map_err(in_record)?;
    let played = record::replay(walk, &read).map_err(|error| CliError::Usage(format!("{name}: {error}")))?;
    let effort = Effort { memory: args.memory, positions: MOST_POSITIONS, ..Effort::watched(watch) };
    let notes = review::MatchNotes::of_tags(&read.tags);
    let report = review::review_with(&subject, &played, &notes, &effort).map_err(in_record)?;
    let no_margins = || {
        let reason = "there are no margins to draw: the game was not solved, or more chips can hurt";
        CliError::Usage(format!("{name}: {reason}"))
    };
    if output::drawn(&args.svg, watch, || review_plot::svg(&report).ok_or_else(no_margins))? {
        return Ok(ExitCode::SUCCESS);
    }
    output::report(&args.format, &report)
}
