//! The questions: a game and options in, an answer out. One function for each command.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::prelude::*;
use richman::analysis;
use richman::analysis::plot;
use richman::analysis::positions::WithPositions;
use richman::analysis::random_turn::RandomTurnOptions;
use richman::analysis::unitary::{Automaton, ConvergenceReport};
use richman::analysis::{
    Answer, AnyTable, ExportedGame, MAX_SAVED_BYTES, Opened, Question, Subject, TableSource, Wanted, ask, consider,
    databases, parse, random_turn, saved, write_watched,
};
use richman::core::{Effort, Total};
use richman::formats::{FileKind, FormatError, MAX_RECORD_BYTES, Record};
use richman::games::Games;
use richman::play::duel::{self, Duel};
use richman::play::players::{Knowledge, Strength};
use richman::play::{MOST_POSITIONS, record, review};
use richman::render::{plot as drawn, score_map};

use crate::answers::{Document, Reviewed, Solution, Table, Tree, Unitary, UnitaryReport, document};
use crate::error::Fault;
use crate::game::{self, Game};
use crate::options::{Options, parsed};
use crate::values::values;
use crate::work::{self, Worker};

pub type Progress<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The answer to a question; with `all`, for every position.
pub fn solution(subject: &Subject, options: &Options, all: bool, worker: &Worker) -> Result<Answer, Fault> {
    let question = options.about(subject)?;
    Ok(ask(subject, &Question { all: question.all || all, ..question }, &options.effort(worker))?)
}

#[pyfunction]
fn solve(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Solution> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Solution)?);
    // Arrays are as large as what is known about their positions.
    let is_kept = options.question.all || game.graph.is_some();
    work::done(py, options.question.end(), progress, move |worker| {
        let answer = solution(&subject, &options, false, worker)?;
        let document = match answer.positions().filter(|_| options.question.all) {
            Some(rows) => document(&WithPositions { report: &answer.report, rows: &rows })?,
            None => document(&answer.report)?,
        };
        let answer = if is_kept { answer } else { answer.without_positions() };
        let (picture, answer) = (answer.picture.clone(), answer.into());
        let is_money = !options.question.has_chips();
        Ok(Solution { document, picture, map: None, answer, position: options.question.position, is_money })
    })
}

/// What every engine offers for a question.
#[pyfunction]
fn why(py: Python<'_>, game: &Game, options: &str) -> PyResult<Document> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Solution)?);
    work::done(py, None, None, move |worker| {
        Document::of(&consider(&subject, &options.about(&subject)?, &options.effort(worker))?)
    })
}

/// Solves every position, and saves the solution.
#[pyfunction]
fn save_solution(
    py: Python<'_>,
    game: &Game,
    options: &str,
    path: PathBuf,
    progress: Progress<'_, '_>,
) -> PyResult<()> {
    let (subject, mut options) = (game.subject.clone(), Options::read(options, Wanted::Solution)?);
    options.question.save = true;
    work::done(py, options.question.end(), progress, move |worker| {
        let answer = solution(&subject, &options, true, worker)?;
        let saving = answer.saving(&subject, &options.untimed(worker))?.ok_or(analysis::Error::NotEveryPosition)?;
        write_watched(&path, worker, |out| saving.write(out)).map_err(Fault::unsaved(path.clone()))
    })
}

#[pyfunction]
fn scores(py: Python<'_>, game: &Game, options: &str, map: bool, progress: Progress<'_, '_>) -> PyResult<Solution> {
    let (subject, mut options) = (game.subject.clone(), Options::read(options, Wanted::Scores)?);
    options.question.svg = map;
    work::done(py, options.question.end(), progress, move |worker| {
        let answer = solution(&subject, &options, false, worker)?;
        let (document, map) = (document(&answer.report)?, answer.map().map(score_map::svg));
        let (picture, answer) = (answer.picture.clone(), answer.into());
        Ok(Solution { document, picture, map, answer, position: options.question.position, is_money: false })
    })
}

