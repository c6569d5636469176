//! The page of a question.

use std::sync::Arc;

use maud::{Markup, html};
use richman_analysis::tree::TreeGoal;
use richman_analysis::{AnyTable, Games, Stake};
use richman_core::{Aim, Mechanism, Walk};

use super::answer::{self, ExploreAnswer};
use super::asked::{self, ExploreFields};
use super::question::{ExploreView, Inquiry};
use super::{board, chip_table, command, form, worth};
use crate::pages::{WIDE, in_sentence, page_with};
use crate::refused::Refusal;

/// The form with the error in the question.
pub fn refused(games: &Games, asked: &ExploreFields, error: &Refusal) -> Markup {
    let content = html! {
        h1 { "Explore" }
        p.notice.wrong role="alert" { (in_sentence(&error.to_string())) }
        (form::form(games, asked, None, Aim::Win))
        (form::games(games))
    };
    page_with("Explore", &WIDE, content)
}

/// The page of a question, with its answer and its chip table if they were asked for.
pub fn render(
    games: &Games,
    view: &ExploreView,
    answer: Option<Result<Arc<ExploreAnswer>, Refusal>>,
    table: Option<Result<Arc<AnyTable>, Refusal>>,
    too_large: bool,
) -> Markup {
    let ExploreView { asked, source, walk, question } = view;
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
    let is_draw = choices.goal == TreeGoal::Draw;
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
