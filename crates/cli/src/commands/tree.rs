//! `richman tree`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use richman_analysis::{Games, QuestionDocument, Wanted};
use richman_core::Total;
use richman_render::tree::{self, dot, svg, text};

use crate::args::{AverageArgs, FormatArgs, GameArgs, total, whole};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct TreeArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The best moves for this many chips in total [default: real money]
    #[arg(help_heading = "Tree", long, value_name = "TOTAL", value_parser = total, allow_hyphen_values = true)]
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
    #[arg(help_heading = "Tree", long, value_name = "MOVES")]
    #[arg(value_parser = whole(0..=u32::MAX), allow_hyphen_values = true)]
    pub depth: Option<u32>,
    /// The most seconds to take; without it the proofs of wedge sums, and on games that can repeat
    /// a position the search for exact thresholds, end after 40
    #[arg(help_heading = "Tree", long, value_name = "SECONDS")]
    #[arg(value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
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

impl TreeArgs {
    /// The question about the game.
    pub fn document(&self) -> QuestionDocument {
        QuestionDocument {
            chips: self.chips,
            at_least: self.average.at_least.clone(),
            all: self.all,
            draw: self.draw,
            full: self.full,
            short: self.short,
            depth: self.depth,
            time: self.time.map(Duration::from_secs),
            ..self.game.document(Wanted::Tree)
        }
    }
}

pub fn run(args: &TreeArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let document = args.document();
    let effort = watch.effort(&document)?;
    let subject = super::subject_of(&args.game, args.time, games, watch)?;
    let (picture, report) = document.tree(&subject, &effort)?;
    if output::drawn(&args.svg, watch, || Ok(svg::render(&report)))? {
        return Ok(ExitCode::SUCCESS);
    }
    let document = if args.format.json {
        output::json_line(&report)?
    } else if args.format.csv {
        output::csv_text(tree::rows(&report))?
    } else if args.dot {
        dot::render(&report)
    } else {
        text::render(&report, picture, args.wide)
    };
    let document = match (&args.output, args.format.is_text() && !args.dot) {
        (None, true) => output::layout().wrapped(&document),
        _ => document,
    };
    match &args.output {
        Some(path) => output::file(path, watch, |out| out.write_all(document.as_bytes())).map(|()| ExitCode::SUCCESS),
        None => output::text(&document),
    }
}
