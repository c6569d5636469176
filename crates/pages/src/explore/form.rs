//! The form of the question.

use maud::{Markup, html};
use richman_analysis::{AnyTable, Games, takes};
use richman_core::{Aim, Choice, Mechanism, Ties};
use richman_render::words::tie_words;

use super::asked::{ExploreFields, LARGEST_TABLE, USUAL_TOTAL};
use crate::sentence;

/// An expression that is a game.
pub const EXPRESSION: &str = "expr:(A & B^2) & B";

/// The values of a mechanism's choices, with their meanings.
const PRESETS: [(&str, &str); 3] = [
    ("develin-payne", "the star's holder may win ties, the winner decides who moves (Develin and Payne)"),
    ("larsson", "the star's holder must win ties, the winner must move (Larsson)"),
    ("gasarch", "Alice names her bid first and wins ties (Gasarch)"),
];
const PAYMENTS: [(&str, &str); 4] = [
    ("richman", "the other player"),
    ("poorman", "the bank"),
    ("taxman:1/2", "half to the other player, half to the bank"),
    ("taxman:1/4", "a quarter to the other player, the rest to the bank"),
];
const BIDDING: [(&str, &str); 3] = [
    ("sealed", "both at once, hidden from each other"),
    ("alice-first", "Alice first, and Bob answers"),
    ("bob-first", "Bob first, and Alice answers"),
];
const RIGHTS: [(&str, &str); 2] = [("chooses", "chooses who moves"), ("moves", "must move")];

/// The tie rules, each with its winner of ties.
fn ties() -> [(&'static str, &'static str); Ties::ALL.len()] {
    Ties::ALL.map(|ties| (ties.word(), tie_words(ties).winner))
}

/// The form with the question; `file` is the name of the game file in use.
pub fn form(known: &Games, asked: &ExploreFields, file: Option<&str>, aim: Aim) -> Markup {
    let (is_scoring, is_average) = (aim.facts().counts_points, takes(aim, Choice::SHARE));
    let has_star = asked.mechanism(aim.facts().preset).map_or(true, |mechanism| mechanism.has_star());
    let has_choices = asked.mechanism_flags().iter().any(|(_, value)| !value.is_empty());
    let [alice, bob] = if has_star { ["such as 4*", "such as 4"] } else { ["such as 4"; 2] };
    html! {
        form.explore-form id="question" action="/explore" method="get" {
            input type="hidden" name="was" value=(asked.game_or_file());
            div.fields {
                @match file {
                    Some(name) => {
                        input type="hidden" name="file" value=(asked.file);
                        p.field { "Game file " b { (name) } " " a href="/explore" { "Another game" } }
                    }
                    None => {
                        (text("game", "Game", asked.game_or_file(), "such as connect:rows=4,cols=4", Some("games")))
                        datalist id="games" {
                            @for game in known.list() {
                                option value=(example(&game)) { (game.description) }
                            }
                        }
                    }
                }
                (text("position", "Position", &asked.position, "the start", None))
            }
            div.fields.holdings role="group" aria-label="What they hold" aria-describedby="holdings-help" {
                (text("alice", "Alice holds", &asked.alice, alice, None))
                (text("bob", "Bob holds", &asked.bob, bob, None))
                (text("chips", "Or chips in all", &asked.chips, "such as 8", None))
                @if is_average {
                    (text("share", "Or Alice's share of the money", &asked.share, "1/2", None))
                    (text("at_least", "Alice wants an average of", &asked.at_least, "such as 3/2", None))
                }
                button.primary type="submit" { "Show" }
            }
            p.help id="holdings-help" {
                @if is_average {
                    "This game is played for the average of its weights in the long run. Without chips it is played \
                     with real money; then Alice's share matters if the winner of a bid does not pay the other player. \
                     Write an average that Alice wants to see what she needs for it."
                } @else if is_scoring {
                    "This game is played for points. Without numbers there are " (USUAL_TOTAL) " chips in all."
                } @else if aim.facts().has_chance {
                    "Chance moves in this game too. The command below finds its value if a coin decides who moves."
                } @else {
                    @if aim.facts().need_not_end { "This game is played " (aim) ". " }
                    "Write what each player holds to see the best bids, or only the chips in all to see who wins with \
                     how many. Without numbers the game is played with real money."
                }
                @if has_star && !aim.facts().has_chance { " The star in 4* decides ties." }
            }
            details open[has_choices || !asked.within.is_empty() || !asked.table.is_empty()] {
                summary { "Rules of bidding, and limits" }
                div.fields {
                    @let preset = aim.facts().preset.to_string();
                    @let usual = PRESETS.iter().find(|(word, _)| *word == preset).map_or("", |(_, meaning)| meaning);
                    (choice("preset", "Rules of bidding", &asked.preset, &PRESETS, usual))
                    (choice("payment", "The winner of a bid pays", &asked.payment, &PAYMENTS, AS_RULES))
                    (choice("ties", "Who wins a tie", &asked.ties, &ties(), AS_RULES))
                    (choice("bidding", "The players bid", &asked.bidding, &BIDDING, AS_RULES))
                    (choice("right", "The winner of a bid", &asked.right, &RIGHTS, AS_RULES))
                    (text("bids", "Bids allowed", &asked.bids, "all, or such as 0+1+5", None))
                    @if takes(aim, Choice::WITHIN) {
                        (text("within", "A draw after this many moves", &asked.within, "never", None))
                        @let end = AnyTable::usual_end(&Mechanism::default()).to_string();
                        @let label = format!("Chip table up to (at most {LARGEST_TABLE})");
                        (text("table", &label, &asked.table, &end, None))
                    }
                }
            }
            @for (name, value) in [("mover", &asked.mover), ("goal", &asked.goal), ("depth", &asked.depth)] {
                @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
            }
        }
    }
}

