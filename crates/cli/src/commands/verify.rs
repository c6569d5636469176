//! `richman verify`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use richman_analysis::{Games, databases, saved};
use richman_core::{Effort, with_remedies};
use richman_formats::{AnyGraph, GameForm};
use richman_render::reports::database;

use super::build::reported;
use crate::args::{FormatArgs, bytes};
use crate::remedies::words;
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The saved solution, - for one on standard input, a file of bounds, or the folder or URL of a
    /// database
    pub file: PathBuf,
    /// Do not check a chess database, but print the remarkable facts about its classes
    #[arg(long)]
    pub survey: bool,
    /// A solution of a parity game with chips: write the plans to a file as a parity game without
    /// bids (.gm), which PGSolver or Oink can check. The player who does not move wins everywhere
    #[arg(long, value_name = "FILE", conflicts_with = "survey")]
    pub gm: Option<PathBuf>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Checks a saved solution; exit status 1 if it is wrong.
pub fn run(args: &VerifyArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let memory = args.memory;
    let effort = Effort { memory, ..Effort::watched(watch) };
    if args.survey {
        return survey(args, games, &effort);
    }
    if args.file.is_dir() || databases::is_url(&args.file) {
        let mut report = databases::verify(games, &args.file, &effort)?;
        report.wrong = report.wrong.take().map(|wrong| with_remedies(wrong, report.remedy.iter().map(words)));
        let words = |_| database::verdict(&report, &args.file);
        let printed = output::rendered(&args.format, &report, || database::verdict_rows(&report), words)?;
        return output::verdict(output::text(&printed), report.valid);
    }
    if let Some(report) = saved::verify_bounds(games, &args.file, &effort)? {
        if args.gm.is_some() {
            let reason = "--gm writes the plans of a parity game with chips: leave it out for a file of bounds";
            return Err(CliError::Usage(reason.to_string()));
        }
        return output::verdict(output::report(&args.format, &report), report.valid);
    }
    let (source, solution) = super::saved(&args.file, &effort, watch)?;
    let in_file = |error| CliError::in_file(source, error);
    let report = match &args.gm {
        None => saved::verify(games, solution, &effort).map_err(in_file)?,
        Some(path) => {
            let (report, game) = saved::game_of_plans(games, solution, &effort).map_err(in_file)?;
            if let Some(game) = game {
                output::file(path, watch, |out| AnyGraph::from(game).write(GameForm::Gm, out, watch))?;
            }
            report
        }
    };
    output::verdict(output::report(&args.format, &report), report.valid)
}

/// Prints the remarkable facts about the parts of a database.
fn survey(args: &VerifyArgs, games: &Games, effort: &Effort) -> Done {
    let refused = || CliError::Usage("--survey tells of databases of chess: leave it out".to_string());
    reported(&args.format, |each| {
        let columns = databases::survey(games, &args.file, effort, each)?;
        columns.map(|columns| (ExitCode::SUCCESS, columns)).ok_or_else(refused)
    })
}
