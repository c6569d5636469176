//! `richman scores`

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use richman_analysis::{Games, QuestionDocument, Wanted, ask};
use richman_core::{Holding, Total};
use richman_render::score_map;

use crate::args::{FormatArgs, MechanismArgs, bytes, total};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct ScoresArgs {
    /// The game: subtraction[:heap=9,set=1+3+5], the path of a game file with scores, or - for one
    /// on standard input
    pub game: OsString,
    /// Start from this position, in the game's own notation
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// The total number of chips
    #[arg(help_heading = "Chips", long, visible_alias = "total", value_name = "TOTAL")]
    #[arg(required_unless_present_all = ["alice", "bob"], value_parser = total, allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// Alice's holding, such as 4*; Bob has the rest. Adds the value and both players' best bids
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// Bob's holding; Alice has the rest, and exactly one of the two holds the star
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// The result of every pair of bids, for the holding of --alice or --bob
    #[arg(help_heading = "Chips", long)]
    pub bids_table: bool,
    /// The values of every position that can be reached
    #[arg(help_heading = "Chips", long)]
    pub all: bool,
    /// Draw the values of all positions to an SVG file, positions (heaps) against Alice's chips, or
    /// with - to standard output instead of the table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl ScoresArgs {
    /// The question about the game.
    pub fn document(&self) -> QuestionDocument {
        QuestionDocument {
            wanted: Wanted::Scores,
            position: self.position.clone(),
            mechanism: self.mechanism.choices(),
            chips: self.chips,
            alice: self.alice,
            bob: self.bob,
            all: self.all,
            bids_table: self.bids_table,
            svg: self.svg.is_some(),
            memory: Some(self.memory),
            ..QuestionDocument::default()
        }
    }
}

pub fn run(args: &ScoresArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let document = args.document();
    let effort = watch.effort(&document)?;
    let subject = super::subject(games, &args.game, super::reading(args.memory, None, watch), watch)?;
    let question = document.question(subject.aim())?;
    let answer = ask(&subject, &question, &effort)?;
    if let Some(map) = answer.map()
        && output::drawn(&args.svg, watch, || Ok(score_map::svg(map)))?
    {
        return Ok(ExitCode::SUCCESS);
    }
    output::report(&args.format, &answer)
}