/// The opened game of a table that is drawn or saved.
fn opened(subject: &Subject, options: &Options, worker: &Worker) -> Result<Box<Opened>, Fault> {
    match options.question.open_table(subject, &options.effort(worker))? {
        TableSource::Arena(opened) => Ok(opened),
        TableSource::Report(_) => Err(Fault::because("an engine made this table, which has no more than its rows")),
    }
}

#[pyfunction]
fn table(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Table> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Table)?);
    work::done(py, options.question.end(), progress, move |worker| {
        let report = options.question.table(&subject, &options.effort(worker))?;
        let (mechanism, of) = (options.mechanism(), options.question.rows().of);
        Ok(Table { document: document(&report)?, report, mechanism, of })
    })
}

/// The figure of a table.
#[pyfunction]
fn table_svg(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<String> {
    let (subject, mut options) = (game.subject.clone(), Options::read(options, Wanted::Table)?);
    options.question.svg = true;
    work::done(py, options.question.end(), progress, move |worker| {
        let opened = opened(&subject, &options, worker)?;
        match opened.table(None, options.question.rows().chips, options.question.stability, worker)? {
            AnyTable::Totals(report) => Ok(drawn::svg(&plot::figure(&opened.request(worker), &report)?)),
            AnyTable::Holdings(_) => {
                Err(Fault::because("a table against one player's chips has no figure of thresholds: draw its maps"))
            }
        }
    })
}

/// Saves the rules of every position for all totals, or with `values` the solutions of the totals.
#[pyfunction]
fn save_table(
    py: Python<'_>,
    game: &Game,
    options: &str,
    path: PathBuf,
    values: bool,
    progress: Progress<'_, '_>,
) -> PyResult<()> {
    let (subject, mut options) = (game.subject.clone(), Options::read(options, Wanted::Table)?);
    (options.question.save, options.question.certificate) = (values, !values);
    work::done(py, options.question.end(), progress, move |worker| {
        let opened = opened(&subject, &options, worker)?;
        let solution = match values {
            true => saved::totals(&subject, &opened.request(worker), options.question.rows().chips)?,
            false => opened.certificate(&subject, worker)?,
        };
        let write = |out: &mut dyn std::io::Write| richman::formats::write(&solution, out);
        write_watched(&path, worker, write).map_err(Fault::unsaved(path.clone()))
    })
}

#[pyfunction]
fn tree(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Tree> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Tree)?);
    work::done(py, options.question.end(), progress, move |worker| {
        let (picture, report) = options.question.tree(&subject, &options.effort(worker))?;
        let text = richman::render::tree::text::render(&report, picture, false);
        Ok(Tree { document: document(&report)?, text, report })
    })
}

#[pyfunction]
fn compare(py: Python<'_>, game: &Game, other: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Document> {
    let (g, h) = (game.subject.clone(), other.subject.clone());
    let options = Options::read(options, Wanted::Comparison)?;
    work::done(py, options.question.end(), progress, move |worker| {
        let opened = Opened::new(&g, &options.about(&g)?, &options.effort(worker))?;
        Document::of(&opened.compare(h, options.other_position.as_deref(), worker)?)
    })
}

#[pyfunction]
fn random_turn_play(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Document> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
    work::done(py, options.question.time, progress, move |worker| {
        let usual = RandomTurnOptions::default();
        let rounds = options.question.within.unwrap_or(usual.rounds);
        let games = options.games.unwrap_or(usual.games);
        let of = RandomTurnOptions { rounds, games, seed: options.seed.unwrap_or(usual.seed) };
        let position = options.position();
        Document::of(&random_turn::of_subject(&subject, position, of, &options.untimed(worker))?)
    })
}

#[pyfunction]
fn unitary(py: Python<'_>, options: &str, automaton: Option<String>, progress: Progress<'_, '_>) -> PyResult<Unitary> {
    let options = Options::read(options, Wanted::Worth)?;
    work::done(py, options.question.time, progress, move |worker| {
        let report = match parsed::<Total>(automaton.as_ref())? {
            Some(total) => UnitaryReport::Automaton(total, Automaton::new(total, worker)?),
            None => {
                let usual = parse::totals("0..20").map_err(Fault::Refused)?;
                let totals = options.totals()?.unwrap_or(usual);
                UnitaryReport::Convergence(ConvergenceReport::new(totals, worker)?)
            }
        };
        Ok(Unitary { document: report.document()?, report })
    })
}

