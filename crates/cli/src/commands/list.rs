//! `richman list`

use clap::Args;
use richman_analysis::{GameInfo, Games};
use richman_render::csv;
use serde_json::{Value, json};

use crate::args::FormatArgs;
use crate::{Done, output, render};

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &ListArgs, games: &Games) -> Done {
    let games = games.list();
    let row =
        |game: &GameInfo| json!({ "name": game.name, "parameters": game.parameters, "description": game.description });
    let rows: Vec<Value> = games.iter().map(row).collect();
    let table = || csv::from_json(&[("", "name parameters description")], &rows);
    output::report(&args.format, &json!({ "games": rows }), table, || render::list(&games))
}
