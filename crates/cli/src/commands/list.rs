//! `richman list`

use clap::Args;
use richman_analysis::{GameList, Games};

use crate::args::FormatArgs;
use crate::{Done, output};

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &ListArgs, games: &Games) -> Done {
    output::report(&args.format, &GameList::from(games))
}
