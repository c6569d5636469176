//! `richman convert`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use richman_analysis::parity::ParityWinners;
use richman_analysis::{Games, Reading};
use richman_core::{Effort, Watch, did_you_mean, one_of};
use richman_formats::{FileKind, FormatError, GameForm, StatedObjective, read_game, read_transitions};

use crate::args::{bytes, objectives};
use crate::input::Input;
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The game file, in any form that is read, or - for standard input
    pub input: PathBuf,
    /// The file to write, or - for standard output; its form follows from the end of its name
    pub output: PathBuf,
    /// The form to write, whatever the name
    #[arg(long, value_name = "FORM", ignore_case = true)]
    pub to: Option<WrittenForm>,
    #[arg(long, help = objectives("What the game is played for"))]
    pub objective: Option<StatedObjective>,
    /// The labels of the states of PRISM or Storm, for an input that has their transitions (.tra)
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// The label of the states where Alice has won, in a file of Storm or PRISM, in place of alice
    #[arg(long, value_name = "LABEL")]
    pub target: Option<String>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
}

/// A form to write, by the end of the name of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenForm {
    Game(GameForm),
    /// Who wins a parity game.
    Solution,
}

impl ValueEnum for WrittenForm {
    fn value_variants<'a>() -> &'a [WrittenForm] {
        static ALL: LazyLock<Vec<WrittenForm>> = LazyLock::new(|| {
            let with_solution = |form| {
                let solution = (form == GameForm::Gm).then_some(WrittenForm::Solution);
                [WrittenForm::Game(form)].into_iter().chain(solution)
            };
            GameForm::ALL.iter().copied().flat_map(with_solution).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            WrittenForm::Game(form) => {
                PossibleValue::new(form.extension()).aliases(&form.extensions()[1..]).help(form.about())
            }
            WrittenForm::Solution => {
                let help = "Who wins from each position of a parity game, for PGSolver and Oink";
                PossibleValue::new("sol").help(help)
            }
        })
    }
}

impl WrittenForm {
    fn of(path: &Path) -> Result<WrittenForm, CliError> {
        let end = path.extension().and_then(|end| end.to_str());
        end.and_then(|end| WrittenForm::from_str(end, true).ok()).ok_or_else(|| {
            let values = WrittenForm::value_variants().iter().filter_map(WrittenForm::to_possible_value);
            let ends: Vec<String> = values.map(|value| format!(".{}", value.get_name())).collect();
            let reason = "the form to write is not clear: let the name end with";
            let end = end.map(|end| format!(".{end}")).unwrap_or_default();
            let meant = did_you_mean(&end, ends.iter().map(String::as_str));
            CliError::Usage(format!("{}{meant}: {reason} {}, or add --to", path.display(), one_of(&ends)))
        })
    }
}

pub fn run(args: &ConvertArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let form = args.to.map_or_else(|| WrittenForm::of(&args.output), Ok)?;
    if super::game_file(games, args.input.as_os_str()).is_none() {
        let reason = "this is no file: `richman export` writes a game by its name, and its output may be converted";
        return Err(CliError::Usage(format!("{}: {reason}", args.input.display())));
    }
    let mut input = Input::open(&args.input, watch)?;
    let source = input.name.clone();
    let target = args.target.as_deref();
    let reading = Reading {
        effort: super::reading(args.memory, None, watch),
        size: input.size,
        objective: args.objective,
        target,
    };
    let graph = match &args.labels {
        Some(path) => {
            let mut labels = Input::open(path, watch)?;
            let of_labels = labels.name.clone();
            read_transitions([(&source, &mut input), (&of_labels, &mut labels)], &reading)
        }
        None => read_game(&source, &mut input, &reading),
    };
    let graph = graph.map_err(|error| match error {
        FormatError::Stopped { error, .. } if *error == richman_core::Error::Cancelled => CliError::from(*error),
        error => input.explained(error.into(), FileKind::Game),
    })?;
    let effort = Effort { memory: args.memory, ..Effort::watched(watch) };
    let WrittenForm::Game(form) = form else {
        let winners = ParityWinners::new(graph, &source, &effort)?;
        return write(&args.output, watch, |out| winners.write(out, watch));
    };
    graph.check_form(form, &source)?;
    graph.check_memory(&effort)?;
    write(&args.output, watch, |out| graph.write(form, out, watch))
}

/// Writes a whole file, or to standard output.
fn write(path: &Path, watch: &TerminalWatch, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Done {
    let written = if path == Path::new("-") {
        output::streamed(write)
    } else {
        output::file(path, watch, write).map(|()| ExitCode::SUCCESS)
    };
    match written {
        Err(CliError::Output(_) | CliError::Save(..)) if watch.cancelled() => {
            Err(richman_core::Error::Cancelled.into())
        }
        written => written,
    }
}
