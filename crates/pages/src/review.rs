//! Review: the value of every turn of a match, and each mistake with the better choice on the
//! board.
//!
//! A match of the hall can be reviewed only when it is over, because a review reveals good bids. A
//! pasted record is kept, so that its review can be shared.

mod again;
mod load;
mod turn;
mod turns;

use std::sync::Arc;

use axum::Router;
use axum::extract::multipart::Multipart;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use richman_core::Player;
use richman_hall::Viewer;
use richman_hall::refused::Refusal;
use richman_hall::setup::LARGEST_FILE;
use richman_hall::token::GameId;
use richman_play::review::{MistakeGrade, RestsOn, Review};
use richman_render::review::GRADES;
use serde::Deserialize;

use self::load::Reviewed;
use super::explore::read_form;
use super::finished::FinishedPage;
use super::needs::{AnswerKind, PartKind};
use super::play::to_copy;
use super::remedies::worded;
use super::{JSON, PageFrame, SVG, WIDE, class_of, game_file_type, in_sentence, page_with};
use crate::desk::Deadline;
use crate::extract::{NamedMatch, QueryString};
use crate::{Pages, SharedPages};

/// The outputs of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ReviewOutput {
    /// The page at its most interesting turn, told to a player or to anybody.
    Page(Option<Player>),
    /// The page at this turn, counted from 1; after the last turn it shows the end.
    Turn(usize, Option<Player>),
    Margins,
    Json,
    GameFile,
}

/// The routes of these pages.
pub fn routes() -> Router<Arc<Pages>> {
    let output = |output: ReviewOutput| {
        get(async move |State(app): SharedPages, NamedMatch(id): NamedMatch| finished(app, id, output).await)
    };
    Router::new()
        .route("/review", get(blank).post(paste).layer(DefaultBodyLimit::max(2 * LARGEST_FILE + (64 << 10))))
        .route("/review/{id}", get(show))
        .route("/review/{id}/margins.svg", output(ReviewOutput::Margins))
        .route("/review/{id}/review.json", output(ReviewOutput::Json))
        .route("/review/{id}/game.json", output(ReviewOutput::GameFile))
}

async fn blank() -> Markup {
    form(&PastedRecord::default(), None)
}

/// The pasted texts.
#[derive(Default)]
struct PastedRecord {
    record: String,
    rules: String,
}

async fn paste(State(app): SharedPages, form_data: Multipart) -> Result<Response, Refusal> {
    let mut texts = [const { String::new() }; 4];
    let fields = ["record", "record-file", "rules", "rules-file"];
    let read = read_form(form_data, fields, LARGEST_FILE, &mut texts).await;
    let [record, record_file, rules, rules_file] = texts;
    let chosen = |file: String, text: String| if file.trim().is_empty() { text } else { file };
    let pasted = PastedRecord { record: chosen(record_file, record), rules: chosen(rules_file, rules) };
    let rules = Some(pasted.rules.clone()).filter(|rules| !rules.trim().is_empty());
    let kept = async {
        read?;
        app.hall.keep_record(pasted.record.clone(), rules).await
    };
    match kept.await {
        Ok(id) => Ok(Redirect::to(&format!("/review/{id}")).into_response()),
        Err(error) if error.is_of_server() => Err(error),
        Err(error) => {
            let status = match error {
                Refusal::TooLarge(_) => error.status(),
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            let write = move || form(&pasted, Some(&error));
            Ok((status, app.desk.write(write).await?).into_response())
        }
    }
}

/// The form to paste a record, with its error.
fn form(pasted: &PastedRecord, wrong: Option<&Refusal>) -> Markup {
    let content = html! {
        h1 { "Review a match" }
        p {
            "Paste the record of a match to see what every turn was worth, each mistake, and what would have been \
             better. The review gets a link of its own, which you can pass on."
        }
        @if let Some(wrong) = wrong { p.notice.wrong role="alert" id="wrong" { (in_sentence(&worded(wrong))) } }
        form.paste action="/review" method="post" enctype="multipart/form-data" {
            label for="record" { "The record" }
            textarea id="record" name="record" rows="14" spellcheck="false" placeholder=(EXAMPLE)
                aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "wrong")] { (pasted.record) }
            label for="record-file" { "or a file with it" }
            input type="file" id="record-file" name="record-file" accept=".txt,text/plain";
            details open[!pasted.rules.is_empty()] {
                summary { "The game is one of your own" }
                p.small { "If the record has a tag File, its rules are in a game file: paste that too, or choose it." }
                label for="rules" { "The game file" }
                textarea id="rules" name="rules" rows="6" spellcheck="false" { (pasted.rules) }
                label for="rules-file" { "or choose it" }
                input type="file" id="rules-file" name="rules-file" accept=".json,application/json";
            }
            button.primary type="submit" { "Review" }
        }
    };
    page_with("Review a match", &WIDE, content)
}

