//! The form that sets up a match. Games and their parameters come from the list of games, levels
//! from the list of strengths.

use axum::extract::{Query, State};
use maud::{Markup, html};
use richman_analysis::{GameInfo, Games};
use richman_core::Ties;
use richman_play::players::{STRENGTHS, USUAL_LEVEL};
use richman_render::words::tie_words;

use super::create::{FILE, FieldErrors, TypedFields};
use crate::SharedState;
use crate::pages::page;
use crate::setup::{MOST_CHIPS, MOST_TURNS};

/// A parameter of a game, as a field.
pub struct Parameter {
    /// The name of the field.
    pub field: String,
    pub name: &'static str,
    /// Its default; empty if there is none.
    pub default: &'static str,
    /// Whether its value follows the colon without a name.
    pub is_alone: bool,
}

/// The parameters of a listed game.
pub fn parameters(info: &GameInfo) -> Vec<Parameter> {
    let parameter = |text: &'static str| {
        let (name, default, is_alone) = match text.split_once('=') {
            Some((name, default)) => (name, default, false),
            None => (text, "", true),
        };
        Parameter { field: format!("{}.{name}", info.name), name, default, is_alone }
    };
    info.parameters.split(',').filter(|text| !text.is_empty()).map(parameter).collect()
}

/// The form; the address can fill in fields, such as `/new?game=connect`.
pub async fn show(State(app): SharedState, Query(fields): Query<Vec<(String, String)>>) -> Markup {
    const MOST: usize = 100;
    form(app.games(), &TypedFields(fields.into_iter().take(MOST).collect()), &FieldErrors::default())
}

/// The form with its contents and errors.
pub fn form(known: &Games, typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let content = html! {
        h1 { "Play a game" }
        @if !wrong.is_empty() {
            p class="notice" role="alert" {
                @match wrong.at("") { Some(what) => (what), None => "Something is not right yet: see below." }
            }
        }
        form method="post" action="/new" enctype="multipart/form-data" class="setup" {
            (games(known, typed, wrong))
            (opponents(typed, wrong))
            (chips(typed, wrong))
            (rules(typed, wrong))
            p { button class="button big" { "Start the match" } }
        }
    };
    page("Play a game", content)
}

/// The error in a field, next to it.
fn fault(wrong: &FieldErrors, field: &str) -> Markup {
    html! { @if let Some(what) = wrong.at(field) { p class="fault" id={ "fault-" (id(field)) } { (what) } } }
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

fn games(known: &Games, typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let list = known.list();
    let chosen = typed.or("game", list.first().map_or("", |info| info.name));
    html! {
        fieldset class="games" {
            legend { "The game" }
            (fault(wrong, "game"))
            @for info in &list {
                div class="choice" {
                    (radio("game", info.name, chosen == info.name, html! {
                        b { (info.name) }
                        span class="aside" { (info.summary()) }
                    }))
                    div class="parameters" {
                        @for parameter in parameters(info) {
                            @let label = if parameter.is_alone { "as text" } else { parameter.name };
                            @let Parameter { field, default, .. } = &parameter;
                            @let value = typed.given(field).unwrap_or(default);
                            (line(wrong, field, label, value, default, default.parse::<u32>().is_ok()))
                        }
                        @if chosen == info.name { (fault(wrong, "parameters")) }
                    }
                }
            }
            div class="choice" {
                (radio("game", FILE, chosen == FILE, html! {
                    b { "my own game" }
                    span class="aside" { "a game file: positions and moves, written down as JSON" }
                }))
                div class="parameters" {
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
                }
            }
            details id="where" open[wrong.at("position").is_some() || !typed.text("position").is_empty()] {
                summary { "Start from another position" }
                (line(wrong, "position", "Position, in the game's notation", typed.text("position"), "as usual", false))
                p class="aside" {
                    "For a board, write A, B or a dot for each cell, row by row from the top: A.B/.A./... Other games \
                     name their positions."
                }
            }
        }
    }
}

fn opponents(typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let chosen = typed.or("opponent", "computer");
    let level = typed.or("level", USUAL_LEVEL);
    let side = typed.or("side", "alice");
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
                            @for info in &STRENGTHS {
                                option value=(info.name) selected[info.name == level] {
                                    (info.name) ": " (info.description)
                                }
                            }
                        }
                        (fault(wrong, "level"))
                    }
                }
            }
            div class="choice" {
                (radio("opponent", "friend", chosen == "friend", html! {
                    b { "A friend" } span class="aside" { "you get a link to send" }
                }))
            }
            div class="choice" {
                (radio("opponent", "screen", chosen == "screen", html! {
                    b { "Two at this screen" } span class="aside" { "bids stay hidden from each other" }
                }))
            }
            div class="sides" role="radiogroup" aria-label="Your side" {
                span class="label" { "You are" }
                (radio("side", "alice", side == "alice", html! { b class="alice" { "Alice" } }))
                (radio("side", "bob", side == "bob", html! { b class="bob" { "Bob" } }))
                (radio("side", "chance", side == "chance", html! { "by chance" }))
            }
        }
    }
}

