//! `richman solve`

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use richman_analysis::boards::{self, Answers, Deepen};
use richman_analysis::chess::ChessReport;
use richman_analysis::chips::{ChipsReport, Hands, Solved};
use richman_analysis::direct::{self, Direct};
use richman_analysis::endgames::chips::ChipEndgames;
use richman_analysis::endgames::{self, Endgames};
use richman_analysis::hex::HexReport;
use richman_analysis::money::MoneyReport;
use richman_analysis::positions::{Positions, Solution, WithPositions};
use richman_analysis::{Request, Subject, chips, money, saved};
use richman_core::{Mechanism, Payment, Total, Until, Walk, Watch};
use richman_render::csv;
use richman_render::report::picture;
use richman_solvers::{Exactness, Options};
use serde::Serialize;

use super::Opened;
use crate::args::{GameArgs, MONEY_SECONDS, SolveArgs};
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{input, output, render};

/// Solves games and prints their reports.
pub fn run(args: &SolveArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let games: Vec<&String> = [&args.game.game].into_iter().chain(&args.more).collect();
    if games.iter().filter(|game| input::is_standard(Path::new(game))).count() > 1 {
        return Err(CliError::Usage("standard input holds one game: give the others as files".to_string()));
    }
    for (number, game) in games.iter().enumerate() {
        let one = SolveArgs {
            game: GameArgs { game: (*game).clone(), ..args.game.clone() },
            continues: number > 0,
            ..args.clone()
        };
        if args.time.is_none() {
            watch.begin(); // each game has the usual time
        }
        let report = solved(&one, watch).map_err(|error| match games.len() {
            1 => error,
            _ => error.about(game),
        })?;
        // The questions are the same, and so are the columns of a table.
        let has_header = args.format.csv && number > 0;
        let report = if has_header { report.split_once('\n').map_or("", |(_, rows)| rows) } else { &report };
        let gap = if number > 0 && args.format.is_text() && !args.all { "\n" } else { "" };
        output::text(&format!("{gap}{report}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The report on one game; empty where it is printed already.
fn solved(args: &SolveArgs, watch: &Terminal) -> Result<String, CliError> {
    let mechanism = args.game.mechanism.mechanism();
    let hands = super::hands(args.chips, args.alice, args.bob, &mechanism)?;
    let hands = hands.map(|[alice, bob]| Hands { alice, bob, trace: args.trace });
    let total = total(args, hands.as_ref(), &mechanism)?;
    if args.trace && hands.is_none() {
        return Err(CliError::Usage("--trace follows play from given holdings: add --alice and --bob".to_string()));
    }
    if let (Some(seconds), Some(_)) = (args.time, total) {
        watch.limit(Duration::from_secs(seconds));
    }
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    if let Some(seconds) = args.time {
        watch.limit_waiting(Duration::from_secs(seconds));
    }
    let subject = super::subject(&args.game.game, args.game.memory.0, watch)?;
    if (hands.is_none() || args.db.is_some())
        && !args.all
        && let Some(report) = direct(args, &subject, total, hands, &mechanism, watch)?
    {
        return Ok(report);
    }
    if args.svg.is_some() {
        return Err(CliError::Usage(
            "--svg draws Hex boards, with real money and Richman payment; `richman table` and `richman tree` draw other games".to_string(),
        ));
    }
    if args.db.is_some() || args.bounds.is_some() {
        let option = if args.db.is_some() { "--db" } else { "--bounds" };
        let why = if args.game.within.is_some() {
            "without --within"
        } else if mechanism != Mechanism::default() {
            "with the default rules of bidding"
        } else {
            "for connect, tic-tac-toe and (--db) endgames of chess, in positions that are not over"
        };
        return Err(CliError::Usage(format!("{option} serves only {why}: leave it out")));
    }
    let deadline = deadline(args, watch);
    let unfolding = Until { watch, deadline };
    let walk = subject.walk(args.game.position.as_deref())?;
    let opened = match Opened::of(subject, &args.game, &unfolding) {
        // Nothing is known by then; whoever needs more than bounds is told.
        Err(error) if error.is_stop() && total.is_none() && !watch.cancelled() => {
            if args.exact || args.all || args.save.is_some() {
                return Err(richman_core::Error::OutOfTime { what: "an exact answer" }.into());
            }
            let report = money::unknown(walk.as_ref(), &mechanism, args.game.within);
            return print_money(args, &report, walk.picture(), None);
        }
        opened => opened?,
    };
    let mut request = opened.request(&args.game, watch);
    request.options.exactness = exactness(args);
    request.options.width = args.width.0;
    request.options.deadline = deadline;
    match (total, hands) {
        (None, _) => solve_money(args, &opened, &request),
        (Some(_), Some(hands)) if mechanism.payment != Payment::Richman => solve_purses(args, &opened, &request, hands),
        (Some(total), hands) => solve_chips(args, &opened, &request, total, hands),
    }
}

/// Prints every position below the report on the start, row by row: there may be more than fit into memory as text.
fn print_all(
    args: &SolveArgs,
    report: &impl Serialize,
    positions: &Positions,
    words: impl FnOnce() -> String,
) -> Result<String, CliError> {
    output::streamed(|out| {
        if args.format.json {
            serde_json::to_writer(&mut *out, &WithPositions { report, rows: positions })?;
            return writeln!(out);
        }
        if args.format.csv {
            return csv::write(out, csv::positions(positions).skip(usize::from(args.continues)));
        }
        let gap = if args.continues { "\n" } else { "" };
        writeln!(out, "{gap}{}", output::wrapped(&words()))?;
        render::positions::table(out, positions)
    })?;
    Ok(String::new())
}

/// Hex and boards of lines without unfolding, or from a database. `None` for other games, and for what only an arena tells.
fn direct(
    args: &SolveArgs,
    subject: &Subject,
    total: Option<Total>,
    hands: Option<Hands>,
    mechanism: &Mechanism,
    watch: &Terminal,
) -> Result<Option<String>, CliError> {
    if args.save.is_some() {
        return Ok(None);
    }
    let walk = subject.walk(args.game.position.as_deref())?;
    let walk = walk.as_ref();
    if args.svg.is_some() && walk.hex_board().is_none() {
        return Ok(None);
    }
    if let Some(folder) = &args.db {
        return match (walk.chess_board(), total) {
            (Some(_), Some(total)) => look_up_chips(args, folder, walk, total, hands, mechanism),
            _ if hands.is_some() => Ok(None),
            _ => look_up(args, folder, walk, total, mechanism, watch),
        };
    }
    let exactness = exactness(args);
    let (within, memory) = (args.game.within, args.game.memory.0);
    let (width, deadline) = (args.width.0, deadline(args, watch));
    let options = Options { within, exactness, memory, width, deadline, watch, ..Options::default() };
    if let Some(total) = total {
        let report = direct::chips(walk, mechanism, total, &options)?;
        return report.map(|report| print_chips(args, &report, walk.picture())).transpose();
    }
    let task = Deepen { width: args.width.0, file: args.bounds.clone() };
    match direct::money(walk, mechanism, &task, &options)? {
        None => Ok(None),
        Some(Direct::Money(report)) => print_money(args, &report, walk.picture(), None).map(Some),
        Some(Direct::Hex(report)) => print_hex(args, &report, walk, watch).map(Some),
        Some(Direct::Chess(report)) => print_chess(args, &report, walk).map(Some),
    }
}

/// When real money is answered by what is known.
fn deadline(args: &SolveArgs, watch: &Terminal) -> Option<Instant> {
    watch.after(Duration::from_secs(args.time.unwrap_or(MONEY_SECONDS)))
}

/// Whether bounds may be printed.
fn exactness(args: &SolveArgs) -> Exactness {
    if args.exact { Exactness::Required } else { Exactness::Preferred }
}

/// A position of chess with chips in a database.
fn look_up_chips(
    args: &SolveArgs,
    folder: &Path,
    walk: &dyn Walk,
    total: Total,
    hands: Option<Hands>,
    mechanism: &Mechanism,
) -> Result<Option<String>, CliError> {
    if !endgames::chips::serves(mechanism) || args.game.within.is_some() {
        return Ok(None);
    }
    let Some(class) = endgames::chips::class(walk)? else { return Ok(None) };
    let Some(classes) = ChipEndgames::open(folder)? else {
        return Err(CliError::Usage(format!(
            "{} is no database of chess with chips: `richman build chess:pieces={class} --out FOLDER --chips {total}` makes one",
            folder.display()
        )));
    };
    let report = classes.report(walk, total, hands)?;
    report.map(|report| print_chips(args, &report, walk.picture())).transpose()
}

/// A position of a board, or of chess in real money, in a database.
fn look_up(
    args: &SolveArgs,
    folder: &Path,
    walk: &dyn Walk,
    total: Option<Total>,
    mechanism: &Mechanism,
    watch: &Terminal,
) -> Result<Option<String>, CliError> {
    let (deadline, memory) = (deadline(args, watch), args.game.memory.0);
    let options = Options { exactness: exactness(args), memory, deadline, watch, ..Options::default() };
    if walk.chess_board().is_some() {
        let served = endgames::serves(mechanism) && args.game.within.is_none();
        let classes = if served { Endgames::open(folder)? } else { None };
        let report = classes.map(|classes| classes.report(walk, mechanism, &options)).transpose()?.flatten();
        return report.map(|report| print_money(args, &report, walk.picture(), None)).transpose();
    }
    let served = boards::board(walk, mechanism, total.is_some()).filter(|_| args.game.within.is_none());
    let Some(_) = served else { return Ok(None) };
    let Some(needs) = Answers::open(folder)?.needs_with(walk, total)? else { return Ok(None) };
    let stop = format!("from the database in {}", folder.display());
    match total {
        Some(total) => print_chips(args, &needs.chips(walk, mechanism, total, stop), walk.picture()),
        None => print_money(args, &needs.money(walk, mechanism, stop), walk.picture(), None),
    }
    .map(Some)
}

fn print_hex(args: &SolveArgs, report: &HexReport, walk: &dyn Walk, watch: &Terminal) -> Result<String, CliError> {
    if let Some(path) = &args.svg {
        let drawing = richman_render::hex::standalone_svg(walk, report);
        if path == Path::new("-") {
            return Ok(drawing);
        }
        output::save_text(path, &drawing, watch)?;
    }
    let table = || if args.more.is_empty() { csv::hex(report) } else { csv::hex_row(report) };
    output::rendered(&args.format, report, table, || render::hex::text(report, walk))
}

fn print_chess(args: &SolveArgs, report: &ChessReport, walk: &dyn Walk) -> Result<String, CliError> {
    let table = || if args.more.is_empty() { csv::chess(report) } else { csv::chess_row(report) };
    output::rendered(&args.format, report, table, || render::chess::text(report, walk))
}

/// Prints what a position is worth in real money, or how the game ended there.
fn print_money(
    args: &SolveArgs,
    report: &MoneyReport,
    picture: String,
    end: Option<richman_core::Terminal>,
) -> Result<String, CliError> {
    output::rendered(&args.format, report, || csv::money(report), || render::money(report, picture, end))
}

/// The total, from `--chips` or from the holdings.
fn total(args: &SolveArgs, hands: Option<&Hands>, mechanism: &Mechanism) -> Result<Option<Total>, CliError> {
    if args.chips.is_some() && hands.is_none() && mechanism.payment != Payment::Richman {
        let payment = &mechanism.payment;
        let alice = if mechanism.has_star() { "'4*'" } else { "4" };
        return Err(CliError::Usage(format!(
            "with payment {payment} chips leave the game, so no total stays and --chips says too little: write both holdings, such as \
             --alice {alice} --bob 4, or leave it out for real money; `richman table` with --payment {payment} --bob 0..20 prints a table"
        )));
    }
    match hands {
        Some(hands) => Ok(Some(hands.total(mechanism)?)),
        None => Ok(args.chips),
    }
}

fn solve_money(args: &SolveArgs, opened: &Opened, request: &Request) -> Result<String, CliError> {
    let (report, solution) = money::report(request)?;
    if let Some(path) = &args.save {
        let head = saved::money_head(&opened.subject, request, &solution)?;
        let values = saved::money_values(request, &solution);
        output::file(path, request.options.watch, |out| richman_formats::write_money(&head, values, out))?;
    }
    let end = request.unfolding.arena().terminal(request.unfolding.arena().start());
    if args.all {
        let positions = Positions::new(*request, Solution::Money(&solution));
        return print_all(args, &report, &positions, || render::money(&report, picture(request.unfolding), end));
    }
    print_money(args, &report, picture(request.unfolding), end)
}

fn solve_chips(
    args: &SolveArgs,
    opened: &Opened,
    request: &Request,
    total: Total,
    hands: Option<Hands>,
) -> Result<String, CliError> {
    if !args.all && hands.is_none() && args.save.is_none() {
        return print_chips(args, &chips::report(request, total)?, picture(request.unfolding));
    }
    let (report, solved) = chips::full_report(request, total, hands)?;
    if args.all {
        let positions = Positions::new(*request, Solution::Chips(&solved, total, hands));
        print_all(args, &report, &positions, || render::chips(&report, picture(request.unfolding)))?;
    }
    if let Some(path) = &args.save {
        output::save(path, &saved::solved(&opened.subject, request, solved)?, request.options.watch)?;
    }
    if args.all {
        return Ok(String::new());
    }
    print_chips(args, &report, picture(request.unfolding))
}

fn print_chips(args: &SolveArgs, report: &ChipsReport, picture: String) -> Result<String, CliError> {
    output::rendered(&args.format, report, || csv::chips(report), || render::chips(report, picture))
}

fn solve_purses(args: &SolveArgs, opened: &Opened, request: &Request, hands: Hands) -> Result<String, CliError> {
    let (report, solution) = chips::purses_report(request, hands)?;
    if let Some(path) = &args.save {
        output::save(
            path,
            &saved::purses(&opened.subject, request, std::slice::from_ref(&solution))?,
            request.options.watch,
        )?;
    }
    if args.all {
        let solved = Solved::Purses(solution);
        let positions = Positions::new(*request, Solution::Purses(&solved, hands));
        return print_all(args, &report, &positions, || render::purses(&report, request.unfolding));
    }
    output::rendered(&args.format, &report, || csv::purses(&report), || render::purses(&report, request.unfolding))
}
