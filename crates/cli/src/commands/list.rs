//! `richman list`

use clap::Args;
use richman_analysis::{GameList, Games};
use richman_render::csv;

use crate::args::FormatArgs;
use crate::{Done, output, render};

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &ListArgs, games: &Games) -> Done {
    let report = GameList::from(games);
    let table = || csv::from_json(&[("", "name parameters description")], &report.games);
    output::report(&args.format, &report, table, || render::list(&games.list()))
}
