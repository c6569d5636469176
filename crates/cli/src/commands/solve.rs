//! `richman solve`

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use richman_analysis::positions::{Positions, WithPositions};
use richman_analysis::{Answer, EngineOffers, Games, QuestionDocument, Subject, Wanted, ask, consider};
use richman_core::{Effort, Holding, Share, Total, Walk};
use richman_render::reports::{Printed, positions, rows_of_several, why};
use richman_render::{csv, deciding};

use crate::args::{AverageArgs, FormatArgs, GameArgs, total, whole, width};
use crate::{CliError, Done, TerminalWatch, input, output};

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// More games, solved one after the other
    #[arg(value_name = "GAME", conflicts_with_all = ["position", "save", "svg", "bounds", "db"])]
    pub more: Vec<OsString>,
    /// Print every position that can be reached, not only the first; in JSON under `rows`
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    /// Do not solve: print what every engine offers for this question, its cost, and the order in
    /// which the engines would be tried
    #[arg(long, help_heading = "Output", conflicts_with_all = ["all", "save", "svg", "csv"])]
    pub why: bool,
    /// Real money: exact answers or an error, never bounds. With poorman and taxman, thresholds of
    /// games that can repeat a position are often irrational, and then only have bounds
    #[arg(help_heading = "Real money", long)]
    pub exact: bool,
    /// Real money: the width of the bounds to aim at if exact thresholds do not fit, such as 1e-12,
    /// or of an estimate, which without --time is 2^-9 wide [default: 2^-40]
    #[arg(help_heading = "Real money", long, value_name = "WIDTH", value_parser = width, allow_hyphen_values = true)]
    pub width: Option<f64>,
    /// Long-run averages: Alice's share of the money, which matters unless the other player is paid
    /// [default: 1/2]
    #[arg(help_heading = "Real money", long, value_name = "SHARE", allow_hyphen_values = true)]
    pub share: Option<Share>,
    #[command(flatten)]
    pub average: AverageArgs,
    /// The most seconds to take; then real money is answered by proved bounds, and chips by an
    /// error. An estimate takes all of them, unless it is as narrow as --width asks [default: 60
    /// for real money]
    #[arg(long, value_name = "SECONDS", value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// Real money on boards of Connect and Tic-Tac-Toe that are too large to solve: the file of
    /// bounds to resume from and to update
    #[arg(help_heading = "Real money", long, value_name = "FILE")]
    pub bounds: Option<PathBuf>,
    /// Bid with chips, this many in total [default: real money]
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", value_parser = total, allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// Alice's holding, such as 4*: adds the outcome and advice for both players. With --chips Bob
    /// has the rest
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// Bob's holding. With --chips Alice has the rest; if there is a star, exactly one of the two
    /// holds it
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// Long-run averages: also the least credit with which Alice never goes below 0, if every
    /// weight is added to it
    #[arg(help_heading = "Chips", long)]
    pub credits: bool,
    /// With holdings: print a line of best play, turn by turn
    #[arg(help_heading = "Chips", long, conflicts_with = "csv")]
    pub trace: bool,
    /// Save the solution of every position to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Look the position up in a database made by `richman build`: its folder, or its URL
    #[arg(long, value_name = "PLACE")]
    pub db: Option<PathBuf>,
    /// Real money: draw the board with the best moves to an SVG file, on Hex with every cell
    /// coloured by how often it decides; - for standard output instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "save")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &SolveArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let specs: Vec<&OsString> = [&args.game.game].into_iter().chain(&args.more).collect();
    if specs.iter().filter(|spec| input::is_standard(Path::new(spec))).count() > 1 {
        return Err(CliError::Usage("standard input holds one game: give the others as files".to_string()));
    }
    let (mut continues, mut status) = (false, ExitCode::SUCCESS);
    for spec in &specs {
        if args.time.is_none() {
            watch.begin(); // each game has the full time
        }
        let found = found(args, games, spec, watch);
        let report = match found.and_then(|found| printed(args, found, continues, watch)) {
            // The other games still have their answers.
            Err(error) if specs.len() > 1 && error.is_about_one_game() => {
                status = ExitCode::from(error.status());
                crate::report(&error.about(&spec.to_string_lossy()));
                continue;
            }
            report => report?,
        };
        // All games get the same question, so their tables have the same columns.
        let has_header = args.format.csv && continues;
        let report = if has_header { report.split_once('\n').map_or("", |(_, rows)| rows) } else { &report };
        let gap = if continues && args.format.is_text() && !args.all { "\n" } else { "" };
        output::text(&format!("{gap}{report}"))?;
        continues = true;
    }
    Ok(status)
}