#[pyfunction]
fn duel_of(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<Document> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
    work::done(py, options.question.time, progress, move |worker| {
        let time = options.question.time.unwrap_or(Duration::from_secs(duel::SOLVING_SECONDS));
        let mechanism = options.mechanism();
        let position = options.position();
        let walk = subject.walk(position)?;
        let chips = options.question.chips.map_or_else(|| Total::new(8), Ok)?;
        let holdings = options.holdings.iter().map(|text| parse::holdings(text));
        let holdings = holdings.collect::<Result<Vec<_>, String>>().map_err(Fault::Refused)?;
        let (total, starts) = duel::starts(&mechanism, chips, holdings)?;
        let player = |given: &Option<String>, usual: &str| given.as_deref().unwrap_or(usual).parse::<Strength>();
        let players = [player(&options.alice_plays, "best")?, player(&options.bob_plays, "greedy")?];
        let effort = options.untimed(worker).within_time(time);
        let seed = options.seed.unwrap_or(1);
        let knowledge = Knowledge::of(&subject, position, &mechanism, total, &players, &effort)?;
        for player in players {
            player.computer(&knowledge, seed)?; // before the first game
        }
        let duel = Duel {
            walk: walk.as_ref(),
            mechanism,
            starts,
            limit: options.question.within.or((!subject.aim().facts().counts_points).then_some(duel::LONGEST)),
            games: options.games.unwrap_or(duel::USUAL_GAMES),
            exchange: !options.no_exchange,
            opening: options.opening,
            timed: options.times,
            seed,
        };
        Document::of(&duel.run(players, &knowledge, worker)?)
    })
}

/// The text of a game file.
#[pyfunction]
fn export(py: Python<'_>, game: &Game, options: &str, progress: Progress<'_, '_>) -> PyResult<String> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
    work::done(py, options.question.time, progress, move |worker| {
        let exported = exported(&subject, &options, worker)?;
        let mut text = Vec::new();
        exported.write(&mut text, worker).map_err(|error| stopped_or(worker, error))?;
        String::from_utf8(text).map_err(Fault::because)
    })
}

/// Writes a game file.
#[pyfunction]
fn save_game(py: Python<'_>, game: &Game, options: &str, path: PathBuf, progress: Progress<'_, '_>) -> PyResult<()> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
    work::done(py, options.question.time, progress, move |worker| {
        let exported = exported(&subject, &options, worker)?;
        write_watched(&path, worker, |out| exported.write(out, worker)).map_err(Fault::unsaved(path.clone()))
    })
}

fn stopped_or(worker: &Worker, error: std::io::Error) -> Fault {
    use richman::core::Watch;
    if worker.cancelled() { Fault::Stopped } else { error.into() }
}

fn exported(subject: &Subject, options: &Options, worker: &Worker) -> Result<ExportedGame, Fault> {
    let positions = options.question.positions.unwrap_or(ExportedGame::USUAL_POSITIONS);
    let effort = Effort { positions, ..options.untimed(worker) };
    Ok(ExportedGame::new(subject, options.position(), &effort)?)
}

#[pyfunction]
fn reproduce(py: Python<'_>, key: String, options: &str, progress: Progress<'_, '_>) -> PyResult<Document> {
    let options = Options::read(options, Wanted::Worth)?;
    work::done(py, options.question.time, progress, move |worker| {
        let effort = options.untimed(worker);
        Document::of(&richman::catalog::reproduce(&key, options.deep, &effort)?)
    })
}

/// The bytes of a file of at most `limit` bytes.
fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let name = path.display().to_string();
    let unreadable = |error| FormatError::Unreadable { file: path.display().to_string(), error };
    if fs::metadata(path).map_err(unreadable)?.len() > limit {
        return Err(FormatError::too_large(&name, limit).into());
    }
    Ok(fs::read(path).map_err(unreadable)?)
}

