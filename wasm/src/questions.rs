//! The functions: requests in, the documents of the command out.

use richman::analysis::parity::ParityWinners;
use richman::analysis::random_turn::{self, RandomTurnOptions};
use richman::analysis::{
    self, AnyTable, ExportedGame, GameList, Opened, QuestionDocument, Subject, TableSource, ask, plot, saved,
};
use richman::core::{Effort, End, Error as CoreError, Player, Watch};
use richman::formats::{GameForm, MAX_RECORD_BYTES, Reading, Record, StatedObjective, read_game};
use richman::games::Games;
use richman::play::review::Review;
use richman::play::{MOST_POSITIONS, record, review};
use richman::render::board::{BoardOptions, places, standalone_svg};
use richman::render::{deciding, review_plot, tree};
use richman_requests::{
    CompareRequest, ConvertRequest, ExportRequest, ListRequest, RandomTurnRequest, RequestError, ReviewRequest,
    SolveRequest, TableRequest, TreeRequest, VerifyRequest, file_text, from_slice, game_or_file,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::matches;
use crate::refusal::Refusal;
use crate::watch::{Limits, Told};

/// The answer to a request, as JSON.
///
/// # Errors
/// Says why there is none.
pub fn answer(function: &str, request: &str, limits: &str) -> Result<String, Refusal> {
    let limits: Limits = read(limits)?;
    if !function.starts_with("match") {
        matches::make_room();
    }
    match function {
        "list" => list(&read(request)?),
        "solve" => solve(&read(request)?, &limits),
        "solveSvg" => solve_svg(&read(request)?, &limits),
        "table" => table(&read(request)?, &limits),
        "tableSvg" => table_svg(&read(request)?, &limits),
        "tree" => written(&self::tree(&read(request)?, &limits)?),
        "treeSvg" => written(&tree::svg::render(&self::tree(&read(request)?, &limits)?)),
        "compare" => compare(read(request)?, &limits),
        "randomTurn" => random_turn(&read(request)?, &limits),
        "verify" => verify(&read(request)?, &limits),
        "review" => written(&reviewed(&read(request)?, &limits)?),
        "reviewSvg" => written(&review_plot::svg(&reviewed(&read(request)?, &limits)?)),
        "export" => export(&read(request)?, &limits),
        "convert" => convert(read(request)?, &limits),
        "board" => board(&read(request)?, &limits),
        "matchBegin" => written(&matches::begin(read(request)?)?),
        "matchView" => written(&matches::view(&read(request)?)?),
        "matchAct" => written(&matches::act(read(request)?)?),
        "matchComputers" => written(&matches::computers(read(request)?, &limits)?),
        "matchHint" => written(&matches::hinted(read(request)?, &limits)?),
        "matchRecord" => written(&matches::record(&read(request)?)?),
        "matchRematch" => written(&matches::rematch(&read(request)?)?),
        _ => Err(Refusal::because(format!("there is no function {function}"))),
    }
}

fn read<T: DeserializeOwned>(request: &str) -> Result<T, Refusal> {
    Ok(from_slice(request.as_bytes()).map_err(RequestError::from)?)
}

fn written(document: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(document).map_err(Refusal::because)
}

/// The game of a request.
fn subject(game: Option<&String>, file: Option<&RawValue>, effort: &Effort) -> Result<Subject, Refusal> {
    let (name, file) = game_or_file(game.cloned(), file.map(ToOwned::to_owned))?;
    Ok(match file {
        None => Subject::among(&Games::default(), &name)?,
        Some(text) => Subject::from_file(&name, text.as_bytes(), effort)?,
    })
}

fn list(asked: &ListRequest) -> Result<String, Refusal> {
    let games = Games::default();
    written(&match &asked.game {
        Some(game) => GameList::of(&games, game)?,
        None => GameList::from(&games),
    })
}

/// The answer to the question of a request about its game.
fn solved(asked: &SolveRequest, limits: &Limits) -> Result<(Subject, analysis::Answer), Refusal> {
    let document = limits.of(asked.document()?)?;
    let watch = Told::of(&document);
    let effort = limits.effort(&document, &watch);
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let answer = ask(&subject, &document.question(subject.aim())?, &effort)?;
    Ok((subject, answer))
}

fn solve(asked: &SolveRequest, limits: &Limits) -> Result<String, Refusal> {
    written(&solved(asked, limits)?.1.report)
}

/// The board with the best moves; null without a board, or with chips.
fn solve_svg(asked: &SolveRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = asked.document()?;
    let (subject, answer) = solved(asked, limits)?;
    let walk = subject.walk(document.position.as_deref())?;
    let has_board = walk.scene().is_some() && !document.has_chips();
    written(&has_board.then(|| deciding::standalone_svg(walk.as_ref(), &answer.report)))
}

fn table(asked: &TableRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(asked.document()?)?;
    let watch = Told::of(&document);
    let effort = limits.effort(&document, &watch);
    written(&document.table(&subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?, &effort)?)
}

fn table_svg(asked: &TableRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = QuestionDocument { svg: true, ..limits.of(asked.document()?)? };
    let watch = Told::of(&document);
    let effort = limits.effort(&document, &watch);
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let TableSource::Arena(opened) = document.open_table(&subject, &effort)? else {
        return Err(Refusal::because("this table is made without an arena, and has no figure"));
    };
    match opened.table(None, document.rows().chips, document.stability, &watch)? {
        AnyTable::Totals(report) => {
            written(&richman::render::plot::svg(&plot::figure(&opened.request(&watch), &report)?))
        }
        AnyTable::Holdings(_) => Err(Refusal::because("a table against one player's chips has no figure")),
    }
}

fn tree(asked: &TreeRequest, limits: &Limits) -> Result<analysis::tree::TreeReport, Refusal> {
    let document = limits.of(asked.document()?)?;
    let watch = Told::of(&document);
    let effort = limits.effort(&document, &watch);
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    Ok(document.tree(&subject, &effort)?.1)
}

fn compare(asked: CompareRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(asked.document()?)?;
    let watch = Told::of(&document);
    let effort = limits.effort(&document, &watch);
    let first = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let opened = Opened::new(&first, &document.question(first.aim())?, &effort)?;
    let second = subject(asked.other_game.as_ref(), asked.other_file.as_deref(), &effort)?;
    written(&opened.compare(second, asked.other_position.as_deref(), &watch)?)
}

fn random_turn(asked: &RandomTurnRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let effort = document.effort(&watch, |_| None);
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let usual = RandomTurnOptions::default();
    let options = RandomTurnOptions {
        rounds: asked.within.map_or(usual.rounds, Into::into),
        games: asked.games.map_or(usual.games, |games| games.get().into()),
        seed: asked.seed.unwrap_or(usual.seed),
    };
    written(&random_turn::of_subject(&subject, asked.position.as_deref(), options, &effort)?)
}

fn verify(asked: &VerifyRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let effort = document.effort(&watch, |_| None);
    let solution = richman::formats::read_within("solution", asked.solution.get().as_bytes(), &effort)?;
    written(&saved::verify(&Games::default(), solution, &effort)?)
}

fn reviewed(asked: &ReviewRequest, limits: &Limits) -> Result<Review, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let effort = document.effort(&watch, |_| None);
    if asked.record.len() as u64 > MAX_RECORD_BYTES {
        return Err(richman::formats::FormatError::too_large("record", MAX_RECORD_BYTES).into());
    }
    let read = Record::parse("record", asked.record.as_bytes())?;
    let subject = match (&asked.file, &read.file) {
        (Some(file), _) => subject(None, Some(file), &effort)?,
        (None, Some(name)) => {
            return Err(Refusal::because(format!("the record names the game file {name}: send it as file")));
        }
        (None, None) => Subject::recorded(&Games::default(), &read.game)?,
    };
    let played = record::replay(subject.walk(read.position.as_deref())?, &read).map_err(Refusal::because)?;
    let effort = Effort { positions: document.positions.unwrap_or(MOST_POSITIONS), ..effort };
    Ok(review::review(&subject, &played, &effort)?)
}

