//! `richman completions` and `richman man`

use clap::CommandFactory;
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
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut page).map_err(CliError::Output)?;
    }
    output::text(&String::from_utf8_lossy(&page))
}
