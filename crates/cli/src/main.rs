//! The `richman` command: parses a request, calls the analysis, prints its report.
//!
//! Exit status: 0 done, 1 a check failed, 2 unusable input, 130 stopped by Ctrl-C.

mod args;
mod commands;
mod error;
mod input;
mod output;
mod panics;
mod play;
mod render;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::error::CliError;
use crate::watch::Terminal;

fn main() -> ExitCode {
    panics::report();
    let cli = Cli::parse();
    let watch = Terminal::new();
    let done = match &cli.command {
        Command::Solve(args) => commands::solve::run(args, &watch),
        Command::Table(args) => commands::table::run(args, &watch),
        Command::Compare(args) => commands::compare::run(args, &watch),
        Command::Tree(args) => commands::tree::run(args, &watch),
        Command::Scores(args) => commands::scores::run(args, &watch),
        Command::Unitary(args) => commands::unitary::run(args, &watch),
        Command::RandomTurn(args) => commands::random_turn::run(args, &watch),
        Command::Duel(args) => commands::duel::run(args, &watch),
        Command::Build(args) => commands::build::run(args, &watch),
        Command::Verify(args) => commands::verify::run(args, &watch),
        Command::Reproduce(args) => commands::reproduce::run(args, &watch),
        Command::Play(args) => commands::play::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Review(args) => commands::review::run(args, &watch),
        Command::List(args) => commands::list::run(args),
        Command::Completions { shell } => commands::help::completions(*shell),
        Command::Man => commands::help::man(),
    };
    watch.finish();
    match done {
        Ok(code) => code,
        Err(CliError::Pipe) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("richman: {error}");
            ExitCode::from(error.status())
        }
    }
}
