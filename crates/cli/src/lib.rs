//! The `richman` command as a library: parses a request, asks, prints the report.
//!
//! [`run`] takes further games: a program with games of its own is this command with these games in
//! its list.
//!
//! Exit status: 0 done, 1 a check failed, 2 unusable input, 130 stopped by Ctrl-C.

mod args;
mod commands;
mod error;
mod input;
mod output;
mod panics;
mod play;
mod remedies;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;
use richman_analysis::{GameEntry, Games};

use crate::args::{Cli, Command, completed, suggested, without_colon};
use crate::error::{CliError, Done};
use crate::watch::{STOPPED, TerminalWatch};

/// Runs the command of this process's arguments, with `own` games besides those of the project, and
/// returns the exit status. Errors are reported on standard error.
pub fn run(own: impl IntoIterator<Item = GameEntry>) -> ExitCode {
    panics::report();
    let games = match Games::with(own) {
        Ok(games) => games,
        Err(error) => return exit(Err(richman_analysis::Error::from(error).into())),
    };
    CompleteEnv::with_factory(|| completed(Cli::command(), &games)).var(commands::help::ASKED).complete();
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(error) = without_colon(&args, &games) {
        return exit(Err(richman_analysis::Error::from(error).into()));
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(stop) => return exit(output::stopped(&suggested(stop, &args))),
    };
    watch::be_quiet(cli.quiet);
    if let Command::Serve(args) = &cli.command {
        return exit(commands::serve::run(args, &games)); // it handles stopping itself
    }
    exit(done(&cli.command, &games))
}

/// Runs the command; its progress line is gone from the terminal afterwards.
fn done(command: &Command, games: &Games) -> Done {
    let watch = TerminalWatch::new();
    let done = match command {
        Command::Solve(args) => commands::solve::run(args, games, &watch),
        Command::Table(args) => commands::table::run(args, games, &watch),
        Command::Compare(args) => commands::compare::run(args, games, &watch),
        Command::Tree(args) => commands::tree::run(args, games, &watch),
        Command::Scores(args) => commands::scores::run(args, games, &watch),
        Command::Unitary(args) => commands::unitary::run(args, &watch),
        Command::RandomTurn(args) => commands::random_turn::run(args, games, &watch),
        Command::Duel(args) => commands::duel::run(args, games, &watch),
        Command::Export(args) => commands::export::run(args, games, &watch),
        Command::Convert(args) => commands::convert::run(args, games, &watch),
        Command::Build(args) => commands::build::run(args, games, &watch),
        Command::Verify(args) => commands::verify::run(args, games, &watch),
        Command::Reproduce(args) => commands::reproduce::run(args, &watch),
        Command::Play(args) => commands::play::run(args, games),
        Command::Serve(_) => Ok(ExitCode::SUCCESS),
        Command::Site(args) => commands::site::run(args, games, &watch),
        Command::Store(args) => commands::store::run(args, games, &watch),
        Command::Review(args) => commands::review::run(args, games, &watch),
        Command::List(args) => commands::list::run(args, games),
        Command::Completions(args) => commands::help::completions(args),
        Command::Man(args) => commands::help::man(args),
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

/// The name of this program's file: a program with games of its own has its own.
fn program() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    let name = std::path::Path::new(&path).file_stem().map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "richman".to_string())
}

fn exit(done: Done) -> ExitCode {
    match done {
        Ok(code) => code,
        Err(CliError::Pipe) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(error.status())
        }
    }
}

/// Prints an error on standard error.
fn report(error: &CliError) {
    output::complain(format_args!("{}: {error}", program()));
}
