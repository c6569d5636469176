//! The rules of bidding, each with an example, and the games.

use axum::extract::State;
use maud::{Markup, html};
use richman_analysis::GameInfo;
use richman_core::{Aim, Mechanism, Payment, Preset, Ties};
use richman_render::words::{self, tie_words};

use super::super::in_sentence;
use super::text_page;
use crate::SharedPages;

/// The chips that each player holds in the examples.
const HELD: u32 = 8;
/// Alice's bid in the examples.
const HIGHER: u32 = 3;
/// Bob's bid in the examples.
const LOWER: u32 = 2;

/// The sets of rules to begin with.
const SETS: [(&str, Preset); 3] =
    [("Usual", Preset::DevelinPayne), ("Marker", Preset::Larsson), ("Open", Preset::Gasarch)];

/// A payment, and both holdings after the example.
fn payment(title: &str, paid_to: &str, payment: Payment) -> Markup {
    let given = payment.to_loser(HIGHER);
    let bank = HIGHER - given;
    html! {
        dt { (title) }
        dd {
            "The winner pays " (paid_to) ". In the example Alice has " (HELD - HIGHER) " chips afterwards and Bob "
            (HELD + given) @if bank > 0 { "; " (bank) " went to the bank" } "."
        }
    }
}

/// A page made from the mechanisms themselves.
pub async fn show(State(app): SharedPages) -> Markup {
    app.make_cards().await;
    let content = html! {
        h1 { "The rules" }
        p {
            "A bidding game is a game that you know, with one change: nobody has a turn. Alice is red and Bob is blue. \
             Before every move both bid for the right to make it."
        }
        h2 id="turn" { "One turn" }
        ol {
            li {
                "Each player holds some chips. Both choose a bid, from 0 up to all their chips, and neither sees the \
                 other's."
            }
            li { "Both bids are shown. The higher bid wins." }
            li { "The winner pays what they bid to the other player. The loser pays nothing." }
            li { "The winner makes a move, or lets the other player make one." }
            li {
                "The next turn begins with new bids. The game ends as it always does: with a line, a captured king, a \
                 connected side."
            }
        }
        p {
            "Chips left over at the end are worth nothing. They are only good for winning moves, and those that you \
             pay make your opponent stronger."
        }
        h2 id="example" { "An example" }
        p {
            "Both hold " (HELD) " chips. Alice bids " (HIGHER) " and Bob bids " (LOWER) ". Alice wins the bid, pays "
            (HIGHER) " chips to Bob and moves. Now she has " (HELD - HIGHER) " chips and Bob has " (HELD + HIGHER)
            ", so Bob can outbid her next time. Was the move worth it? That is the whole game."
        }
        h2 id="ties" { "If both bid the same" }
        p {
            "One player holds the star " span class="star" { "★" } ", which decides ties. Usually its holder may \
             choose: use it, win the bid and hand the star over with the chips; or keep it and lose the bid. Other \
             rules can be chosen for a match:"
        }
        dl class="terms" {
            @for words in Ties::ALL.map(tie_words) {
                dt { (in_sentence(words.end)) }
                dd { (starred(words.rule)) }
            }
        }
        h2 id="payments" { "Who is paid" }
        p { "Alice bids " (HIGHER) " of her " (HELD) " chips against " (LOWER) " of Bob's " (HELD) ", and wins." }
        dl class="terms" {
            (payment("Richman, the usual rule", "the other player", Payment::Richman))
            (payment("Poorman", "the bank, and nobody gets these chips back", Payment::Poorman))
            @if let Ok(half) = "taxman:1/2".parse::<Payment>() {
                (payment("Taxman", "half of the bid to the other player, rounded down, and the rest to the bank", half))
            }
        }
        h2 id="bids" { "How bids are made" }
        dl class="terms" {
            dt { "Hidden" }
            dd { "Both bid at once. This is usual. A hidden bid is shown to nobody before the other one is made." }
            dt { "Open" }
            dd {
                "One player names a bid and the other answers it. If Alice says " (HIGHER) ", Bob can win with "
                (HIGHER + 1) " or take the " (HIGHER) " chips."
            }
            dt { "Only some amounts" }
            dd { "With the amounts 0, 1 and 5, whoever wants to bid more than 1 must bid 5." }
        }
        h2 id="right" { "What the winner may do" }
        dl class="terms" {
            dt { "Choose who moves" }
            dd {
                "The winner moves, or lets the other player move. In some games a move hurts, and then this is worth a \
                 bid."
            }
            dt { "Must move" }
            dd { "The winner moves, even where that hurts." }
        }
        h2 id="sets" { "Three sets of rules" }
        p { "A match begins with one of these, and each rule can be changed." }
        dl class="terms" {
            @for (name, preset) in SETS { dt { (name) } dd { (in_words(&preset.mechanism())) } }
        }
        h2 id="games" { "The games" }
        dl class="terms" {
            @for card in app.cards() {
                dt id=(card.info.name) { (card.info.title) }
                dd {
                    (in_sentence(card.info.summary())) " "
                    @if !card.info.rules.is_empty() { (card.info.rules) " " }
                    a href={ "/new?game=" (card.info.name) } { "Play" } " · "
                    a href=(explored(&card.info)) { "Explore" }
                }
            }
        }
        p {
            "The guide has more on " a href="/guide/chips" { "chips and ties" } " and on "
            a href="/guide/mechanisms" { "other mechanisms" } "."
        }
    };
    text_page("The rules", "How bidding works: hidden bids, ties and the star, who is paid, with examples.", content)
}

/// The game in Explore.
fn explored(info: &GameInfo) -> String {
    let query = serde_urlencoded::to_string(&[("game", info.example)][..]).unwrap_or_default();
    format!("/explore?{query}")
}

/// The rules of a mechanism in sentences.
fn in_words(mechanism: &Mechanism) -> Markup {
    let [bids, right, ties] = words::rules(mechanism, Aim::default());
    let right = right.split_once(". ").map_or(right.as_str(), |(first, _)| first);
    html! { (bids) " " (right.trim_end_matches('.')) ". " (starred(&ties)) }
}

/// The star of messages as a symbol for people.
fn starred(text: &str) -> String {
    text.replace(" * ", " ★ ")
}

#[cfg(test)]
mod tests {
    use richman_core::{Bidding, Right};

    use super::*;

    /// The page describes every choice; a new one needs words.
    #[test]
    fn every_choice_of_a_mechanism_has_words() {
        let mechanism = Mechanism::default();
        assert_eq!(mechanism.bidding, Bidding::Sealed);
        assert_eq!(mechanism.right, Right::Chooses);
        assert_eq!(mechanism.payment, Payment::Richman);
        let usual = in_words(&mechanism).into_string();
        assert!(usual.contains("hidden from each other") && usual.contains("the star ★ may use it"), "{usual}");
        let open = in_words(&Preset::Gasarch.mechanism()).into_string();
        assert!(open.contains("Bob sees it and answers"), "{open}");
        let taxman = payment("", "", "taxman:1/2".parse().unwrap()).into_string();
        assert!(taxman.contains("Alice has 5 chips afterwards and Bob 9; 2 went to the bank."), "{taxman}");
    }
}
