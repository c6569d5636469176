//! Explore: any position of any game with what it is worth, the chip table and the tree of optimal moves.
//!
//! What is asked stands in the address, so every view is a link to share. The numbers are the reports of the command line; every one of them
//! is shown with the command that gives it.

mod answer;
mod asked;
mod board;
mod chip_table;
mod command;
mod files;
mod form;
pub(super) mod kept;
pub(super) mod number;
mod picture;
mod question;
pub(super) mod worth;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use maud::{Markup, html};
use richman_analysis::Subject;
use richman_core::{Total, Walk};

pub(super) use self::files::read as read_form;
use self::answer::{Answer, Report, Table};
use self::asked::Asked;
use self::files::Files;
use self::kept::Kept;
use self::question::{Question, Source};
use super::{Frame, PageError, in_sentence, page_with};
use crate::App;
use crate::refused::Refused;

/// Bytes of answers that are kept, of each kind.
const KEPT: usize = 32 << 20;

/// Answers that were found.
struct Answers {
    solved: Kept<Asked, Answer>,
    tables: Kept<Asked, Table>,
    trees: Kept<Asked, Tree>,
    files: Files,
}

/// A tree in both its forms.
struct Tree {
    svg: String,
    json: String,
}

/// The addresses of these pages.
pub fn routes() -> Router<Arc<App>> {
    let answers = Answers { solved: Kept::new(KEPT), tables: Kept::new(KEPT), trees: Kept::new(KEPT), files: Files::new() };
    Router::new()
        .route("/explore", get(show))
        .route("/explore/file", post(files::upload).layer(DefaultBodyLimit::max(2 * files::LARGEST)))
        .route("/explore/solve.json", get(solve_json))
        .route("/explore/solve.csv", get(solve_csv))
        .route("/explore/table.json", get(table_json))
        .route("/explore/table.csv", get(table_csv))
        .route("/explore/heat.svg", get(heat_svg))
        .route("/explore/tree.svg", get(tree_svg))
        .route("/explore/tree.json", get(tree_json))
        .layer(Extension(Arc::new(answers)))
}

type Fields = Result<Query<Asked>, QueryRejection>;
type Shared = Extension<Arc<Answers>>;

/// The fields of the address, as they are or why they are none.
fn fields(fields: Fields) -> Result<Asked, Refused> {
    let Query(mut asked) = fields.map_err(|error| Refused::BadRequest(error.body_text()))?;
    asked.check_lengths()?;
    Ok(asked)
}

/// What is asked about, as far as it makes sense.
struct View {
    asked: Asked,
    source: Source,
    subject: Subject,
    walk: Box<dyn Walk>,
    question: Result<Question, Refused>,
}

impl View {
    async fn new(app: &App, answers: &Answers, asked: Asked) -> Result<View, Refused> {
        let source = if asked.file.is_empty() { question::named(&asked) } else { answers.files.source(app, &asked.file).await? };
        let subject = source.subject()?;
        let walk = question::walk(&subject, &asked)?;
        let question = Question::new(&asked, source.clone(), subject.is_scoring());
        Ok(View { asked, source, subject, walk, question })
    }
}

/// The question of the address.
async fn question(app: &App, answers: &Answers, asked: Asked) -> Result<Question, Refused> {
    View::new(app, answers, asked).await?.question
}

async fn solved(app: &App, answers: &Answers, question: &Question) -> Result<Arc<Answer>, Refused> {
    let key = Asked { mover: String::new(), goal: String::new(), depth: String::new(), table: String::new(), ..question.asked.clone() };
    let (asked, memory) = (question.clone(), app.desk.memory);
    let find = app.desk.run(answer::TIME, move |deadline| answer::solve(&asked, memory, deadline));
    answers.solved.answer(&key, |answer| 4 * answer.json.len(), find).await
}

async fn tabled(app: &App, answers: &Answers, question: &Question) -> Result<Arc<Table>, Refused> {
    let end = question.asked.table_end()?;
    let none = String::new;
    let key = Asked { mover: none(), goal: none(), depth: none(), chips: none(), alice: none(), bob: none(), ..question.asked.clone() };
    let (asked, memory) = (question.clone(), app.desk.memory);
    let find = app.desk.run(answer::TIME, move |deadline| answer::table(&asked, end, memory, deadline));
    answers.tables.answer(&key, |table| table_weight(table, end), find).await
}

/// About how many bytes a table takes.
fn table_weight(table: &Table, end: Total) -> usize {
    const EACH: usize = 512;
    let rows = end.chips() as usize + 1;
    match table {
        Table::Totals(report, _) => {
            let listed = |wins: &Option<richman_analysis::HoldingSets>| wins.as_ref().map_or(0, |wins| wins.plain.len() + wins.star.len());
            EACH * rows + report.rows.iter().map(|row| 8 * (listed(&row.win.wins) + listed(&row.draw.wins))).sum::<usize>()
        }
        Table::Against(_) => EACH * rows,
    }
}

