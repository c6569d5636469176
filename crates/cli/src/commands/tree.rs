//! `richman tree`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use richman_analysis::tree::{TreeGoal, TreeOptions};
use richman_analysis::{Games, Opened, Question};
use richman_core::{Effort, Total};
use richman_render::csv;
use richman_render::tree::{dot, svg, text};

use crate::args::{AverageArgs, FormatArgs, GameArgs};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct TreeArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The best moves for this many chips in total [default: real money]
    #[arg(help_heading = "Tree", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// The best moves for the draw threshold: Bob plays to win, Alice to prevent it
    #[arg(help_heading = "Tree", long)]
    pub draw: bool,
    /// Show all equally good moves to different positions, not only one
    #[arg(help_heading = "Tree", long)]
    pub all: bool,
    /// Include the positions that are won at once
    #[arg(help_heading = "Tree", long)]
    pub full: bool,
    /// Show no moves from positions that equal A^n, B^n or E: their wedge sum says it all
    #[arg(help_heading = "Tree", long)]
    pub short: bool,
    /// Show only the first moves
    #[arg(help_heading = "Tree", long, value_name = "MOVES", allow_hyphen_values = true)]
    pub depth: Option<u32>,
    /// The most seconds to take; without it the proofs of wedge sums, and on games that can repeat
    /// a position the search for exact thresholds, end after 40
    #[arg(help_heading = "Tree", long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub time: Option<u64>,
    #[command(flatten)]
    pub average: AverageArgs,
    /// Print wedge sums in full, however long
    #[arg(long, help_heading = "Output", conflicts_with_all = ["dot", "json", "csv"])]
    pub wide: bool,
    /// Print a graph for Graphviz
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "csv"])]
    pub dot: bool,
    /// Draw the tree to an SVG file, or with - to standard output instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Write the output to a file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &TreeArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let choices = TreeOptions {
        goal: if args.draw { TreeGoal::Draw } else { TreeGoal::Win },
        chips: args.chips,
        all: args.all,
        full: args.full,
        short: args.short,
        depth: args.depth,
    };
    let deadline = super::deadline(args.time, Effort::TREE_SECONDS, watch);
    let subject = super::subject_of(&args.game, args.time, games, watch)?;
    let question = Question { at_least: args.average.at_least.clone(), ..super::question(&args.game) };
    let effort = super::effort(&args.game, deadline, watch);
    let (picture, report) = Opened::with_tree(&subject, &question, &choices, &effort)?;
    if output::drawn(&args.svg, watch, || Ok(svg::render(&report)))? {
        return Ok(ExitCode::SUCCESS);
    }
    let document = if args.format.json {
        output::json_line(&report)?
    } else if args.format.csv {
        output::csv_text(csv::tree(&report))?
    } else if args.dot {
        dot::render(&report)
    } else {
        text::render(&report, picture, args.wide)
    };
    let document = match (&args.output, args.format.is_text() && !args.dot) {
        (None, true) => output::wrapped(&document),
        _ => document,
    };
    match &args.output {
        Some(path) => output::file(path, watch, |out| out.write_all(document.as_bytes())).map(|()| ExitCode::SUCCESS),
        None => output::text(&document),
    }
}
