//! The page of a question. It is shown before the answer is known: the board and the form follow
//! from the rules alone, and keep their places when the answer comes.

use std::sync::Arc;

use maud::{Markup, html};
use richman_analysis::{AnyTable, Error, Games, Report, Stake, Subject};
use richman_core::{Aim, ByPlayer, Error as CoreError, Holding, Mechanism, Walk};
use richman_hall::refused::Refusal;
use richman_play::players::ChipEstimate;
use richman_render::words;

use super::answer::{self, ExploreAnswer};
use super::asked::{self, ExploreFields};
use super::cells::BoardText;
use super::form::PastedFile;
use super::question::{ExploreView, Inquiry};
use super::{board, chip_table, command, form, setup, worth};
use crate::Pages;
use crate::link::SharedLink;
use crate::play::start::{MatchStart, StartedGame};
use crate::play::to_copy;
use crate::remedies::worded;
use crate::{PageFrame, assets, framed_page, page_with, sentence};

/// What is known about a question.
pub enum PageAnswer {
    /// Nothing: the question is wrong.
    Wrong,
    /// Nothing yet: the script, or a second page, fetches the answer.
    Awaited,
    Found(Box<FoundAnswer>),
}

/// The answer to a question and what goes with it.
pub struct FoundAnswer {
    pub worth: Result<Arc<ExploreAnswer>, Refusal>,
    /// What the computer would play, if there is no answer.
    pub estimate: Option<ChipEstimate>,
    /// The chip table, if it was asked for.
    pub table: Option<Result<Arc<AnyTable>, Refusal>>,
    /// Whether too many positions can follow for a table and a tree.
    pub too_large: bool,
}

fn framed(title: &str, instead: Option<&str>, link: Option<&SharedLink>, content: Markup) -> Markup {
    let script = Some(assets::EXPLORE_SCRIPT.name.as_str());
    page_with(
        title,
        &PageFrame { layout: Some("wide exploring"), script, instead, link, ..PageFrame::default() },
        content,
    )
}

/// The form with the error in the question.
pub fn refused(games: &Games, asked: &ExploreFields, error: &Refusal) -> Markup {
    let is_expression = asked.game_or_file().split(':').next() == Some("expr");
    let content = html! {
        h1 { "Explore" }
        @if is_expression { (wrong_expression(&error.to_string())) }
        @else { p.notice.wrong role="alert" { (sentence(&worded(error))) } }
        div.explorer.alone { div.question { (form::form(games, asked, None, Aim::default())) } }
        (form::games(games, &PastedFile::default()))
    };
    framed("Explore", None, None, content)
}

/// The form for a game file with the error in it.
pub fn unread(games: &Games, pasted: &PastedFile) -> Markup {
    let content = html! {
        h1 { "Explore" }
        p.notice.wrong role="alert" { "This game file cannot be explored: see below." }
        (form::games(games, pasted))
    };
    framed("Explore", None, None, content)
}

/// Why an expression cannot be read, and one that can.
fn wrong_expression(error: &str) -> Markup {
    const PLACE: &str = " of the expression: ";
    let (first, shown) = error.split_once('\n').unwrap_or((error, ""));
    let is_blank = shown.lines().next().is_none_or(|line| line.trim().is_empty());
    let reason = first.split_once(PLACE).map_or(first, |(_, reason)| reason);
    let reason = if is_blank { "write an expression after expr and a colon" } else { reason };
    let example = ExploreFields { game: form::EXPRESSION.to_string(), ..ExploreFields::default() };
    html! {
        div.notice.wrong role="alert" {
            p { (sentence(reason)) }
            @if !is_blank { pre { (shown) } }
            p { "For example: " a href=(example.link("/explore")) { (form::EXPRESSION) } }
        }
    }
}

/// The board with the best moves, and what it is worth. It leads to the page of explore.
pub fn framed_board(view: &ExploreView, report: &Report) -> Markup {
    let ExploreView { asked, walk, .. } = view;
    let name = walk.game();
    let content = html! {
        h1.unseen { (name) }
        figure.framed {
            div.frame { (board::drawn(walk.as_ref(), report)) }
            figcaption.worth {
                (worth::worth(report, walk.as_ref()))
                p.small { a href=(asked.link("/explore")) target="_blank" rel="noopener" { "Explore " (name) } }
            }
        }
    };
    framed_page(&name, content)
}