async fn treed(app: &App, answers: &Answers, question: &Question) -> Result<Arc<Tree>, Refused> {
    if question.is_scoring() {
        return Err(Refused::BadRequest("a scoring game has no tree of optimal moves".to_string()));
    }
    let key = Asked { mover: String::new(), table: String::new(), ..question.asked.clone() };
    let (asked, memory) = (question.clone(), app.desk.memory);
    let find = app.desk.run(answer::TIME, move |deadline| {
        let report = answer::tree(&asked, memory, deadline)?;
        Ok(Tree { svg: picture::tree(&report), json: answer::json_line(&report)? })
    });
    answers.trees.answer(&key, |tree| tree.svg.len() + tree.json.len(), find).await
}

async fn show(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let asked = fields(query)?;
    if !asked.was.is_empty() {
        return Ok(Redirect::to(&asked.tidied().link("/explore")).into_response());
    }
    let view = match View::new(&app, &answers, asked.clone()).await {
        Ok(view) => view,
        Err(error) => return Ok(refused(&asked, &error)),
    };
    let answer = match &view.question {
        Ok(question) => solved(&app, &answers, question).await,
        Err(_) => Err(Refused::Conflict(String::new())), // never shown: the question's own error is
    };
    let table = match (&view.question, &answer) {
        (Ok(question), Ok(_)) if !question.is_scoring() && view.walk.end().is_none() => {
            Some(tabled(&app, &answers, question).await)
        }
        _ => None,
    };
    let status = match (&view.question, &answer) {
        (Err(error), _) | (_, Err(error)) => error.status(),
        _ => StatusCode::OK,
    };
    Ok((status, Html(render(&view, answer, table).into_string())).into_response())
}

/// The form with what is wrong with what was asked.
fn refused(asked: &Asked, error: &Refused) -> Response {
    let content = html! {
        h1 { "Explore" }
        p.notice.wrong role="alert" { (in_sentence(&error.to_string())) }
        (form::form(asked, (!asked.file.is_empty()).then_some("(not found)"), false))
        (form::games())
    };
    (error.status(), Html(page_with("Explore", &WIDE, content).into_string())).into_response()
}

const WIDE: Frame = Frame { again: None, wide: true };

fn render(view: &View, answer: Result<Arc<Answer>, Refused>, table: Option<Result<Arc<Table>, Refused>>) -> Markup {
    let View { asked, source, subject, walk, question } = view;
    let file = match source {
        Source::File { name, .. } => Some(name.as_str()),
        Source::Named(_) => None,
    };
    let found = answer.as_ref().ok().map(Arc::as_ref);
    let content = html! {
        h1 { "Explore " span.game { (walk.game()) } }
        (form::form(asked, file, subject.is_scoring()))
        (form::games())
        @if let Err(error) = question { p.notice.wrong role="alert" { (in_sentence(&error.to_string())) } }
        div.explore {
            section.board aria-label="The position" {
                (board::board(asked, walk.as_ref(), found))
                @if let Some(cells) = board::cells(asked, subject, walk.as_ref()) { (cells) }
            }
            @if let Ok(question) = question {
                section.worth aria-labelledby="worth" {
                    h2 id="worth" { "What it is worth" }
                    @if question.mechanism != richman_core::Mechanism::default() { p.mechanism { (question.mechanism) } }
                    @match &answer {
                        Ok(answer) => { (worth::worth(&answer.report, walk.as_ref())) }
                        Err(error) => { (failed(error)) }
                    }
                    (same_numbers(&command::solve(question), &[("JSON", asked.link("/explore/solve.json")), ("CSV", asked.link("/explore/solve.csv"))], answer.is_ok()))
                }
            }
        }
        @if let Ok(question) = question { (more(question, walk.as_ref(), answer.is_ok(), table)) }
    };
    page_with(&format!("Explore {}", walk.game()), &WIDE, content)
}

/// The chip table and the tree.
fn more(question: &Question, walk: &dyn Walk, is_solved: bool, table: Option<Result<Arc<Table>, Refused>>) -> Markup {
    let asked = &question.asked;
    let end = asked.table_end().map_or(asked::TABLE_END, |end| end.chips());
    html! {
        @if let Some(table) = table {
            section.chip-table aria-labelledby="table" {
                h2 id="table" { "Chip table" }
                @match &table {
                    Ok(table) => { (chip_table::table(table)) }
                    Err(error) => { (failed(error)) }
                }
                (same_numbers(&command::table(question, end), &[("CSV", asked.link("/explore/table.csv")), ("JSON", asked.link("/explore/table.json"))], table.is_ok()))
            }
        }
        @if is_solved && !question.is_scoring() && walk.end().is_none() && question.within.is_none() { (tree(question)) }
    }
}

