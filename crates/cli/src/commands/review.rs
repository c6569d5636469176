//! `richman review`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::Subject;
use richman_core::Effort;
use richman_formats::{MAX_RECORD_BYTES, Record};
use richman_play::{MOST_POSITIONS, record, review};
use richman_render::{csv, review_plot};

use crate::args::ReviewArgs;
use crate::error::CliError;
use crate::input::{self, Input};
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the review of a recorded match.
pub fn run(args: &ReviewArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let mut input = Input::open(&args.file, watch)?;
    let name = input.name.clone();
    let read = Record::parse(&name, &input.bytes(MAX_RECORD_BYTES)?)?;
    let in_record = |error: richman_analysis::Error| CliError::in_file(name.clone(), error);
    let subject = match &read.file {
        // The file of a game is named from where the record is.
        Some(file) => {
            let folder = args.file.parent().filter(|_| !input::is_standard(&args.file)).unwrap_or(Path::new(""));
            super::game_from(Input::open(&folder.join(file), watch)?, args.memory.0, watch)?
        }
        None => Subject::named(&read.game).map_err(in_record)?,
    };
    let walk = subject.walk(read.position.as_deref()).map_err(in_record)?;
    let played = record::replay(walk, &read).map_err(|error| CliError::Usage(format!("{name}: {error}")))?;
    let effort = Effort { memory: args.memory.0, positions: MOST_POSITIONS, ..Effort::watched(watch) };
    let report = review::review(&subject, &played, &effort).map_err(in_record)?;
    if let Some(path) = &args.svg {
        let Some(drawing) = review_plot::svg(&report) else {
            let reason = "there are no margins to draw: the game was not solved, or more chips can hurt";
            return Err(CliError::Usage(format!("{name}: {reason}")));
        };
        if output::save_text(path, &drawing, watch)? {
            return Ok(ExitCode::SUCCESS);
        }
    }
    output::report(&args.format, &report, || csv::review(&report), || render::review::text(&report))
}
