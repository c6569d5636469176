//! `richman completions` and `richman man`

use std::io;

use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};

use crate::args::Cli;
use crate::{CliError, Done, output};

pub fn completions(shell: Shell) -> Done {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), crate::program(), &mut script);
    output::text(&String::from_utf8_lossy(&script))
}

/// Prints the manual pages of the command and of each subcommand.
pub fn man() -> Done {
    let mut page = Vec::new();
    let mut command = Cli::command().display_name(crate::program()).bin_name(crate::program());
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page).map_err(CliError::Output)?;
    each_command(&command, &mut |sub| clap_mangen::Man::new(sub.clone()).render(&mut page))
        .map_err(CliError::Output)?;
    output::text(&String::from_utf8_lossy(&page))
}

/// Calls `each` with all subcommands, and with theirs.
fn each_command(command: &Command, each: &mut impl FnMut(&Command) -> io::Result<()>) -> io::Result<()> {
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        each(sub)?;
        each_command(sub, each)?;
    }
    Ok(())
}
