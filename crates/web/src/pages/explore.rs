//! Explore: any position of any game with its value, the chip table and the tree of optimal moves.
//!
//! The address holds the question, so every view is a link to share. The numbers are the command
//! line's reports, each with its command.

mod answer;
mod asked;
mod board;
mod chip_table;
mod command;
mod files;
mod form;
pub(super) mod number;
mod picture;
mod question;
pub(super) mod worth;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Query};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use richman_analysis::{AnyTable, Games, Stake, Subject, ThresholdJson};
use richman_core::{Aim, ByPlayer, Holding, Mechanism, Total, Walk};

use self::answer::ExploreAnswer;
use self::asked::ExploreFields;
pub(super) use self::files::read as read_form;
use self::question::{Inquiry, RulesSource};
use super::{JSON, PageError, SVG, WIDE, in_sentence, page_with, typed};
use crate::App;
use crate::desk::Deadline;
use crate::kept::AnswerCache;
use crate::refused::Refusal;
use crate::token::GameId;

/// Cached answers.
#[derive(Default)]
pub(crate) struct Answers {
    solved: AnswerCache<ExploreFields, ExploreAnswer>,
    tables: AnswerCache<ExploreFields, AnyTable>,
    figures: AnswerCache<ExploreFields, String>,
    trees: AnswerCache<ExploreFields, Tree>,
}

struct Tree {
    svg: String,
    json: String,
}

/// The routes of these pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/explore", get(show))
        .route("/explore/file", post(files::upload).layer(DefaultBodyLimit::max(2 * files::LARGEST)))
        .route("/explore/solve.json", get(solve_json))
        .route("/explore/solve.csv", get(solve_csv))
        .route("/explore/table.json", get(table_json))
        .route("/explore/table.csv", get(table_csv))
        .route("/explore/figure.svg", get(figure_svg))
        .route("/explore/tree.svg", get(tree_svg))
        .route("/explore/tree.json", get(tree_json))
}

/// A request with the fields of its address.
struct ExploreRequest {
    app: Arc<App>,
    asked: ExploreFields,
}

impl FromRequestParts<Arc<App>> for ExploreRequest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<ExploreRequest, PageError> {
        let fields = Query::<ExploreFields>::from_request_parts(parts, app).await;
        let Query(mut asked) = fields.map_err(|error| Refusal::BadRequest(error.body_text()))?;
        asked.check_lengths()?;
        Ok(ExploreRequest { app: Arc::clone(app), asked })
    }
}

/// The question as far as it is valid.
struct View {
    asked: ExploreFields,
    source: RulesSource,
    walk: Box<dyn Walk>,
    question: Result<Inquiry, Refusal>,
}

impl View {
    async fn new(app: &App, asked: ExploreFields) -> Result<View, Refusal> {
        let source = match asked.file.as_str() {
            "" => {
                let subject = Arc::new(Subject::among(app.games(), asked.game_or_file())?);
                RulesSource { name: asked.game_or_file().to_string(), is_file: false, subject }
            }
            id => files::source(app, id).await?,
        };
        let walk = source.subject.walk(asked.position())?;
        let question = Inquiry::new(&asked, source.clone());
        Ok(View { asked, source, walk, question })
    }
}

impl ExploreRequest {
    async fn question(&self) -> Result<Inquiry, Refusal> {
        View::new(&self.app, self.asked.clone()).await?.question
    }

    /// The question about a game with thresholds.
    async fn question_of_thresholds(&self) -> Result<Inquiry, Refusal> {
        let question = self.question().await?;
        if question.is_scoring() {
            let reason = "a scoring game has no thresholds: its values are in solve.csv";
            return Err(Refusal::BadRequest(reason.to_string()));
        }
        Ok(question)
    }

