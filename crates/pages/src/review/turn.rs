//! One turn: the board with the move played and the better ones, the bids, and the cost.

use maud::{Markup, PreEscaped, html};
use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_play::review::{MatchStanding, Mistake, MistakeGrade, TurnReview};
use richman_render::board::{BoardOptions, svg};
use richman_render::review::{bid_in_words, star};

use super::again;
use super::load::Reviewed;
use super::turns::worth_in_words;
use crate::explore::link_to;
use crate::explore::worth::{advised, both};

pub fn grade_class(grade: MistakeGrade) -> &'static str {
    match grade {
        MistakeGrade::Result | MistakeGrade::AtOnce => "grade-result",
        MistakeGrade::Margin | MistakeGrade::Probable => "grade-margin",
        MistakeGrade::Slower => "grade-slower",
    }
}

/// A turn by its number; the number after the last turn shows the end.
pub fn turn(reviewed: &Reviewed, number: usize) -> Result<Markup, Refusal> {
    let Reviewed { id, review, .. } = reviewed;
    let turns = &review.turns;
    let shown = turns.get(number.wrapping_sub(1));
    let before = number.checked_sub(2).and_then(|before| turns.get(before)).map(|turn| turn.position.as_str());
    let (position, hands) = match shown {
        Some(turn) => (&turn.position, [turn.alice.0, turn.bob.0]),
        None => (&review.now.position, [review.now.alice.0, review.now.bob.0]),
    };
    let kept = reviewed.file.is_some().then_some(id);
    let explore = link_to(&review.game, kept, position, hands.into(), &review.mechanism.0);
    let content = match shown {
        Some(turn) => played(reviewed, turn, before)?,
        None => standing(reviewed, &review.now, before)?,
    };
    let title = match shown {
        Some(_) => format!("Turn {number} of {}", turns.len()),
        None if review.now.over => "The end".to_string(),
        None => "Now".to_string(),
    };
    Ok(html! {
        nav.steps aria-label="Turns" {
            @if number > 1 {
                a rel="prev" href=(reviewed.link(number - 1)) accesskey="p" { "← before" }
            } @else { span {} }
            h2 id="turn" { (title) }
            @if number <= turns.len() {
                a rel="next" href=(reviewed.link(number + 1)) accesskey="n" { "after →" }
            } @else { span {} }
        }
        (content)
        p.back { a href=(explore) { "Explore this position" } }
        (again::play_from_here(reviewed, position, hands.into()))
    })
}

fn board(
    reviewed: &Reviewed,
    position: &str,
    before: Option<&str>,
    marked: &[(Player, String)],
) -> Result<Markup, Refusal> {
    let walk = reviewed.subject.walk(Some(position))?;
    let before = before.map(|before| reviewed.subject.walk(Some(before))).transpose()?;
    let options = BoardOptions { marked, last: before.as_deref(), ..BoardOptions::default() };
    Ok(html! {
        div.frame { (PreEscaped(svg(walk.as_ref(), &options))) }
        p.position { "Position " code { (walk.notation()) } }
    })
}

fn played(reviewed: &Reviewed, turn: &TurnReview, before: Option<&str>) -> Result<Markup, Refusal> {
    let voice = reviewed.voice;
    let mistakes = || reviewed.review.mistakes.iter().filter(|mistake| mistake.turn == turn.turn);
    let marked = better_moves(turn, mistakes());
    Ok(html! {
        (board(reviewed, &turn.position, before, &marked)?)
        @if !marked.is_empty() { p.small { "Marked: " (names(&marked)) "." } }
        table.values.hands {
            thead { tr { td {} th scope="col" { "holds" } th scope="col" { "bids" } } }
            tbody {
                tr.alice {
                    th scope="row" { (voice.start(Player::Alice)) } td { (turn.alice.0) }
                    td { (bid_in_words(turn.alice_bids)) (star(turn, Player::Alice)) }
                }
                tr.bob {
                    th scope="row" { (voice.start(Player::Bob)) } td { (turn.bob.0) }
                    td { (bid_in_words(turn.bob_bids)) (star(turn, Player::Bob)) }
                }
            }
        }
        p.deed {
            @if turn.alice_bids.or(turn.bob_bids).is_none() { "Nobody bids here" } @else {
                (voice.start(turn.winner)) " " (voice.verb(turn.winner, "wins", "win")) " the bid"
            }
            @if turn.star_used == Some(true) { " with the star" }
            @if turn.star_used == Some(false) { "; the star is kept" }
            @if turn.mover != turn.winner {
                " and " (voice.verb(turn.winner, "lets ", "let ")) (voice.name(turn.mover)) " move"
            }
            ". "
            (voice.start(turn.mover)) " "
            @match &turn.played {
                Some(name) => { (voice.verb(turn.mover, "plays", "play")) " " b { (name) } "." }
                None => { (voice.verb(turn.mover, "has", "have")) " no move." }
            }
        }
        @if let Some(worth) = turn.worth.as_ref().map(worth_in_words).filter(|worth| worth != "?") {
            p.worth-before { "Before this turn: " (worth) "." }
        }
        @for mistake in mistakes() { (said(mistake)) }
        @for mistake in reviewed.review.suggested.iter().filter(|mistake| mistake.turn == turn.turn) {
            p.mistake { b { "A hint suggested it: " } (mistake.text) }
        }
        (advice(turn))
    })
}

