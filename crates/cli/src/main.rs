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
use crate::error::{CliError, Done};
use crate::watch::{STOPPED, TerminalWatch};

fn main() -> ExitCode {
    panics::report();
    let cli = Cli::parse();
    if let Command::Serve(args) = &cli.command {
        return exit(commands::serve::run(args)); // it handles stopping itself
    }
    exit(done(&cli.command))
}

/// Runs the command; its progress line is gone from the terminal afterwards.
fn done(command: &Command) -> Done {
    let watch = TerminalWatch::new();
    let done = match command {
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
        Command::Serve(_) => Ok(ExitCode::SUCCESS),
        Command::Review(args) => commands::review::run(args, &watch),
        Command::List(args) => commands::list::run(args),
        Command::Completions { shell } => commands::help::completions(*shell),
        Command::Man => commands::help::man(),
    };
    match done {
        Err(error) if error.is_stop() && !watch.was_stopped() => {
            Err(richman_core::Error::OutOfTime { what: "this" }.into())
        }
        // A stopped command printed the results it had by then.
        Ok(code) if watch.was_stopped() && code == ExitCode::SUCCESS => Ok(ExitCode::from(STOPPED)),
        done => done,
    }
}

fn exit(done: Done) -> ExitCode {
    match done {
        Ok(code) => code,
        Err(CliError::Pipe) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("richman: {error}");
            ExitCode::from(error.status())
        }
    }
}