    fn at_desk<T: Send + 'static>(
        &self,
        question: &Inquiry,
        find: impl Fn(&Inquiry, &Deadline) -> Result<T, Refusal> + Send + Sync + 'static,
    ) -> impl Future<Output = Result<T, Refusal>> {
        let question = question.clone();
        self.app.desk.run(answer::TIME, move |deadline| find(&question, deadline))
    }

    async fn solved(&self, question: &Inquiry) -> Result<Arc<ExploreAnswer>, Refusal> {
        let none = String::new;
        let key = ExploreFields { mover: none(), goal: none(), depth: none(), table: none(), ..question.asked.clone() };
        let find = self.at_desk(question, answer::solve);
        self.app.answers.solved.answer(&key, |answer| 4 * answer.json.len() as u64, find).await
    }

    async fn tabled(&self, question: &Inquiry) -> Result<Arc<AnyTable>, Refusal> {
        let weigh = |table: &AnyTable| table_weight(table, question.table_end);
        let find = self.at_desk(question, answer::table);
        self.app.answers.tables.answer(&of_table(&question.asked), weigh, find).await
    }

    async fn treed(&self, question: &Inquiry) -> Result<Arc<Tree>, Refusal> {
        if question.is_scoring() {
            return Err(Refusal::BadRequest("a scoring game has no tree of optimal moves".to_string()));
        }
        let key = ExploreFields { mover: String::new(), table: String::new(), ..question.asked.clone() };
        let find = self.at_desk(question, |question, deadline| {
            let report = answer::tree(question, deadline)?;
            Ok(Tree { svg: richman_render::tree::svg::render(&report), json: answer::json_line(&report)? })
        });
        self.app.answers.trees.answer(&key, |tree| (tree.svg.len() + tree.json.len()) as u64, find).await
    }
}

/// The fields that a table depends on.
fn of_table(asked: &ExploreFields) -> ExploreFields {
    let none = String::new;
    ExploreFields {
        mover: none(),
        goal: none(),
        depth: none(),
        chips: none(),
        alice: none(),
        bob: none(),
        ..asked.clone()
    }
}

/// The approximate bytes of a table.
fn table_weight(table: &AnyTable, end: Total) -> u64 {
    const EACH: u64 = 512;
    let listed = |needed: &ThresholdJson| needed.wins.as_ref().map_or(0, |wins| wins.plain.len() + wins.star.len());
    let rows = if let AnyTable::Totals(report) = table { &report.rows[..] } else { &[] };
    let listed: usize = rows.iter().map(|row| listed(&row.win) + listed(&row.draw)).sum();
    EACH * (u64::from(end.chips()) + 1) + 8 * listed as u64
}

async fn show(visit: ExploreRequest) -> Response {
    let (games, asked) = (visit.app.games(), &visit.asked);
    if !asked.was.is_empty() {
        return Redirect::to(&asked.tidied().link("/explore")).into_response();
    }
    let view = match View::new(&visit.app, asked.clone()).await {
        Ok(view) => view,
        Err(error) => return refused(games, asked, &error),
    };
    let question = match &view.question {
        Ok(question) => question,
        Err(error) => return error.with_body(render(games, &view, None, None, false)),
    };
    let answer = visit.solved(question).await;
    let too_large = match &answer {
        Ok(answer) => answer.too_large,
        Err(_) => answer::is_too_large(question, view.walk.as_ref()),
    };
    let has_table = answer.is_ok() && !question.is_scoring() && view.walk.end().is_none() && !too_large;
    let table = if has_table { Some(visit.tabled(question).await) } else { None };
    let refused = answer.as_ref().err().cloned();
    let page = render(games, &view, Some(answer), table, too_large);
    match refused {
        None => page.into_response(),
        Some(refused) => refused.with_body(page),
    }
}

/// The form with the error in the question.
fn refused(games: &Games, asked: &ExploreFields, error: &Refusal) -> Response {
    let content = html! {
        h1 { "Explore" }
        p.notice.wrong role="alert" { (in_sentence(&error.to_string())) }
        (form::form(games, asked, None, Aim::Win))
        (form::games(games))
    };
    error.with_body(page_with("Explore", &WIDE, content))
}

