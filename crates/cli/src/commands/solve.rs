//! `richman solve`

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use richman_analysis::positions::{Positions, WithPositions};
use richman_analysis::{Answer, Question, Report, Stake, ask, consider};
use richman_core::{Aim, Effort, Exactness, Walk};
use richman_render::csv;

use crate::args::{GameArgs, SolveArgs};
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
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    if let Some(time) = args.time.map(Duration::from_secs) {
        watch.limit_waiting(time);
        if args.chips.is_some() || args.alice.is_some() || args.bob.is_some() {
            watch.limit(time);
        }
    }
    let subject = super::subject(&args.game.game, args.game.memory.0, watch)?;
    let mechanism = args.game.mechanism.mechanism();
    let mut stake = Stake::given(&mechanism, Aim::Win, args.chips, [args.alice, args.bob])?;
    match &mut stake {
        Stake::Hands(hands) => hands.trace = args.trace,
        _ if args.trace => {
            let reason = "--trace follows play from given holdings: add --alice and --bob";
            return Err(CliError::Usage(reason.to_string()));
        }
        _ => {}
    }
    let total = stake.total(&mechanism)?;
    let walk = subject.walk(args.game.position.as_deref())?;
    if args.svg.is_some() && (walk.scene().is_none() || total.is_some()) {
        let reason =
            "--svg draws boards with real money; `richman table` and `richman tree` draw other games, and chips";
        return Err(CliError::Usage(reason.to_string()));
    }
    let question = Question {
        stake,
        all: args.all || args.save.is_some(),
        bounds: args.bounds.clone(),
        database: args.db.clone(),
        ..super::question(&args.game)
    };
    let seconds = args.time.unwrap_or(Effort::MONEY_SECONDS);
    let effort = Effort {
        // Chips have no answer but the exact one.
        deadline: watch.after(Duration::from_secs(seconds)).filter(|_| total.is_none() || args.time.is_some()),
        memory: args.game.memory.0,
        exactness: if args.exact { Exactness::Required } else { Exactness::Preferred },
        width: args.width.0,
        ..Effort::watched(watch)
    };
    if args.why {
        let offers = consider(&subject, &question, &effort)?;
        return output::rendered(&args.format, &offers, Vec::new, || render::why::text(&offers));
    }
    let answer = ask(&subject, &question, &effort)?;
    let printed = printed(args, &answer, walk.as_ref(), watch)?;
    if let Some(path) = &args.save
        && let Some(saving) = answer.saving(&subject)?
    {
        output::file(path, watch, |out| saving.write(out))?;
    }
    Ok(printed)
}

/// The report as text; empty where every position was asked for and all is printed.
fn printed(args: &SolveArgs, answer: &Answer, walk: &dyn Walk, watch: &Terminal) -> Result<String, CliError> {
    if let Some(positions) = answer.positions().filter(|_| args.all) {
        return print_all(args, answer, &positions);
    }
    if let (Report::Money(report), Some(path)) = (&answer.report, &args.svg) {
        let drawing = richman_render::deciding::standalone_svg(walk, report);
        if path == Path::new("-") {
            return Ok(drawing);
        }
        output::save_text(path, &drawing, watch)?;
    }
    let table = || csv::worth(&answer.report, args.more.is_empty());
    output::rendered(&args.format, &answer.report, table, || render::answer(answer))
}

/// Prints every position below the report on the start, row by row: there may be more than fit into memory as text.
fn print_all(args: &SolveArgs, answer: &Answer, positions: &Positions) -> Result<String, CliError> {
    output::streamed(|out| {
        if args.format.json {
            serde_json::to_writer(&mut *out, &WithPositions { report: &answer.report, rows: positions })?;
            return writeln!(out);
        }
        if args.format.csv {
            return csv::write(out, csv::positions(positions).skip(usize::from(args.continues)));
        }
        let gap = if args.continues { "\n" } else { "" };
        writeln!(out, "{gap}{}", output::wrapped(&render::answer(answer)))?;
        render::positions::table(out, positions)
    })?;
    Ok(String::new())
}