fn chips(typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    let uneven =
        ["alice_chips", "bob_chips"].iter().any(|field| wrong.at(field).is_some() || !typed.text(field).is_empty());
    let star = typed.or("star", "alice");
    // There is no star if one player wins all ties.
    let has_star = match typed.text("ties") {
        "" => typed.text("preset") != "gasarch",
        ties => !matches!(ties, "alice" | "bob"),
    };
    html! {
        fieldset {
            legend { "Chips" }
            (line(wrong, "chips", "Chips each", typed.text("chips"), "what suits the game", true))
            @if has_star { div class="sides" role="radiogroup" aria-label="Who holds the star" {
                span class="label" { "The star " span class="star" aria-hidden="true" { "★" } " is with" }
                (radio("star", "alice", star != "bob", html! { b class="alice" { "Alice" } }))
                (radio("star", "bob", star == "bob", html! { b class="bob" { "Bob" } }))
            }
            p class="aside" { "If both bid the same, the star decides." } }
            details id="uneven" open[uneven] {
                summary { "Not the same for both" }
                div class="fields" {
                    (line(wrong, "alice_chips", "Alice's chips", typed.text("alice_chips"), "the same", true))
                    (line(wrong, "bob_chips", "Bob's chips", typed.text("bob_chips"), "the same", true))
                }
                p class="aside" { "At most " (MOST_CHIPS) " in all." }
            }
        }
    }
}

fn rules(typed: &TypedFields, wrong: &FieldErrors) -> Markup {
    const AS_PRESET: (&str, &str) = ("", "as the rules above say");
    const CHOICES: [&str; 7] = ["payment", "taxman", "ties", "bidding", "right", "bids", "limit"];
    let changed = CHOICES.iter().any(|field| wrong.at(field).is_some() || !typed.text(field).is_empty());
    let choice = |field: &str, label: &str, words: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = [AS_PRESET].iter().chain(words).copied().collect();
        options(field, label, typed.text(field), &all, wrong)
    };
    html! {
        fieldset {
            legend { "The rules of bidding" }
            (options("preset", "Rules", typed.or("preset", "develin-payne"), &[
                ("develin-payne", "usual: hidden bids, the winner pays the other and chooses who moves"),
                ("larsson", "marker: the star must be used in a tie, and the winner must move"),
                ("gasarch", "open: Alice names her bid, Bob answers; ties are hers"),
            ], wrong))
            details id="choices" open[changed] {
                summary { "Choose every rule" }
                div class="fields" {
                    (choice("payment", "The winner of a bid pays", &[
                        ("richman", "the other player"),
                        ("poorman", "the bank"),
                        ("taxman", "a part to the other, the rest to the bank"),
                    ]))
                    (line(wrong, "taxman", "the part to the other player", typed.text("taxman"), "1/2", false))
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
                    (line(wrong, "bids", "Allowed bids, such as 0+1+5", typed.text("bids"), "as above", false))
                    (line(wrong, "limit", "A draw after so many turns", typed.text("limit"), "200", true))
                }
                p class="aside" { "At most " (MOST_TURNS) " turns." }
            }
        }
    }
}
