//! `richman list`

use std::process::ExitCode;

use crate::args::ListArgs;
use crate::error::CliError;
use crate::{output, render};

/// Lists the games.
pub fn run(args: &ListArgs) -> Result<ExitCode, CliError> {
    let games = richman_analysis::list();
    if args.json {
        let games: Vec<_> = games
            .iter()
            .map(|game| {
                serde_json::json!({ "name": game.name, "parameters": game.parameters, "description": game.description })
            })
            .collect();
        output::json(&serde_json::json!({ "games": games }))?;
    } else {
        output::text(&render::list(&games))?;
    }
    Ok(ExitCode::SUCCESS)
}