/// The forms that are text, by the ends of their names.
const TEXTS: [GameForm; 5] = [GameForm::Json, GameForm::Gm, GameForm::Drn, GameForm::Tra, GameForm::Lab];

fn convert(asked: ConvertRequest, limits: &Limits) -> Result<String, Refusal> {
    const SOURCE: &str = "file";
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let effort = document.effort(&watch, |_| None);
    let form = TEXTS.into_iter().find(|form| form.extension() == asked.to);
    if form.is_none() && asked.to != "sol" {
        let known = TEXTS.map(GameForm::extension).join(", ");
        return Err(Refusal::because(format!("to is one of the forms that are text: {known}, sol")));
    }
    let objective = asked.objective.map(|objective| objective.parse::<StatedObjective>()).transpose();
    let objective = objective.map_err(Refusal::because)?;
    let text = file_text(asked.file);
    let reading = Reading { size: Some(text.len() as u64), objective, ..Reading::within(effort) };
    let graph = read_game(SOURCE, &mut text.as_bytes(), &reading)?;
    let mut out = Vec::new();
    let wrote = match form {
        Some(form) => {
            graph.check_form(form, SOURCE)?;
            graph.check_memory(&effort)?;
            graph.write(form, &mut out, &watch)
        }
        None => ParityWinners::new(graph, SOURCE, &effort)?.write(&mut out, &watch),
    };
    wrote.map_err(|error| if watch.cancelled() { CoreError::Cancelled.into() } else { Refusal::because(error) })?;
    written(&String::from_utf8(out).map_err(Refusal::because)?)
}