const EXAMPLE: &str =
    "[Game \"tic-tac-toe\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n\n1. 1*-1 Alice b2\n2. 1-1* Bob a1\n3. 2-2 Bob c1";

/// The turn to show, and to whom.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ShownTurn {
    turn: Option<String>,
    /// The player whom the page addresses.
    r#as: Option<String>,
}

/// The output of the review that an address names, cached or made at the desk.
async fn finished(app: Arc<Pages>, id: GameId, output: ReviewOutput) -> Result<Response, Refusal> {
    let make = async {
        let shown = load::ended(&app, &id).await?;
        let (id, shared) = (id.clone(), Arc::clone(&app));
        let make = move |deadline: &Deadline| {
            let review = || load::load(&shared, id.clone(), shown.clone(), deadline);
            let key = id.to_string();
            let reviewed = shared.answers.part_of(PartKind::Review, key, deadline, Reviewed::weight, review)?;
            output.make(&shared, &reviewed)
        };
        app.desk.run(load::TIME, make).await.map(Arc::new)
    };
    let page = app.answers.answer(AnswerKind::Review, format!("{id} {output:?}"), Box::pin(make)).await?;
    Ok(page.into_response())
}

async fn show(
    State(app): SharedPages,
    NamedMatch(id): NamedMatch,
    QueryString(shown): QueryString<ShownTurn>,
) -> Result<Response, Refusal> {
    let you = shown.r#as.as_deref().and_then(Viewer::read).and_then(|viewer| match viewer {
        Viewer::Player(player) => Some(player),
        Viewer::Both | Viewer::Spectator => None,
    });
    let output = match shown.turn {
        None => ReviewOutput::Page(you),
        // No turn has the number 0.
        Some(text) => ReviewOutput::Turn(text.parse().unwrap_or(0), you),
    };
    finished(app, id, output).await
}

impl ReviewOutput {
    fn make(self, app: &Pages, reviewed: &Reviewed) -> Result<FinishedPage, Refusal> {
        let last = reviewed.review.turns.len() + 1;
        let shown = |number: usize, you: Option<Player>| {
            let told = you.map(|player| reviewed.told_to(player));
            render(app, told.as_ref().unwrap_or(reviewed), number).map(FinishedPage::page)
        };
        Ok(match self {
            ReviewOutput::Page(you) => shown(decisive(&reviewed.review), you)?,
            ReviewOutput::Turn(number, you) if (1..=last).contains(&number) => shown(number, you)?,
            ReviewOutput::Turn(..) => return Err(Refusal::NotFound("turn")),
            ReviewOutput::Margins => {
                FinishedPage::of(SVG, reviewed.plot.clone().ok_or(Refusal::NotFound("curve of margins"))?)
            }
            ReviewOutput::Json => FinishedPage::of(JSON, reviewed.json.clone()),
            ReviewOutput::GameFile => {
                let file = reviewed.file.clone().ok_or(Refusal::NotFound("game file"))?;
                FinishedPage::of(game_file_type(&file), file)
            }
        })
    }
}

/// The turn to show first: the turning point, else the costliest loss of margin, else the first
/// mistake, else the end.
fn decisive(review: &Review) -> usize {
    let lost = review.mistakes.iter().filter(|mistake| mistake.grade == MistakeGrade::Margin);
    let costliest = lost.max_by_key(|mistake| mistake.lost_chips).map(|mistake| mistake.turn);
    let first = review.mistakes.first().map(|mistake| mistake.turn);
    review.digest.turn.or(costliest).or(first).unwrap_or(review.turns.len() + 1)
}

