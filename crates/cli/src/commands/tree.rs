//! `richman tree`

use std::process::ExitCode;

use richman_analysis::Opened;
use richman_analysis::tree::{Choices, Goal};
use richman_core::Effort;
use richman_render::csv;
use richman_render::tree::{dot, svg, text};

use crate::args::TreeArgs;
use crate::error::CliError;
use crate::output;
use crate::watch::Terminal;

/// Prints the tree of optimal moves.
pub fn run(args: &TreeArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let choices = Choices {
        goal: if args.draw { Goal::Draw } else { Goal::Win },
        chips: args.chips,
        all: args.all,
        full: args.full,
        short: args.short,
        depth: args.depth,
    };
    let deadline = super::deadline(args.time, Effort::TREE_SECONDS, watch);
    let subject = super::subject(&args.game.game, args.game.memory.0, watch)?;
    let (question, effort) = (super::question(&args.game), super::effort(&args.game, deadline, watch));
    let (opened, report) = Opened::with_tree(&subject, &question, &choices, &effort)?;
    if let Some(path) = &args.svg
        && output::save_text(path, &svg::render(&report), watch)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let document = if args.format.json {
        output::json_line(&report)?
    } else if args.format.csv {
        output::csv_text(csv::tree(&report))?
    } else if args.dot {
        dot::render(&report)
    } else {
        text::render(&report, opened.unfolding(), args.wide)
    };
    let document = match (&args.output, args.format.is_text() && !args.dot) {
        (None, true) => output::wrapped(&document),
        _ => document,
    };
    match &args.output {
        Some(path) => output::file(path, watch, |out| out.write_all(document.as_bytes()))?,
        None => output::text(&document)?,
    }
    Ok(ExitCode::SUCCESS)
}