/// The choice of a rule that is not changed.
const AS_RULES: &str = "as these rules say";

/// A game file that was pasted, and why it cannot be explored.
#[derive(Debug, Default)]
pub struct PastedFile {
    pub text: String,
    pub error: Option<String>,
}

/// All games with their parameters, and the form for a game file.
pub fn games(known: &Games, pasted: &PastedFile) -> Markup {
    let PastedFile { text, error } = pasted;
    html! {
        details.games open[error.is_some()] {
            summary { "All games, or one of your own" }
            dl {
                @for game in known.list() {
                    @let asked = ExploreFields { game: example(&game), ..ExploreFields::default() };
                    dt {
                        a href=(asked.link("/explore")) { (game.name) }
                        @if !game.parameters.is_empty() { " " code { (game.parameters) } }
                    }
                    dd { (game.description) }
                }
            }
            form.upload action="/explore/file" method="post" enctype="multipart/form-data" {
                h3 { "Your own game" }
                p.small { "A game file is JSON with the positions and both players' moves." }
                label for="game-file" { "Choose a file" }
                input type="file" id="game-file" name="file" accept=".json,application/json";
                label for="game-text" { "Or paste it" }
                textarea id="game-text" name="text" rows="6" spellcheck="false" placeholder=(EXAMPLE)
                    aria-invalid=[error.as_ref().map(|_| "true")]
                    aria-describedby=[error.as_ref().map(|_| "fault-file")] { (text) }
                @if let Some(error) = error { p.fault id="fault-file" { (sentence(error)) } }
                button type="submit" { "Explore this game" }
            }
        }
    }
}

const EXAMPLE: &str = r#"{ "name": "ultimatum-1", "start": "0",
  "positions": {
    "win": { "winner": "alice" }, "loss": { "winner": "bob" }, "tie": { "winner": "none" },
    "0": { "alice": ["1"], "bob": ["-1"] },
    "1": { "alice": ["win"], "bob": ["0"] },
    "-1": { "alice": ["0"], "bob": ["loss"] } } }"#;

/// A valid example name: expressions have no default.
fn example(game: &richman_analysis::GameInfo) -> String {
    if game.name == "expr" { EXPRESSION.to_string() } else { game.name.to_string() }
}

fn text(name: &str, label: &str, value: &str, placeholder: &str, list: Option<&str>) -> Markup {
    html! {
        p.field {
            label for=(format!("ask-{name}")) { (label) }
            input type="text" id=(format!("ask-{name}")) name=(name) value=(value) placeholder=(placeholder)
                list=[list] autocomplete="off" autocapitalize="off" spellcheck="false";
        }
    }
}

/// A choice. A value that is not listed is kept, and stands first.
fn choice(name: &str, label: &str, value: &str, values: &[(&str, &str)], usual: &str) -> Markup {
    let is_listed = value.is_empty() || values.iter().any(|(word, _)| *word == value);
    html! {
        p.field {
            label for=(format!("ask-{name}")) { (label) }
            select id=(format!("ask-{name}")) name=(name) {
                option value="" selected[value.is_empty()] { (usual) }
                @if !is_listed { option value=(value) selected { (value) } }
                @for (word, meaning) in values {
                    option value=(word) selected[*word == value] { (meaning) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use richman_core::Preset;

    use super::*;

    #[test]
    fn every_choice_is_one() {
        let all = [
            ("preset", &PRESETS[..]),
            ("payment", &PAYMENTS),
            ("ties", &ties()),
            ("bidding", &BIDDING),
            ("right", &RIGHTS),
        ];
        for (field, values) in all {
            for (word, _) in values {
                let asked: ExploreFields = serde_urlencoded::from_str(&format!("{field}={word}")).unwrap();
                assert!(asked.mechanism(Preset::DevelinPayne).is_ok(), "{field}={word}");
            }
        }
    }

    #[test]
    fn every_listed_game_is_one() {
        for game in Games::default().list() {
            assert!(richman_analysis::Subject::named(&example(&game)).is_ok(), "{}", game.name);
        }
    }
}
