//! `richman build`

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use richman_analysis::databases::{self, BuildOrder, DatabaseStake, KeptUnits, Machines, ReportRow, TableColumn};
use richman_analysis::{Games, parse};
use richman_core::{Effort, Total};
use richman_render::csv;

use crate::args::{FormatArgs, bytes, totals, whole};
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The game: connect or tic-tac-toe with its parameters, or chess with pieces, such as
    /// chess:pieces=KQK
    pub game: OsString,
    /// The folder for the database, or for a board a URL such as s3://bucket/prefix; an unfinished
    /// one is resumed
    #[arg(long, value_name = "PLACE")]
    pub out: PathBuf,
    /// Bid with chips: totals such as 8 or 0..20, up to 64 for chess with three pieces [default:
    /// real money]
    #[arg(long, value_name = "TOTALS", value_parser = totals, allow_hyphen_values = true)]
    pub chips: Option<RangeInclusive<Total>>,
    /// A board: bounds instead of exact thresholds, from lines after this many stones
    #[arg(long, value_name = "STONES", conflicts_with = "chips", value_parser = whole(1..=63_u32))]
    pub leaves: Option<u32>,
    /// Only print the memory, disk space and time needed
    #[arg(long)]
    pub plan: bool,
    /// With --plan, for a board: the time of this many workers that compute it together
    #[arg(long, value_name = "NUMBER", requires = "plan", value_parser = whole(1..=100_000_u32))]
    pub workers: Option<u32>,
    /// The cores of a worker
    #[arg(long, value_name = "NUMBER", requires = "workers", default_value_t = 1)]
    #[arg(value_parser = whole(1..=1000_u32))]
    pub cores: u32,
    /// What goes between a worker and the store in a second
    #[arg(long, value_name = "BITS", requires = "workers", default_value = "10Gbit", value_parser = parse::bandwidth)]
    pub bandwidth: u64,
    /// What the store gives and takes in a second [default: as much as all workers]
    #[arg(long, value_name = "BITS", requires = "workers", value_parser = parse::bandwidth)]
    pub store_bandwidth: Option<u64>,
    /// A board: the most numbers of a part that is computed at once, such as 1000000000 for many
    /// machines; answers from the database then take longer [default: some tenths of a second]
    #[arg(long, value_name = "NUMBER", value_parser = whole(1..=1_u64 << 40))]
    pub unit: Option<u64>,
    /// A board: the parts that stay. With two-layers they are deleted once no other needs them, and
    /// the database answers only at the start of the game
    #[arg(long, value_name = "WHAT", default_value = "all")]
    pub keep: KeepArg,
    /// The most memory to use
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    /// The most disk space to use
    #[arg(long, value_name = "SIZE", default_value = "40GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub disk: u64,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// What [`KeptUnits`] is called.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum KeepArg {
    All,
    TwoLayers,
}

impl From<KeepArg> for KeptUnits {
    fn from(keep: KeepArg) -> KeptUnits {
        match keep {
            KeepArg::All => KeptUnits::All,
            KeepArg::TwoLayers => KeptUnits::TwoLayers,
        }
    }
}

/// Builds a database, or prints what it would need.
pub fn run(args: &BuildArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let subject = super::subject(games, &args.game, super::reading(args.memory, None, watch), watch)?;
    let start = subject.walk(None)?;
    let totals = args.chips.as_ref().map(parse::each).transpose().map_err(CliError::Usage)?;
    let stake = args.leaves.map_or_else(|| DatabaseStake::of(totals.as_deref()), DatabaseStake::Bounds);
    let store = databases::open_store(&args.out)?;
    let order = BuildOrder {
        start: start.as_ref(),
        stake: &stake,
        store: &store,
        unit: args.unit,
        keep: args.keep.into(),
        disk: args.disk,
        effort: Effort { memory: args.memory, ..Effort::watched(watch) },
    };
    let kind = databases::kind(order.start)?;
    if args.plan || args.format.is_text() {
        let plan = match args.workers {
            None => [kind.plan(&order)?],
            Some(workers) => [kind.schedule(&order, &machines(args, workers))?],
        };
        let words = |_| plan[0].words.clone();
        output::text(&output::rendered(&args.format, &plan[0].json, || csv::database(&[], &plan), words)?)?;
    }
    if !args.plan {
        let end = reported(&args.format, |each| kind.build(&order, each).map(|end| (end, &[][..])))?;
        if args.format.is_text() {
            output::words(&end)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn machines(args: &BuildArgs, workers: u32) -> Machines {
    let BuildArgs { cores, bandwidth, store_bandwidth, .. } = *args;
    let store = store_bandwidth.unwrap_or_else(|| bandwidth.saturating_mul(workers.into()));
    Machines { workers, cores, bandwidth, store }
}

/// Prints rows in words as `work` reports them, or at the end as JSON or a table. `work` returns
/// its result and the columns of the table.
pub(super) fn reported<T, E: Into<CliError>>(
    format: &FormatArgs,
    work: impl FnOnce(&mut dyn FnMut(ReportRow)) -> Result<(T, &'static [TableColumn]), E>,
) -> Result<T, CliError> {
    let (mut rows, mut failed) = (Vec::new(), None);
    let (end, columns) = work(&mut |row| {
        if format.is_text() && failed.is_none() {
            failed = output::words(&row.words).err();
        }
        rows.push(row);
    })
    .map_err(Into::into)?;
    let json: Vec<_> = rows.iter().map(|row| &row.json).collect();
    output::text(&output::rendered(format, &json, || csv::database(columns, &rows), |_| String::new())?)?;
    failed.map_or(Ok(end), Err)
}
