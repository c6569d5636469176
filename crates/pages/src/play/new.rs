//! Choosing a game by its picture, and the form that sets up a match. Games and their parameters
//! come from the list of games, levels from the list of strengths, restricted to those that can
//! play the game.

use std::sync::Arc;

use axum::extract::{Query, State};
use maud::{Markup, html};
use richman_analysis::GameInfo;
use richman_core::{Ties, excerpt};
use richman_hall::refused::Refusal;
use richman_hall::setup::{MOST_CHIPS, MOST_TURNS, USUAL_TURNS};
use richman_play::players::{Base, StrengthInfo, USUAL_LEVEL};
use richman_render::words::tie_words;

use super::create::{self, FILE, FieldErrors, TypedFields};
use super::visitor::{Alone, PageOrigin};
use crate::explore::kept_file;
use crate::gallery::{GameCard, gallery, pictured};
use crate::{PageFrame, WIDE, in_sentence, page_with, sentence};
use crate::{Pages, SharedPages};

/// The field that names the match or the record with the game file to play.
pub const KEPT: &str = "kept";
/// The default number of chips of a game.
const USUAL_CHIPS: u32 = 8;

/// A parameter of a game, as a field.
pub struct Parameter {
    /// The name of the field.
    pub field: String,
    pub name: &'static str,
    /// Its default, or the value in the game's example; empty if there is none.
    pub default: &'static str,
    /// Whether its value follows the colon without a name.
    pub is_alone: bool,
}

impl Parameter {
    /// Its name for people.
    fn label(&self) -> String {
        match self.name {
            "cols" => "Columns".to_string(),
            "line" => "Stones in a line".to_string(),
            "at" => "The token starts at".to_string(),
            "EXPRESSION" => "Expression".to_string(),
            "set" => "Pebbles at a time".to_string(),
            "alice" => "Alice's points".to_string(),
            "bob" => "Bob's points".to_string(),
            name => in_sentence(name).trim_end_matches('.').to_string(),
        }
    }
}

/// The parameters of a listed game.
pub fn parameters(info: &GameInfo) -> Vec<Parameter> {
    let parameter = |text: &'static str| {
        let (name, default, is_alone) = match text.split_once('=') {
            Some((name, default)) => (name, default, false),
            None => (text, info.example.split_once(':').map_or("", |(_, value)| value), true),
        };
        Parameter { field: format!("{}.{name}", info.name), name, default, is_alone }
    };
    info.parameters.split(',').filter(|text| !text.is_empty()).map(parameter).collect()
}

/// The pictures of all games or, for `/new?game=connect`, the form of one; the address can fill in
/// its fields.
pub async fn show(
    State(app): SharedPages,
    origin: PageOrigin,
    Query(fields): Query<Vec<(String, String)>>,
) -> Result<Markup, Refusal> {
    const MOST: usize = 100;
    let mut typed = TypedFields(fields.into_iter().take(MOST).collect());
    if let Some(id) = typed.0.remove(KEPT) {
        typed.0.insert("file_text".to_string(), kept_file(&app, &id).await?.to_string());
    }
    let none = FieldErrors::default();
    let usual = typed.0.len() == 1;
    app.make_cards().await;
    let known = app.cards().iter().find(|card| usual && card.info.name == typed.text("game"));
    if let Some(card) = known {
        return Ok(page_of(&app, &origin, &typed, &none, &card.levels));
    }
    // Parameters change which levels can play.
    let shared = Arc::clone(&app);
    let write = move || Ok(page_of(&shared, &origin, &typed, &none, &create::levels(shared.games(), &typed)));
    app.desk.build(write).await
}

