//! `richman table`

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use richman_analysis::plot::figure;
use richman_analysis::{AnyTable, Games, QuestionDocument, TableRows, TableSource, Wanted, saved};
use richman_core::{ByPlayer, Total};
use richman_render::plot;

use crate::args::{AverageArgs, FormatArgs, GameArgs, totals, whole};
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The totals, including both ends, such as 0..255, or one total [default: 0..31]
    #[arg(help_heading = "Chips", long, value_name = "FROM..TO", value_parser = totals, allow_hyphen_values = true)]
    pub chips: Option<RangeInclusive<Total>>,
    /// Instead of totals: Alice's thresholds against these numbers of Bob's chips. With payment to
    /// the bank the total changes, so this table is the only one [default then: 0..20]
    #[arg(help_heading = "Chips", long, value_name = "FROM..TO", value_parser = totals)]
    #[arg(conflicts_with_all = ["chips", "alice"], allow_hyphen_values = true)]
    pub bob: Option<RangeInclusive<Total>>,
    /// Instead of totals: Bob's thresholds against these numbers of Alice's chips
    #[arg(help_heading = "Chips", long, value_name = "FROM..TO", value_parser = totals)]
    #[arg(conflicts_with = "chips", allow_hyphen_values = true)]
    pub alice: Option<RangeInclusive<Total>>,
    #[command(flatten)]
    pub average: AverageArgs,
    /// Print the totals for which the game is unstable: best play with chips needs moves that are
    /// not best with real money
    #[arg(help_heading = "Chips", long, conflicts_with = "csv")]
    pub stability: bool,
    /// The most seconds to take; without it the proofs of the periods end after 60
    #[arg(help_heading = "Chips", long, value_name = "SECONDS")]
    #[arg(value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub time: Option<u64>,
    /// Save the solution of every position and total to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Save the rules of every position, for all totals, to a file from which `richman verify`
    /// proves the periods
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Draw the table to an SVG file, or with - to standard output instead of the table
    ///
    /// (a) Win and draw thresholds minus their real-money share R of the total. Of more than 4096
    /// totals only the extremes are drawn, and the figure says so. (b, c) Who can force a win, for
    /// Alice's chips against Bob's when Alice or Bob holds the star: up to 63 chips each, and
    /// together at most the greatest total; totals below the requested ones are solved too.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl TableArgs {
    /// The question about the game.
    pub fn document(&self) -> QuestionDocument {
        QuestionDocument {
            rows: TableRows::given(self.chips.clone(), ByPlayer::new(self.alice.clone(), self.bob.clone())),
            at_least: self.average.at_least.clone(),
            stability: self.stability,
            save: self.save.is_some(),
            certificate: self.certificate.is_some(),
            svg: self.svg.is_some(),
            time: self.time.map(Duration::from_secs),
            ..self.game.document(Wanted::Table)
        }
    }
}

pub fn run(args: &TableArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let files = [&args.save, &args.certificate, &args.svg].map(Option::as_ref);
    if (1..3).any(|one| files[one].is_some() && files[..one].contains(&files[one])) {
        let message = "--save, --certificate and --svg name the same file: choose another for one of them";
        return Err(CliError::Usage(message.to_string()));
    }
    let document = args.document();
    let effort = watch.effort(&document)?;
    let subject = super::subject_of(&args.game, args.time, games, watch)?;
    let opened = match document.open_table(&subject, &effort)? {
        TableSource::Arena(opened) => opened,
        TableSource::Report(report) => return output::report(&args.format, report.as_ref()),
    };
    if let Some(path) = &args.certificate {
        output::save(path, &opened.certificate(&subject, watch)?, watch)?;
    }
    let TableRows { of, chips } = document.rows();
    let report = match opened.table(of, chips.clone(), args.stability, watch)? {
        AnyTable::Totals(report) => report,
        AnyTable::Holdings(report) => return output::report(&args.format, report.as_ref()),
    };
    let drawing = args.svg.as_ref().map(|_| figure(&opened.request(watch), &report)).transpose()?;
    if let Some(path) = &args.save {
        output::save(path, &saved::totals(&subject, &opened.request(watch), chips)?, watch)?;
    }
    if let Some(figure) = drawing
        && output::drawn(&args.svg, watch, || Ok(plot::svg(&figure)))?
    {
        return Ok(ExitCode::SUCCESS);
    }
    output::report(&args.format, report.as_ref())
}