/// The board that is being set up, while it is no position of the game.
pub fn draft(games: &Games, asked: &ExploreFields, subject: &Subject, error: &Refusal) -> Option<Markup> {
    let walk = subject.walk(None).ok()?;
    let cells = BoardText::of(&walk.notation(), &asked.position)?;
    // The message repeats the position and says how to write one.
    let error = error.to_string();
    let cause = error.split_once(&format!(" of {}: ", walk.game())).map_or(error.as_str(), |(_, cause)| cause);
    let cause = cause.split(';').next().unwrap_or(cause).to_string();
    let content = html! {
        h1 { "Explore " span.game { (walk.game()) } }
        div.explorer {
            section.position-part id="position" aria-label="The position" {
                (setup::board(asked, &cells, has_hexagons(walk.as_ref()), &asked.position))
            }
            div.aside-part {
                div.question.second { (form::form(games, asked, None, subject.aim())) }
                section.worth id="answer" aria-label="The answer" {
                    p.notice.wrong role="alert" { "This is no position yet: " (cause) "." }
                }
            }
        }
        (form::games(games, &PastedFile::default()))
    };
    Some(framed(&format!("Explore {}", walk.game()), None, None, content))
}

/// Whether the cells of a board are hexagons.
fn has_hexagons(walk: &dyn Walk) -> bool {
    let is_hexagon = |mark: &richman_core::Mark| {
        mark.place.is_some() && matches!(mark.shape, richman_core::MarkShape::Polygon { .. })
    };
    walk.scene().is_some_and(|scene| scene.marks.iter().any(is_hexagon))
}

/// The page of a question.
pub fn render(app: &Pages, view: &ExploreView, answer: &PageAnswer) -> Markup {
    let games = app.games();
    let ExploreView { asked, source, walk, question, .. } = view;
    let file = source.is_file.then_some(source.name.as_str());
    let found = if let PageAnswer::Found(found) = answer { Some(found.as_ref()) } else { None };
    let whole = asked.link("/explore");
    let whole = format!("{whole}{}whole=yes", if whole.contains('?') { '&' } else { '?' });
    let is_awaited = matches!(answer, PageAnswer::Awaited);
    let cells = BoardText::of(&walk.start(), &walk.notation());
    let is_set_up = !asked.setup.is_empty() && (cells.is_some() || !walk.set_up().is_empty());
    let content = html! {
        h1 { "Explore " span.game { (walk.game()) } }
        @if let Err(error) = question { (wrong(asked, source.subject.aim(), error)) }
        div.explorer {
            section.position-part id="position" aria-label="The position" tabindex="-1" {
                @match &cells {
                    Some(cells) if is_set_up => {
                        (setup::board(asked, cells, has_hexagons(walk.as_ref()), &walk.notation()))
                    }
                    None if is_set_up => { (setup::places(asked, walk.as_ref())) }
                    _ => {
                        (board::board(asked, walk.as_ref(), found))
                        (tools(app, view, cells.as_ref()))
                    }
                }
            }
            div.aside-part {
                div.question.second[question.is_ok()] { (form::form(games, asked, file, source.subject.aim())) }
                @if let Ok(question) = question {
                    section.worth id="answer" aria-labelledby="worth" aria-busy=[is_awaited.then_some("true")] {
                        h2 id="worth" { "What it is worth" }
                        @if question.of.mechanism != Mechanism::default() { (rules_of_bidding(question)) }
                        @match found {
                            Some(found) => { (answered(question, walk.as_ref(), found)) }
                            None => { (awaited(&whole)) }
                        }
                    }
                }
            }
            @if walk.end().is_none() {
                section.moves-part id="all-moves" aria-label="All moves" {
                    (board::all_moves(asked, walk.as_ref(), !is_set_up, found))
                }
            }
        }
        div id="more" {
            @if let (Ok(question), Some(found)) = (question, found) { (more(question, walk.as_ref(), found)) }
        }
        (form::games(games, &PastedFile::default()))
    };
    let (game, position) = (walk.game(), walk.notation());
    let board = (!source.is_file).then_some((game.as_str(), position.as_str()));
    let link = app.shared_link(&asked.link("/explore"), board);
    framed(&format!("Explore {game}"), is_awaited.then_some(&whole), link.as_ref(), content)
}

fn rules_of_bidding(question: &Inquiry) -> Markup {
    html! {
        details.mechanism {
            summary { "Rules of bidding here" }
            ul.facts { @for rule in words::rules(&question.of.mechanism, question.of.aim) { li { (rule) } } }
        }
    }
}

/// The place of an answer that takes a moment.
fn awaited(whole: &str) -> Markup {
    let seconds = answer::TIME.as_secs() + 1;
    html! {
        p.working role="status" data-whole=(whole) {
            span.dots aria-hidden="true" {} " Working it out. This takes up to " (seconds) " seconds."
        }
    }
}

