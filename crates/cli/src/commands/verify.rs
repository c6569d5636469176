//! `richman verify`

use std::process::ExitCode;

use richman_analysis::databases::{self, Proved};
use richman_analysis::saved;
use richman_chess::engine::database::Endgames;
use richman_chess::engine::database::chips::ChipEndgames;
use richman_core::Effort;
use richman_render::csv;

use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::input::Input;
use crate::render::build::Verdict;
use crate::watch::Terminal;
use crate::{output, render};

/// Proves a saved solution; exit status 1 where it is wrong.
pub fn run(args: &VerifyArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if args.survey {
        return survey(args, &Effort { memory: args.memory.0, ..Effort::watched(watch) });
    }
    if args.file.is_dir() {
        return database(args, watch);
    }
    let memory = args.memory.0;
    let mut input = Input::open(&args.file, watch)?;
    let source = input.name.clone();
    let bytes = input.bytes(richman_formats::MAX_SAVED_BYTES.min(memory / 4))?;
    let solution = richman_formats::read_within(&source, &bytes, memory)?;
    drop(bytes);
    let effort = Effort { memory, ..Effort::watched(watch) };
    let report = saved::verify(solution, &effort).map_err(|error| CliError::in_file(source, error))?;
    let printed = output::report(&args.format, &report, || csv::verdict(&report), || render::verify(&report));
    output::verdict(printed, report.valid)
}

/// Checks every file and every number of a database.
fn database(args: &VerifyArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let mut proved = Vec::new();
    let mut each = |class: &Proved| proved.push(class.clone());
    let files = databases::check_folder(&args.file, watch)?;
    let verified = if files.wrong.is_some() {
        Ok(files.wrong)
    } else if let Some(classes) = ChipEndgames::open(&args.file)? {
        databases::verify_chip_classes(&classes, &effort, &mut each)
    } else if let Some(classes) = Endgames::open(&args.file)? {
        databases::verify_classes(&classes, &effort, &mut each)
    } else {
        databases::verify_layers(&databases::layers(&args.file)?, &effort, &mut |_| {})
    };
    let wrong = match verified {
        // What cannot be read proves nothing.
        Err(richman_analysis::Error::Core(richman_core::Error::Storage { what })) => Some(what),
        other => other?,
    };
    let report = Verdict::new(wrong, proved, files.others, files.listed);
    let printed = output::report(&args.format, &report, || csv::verdict(&report), || report.text(&args.file));
    output::verdict(printed, report.valid)
}

/// Tells of the classes of a database of chess.
fn survey(args: &VerifyArgs, effort: &Effort) -> Result<ExitCode, CliError> {
    let Some(classes) = Endgames::open(&args.file)? else {
        return Err(CliError::Usage("--survey tells of databases of chess: leave it out".to_string()));
    };
    let mut failed = None;
    let surveys = classes.survey(effort, &mut |survey| {
        if args.format.is_text() && failed.is_none() {
            failed = output::words(&render::build::survey(survey)).err();
        }
    })?;
    output::report(&args.format, &surveys, || csv::surveys(&surveys), String::new)?;
    failed.map_or(Ok(ExitCode::SUCCESS), Err)
}