/// The form of the chosen game with its contents and errors, or the games to choose from. Only
/// `levels` are offered.
pub fn page_of(
    app: &Pages,
    origin: &PageOrigin,
    typed: &TypedFields,
    wrong: &FieldErrors,
    levels: &[&'static StrengthInfo],
) -> Markup {
    let chosen = app.cards().iter().find(|card| card.info.name == typed.text("game"));
    match chosen {
        None if typed.text("game") != FILE => choose(app, typed.text("game"), wrong),
        _ => form(chosen, origin, typed, wrong, levels),
    }
}

const ABOUT: &str = "Choose a bidding game and play it against the computer, with a friend by a link, or two at one \
                     screen.";

fn choose(app: &Pages, named: &str, wrong: &FieldErrors) -> Markup {
    let content = html! {
        h1 { "Play a game" }
        @if !named.is_empty() {
            p class="notice" role="alert" id="fault-game" {
                "There is no game called " (excerpt(named)) ". Choose one of these:"
            }
        } @else if wrong.at("game").is_some() && wrong.at("").is_none() {
            p class="notice" role="alert" id="fault-game" { "Choose a game." }
        }
        @if let Some(what) = wrong.at("") { p class="notice" role="alert" { (sentence(what)) } }
        (gallery(app))
        p class="links" {
            a class="button quiet" href={ "/new?game=" (FILE) } { "A game of your own" }
            " " a class="button quiet" href="/rules" { "The rules of bidding" }
        }
    };
    page_with("Play a game", &PageFrame { about: Some(ABOUT), ..WIDE }, content)
}

fn form(
    chosen: Option<&GameCard>,
    origin: &PageOrigin,
    typed: &TypedFields,
    wrong: &FieldErrors,
    levels: &[&'static StrengthInfo],
) -> Markup {
    let title = chosen.map_or("A game of your own", |card| card.info.title);
    let content = html! {
        div class="chosen-game" {
            @if let Some(card) = chosen { (pictured(card)) }
            div {
                h1 { (title) }
                p {
                    @match chosen {
                        Some(card) => (in_sentence(&card.info.explanation())),
                        None => "A game file: positions and moves, written down as JSON.",
                    }
                    " " a href="/new" { "Another game" }
                }
            }
        }
        @if !wrong.is_empty() {
            p class="notice" role="alert" {
                @match wrong.at("") { Some(what) => (sentence(what)), None => "Something is not right yet: see below." }
            }
        }
        form method="post" action="/new" enctype="multipart/form-data" class="setup" {
            input type="hidden" name="game" value=(typed.text("game"));
            @if chosen.is_none() { (game_file(typed, wrong)) }
            (opponents(origin, typed, wrong, levels))
            (chips(chosen, typed, wrong))
            details id="settings" class="settings" open[is_unusual(typed, wrong)] {
                summary { "Change the board or the rules" }
                (board(chosen, typed, wrong))
                (rules(typed, wrong))
            }
            p { button class="button big" { "Start the match" } }
        }
    };
    page_with(&format!("Play: {title}"), &PageFrame { about: Some(ABOUT), ..PageFrame::default() }, content)
}

/// Whether a folded setting is wrong or not the usual one.
fn is_unusual(typed: &TypedFields, wrong: &FieldErrors) -> bool {
    const FOLDED: [&str; 2] = ["position", "preset"];
    let fields = || FOLDED.iter().chain(&RULES).copied();
    let is_parameter = |name: &str| name.contains('.');
    wrong.at("parameters").is_some()
        || fields().any(|field| wrong.at(field).is_some())
        || typed.0.iter().any(|(name, value)| {
            !value.is_empty() && (is_parameter(name) || fields().any(|field| field == name)) && value != USUAL_RULES
        })
}

/// The error in a field, next to it.
fn fault(wrong: &FieldErrors, field: &str) -> Markup {
    html! { @if let Some(what) = wrong.at(field) { p class="fault" id={ "fault-" (id(field)) } { (sentence(what)) } } }
}

fn id(field: &str) -> String {
    field.replace('.', "-")
}

fn described(wrong: &FieldErrors, field: &str) -> Option<String> {
    wrong.at(field).map(|_| format!("fault-{}", id(field)))
}

/// A one-line field; for numbers with a numeric keyboard.
fn line(wrong: &FieldErrors, field: &str, label: &str, value: &str, placeholder: &str, is_number: bool) -> Markup {
    let id = id(field);
    html! {
        div class="field" {
            label for=(id) { (label) }
            input id=(id) name=(field) type="text" inputmode=[is_number.then_some("numeric")] value=(value)
                placeholder=(placeholder) autocomplete="off" spellcheck="false" size=(if is_number { 7 } else { 24 })
                aria-invalid=[wrong.at(field).map(|_| "true")] aria-describedby=[described(wrong, field)];
            (fault(wrong, field))
        }
    }
}

fn radio(field: &str, value: &str, chosen: bool, label: Markup) -> Markup {
    let id = format!("{field}-{value}");
    html! { input type="radio" id=(id) name=(field) value=(value) checked[chosen]; label for=(id) { (label) } }
}

/// The same in a row, where a button and its label stay together.
fn side(field: &str, value: &str, chosen: bool, label: Markup) -> Markup {
    html! { span class="pair" { (radio(field, value, chosen, label)) } }
}

fn options(field: &str, label: &str, chosen: &str, options: &[(&str, &str)], wrong: &FieldErrors) -> Markup {
    html! {
        div class="field" {
            label for=(field) { (label) }
            select id=(field) name=(field) aria-describedby=[described(wrong, field)] {
                @for (value, words) in options { option value=(value) selected[*value == chosen] { (words) } }
            }
            (fault(wrong, field))
        }
    }
}

fn game_file(typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    html! {
        fieldset {
            legend { "The game" }
            div class="field whole" {
                label for="file_text" { "Paste a game file" }
                textarea id="file_text" name="file_text" rows="6" spellcheck="false"
                    aria-describedby=[described(wrong, "file_text")] { (typed.text("file_text")) }
                (fault(wrong, "file_text"))
            }
            div class="field whole" {
                label for="upload" { "or choose one" }
                input id="upload" name="upload" type="file" accept=".json,application/json,text/plain";
            }
            p class="aside" {
                a href="/guide/own-game" { "The guide shows how to write one" } "."
            }
        }
    }
}

fn board(chosen: Option<&GameCard>, typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let parameters = chosen.map(|card| parameters(&card.info)).unwrap_or_default();
    html! {
        fieldset {
            legend { "The board" }
            div class="fields" {
                @for parameter in parameters {
                    @let Parameter { field, default, .. } = &parameter;
                    @let value = typed.given(field).unwrap_or(default);
                    (line(wrong, field, &parameter.label(), value, default, default.parse::<u32>().is_ok()))
                }
            }
            (fault(wrong, "parameters"))
            (line(wrong, "position", "Start from this position", typed.text("position"), "the usual start", false))
            p class="aside" {
                "For a board, write A, B or a dot for each cell, row by row from the top: A.B/.A./... Other games name \
                 their positions. In Explore you can see how positions are written."
            }
        }
    }
}

fn opponents(
    origin: &PageOrigin,
    typed: &TypedFields,
    wrong: &FieldErrors,
    levels: &[&'static StrengthInfo],
) -> Markup {
    let chosen = typed.or("opponent", "computer");
    let level = levels.iter().map(|info| info.name).find(|name| *name == typed.text("level")).unwrap_or(USUAL_LEVEL);
    let own = typed.or("side", "alice");
    html! {
        fieldset {
            legend { "Against whom" }
            (fault(wrong, "opponent"))
            div class="choice" {
                (radio("opponent", "computer", chosen == "computer", html! { b { "The computer" } }))
                div class="parameters" {
                    div class="field whole" {
                        label for="level" { "How strong" }
                        select id="level" name="level" aria-describedby=[described(wrong, "level")] {
                            @for info in levels.iter().rev() {
                                option value=(info.name) selected[info.name == level] {
                                    (info.name) ": " (level_words(info))
                                }
                            }
                        }
                        (fault(wrong, "level"))
                    }
                }
            }
            @match &origin.alone {
                None => div class="choice" {
                    (radio("opponent", "friend", chosen == "friend", html! {
                        b { "A friend" } span class="aside" { "you get a link to send" }
                    }))
                },
                Some(Alone { server }) => p class="aside" {
                    "A friend on another device needs a server"
                    @match server {
                        Some(server) => { ": " a href=(format!("{server}/new")) { "meet there" } "." }
                        None => ", which these pages do without.",
                    }
                },
            }
            div class="choice" {
                (radio("opponent", "screen", chosen == "screen", html! {
                    b { "Two at this screen" } span class="aside" { "the page hides each bid while you hand over" }
                }))
            }
            div class="sides" role="radiogroup" aria-label="Your side" {
                span class="label" { "You are" }
                (side("side", "alice", own == "alice", html! { b class="alice" { "Alice" } }))
                (side("side", "bob", own == "bob", html! { b class="bob" { "Bob" } }))
                (side("side", "chance", own == "chance", html! { "by chance" }))
            }
        }
    }
}

/// A description of a level, for people.
fn level_words(info: &StrengthInfo) -> String {
    match info.strength.base {
        Base::Perfect => "never makes a mistake".to_string(),
        Base::Best if info.strength.errs == 0.0 => "plays as well as it can".to_string(),
        Base::Best => info.description.replacen("the best", "plays as well as it can", 1),
        Base::Rounding => "bids what moves are worth in real money, rounded to chips".to_string(),
        Base::MonteCarlo { .. } => "finds out what moves are worth by filling the board at random".to_string(),
        Base::Greedy | Base::Random => info.description.to_string(),
    }
}

fn chips(chosen: Option<&GameCard>, typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let uneven =
        ["alice_chips", "bob_chips"].iter().any(|field| wrong.at(field).is_some() || !typed.text(field).is_empty());
    let star = typed.or("star", "alice");
    // There is no star if one player wins all ties.
    let has_star = match typed.text("ties") {
        "" => typed.text("preset") != "gasarch",
        ties => !matches!(ties, "alice" | "bob"),
    };
    let usual = chosen.map_or(USUAL_CHIPS, |card| card.info.chips).to_string();
    html! {
        fieldset {
            legend { "Chips" }
            (line(wrong, "chips", "Chips each", typed.or("chips", &usual), &usual, true))
            @if has_star { div class="sides" role="radiogroup" aria-label="Who holds the star" {
                span class="label" { "The star " span class="star" aria-hidden="true" { "★" } " is with" }
                (side("star", "alice", star != "bob", html! { b class="alice" { "Alice" } }))
                (side("star", "bob", star == "bob", html! { b class="bob" { "Bob" } }))
            }
            p class="aside" { "If both bid the same, the star decides." } }
            details id="uneven" open[uneven] {
                summary { "Not the same for both" }
                div class="fields" {
                    (line(wrong, "alice_chips", "Alice's chips", typed.text("alice_chips"), "the same", true))
                    (line(wrong, "bob_chips", "Bob's chips", typed.text("bob_chips"), "the same", true))
                }
                p class="aside" { "At most " (MOST_CHIPS) " chips in all." }
            }
        }
    }
}

/// The rules that can be changed one by one.
const RULES: [&str; 7] = ["payment", "taxman", "ties", "bidding", "right", "bids", "limit"];
/// The usual set of rules.
const USUAL_RULES: &str = "develin-payne";

fn rules(typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    const AS_PRESET: (&str, &str) = ("", "as in the set above");
    let changed = RULES.iter().any(|field| wrong.at(field).is_some() || !typed.text(field).is_empty());
    let choice = |field: &str, label: &str, words: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = [AS_PRESET].iter().chain(words).copied().collect();
        options(field, label, typed.text(field), &all, wrong)
    };
    html! {
        fieldset {
            legend { "The rules of bidding" }
            (options("preset", "Set of rules", typed.or("preset", USUAL_RULES), &[
                (USUAL_RULES, "usual: hidden bids, the winner pays the other player and chooses who moves"),
                ("larsson", "marker: the star must be used in a tie, and the winner must move"),
                ("gasarch", "open: Alice names her bid, Bob answers; ties are hers"),
            ], wrong))
            details id="choices" open[changed] {
                summary { "Choose every rule" }
                div class="fields" {
                    (choice("payment", "The winner of a bid pays", &[
                        ("richman", "the other player"),
                        ("poorman", "the bank: the chips are gone"),
                        ("taxman", "a part to the other, the rest to the bank"),
                    ]))
                    (line(wrong, "taxman", "The other player's part of it", typed.text("taxman"), "1/2", false))
                    (choice("ties", "If both bid the same", &Ties::ALL.map(|ties| (ties.word(), tie_words(ties).end))))
                    (choice("bidding", "Bids are", &[
                        ("sealed", "hidden"),
                        ("alice-first", "open, Alice first"),
                        ("bob-first", "open, Bob first"),
                    ]))
                    (choice("right", "The winner of a bid", &[
                        ("chooses", "chooses who moves"),
                        ("moves", "must move"),
                    ]))
                    (line(wrong, "bids", "Allowed bids, such as 0+1+5", typed.text("bids"), "any", false))
                    (line(wrong, "limit", "Most turns", typed.text("limit"), &USUAL_TURNS.to_string(), true))
                }
                p class="aside" {
                    "A match that is not decided after that many turns is a draw; at most " (MOST_TURNS) "."
                }
            }
        }
    }
}