/// What can be done with the position.
fn tools(app: &Pages, view: &ExploreView, cells: Option<&BoardText>) -> Markup {
    let games = app.games();
    let ExploreView { asked, walk, question, .. } = view;
    let is_over = walk.end().is_some();
    // Games in which chance moves have no matches.
    let begun = question.as_ref().ok().filter(|question| !is_over && !question.of.aim.facts().has_chance);
    let game = begun.and_then(|question| match question.source.is_file {
        true => Some(StartedGame::Kept(&asked.file)),
        false => Some(StartedGame::Listed(&question.source.name, games.info(&question.source.name)?)),
    });
    let start = begun.zip(game).map(|(question, game)| MatchStart {
        game,
        position: &asked.position,
        hands: match question.of.stake {
            Stake::Hands(hands) => Some(ByPlayer::new(hands.alice, hands.bob)),
            _ => None,
        },
        mechanism: &question.of.mechanism,
        limit: None,
    });
    html! {
        p.tools {
            @if cells.is_some() || !walk.set_up().is_empty() {
                @let setup = cells.map_or_else(|| "board".to_string(), |cells| setup::first_piece(cells.kind));
                @let link = ExploreFields { setup, ..asked.clone() }.link("/explore") + "#setup";
                a.button.quiet href=(link) data-here { "Set up the board" }
            }
            @if !asked.position.is_empty() {
                a.button.quiet href=(asked.at("").link("/explore")) data-here { "Back to the start" }
            }
        }
        @if let Some(link) = &view.shared {
            label for="share" { "This game is in this browser alone. A link that holds it:" }
            (to_copy("share", link))
        }
        @if let Some(start) = start {
            p.tools.play {
                a.button.quiet href=(start.link("computer")) { "Play the computer" }
                @if !app.is_alone { a.button.quiet href=(start.link("friend")) { "Play a friend" } }
            }
        }
    }
}

/// What is wrong with the question, and what to choose from if it is about the star.
fn wrong(asked: &ExploreFields, aim: Aim, error: &Refusal) -> Markup {
    let hands = [&asked.alice, &asked.bob].map(|text| text.parse::<Holding>().ok());
    let mechanism = asked.mechanism(aim.facts().preset).ok();
    let ([Some(alice), Some(bob)], Some(mechanism)) = (hands, mechanism) else {
        return html! { p.notice.wrong role="alert" { (sentence(&worded(error))) } };
    };
    let offer = |with: [bool; 2]| {
        let [alice, bob] = [(alice, with[0]), (bob, with[1])]
            .map(|(held, star)| format!("{}{}", held.chips(), if star { "*" } else { "" }));
        let words = format!("{alice} against {bob}");
        html! { a.button.quiet href=(ExploreFields { alice, bob, ..asked.clone() }.link("/explore")) { (words) } }
    };
    html! {
        div.notice.wrong role="alert" {
            @match (mechanism.has_star(), alice.has_star(), bob.has_star()) {
                (true, false, false) | (true, true, true) => {
                    p {
                        @if alice.has_star() { "Only one of the two can hold the star." }
                        @else { "One of the two must hold the star, which decides ties." }
                        " Who shall hold it?"
                    }
                    p.tools { "Alice: " (offer([true, false])) " Bob: " (offer([false, true])) }
                }
                (false, true, _) | (false, _, true) => {
                    p { "There is no star under these rules, because one player wins all ties." }
                    p.tools { "Without it: " (offer([false, false])) }
                }
                _ => { p { (sentence(&worded(error))) } }
            }
        }
    }
}

fn answered(question: &Inquiry, walk: &dyn Walk, found: &FoundAnswer) -> Markup {
    let asked = &question.asked;
    let links = [("JSON", asked.link("/explore/solve.json")), ("CSV", asked.link("/explore/solve.csv"))];
    let command = command::solve(question);
    match (&found.worth, &found.estimate) {
        (Ok(answer), _) => html! {
            (worth::worth(&answer.report, walk))
            @if board::has_heat(&answer.report) {
                p.small {
                    "The number in a cell says how often it decides who wins, in percent, when the others are \
                     filled at random."
                }
            }
            (same_numbers(&command, &links, true, worth::how(&answer.report)))
        },
        (Err(error), Some(estimate)) => html! {
            (worth::estimated_with_chips(question, estimate))
            p.small { "There is no exact answer here: " (cause(error)) "." }
            (for_money(asked))
        },
        (Err(error), None) => html! {
            (failed(error, found.too_large))
            @if found.too_large && !matches!(question.of.stake, Stake::Money) { (for_money(asked)) }
            (same_numbers(&command, &links, false, None))
        },
    }
}