fn render(app: &Pages, reviewed: &Reviewed, number: usize) -> Result<Markup, Refusal> {
    let Reviewed { id, review, .. } = reviewed;
    let content = html! {
        h1 { "Review " span.game { (review.game) } }
        @if review.mechanism.0 != richman_core::Mechanism::default() { p.mechanism { (review.mechanism.0) } }
        (digest(review))
        div.explore.review {
            section.board aria-labelledby="turn" { (turn::turn(reviewed, number)?) }
            section.worth {
                @if reviewed.plot.is_some() {
                    @let is_scoring = matches!(review.rests_on, RestsOn::Scores);
                    h2 { @if is_scoring { "Points that each is sure of" } @else { "Chips to spare" } }
                    @let curve = format!("/review/{id}/margins.svg");
                    a.paper href=(curve) aria-label="The curve as SVG" {
                        img src=(curve) alt="Chips to spare for a win of both players, turn by turn; the table below \
                                             has the numbers";
                    }
                }
                (mistakes(reviewed, number))
            }
        }
        details.every-turn {
            summary { "Every turn in a table, and the course of the match" }
            p.summary { (review.summary) }
            p.small { "It rests on " (review.rests_on) @if let Some(reason) = &review.reason { ": " (reason) } "." }
            (turns::turns(reviewed, number))
        }
        p.links {
            a href=(format!("/record/{id}")) { "The record" }
            @if reviewed.file.is_some() { " · " a href=(format!("/review/{id}/game.json")) { "The game file" } }
            " · " a href=(format!("/review/{id}/review.json")) { "The review as JSON" }
            @if reviewed.plot.is_some() { " · " a href=(format!("/review/{id}/margins.svg")) { "The curve as SVG" } }
        }
        @if let Some(link) = &reviewed.shared {
            label for="share" { "This match is in this browser alone. A link that holds all of it:" }
            (to_copy("share", link))
        }
        @if let Some(you) = reviewed.voice.you {
            p.small {
                "This page calls " (you) " \u{201c}you\u{201d}. "
                a href=(format!("/review/{id}")) { "See it as others do" }
            }
        }
        p.command { "The same on the command line: " code { "richman review richman-" (id.short()) ".txt" } }
    };
    let board = reviewed.file.is_none().then_some((review.game.as_str(), review.now.position.as_str()));
    let link = app.shared_link(&format!("/review/{id}"), board);
    Ok(page_with(&format!("Review {}", review.game), &PageFrame { link: link.as_ref(), ..WIDE }, content))
}

/// The turning point, the best decision of each player, and one thing to learn.
fn digest(review: &Review) -> Markup {
    let said = &review.digest;
    html! {
        section.digest aria-label="In short" {
            section { h2 { "Where it was decided" } p { (said.decided) } }
            section {
                h2 { "Best decisions" }
                @for player in Player::BOTH { p class=(class_of(player)) { (said.best[player]) } }
            }
            section { h2 { "One thing to learn" } p { (said.learn) } }
        }
    }
}

const MOST_MISTAKES: usize = 200;
/// The number of each kind shown at first.
const FIRST_MISTAKES: usize = 8;

/// Each mistake with its sentence and a link to its turn.
fn mistakes(reviewed: &Reviewed, number: usize) -> Markup {
    let review = &reviewed.review;
    let is_judged = matches!(review.rests_on, RestsOn::Chips | RestsOn::Scores);
    html! {
        @for (grade, title) in GRADES {
            @let found = || review.mistakes.iter().filter(move |mistake| mistake.grade == grade);
            @if found().next().is_some() {
                @let list = |from: usize, to: usize| html! {
                    ol.mistakes {
                        @for mistake in found().take(to).skip(from) {
                            li class=(turn::grade_class(grade)) {
                                a href=(reviewed.link(mistake.turn))
                                    aria-current=[(mistake.turn == number).then_some("true")] { "Turn " (mistake.turn) }
                                " " (mistake.text)
                            }
                        }
                    }
                };
                h2 { (title) }
                (list(0, FIRST_MISTAKES))
                @let more = found().skip(FIRST_MISTAKES).take(MOST_MISTAKES);
                @if more.clone().next().is_some() {
                    details.more-mistakes open[more.clone().any(|mistake| mistake.turn == number)] {
                        summary { (more.count()) " more" }
                        (list(FIRST_MISTAKES, MOST_MISTAKES))
                    }
                }
            }
        }
        @if !review.suggested.is_empty() {
            h2 { "Suggested by a hint" }
            p.small { "These decisions are not held against the player." }
            ol.mistakes {
                @for mistake in review.suggested.iter().take(MOST_MISTAKES) {
                    li { a href=(reviewed.link(mistake.turn)) { "Turn " (mistake.turn) } " " (mistake.text) }
                }
            }
        }
        @if is_judged && review.mistakes.is_empty() { p { "No decision cost anything." } }
    }
}
