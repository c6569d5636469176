//! `richman list`

use std::process::ExitCode;

use richman_analysis::GameInfo;
use richman_render::csv;

use crate::args::ListArgs;
use crate::error::CliError;
use crate::{output, render};

/// Lists the games.
pub fn run(args: &ListArgs) -> Result<ExitCode, CliError> {
    let games = richman_analysis::list();
    let row = |game: &GameInfo| serde_json::json!({ "name": game.name, "parameters": game.parameters, "description": game.description });
    let report = serde_json::json!({ "games": games.iter().map(row).collect::<Vec<_>>() });
    output::report(&args.format, &report, || csv::games(&games), || render::list(&games))
}