fn render(
    games: &Games,
    view: &View,
    answer: Option<Result<Arc<ExploreAnswer>, Refusal>>,
    table: Option<Result<Arc<AnyTable>, Refusal>>,
    too_large: bool,
) -> Markup {
    let View { asked, source, walk, question } = view;
    let file = source.is_file.then_some(source.name.as_str());
    let found = answer.as_ref().and_then(|answer| answer.as_deref().ok());
    let content = html! {
        h1 { "Explore " span.game { (walk.game()) } }
        (form::form(games, asked, file, source.subject.aim()))
        (form::games(games))
        @if let Err(error) = question { p.notice.wrong role="alert" { (in_sentence(&error.to_string())) } }
        div.explore {
            section.board aria-label="The position" {
                (board::board(asked, walk.as_ref(), found))
                @if let Some(cells) = board::cells(asked, &source.subject, walk.as_ref()) { (cells) }
            }
            @if let Ok(question) = question {
                section.worth aria-labelledby="worth" {
                    h2 id="worth" { "What it is worth" }
                    @if question.of.mechanism != Mechanism::default() { p.mechanism { (question.of.mechanism) } }
                    @match &answer {
                        Some(Ok(answer)) => { (worth::worth(&answer.report, walk.as_ref())) }
                        Some(Err(error)) => {
                            (failed(error, too_large))
                            @if too_large && !matches!(question.of.stake, Stake::Money) {
                                p { a href=(for_money(asked)) { "What the position is worth in real money" } }
                            }
                        }
                        None => {}
                    }
                    (same_numbers(
                        &command::solve(question),
                        &[("JSON", asked.link("/explore/solve.json")), ("CSV", asked.link("/explore/solve.csv"))],
                        found.is_some(),
                    ))
                }
            }
        }
        @if let Ok(question) = question {
                @if too_large && !question.is_scoring() && walk.end().is_none() {
                    section.chip-table aria-labelledby="table" {
                        h2 id="table" { "Chip table and tree" }
                        p.small { "This game is too large to show them here." }
                    }
                } @else {
                    (more(question, walk.as_ref(), found.is_some(), table))
                }
             }
    };
    page_with(&format!("Explore {}", walk.game()), &WIDE, content)
}

/// The chip table and the tree.
fn more(question: &Inquiry, walk: &dyn Walk, is_solved: bool, table: Option<Result<Arc<AnyTable>, Refusal>>) -> Markup {
    let asked = &question.asked;
    let end = question.table_end.chips();
    let mut links = vec![("CSV", asked.link("/explore/table.csv")), ("JSON", asked.link("/explore/table.json"))];
    if !question.is_bank() {
        links.push(("the thresholds as curves", asked.link("/explore/figure.svg")));
    }
    html! {
        @if let Some(table) = table {
            section.chip-table aria-labelledby="table" {
                h2 id="table" { "Chip table" }
                @match &table {
                    Ok(table) => { (chip_table::table(table)) }
                    Err(error) => { (failed(error, false)) }
                }
                (same_numbers(&command::table(question, end), &links, table.is_ok()))
            }
        }
        @if is_solved && walk.end().is_none() && question.of.has_tree() { (tree(question)) }
    }
}

/// The tree as a picture, loaded when it comes into view.
fn tree(question: &Inquiry) -> Markup {
    let asked = &question.asked;
    let choices = answer::tree_choices(question);
    let depth = choices.depth.unwrap_or(asked::TREE_DEPTH);
    let deeper = |by: i64| {
        ExploreFields { depth: (i64::from(depth) + by).max(1).to_string(), ..asked.clone() }.link("/explore") + "#tree"
    };
    let is_draw = choices.goal == richman_analysis::tree::TreeGoal::Draw;
    let other = ExploreFields { goal: if is_draw { String::new() } else { "draw".to_string() }, ..asked.clone() }
        .link("/explore")
        + "#tree";
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
            a.paper href=(picture) aria-label="The tree as SVG" {
                @let alt = format!(
                    "The tree of optimal moves for {what}, {depth} moves deep; its JSON has the same as text"
                );
                img src=(picture) loading="lazy" alt=(alt);
            }
            (same_numbers(
                &command::tree(question, &choices),
                &[("SVG", picture.clone()), ("JSON", asked.link("/explore/tree.json"))],
                true,
            ))
        }
    }
}