/// Refuses a file of another kind, and says what to do with it.
fn is_kind(name: &str, text: &[u8], wanted: FileKind) -> Result<(), Fault> {
    let Some(kind) = FileKind::of(text).filter(|kind| *kind != wanted) else { return Ok(()) };
    let advice = match kind {
        FileKind::Game => "richman.load opens it",
        FileKind::Record => "richman.review reviews it",
        _ => "richman.verify proves it",
    };
    Err(Fault::because(format!("{name}: this is {kind}, not {wanted}: {advice}")))
}

#[pyfunction]
fn verify(py: Python<'_>, path: PathBuf, options: &str, progress: Progress<'_, '_>) -> PyResult<Document> {
    let options = Options::read(options, Wanted::Worth)?;
    work::done(py, options.question.time, progress, move |worker| {
        let (games, effort) = (Games::default(), options.untimed(worker));
        if path.is_dir() || databases::is_url(&path) {
            return Document::of(&databases::verify(&games, &path, &effort)?);
        }
        let name = path.display().to_string();
        let text = bytes(&path, MAX_SAVED_BYTES.min(effort.memory / 4))?;
        is_kind(&name, &text, FileKind::Solution)?;
        let solution = richman::formats::read_within(&name, &text, &effort)?;
        drop(text);
        Document::of(&saved::verify(&games, solution, &effort).map_err(Fault::in_file(&name))?)
    })
}

/// Reviews the record of a match called `name`; its game file is looked for in `folder`.
#[pyfunction]
fn review_of(
    py: Python<'_>,
    name: String,
    text: String,
    folder: PathBuf,
    game: Option<&Game>,
    options: &str,
    progress: Progress<'_, '_>,
) -> PyResult<Reviewed> {
    let (game, options) = (game.map(|game| game.subject.clone()), Options::read(options, Wanted::Worth)?);
    work::done(py, options.question.time, progress, move |worker| {
        if text.len() as u64 > MAX_RECORD_BYTES {
            return Err(FormatError::too_large(&name, MAX_RECORD_BYTES).into());
        }
        is_kind(&name, text.as_bytes(), FileKind::Record)?;
        let read = Record::parse(&name, text.as_bytes())?;
        let effort = options.untimed(worker);
        let subject = match (game, &read.file) {
            (Some(game), _) => game,
            (None, Some(file)) => {
                let path = folder.join(file);
                let memory = effort.memory;
                let text = bytes(&path, memory / 4)?;
                Subject::from_file(&path.display().to_string(), &text, &effort)?.into()
            }
            (None, None) => Subject::recorded(&Games::default(), &read.game).map_err(Fault::in_file(&name))?.into(),
        };
        let walk = subject.walk(read.position.as_deref()).map_err(Fault::in_file(&name))?;
        let played = record::replay(walk, &read).map_err(|error| Fault::because(format!("{name}: {error}")))?;
        let effort = Effort { positions: options.question.positions.unwrap_or(MOST_POSITIONS), ..effort };
        let report = review::review(&subject, &played, &effort).map_err(Fault::in_file(&name))?;
        Ok(Reviewed { document: document(&report)?, report })
    })
}

/// The list of games.
#[pyfunction]
fn games() -> PyResult<Document> {
    Ok(Document::of(&game::list())?)
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(why, module)?)?;
    module.add_function(wrap_pyfunction!(values, module)?)?;
    module.add_function(wrap_pyfunction!(save_solution, module)?)?;
    module.add_function(wrap_pyfunction!(scores, module)?)?;
    module.add_function(wrap_pyfunction!(table, module)?)?;
    module.add_function(wrap_pyfunction!(table_svg, module)?)?;
    module.add_function(wrap_pyfunction!(save_table, module)?)?;
    module.add_function(wrap_pyfunction!(tree, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(random_turn_play, module)?)?;
    module.add_function(wrap_pyfunction!(unitary, module)?)?;
    module.add_function(wrap_pyfunction!(duel_of, module)?)?;
    module.add_function(wrap_pyfunction!(export, module)?)?;
    module.add_function(wrap_pyfunction!(save_game, module)?)?;
    module.add_function(wrap_pyfunction!(reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(review_of, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)
}