/// The better moves if the move was a mistake, else the mover's best moves.
fn better_moves<'a>(turn: &TurnReview, mistakes: impl Iterator<Item = &'a Mistake>) -> Vec<(Player, String)> {
    let better: Vec<(Player, String)> =
        mistakes.flat_map(|mistake| mistake.better.moves.iter().map(|name| (mistake.player, name.clone()))).collect();
    if !better.is_empty() {
        return better;
    }
    let best = turn.advice[turn.mover].as_ref().map_or(&[][..], |advice| &advice.moves);
    best.iter().map(|name| (turn.mover, name.clone())).collect()
}

fn names(marked: &[(Player, String)]) -> String {
    const SHOWN: usize = 8;
    let of = |player: Player| -> Option<String> {
        let names: Vec<&str> =
            marked.iter().filter(|(mover, _)| *mover == player).map(|(_, name)| name.as_str()).collect();
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| format!("best for {player}: {shown}{more}"))
    };
    Player::BOTH.into_iter().filter_map(of).collect::<Vec<_>>().join("; ")
}

fn said(mistake: &Mistake) -> Markup {
    let word = match mistake.grade {
        MistakeGrade::Result => "Changed the result",
        MistakeGrade::AtOnce => "Certain at once",
        MistakeGrade::Probable => "Probably a mistake",
        MistakeGrade::Margin => "Lost margin",
        MistakeGrade::Slower => "Slower",
    };
    html! { p class={ "mistake " (grade_class(mistake.grade)) } { b { (word) ": " } (mistake.text) } }
}

fn advice(turn: &TurnReview) -> Markup {
    let known = Player::BOTH.into_iter().any(|player| turn.advice[player].is_some());
    html! {
        @if known {
            details {
                summary { "Best play of both here" }
                (both(|player| Some(advised(player, turn.advice[player].as_ref()?))))
            }
        }
    }
}

fn standing(reviewed: &Reviewed, now: &MatchStanding, before: Option<&str>) -> Result<Markup, Refusal> {
    let mistakes = || reviewed.review.mistakes.iter().filter(|mistake| mistake.turn > reviewed.review.turns.len());
    let voice = reviewed.voice;
    let end = match (now.over, now.winner, now.how) {
        (false, ..) => "The match goes on.".to_string(),
        (true, Some(winner), Some("resigned")) => {
            format!("{} resigned: {} won.", voice.start(winner.other()), voice.name(winner))
        }
        (true, Some(winner), _) => format!("{} won.", voice.start(winner)),
        (true, None, Some("limit")) => "A draw: the limit of turns was reached.".to_string(),
        (true, None, Some("no bids")) => "A draw: nobody could bid.".to_string(),
        (true, None, _) => "A draw.".to_string(),
    };
    Ok(html! {
        (board(reviewed, &now.position, before, &[])?)
        p.deed {
            b { (end) } " "
            (voice.start(Player::Alice)) " " (voice.verb(Player::Alice, "holds ", "hold ")) (now.alice.0) ", "
            (voice.name(Player::Bob)) " " (now.bob.0) "."
        }
        @for mistake in mistakes() { (said(mistake)) }
    })
}