/// The chip table and the tree, or why they are not there.
fn more(question: &Inquiry, walk: &dyn Walk, found: &FoundAnswer) -> Markup {
    let asked = &question.asked;
    if walk.end().is_some() || found.worth.is_err() || !question.has_thresholds() && found.too_large {
        return html! {}; // what is missing was said
    }
    if found.too_large {
        return html! {
            section.chip-table aria-labelledby="table" {
                h2 id="table" { "Chip table and tree" }
                p.small { "They need every position that can follow, and from here those are too many." }
            }
        };
    }
    let end = question.table_end.chips();
    let mut links = vec![("CSV", asked.link("/explore/table.csv")), ("JSON", asked.link("/explore/table.json"))];
    if question.has_curves() {
        links.push(("the thresholds as curves", asked.link("/explore/figure.svg")));
    }
    html! {
        @if let Some(table) = &found.table {
            section.chip-table aria-labelledby="table" {
                h2 id="table" { "Chip table" }
                @match table {
                    Ok(table) => { (chip_table::table(table)) }
                    Err(error) => { (failed(error, false)) }
                }
                (same_numbers(&command::table(question, end), &links, table.is_ok(), None))
            }
        }
        @if question.of.has_tree() { (tree(question)) }
    }
}

/// The tree as a picture, loaded when it comes into view.
fn tree(question: &Inquiry) -> Markup {
    let asked = &question.asked;
    let document = question.of_tree();
    let depth = document.depth.unwrap_or(asked::TREE_DEPTH);
    let deeper = |by: i64| {
        ExploreFields { depth: (i64::from(depth) + by).max(1).to_string(), ..asked.clone() }.link("/explore") + "#tree"
    };
    let is_draw = document.draw;
    let other = ExploreFields { goal: if is_draw { String::new() } else { "draw".to_string() }, ..asked.clone() }
        .link("/explore")
        + "#tree";
    let picture = asked.link("/explore/tree.svg");
    let [who, whom] = if is_draw { ["Bob", "Alice"] } else { ["Alice", "Bob"] };
    html! {
        section.tree aria-labelledby="tree" {
            h2 id="tree" { "Tree of optimal moves" }
            p {
                "From every position the tree shows one best move of each player if " (who) " is to win, "
                (depth) @if depth == 1 { " move" } @else { " moves" } " deep."
            }
            p.tools {
                a.button.quiet href=(other) { "If " (whom) " is to win" }
                a.button.quiet href=(deeper(1)) { "One move deeper" }
                @if depth > 1 { a.button.quiet href=(deeper(-1)) { "One move less" } }
            }
            a.paper href=(picture) aria-label="The tree as SVG" {
                @let alt = format!(
                    "The tree of optimal moves if {who} is to win, {depth} moves deep; its JSON has the same as text"
                );
                img src=(picture) loading="lazy" alt=(alt);
            }
            (same_numbers(
                &command::tree(question, &document),
                &[("SVG", picture.clone()), ("JSON", asked.link("/explore/tree.json"))],
                true,
                None,
            ))
        }
    }
}

/// How the numbers were found, the command for the same numbers, and links to their other forms.
fn same_numbers(command: &str, links: &[(&str, String)], are_there: bool, how: Option<String>) -> Markup {
    html! {
        details.command {
            summary { "How to get " @if are_there { "these numbers" } @else { "numbers" } " elsewhere" }
            @if let Some(how) = how { p { (how) } }
            p { "The command line: " code { (command) } }
            @if are_there {
                p { "As a file: " @for (at, (name, link)) in links.iter().enumerate() {
                    @if at > 0 { ", " } a href=(link) { (name) }
                } "." }
            }
        }
    }
}

/// The link to the position's value in real money.
fn for_money(asked: &ExploreFields) -> Markup {
    let money =
        ExploreFields { game: asked.game.clone(), position: asked.position.clone(), ..ExploreFields::default() };
    html! { p { a href=(money.link("/explore")) { "What the position is worth in real money" } } }
}

/// Why there are no numbers. Nobody can give a page more time or memory.
fn cause(error: &Refusal) -> String {
    const TIME: &str = "it takes more time than is allowed here";
    let unfit = match error {
        Refusal::Unfit(unfit) => unfit.as_ref(),
        Refusal::OutOfTime(_) => return TIME.to_string(),
        other => return worded(other),
    };
    match unfit {
        Error::Core(CoreError::TooMuchMemory { .. }) => "it takes more memory than is allowed here".to_string(),
        Error::Core(CoreError::OutOfTime { .. }) => TIME.to_string(),
        _ => worded(error),
    }
}

/// Why there are no numbers, and whether the command line has no such limit.
fn failed(error: &Refusal, too_large: bool) -> Markup {
    use CoreError::{OutOfTime, TooManyPositions, TooMuchMemory};
    let is_limit = match error {
        Refusal::OutOfTime(_) => true,
        Refusal::Unfit(unfit) => matches!(
            unfit.as_ref(),
            Error::TooLarge { .. } | Error::Core(TooMuchMemory { .. } | OutOfTime { .. } | TooManyPositions { .. })
        ),
        _ => false,
    };
    html! {
        div.notice.wrong role="alert" {
            p { (sentence(&cause(error))) }
            @if is_limit && !too_large { p { "The command line has no such limits." } }
        }
    }
}