/// A position as it is drawn, and the moves of both players from there.
#[derive(Serialize)]
struct BoardDocument {
    game: String,
    position: String,
    /// How the game ended: won by `alice` or `bob`, `draw`, or Alice's points.
    end: Option<String>,
    svg: String,
    moves: BoardMoves,
}

#[derive(Serialize)]
struct BoardMoves {
    alice: Vec<BoardMove>,
    bob: Vec<BoardMove>,
}

/// A move, with the places of the drawing to press for it, in order.
#[derive(Serialize)]
struct BoardMove {
    r#move: String,
    places: Vec<String>,
    position: String,
}

fn board(asked: &ExportRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let effort = document.effort(&watch, |_| None);
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let walk = subject.walk(asked.position.as_deref())?;
    let moves = |player: Player| {
        let after = walk.after_moves(player).into_iter().zip(places(walk.as_ref(), player));
        after.map(|((r#move, to), places)| BoardMove { r#move, places, position: to.notation() }).collect()
    };
    written(&BoardDocument {
        game: walk.game(),
        position: walk.notation(),
        end: walk.end().map(|end| match end {
            End::Win(player) => player.either("alice", "bob").to_string(),
            End::Draw => "draw".to_string(),
            End::Score(points) => points.to_string(),
        }),
        svg: standalone_svg(walk.as_ref(), &BoardOptions::default()),
        moves: BoardMoves { alice: moves(Player::Alice), bob: moves(Player::Bob) },
    })
}

fn export(asked: &ExportRequest, limits: &Limits) -> Result<String, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::strictly(&document);
    let positions = document.positions.unwrap_or(ExportedGame::USUAL_POSITIONS);
    let effort = Effort { positions, ..document.effort(&watch, |_| None) };
    let subject = subject(asked.game.as_ref(), asked.file.as_deref(), &effort)?;
    let mut text = Vec::new();
    ExportedGame::new(&subject, asked.position.as_deref(), &effort)?
        .write(&mut text, &watch)
        .map_err(|error| if watch.cancelled() { CoreError::Cancelled.into() } else { Refusal::because(error) })?;
    String::from_utf8(text).map_err(Refusal::because)
}