/// The command for the same numbers, and links to their other forms.
fn same_numbers(command: &str, links: &[(&str, String)], are_there: bool) -> Markup {
    html! {
        p.command {
            "The same on the command line: " code { (command) }
            @if are_there { @for (name, link) in links { " · " a href=(link) { (name) } } }
        }
    }
}

/// The link to the position's value in real money.
fn for_money(asked: &ExploreFields) -> String {
    ExploreFields { game: asked.game.clone(), position: asked.position.clone(), ..ExploreFields::default() }
        .link("/explore")
}

/// Why there are no numbers, and whether the command line has no such limit.
fn failed(error: &Refusal, too_large: bool) -> Markup {
    html! {
        div.notice.wrong role="alert" {
            p { (in_sentence(&error.to_string())) }
            @if !too_large { p { "The command line has no such limits." } }
        }
    }
}

/// The link to a position with both holdings; `file` names a kept game file.
pub(super) fn link_to(
    game: &str,
    file: Option<&GameId>,
    position: &str,
    hands: ByPlayer<Holding>,
    mechanism: &Mechanism,
) -> String {
    let (words, usual) = (mechanism.words(), Mechanism::default().words());
    let [payment, ties, bidding, right, bids] =
        std::array::from_fn(|at| if words[at] == usual[at] { String::new() } else { words[at].clone() });
    let ByPlayer { alice, bob } = hands.map(|holding| holding.to_string());
    let asked = ExploreFields {
        game: if file.is_some() { String::new() } else { game.to_string() },
        file: file.map(GameId::to_string).unwrap_or_default(),
        position: position.to_string(),
        alice,
        bob,
        // Scoring games have another default.
        preset: "develin-payne".to_string(),
        payment,
        ties,
        bidding,
        right,
        bids,
        ..ExploreFields::default()
    };
    asked.link("/explore")
}

fn saved(name: &str, rows: Vec<Vec<String>>) -> Result<Response, PageError> {
    let text = richman_render::csv::text(rows).map_err(Refusal::internal)?;
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(([(header::CONTENT_DISPOSITION, disposition)], typed("text/csv; charset=utf-8", text)).into_response())
}

async fn solve_json(visit: ExploreRequest) -> Result<Response, PageError> {
    let answer = visit.solved(&visit.question().await?).await?;
    Ok(typed(JSON, answer.json.clone()))
}

async fn solve_csv(visit: ExploreRequest) -> Result<Response, PageError> {
    let answer = visit.solved(&visit.question().await?).await?;
    saved("solve.csv", richman_render::csv::worth(&answer.report, true))
}

async fn table_json(visit: ExploreRequest) -> Result<Response, PageError> {
    let table = visit.tabled(&visit.question_of_thresholds().await?).await?;
    Ok(typed(JSON, answer::json_line(table.as_ref())?))
}

async fn table_csv(visit: ExploreRequest) -> Result<Response, PageError> {
    let rows = match visit.tabled(&visit.question_of_thresholds().await?).await?.as_ref() {
        AnyTable::Totals(report) => richman_render::csv::table(report),
        AnyTable::Holdings(report) => richman_render::csv::holdings(report),
    };
    saved("table.csv", rows)
}

async fn figure_svg(visit: ExploreRequest) -> Result<Response, PageError> {
    let question = visit.question_of_thresholds().await?;
    let find = visit.at_desk(&question, answer::figure);
    let figure =
        visit.app.answers.figures.answer(&of_table(&question.asked), |figure| figure.len() as u64, find).await?;
    Ok(typed(SVG, figure.as_ref().clone()))
}

async fn tree_svg(visit: Result<ExploreRequest, PageError>) -> Response {
    let tree = async {
        let visit = visit.map_err(|PageError(refused)| refused)?;
        visit.treed(&visit.question().await?).await
    };
    match tree.await {
        Ok(tree) => typed(SVG, tree.svg.clone()),
        // The page expects a picture.
        Err(error) => error.with_body(typed(SVG, picture::sentence(&error.to_string()))),
    }
}

async fn tree_json(visit: ExploreRequest) -> Result<Response, PageError> {
    Ok(typed(JSON, visit.treed(&visit.question().await?).await?.json.clone()))
}