/// The tree as a picture, loaded when it comes into sight.
fn tree(question: &Question) -> Markup {
    let asked = &question.asked;
    let Ok(choices) = answer::tree_choices(question) else { return html! {} };
    let depth = choices.depth.unwrap_or(asked::TREE_DEPTH);
    let deeper = |by: i64| Asked { depth: (i64::from(depth) + by).max(1).to_string(), ..asked.clone() }.link("/explore") + "#tree";
    let is_draw = choices.goal == richman_analysis::tree::Goal::Draw;
    let other = Asked { goal: if is_draw { String::new() } else { "draw".to_string() }, ..asked.clone() }.link("/explore") + "#tree";
    let picture = asked.link("/explore/tree.svg");
    let what = if is_draw { "the win of Bob" } else { "the win of Alice" };
    html! {
        section.tree aria-labelledby="tree" {
            h2 id="tree" { "Tree of optimal moves" }
            p {
                "One best move of each player from every position, for " (what) ", the first " (depth) " moves. "
                a href=(other) { "For " (if is_draw { "the win of Alice" } else { "the win of Bob" }) } " · "
                a href=(deeper(1)) { "a move deeper" }
                @if depth > 1 { " · " a href=(deeper(-1)) { "a move less" } }
            }
            a.paper href=(picture) { img src=(picture) loading="lazy" alt=(format!("The tree of optimal moves for {what}, {depth} moves deep; its JSON has the same as text")); }
            (same_numbers(&command::tree(question, &choices), &[("SVG", picture.clone()), ("JSON", asked.link("/explore/tree.json"))], true))
        }
    }
}

/// The command with the same numbers, and links to them in other forms.
fn same_numbers(command: &str, links: &[(&str, String)], are_there: bool) -> Markup {
    html! {
        p.command {
            "The same on the command line: " code { (command) }
            @if are_there { @for (name, link) in links { " · " a href=(link) { (name) } } }
        }
    }
}

/// Why there are no numbers, and that this is no limit of the library.
fn failed(error: &Refused) -> Markup {
    html! {
        div.notice.wrong role="alert" {
            p { (in_sentence(&error.to_string())) }
            p { "The command line has no such limits." }
        }
    }
}

fn typed(kind: &'static str, name: Option<&'static str>, body: String) -> Response {
    let mut response = ([(header::CONTENT_TYPE, kind)], body).into_response();
    if let Some(name) = name {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, header::HeaderValue::from_static(name));
    }
    response
}

const JSON: &str = "application/json";
const CSV: &str = "text/csv; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Rows of comma-separated values, as the command line prints them.
fn csv(rows: Vec<Vec<String>>) -> Result<String, Refused> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(Refused::internal)?;
    }
    let bytes = writer.into_inner().map_err(|error| Refused::internal(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn solve_json(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let question = question(&app, &answers, fields(query)?).await?;
    let answer = solved(&app, &answers, &question).await?;
    Ok(typed(JSON, None, answer.json.clone()))
}

async fn solve_csv(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let question = question(&app, &answers, fields(query)?).await?;
    let answer = solved(&app, &answers, &question).await?;
    let rows = match &answer.report {
        Report::Money(report) => crate::pages::shim::rows::money(report),
        Report::Chips(report) => crate::pages::shim::rows::chips(report),
        Report::Purses(report) => crate::pages::shim::rows::purses(report),
        Report::Scores(report) => crate::pages::shim::rows::scores(report),
    };
    Ok(typed(CSV, Some("attachment; filename=\"solve.csv\""), csv(rows)?))
}

async fn a_table(app: &App, answers: &Answers, query: Fields) -> Result<Arc<Table>, PageError> {
    let question = question(app, answers, fields(query)?).await?;
    if question.is_scoring() {
        return Err(Refused::BadRequest("a scoring game has no thresholds: its values are in solve.csv".to_string()).into());
    }
    Ok(tabled(app, answers, &question).await?)
}

async fn table_json(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let json = match a_table(&app, &answers, query).await?.as_ref() {
        Table::Totals(report, _) => answer::json_line(report)?,
        Table::Against(report) => answer::json_line(report)?,
    };
    Ok(typed(JSON, None, json))
}

async fn table_csv(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let rows = match a_table(&app, &answers, query).await?.as_ref() {
        Table::Totals(report, _) => crate::pages::shim::rows::table(report),
        Table::Against(report) => crate::pages::shim::rows::holdings(report),
    };
    Ok(typed(CSV, Some("attachment; filename=\"table.csv\""), csv(rows)?))
}

async fn heat_svg(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    match a_table(&app, &answers, query).await?.as_ref() {
        Table::Totals(_, figure) => Ok(typed(SVG, None, picture::heat(figure))),
        Table::Against(_) => Err(Refused::BadRequest("where the bank is paid no total stays: there is no picture".to_string()).into()),
    }
}

async fn tree_svg(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Response {
    let tree = async {
        let question = question(&app, &answers, fields(query)?).await?;
        treed(&app, &answers, &question).await
    };
    match tree.await {
        Ok(tree) => typed(SVG, None, tree.svg.clone()),
        // The page shows this as a picture, so what is wrong is a picture too.
        Err(error) => (error.status(), typed(SVG, None, picture::sentence(&error.to_string()))).into_response(),
    }
}

async fn tree_json(State(app): State<Arc<App>>, Extension(answers): Shared, query: Fields) -> Result<Response, PageError> {
    let question = question(&app, &answers, fields(query)?).await?;
    Ok(typed(JSON, None, treed(&app, &answers, &question).await?.json.clone()))
}