impl SolveArgs {
    /// The question about each of the games.
    pub fn document(&self) -> QuestionDocument {
        QuestionDocument {
            chips: self.chips,
            alice: self.alice,
            bob: self.bob,
            share: self.share.clone(),
            at_least: self.average.at_least.clone(),
            credits: self.credits,
            trace: self.trace,
            all: self.all,
            bounds: self.bounds.clone(),
            db: self.db.clone(),
            save: self.save.is_some(),
            svg: self.svg.is_some(),
            exact: self.exact,
            width: self.width,
            time: self.time.map(Duration::from_secs),
            ..self.game.document(Wanted::Solution)
        }
    }
}

/// What there is to print about one game.
enum Found<'w> {
    Offers(EngineOffers),
    Answer(Box<FoundAnswer<'w>>),
}

/// An answer with what is needed to draw and to save it.
struct FoundAnswer<'w> {
    subject: Subject,
    walk: Box<dyn Walk>,
    answer: Answer,
    effort: Effort<'w>,
}

/// Solves one game, or asks every engine for its offer.
fn found<'w>(args: &SolveArgs, games: &Games, spec: &OsStr, watch: &'w TerminalWatch) -> Result<Found<'w>, CliError> {
    let document = args.document();
    let effort = watch.effort(&document)?;
    let reading = super::reading(args.game.memory, args.time, watch);
    let subject = super::subject_for(args.game.objective, games, spec, reading, watch)?;
    let question = document.question(subject.aim())?;
    let walk = subject.walk(args.game.position.as_deref())?;
    if args.svg.is_some() && walk.scene().is_none() {
        let reason =
            "--svg draws boards with real money; `richman table` and `richman tree` draw other games, and chips";
        return Err(CliError::Usage(reason.to_string()));
    }
    if args.why {
        return Ok(Found::Offers(consider(&subject, &question, &effort)?));
    }
    let answer = ask(&subject, &question, &effort)?;
    Ok(Found::Answer(Box::new(FoundAnswer { subject, walk, answer, effort })))
}

/// The report on one game, which `continues` those of other games; empty if already printed.
fn printed(args: &SolveArgs, found: Found, continues: bool, watch: &TerminalWatch) -> Result<String, CliError> {
    let FoundAnswer { subject, walk, answer, effort } = match found {
        Found::Offers(offers) => {
            return output::rendered(&args.format, &offers, Vec::new, |layout| why::text(&offers, layout));
        }
        Found::Answer(found) => *found,
    };
    let mut printed = String::new();
    if let Some(positions) = answer.positions().filter(|_| args.all) {
        print_all(&args.format, continues, &answer, &positions)?;
    } else if !output::drawn(&args.svg, watch, || Ok(deciding::standalone_svg(walk.as_ref(), &answer.report)))? {
        let rows = || if args.more.is_empty() { answer.rows() } else { rows_of_several(&answer.report) };
        printed = output::rendered(&args.format, &answer, rows, |layout| answer.text(layout))?;
    }
    if let Some(path) = &args.save
        && let Some(saving) = answer.saving(&subject, &effort)?
    {
        output::file(path, watch, |out| saving.write(out))?;
    }
    Ok(printed)
}

/// Prints every position below the report on the start, row by row, because all rows may not fit in
/// memory.
fn print_all(format: &FormatArgs, continues: bool, answer: &Answer, listed: &Positions) -> Result<(), CliError> {
    output::streamed(|out| {
        if format.json {
            serde_json::to_writer(&mut *out, &WithPositions { report: &answer.report, rows: listed })?;
            return writeln!(out);
        }
        if format.csv {
            return csv::write(out, positions::rows(listed).skip(usize::from(continues)));
        }
        let gap = if continues { "\n" } else { "" };
        let layout = output::layout();
        writeln!(out, "{gap}{}", layout.wrapped(&answer.text(layout)))?;
        positions::table(out, listed, layout)
    })
    .map(|_| ())
}
