//! The value of a position, and best play of both.

use maud::{Markup, PreEscaped, html};
use richman_analysis::advice::Advice;
use richman_analysis::chips::{ChipsReport, HoldingsReport, PursesReport};
use richman_analysis::money::{Estimate, MoneyReport, Moves};
use richman_analysis::scores::{HoldingScores, ScoresReport};
use richman_analysis::{BoundsJson, Report, ScoreJson};
use richman_core::{ByPlayer, End, Outcome, Player, Share, Walk, counted};
use richman_render::report::{
    forced, good_answers, list_of, moves_of, needs, outcome, purse, ranges, score, scoring_bids, sets,
};

use super::chip_table::{MOST_ROWS, values};
use super::number::share;
use crate::pages::{class_of, in_sentence};

/// The report as a part of the page; an ended game needs no numbers.
pub fn worth(report: &Report, walk: &dyn Walk) -> Markup {
    if !matches!(report, Report::Scores(_))
        && let Some(end) = walk.end()
    {
        return html! { p.outcome { (ended(end)) } };
    }
    match report {
        Report::Money(report) => money(report),
        Report::Chips(report) => chips(report),
        Report::Purses(report) => purses(report),
        Report::Scores(report) => scores(report),
    }
}

fn ended(end: End) -> String {
    match end {
        End::Win(player) => format!("{player} has won."),
        End::Draw => "The game has ended in a draw.".to_string(),
        End::Score(score) => format!("The game is over: {score} points for Alice from here."),
    }
}

fn money(report: &MoneyReport) -> Markup {
    if let Some(estimate) = &report.estimate {
        return estimated(report, estimate);
    }
    let facts = forced(report, |bounds| share(bounds).into_string(), |ratio| html! { b { (ratio) } }.into_string());
    html! {
        (bar(&report.win, &report.draw, report.exact))
        ul.facts {
            @for fact in facts { li { (PreEscaped(fact)) } }
            @if !report.exact && report.confidence.is_none() {
                li.note { "Only these bounds are proved here; the exact values lie between them." }
            }
            @if report.zugzwang {
                li {
                    b { "Zugzwang" }
                    ": the winner of the bid should let the other player move, and win the bid rather than tie."
                }
            }
            @if let Some(bids) = &report.sure_bids {
                li { "Above both bounds Alice is sure with a bid of " b { (format!("{:.12}", bids.alice.0.to_f64())) }
                    ", below both Bob with " b { (format!("{:.12}", bids.bob.0.to_f64())) } "." }
            }
        }
        @if report.draw_bid == report.bid && report.draw_moves == report.moves {
            @if let Some(bid) = &report.bid { (play("How both play best", &share(bid), &report.moves)) }
        } @else {
            @if let Some(bid) = &report.bid { (play("For the win of Alice", &share(bid), &report.moves)) }
            @if let Some(bid) = &report.draw_bid { (play("For the win of Bob", &share(bid), &report.draw_moves)) }
        }
        p.small { (rests_on(report)) }
    }
}

/// How sure the numbers are, and why no better ones are known.
fn rests_on(report: &MoneyReport) -> String {
    let how = match report.confidence {
        Some(confidence) => format!("Estimates: each interval holds the truth with {confidence} confidence"),
        None if report.exact => "Exact".to_string(),
        None => "Bounds".to_string(),
    };
    let positions = report.positions.map_or_else(String::new, |count| format!("{}; ", counted(count, "position")));
    format!("{how}; {positions}{}.", report.stop)
}

/// A search's estimate, which proves nothing.
fn estimated(report: &MoneyReport, estimate: &Estimate) -> Markup {
    let share = |share: f64| html! { "about " b { (format!("{:.1}%", 100.0 * share)) } };
    html! {
        ul.facts {
            li { "To win Alice needs " (share(estimate.needs)) " of the money, by an estimate." }
            li {
                "After her best move she needs " (share(estimate.after_alice))
                ", after Bob's " (share(estimate.after_bob)) "."
            }
        }
        (play("What seems best", &share(estimate.bid), &report.moves))
        p.small { "Nothing here is proved: " (report.stop) "." }
    }
}

/// The best bid and moves at a real-money threshold.
fn play(title: &str, bid: &Markup, moves: &Moves) -> Markup {
    html! {
        h3 { (title) }
        dl.advice {
            dt { "Bid" } dd { (bid) " of all the money" }
            dt.alice { "Alice moves" } dd { (moves_of(moves, Player::Alice)) }
            dt.bob { "Bob moves" } dd { (moves_of(moves, Player::Bob)) }
        }
    }
}

/// Who wins at which share, from 0 to 1.
fn bar(win: &BoundsJson, draw: &BoundsJson, exact: bool) -> Markup {
    const WIDTH: f64 = 1000.0;
    let at = |share: &Share| share.to_f64().clamp(0.0, 1.0) * WIDTH;
    let [bob, draw_end, win_from, alice] = [&draw.0.low, &draw.0.high, &win.0.low, &win.0.high].map(at);
    let middle = draw_end.min(win_from)..draw_end.max(win_from);
    html! {
        svg.share-bar viewBox="0 0 1000 92" role="img"
            aria-label="Who can force a win with which share of the money of Alice, from 0 to 1" {
            rect.bob-part x="0" y="24" width=(bob) height="34" {}
            rect.open-part x=(bob) y="24" width=(alice - bob) height="34" {}
            rect.draw-part x=(middle.start) y="24" width=(middle.end - middle.start) height="34" {}
            rect.alice-part x=(alice) y="24" width=(WIDTH - alice) height="34" {}
            @if bob > 150.0 { text.on-part x=(bob / 2.0) y="48" text-anchor="middle" { "Bob wins" } }
            @if middle.end - middle.start > 150.0 {
                text.on-draw x=((middle.start + middle.end) / 2.0) y="48" text-anchor="middle" { "draw" }
            }
            @if WIDTH - alice > 150.0 {
                text.on-part x=((WIDTH + alice) / 2.0) y="48" text-anchor="middle" { "Alice wins" }
            }
            text.tick x="0" y="84" { "0" }
            text.tick x="500" y="84" text-anchor="middle" { "Alice's share of the money" }
            text.tick x="1000" y="84" text-anchor="end" { "1" }
            @if exact && alice > 0.0 && alice < WIDTH {
                text.tick x=(alice.clamp(40.0, 960.0)) y="16" text-anchor="middle" {
                    (format!("{:.4}", win.0.high.to_f64()))
                }
            }
            @if exact && bob > 0.0 && (alice - bob) > 90.0 {
                text.tick x=(bob.clamp(40.0, 960.0)) y="16" text-anchor="middle" {
                    (format!("{:.4}", draw.0.low.to_f64()))
                }
            }
        }
    }
}

fn chips(report: &ChipsReport) -> Markup {
    html! {
        @if let Some(holdings) = &report.holdings { (with_holdings(holdings)) }
        h3 { "With " (report.total) " chips in the game" }
        dl.thresholds {
            dt { "Alice can force a win with" } dd { b { (needs(&report.win, report.total)) } }
            dt { "Bob cannot force one if she has" } dd { b { (needs(&report.draw, report.total)) } }
            @if let Some(undetermined) = &report.undetermined {
                dt { "Nobody can force a win, nor both a draw, if she has" } dd { b { (sets(undetermined)) } }
            }
        }
        @if report.holdings.is_none() {
            p.small { "Write what both hold to see the outcome, the best bids and the best moves." }
        }
        p.small { "Exact; " (counted(report.positions as u64, "position")) "; " (report.stop) "." }
    }
}

fn purses(report: &PursesReport) -> Markup {
    let has_star = report.head.mechanism.0.has_star();
    let proved = report.reason.is_none();
    html! {
        (with_holdings(&report.holdings))
        h3 { "Against " (report.holdings.bob.0.chips()) " chips of Bob" }
        dl.thresholds {
            dt { "Alice can force a win with" } dd { b { (purse(&report.win, has_star, proved)) } }
            dt { "Bob cannot force one if she has" } dd { b { (purse(&report.draw, has_star, proved)) } }
        }
        @if let Some(reason) = &report.reason { p.small { "Not proved where a number is missing: " (reason) "." } }
        p.small { "Exact; " (counted(report.positions as u64, "position")) "; " (report.stop) "." }
    }
}

fn with_holdings(report: &HoldingsReport) -> Markup {
    let class = match report.outcome {
        Outcome::Win(player) => class_of(player),
        Outcome::Draw | Outcome::Undetermined => "nobody",
    };
    let ByPlayer { alice, bob } = &report.advice;
    html! {
        p class={ "outcome " (class) } {
            span.hands { "With " (report.alice.0) " for Alice against " (report.bob.0) " for Bob: " }
            b { (in_sentence(&outcome(report))) }
        }
        div.both {
            @for (player, advice) in [(Player::Alice, alice), (Player::Bob, bob)] {
                @if let Some(advice) = advice {
                    section class={ "player " (class_of(player)) } {
                        h3 { (player) }
                        (advised(player, advice))
                        @if report.outcome == Outcome::Win(player.other()) {
                            p.small { (player) " loses anyway; this holds out longest." }
                        }
                    }
                }
            }
        }
    }
}

/// Advice as a list of cases.
pub fn advised(player: Player, advice: &Advice) -> Markup {
    let other = player.other();
    let star = |used| if used { "use the star" } else { "keep the star" };
    html! {
        dl.advice {
            @if advice.answers.is_empty() { dt { "Bid" } dd { b { (ranges(&advice.bids)) } } }
            @for reply in advice.answers.iter().take(40) {
                dt { "To a bid of " (ranges(&[reply.to])) } dd { (good_answers(reply)) }
            }
            @if advice.answers.len() > 40 { dt { "..." } dd { (advice.answers.len()) " kinds of bids in all" } }
            @if let Some(fastest) = advice.fastest.as_ref().filter(|fastest| **fastest != advice.bids) {
                dt { "Fastest" } dd { (ranges(fastest)) }
            }
            @if let Some(used) = advice.use_star { dt { "In a tie" } dd { (star(used)) } }
            @for run in advice.star_by_bid.iter().take(40) {
                dt { "In a tie at " (ranges(&[run.bids])) } dd { (star(run.use_star)) }
            }
            @if advice.let_other_move { dt { "Having won" } dd { "let " (other) " move" } }
            @match (advice.let_other_move, advice.moves.is_empty()) {
                (true, false) => { dt { "If made to move" } dd { (list_of(&advice.moves)) } }
                (false, false) => { dt { "Move" } dd { b { (list_of(&advice.moves)) } } }
                (_, true) => {}
            }
            @for after in advice.moves_by_bid.iter().take(40) {
                @let more = after.moves.iter().filter(|name| !advice.moves.contains(name)).cloned();
                @let more: Vec<String> = more.collect();
                @let depends = advice.depends_on_bid();
                @if depends || !more.is_empty() {
                    dt { "After winning with " (ranges(&[after.bids])) }
                    dd {
                        @if more.is_empty() { "let " (other) " move" }
                        @else if depends { b { (list_of(&more)) } }
                        @else { "also " (list_of(&more)) }
                    }
                }
            }
            @if let Some(after) = &advice.after_tie {
                dt { "After using the star" }
                dd { @if after.let_other_move { "let " (other) " move" } @else { (list_of(&after.moves)) } }
            }
            @if !advice.made_to_move.is_empty() { dt { "If made to move" } dd { (list_of(&advice.made_to_move)) } }
            @for after in advice.made_to_move_by_bid.iter().take(40) {
                @let case = if after.tied { "a tie at " } else { "a bid of " };
                dt { "If made to move after " (case) (ranges(&[after.bids])) } dd { (list_of(&after.moves)) }
            }
        }
    }
}

fn scores(report: &ScoresReport) -> Markup {
    let high = report.minimax.as_ref().unwrap_or(&report.maximin);
    let ends = [(&report.maximin.star_alice, &high.star_alice), (&report.maximin.star_bob, &high.star_bob)];
    let rows = (0..=report.total).rev().enumerate().map(|(at, chips)| {
        let bounds = |(low, high): (&Vec<ScoreJson>, &Vec<ScoreJson>)| Some(score(*low.get(at)?, *high.get(at)?));
        let [with_star, without] = ends.map(|ends| bounds(ends).unwrap_or_default());
        vec![chips.to_string(), with_star, without]
    });
    html! {
        @if let Some(holding) = &report.holding { (with_scores(holding)) }
        h3 {
            @if report.unique { "What Alice gets when both bid best, with " (report.total) " chips in the game" }
            @else {
                "What Alice can make sure of, and what Bob can hold her to, with " (report.total) " chips in the game"
            }
        }
        (values("Values for all holdings", &["Alice's chips", "with the star", "without it"], rows))
        @if report.total as usize >= MOST_ROWS { p.small { "The first " (MOST_ROWS) " rows; the CSV has all." } }
        @if report.unique { p { "Every value is one of an equilibrium: maximin and minimax are equal." } }
        @else {
            p {
                "Where two numbers stand there is no equilibrium in pure strategies: Alice can make sure of the first, \
                 Bob can hold her to the second."
            }
        }
        (properties(report))
        p.small { "Exact; " (counted(report.positions as u64, "position")) "; every position evaluated once." }
    }
}

fn with_scores(holding: &HoldingScores) -> Markup {
    let [low, high] = &holding.value;
    html! {
        p.outcome.nobody {
            span.hands { "With " (holding.alice.0) " for Alice against " (holding.bob.0) " for Bob: " }
            @if low == high { b { "Alice gets " (low.0) "." } }
            @else { b { "she can make sure of " (low.0) ", he can hold her to " (high.0) "." } }
        }
        div.both {
            @for (player, best) in [(Player::Alice, &holding.bids.alice), (Player::Bob, &holding.bids.bob)] {
                section class={ "player " (class_of(player)) } {
                    h3 { (player) }
                    dl.advice { dt { "Bid" } dd { b { (scoring_bids(best)) } } }
                }
            }
        }
    }
}

fn properties(report: &ScoresReport) -> Markup {
    let everywhere = if report.positions == 1 { "here" } else { "at every position from here on" };
    html! {
        h3 { "Uniqueness properties" }
        ul.facts {
            @for property in &report.properties {
                li {
                    "(" (property.letter) ") " (property.name) " "
                    @match &property.violation {
                        None => { "holds " (everywhere) "." }
                        Some(wrong) => {
                            "fails first at " (wrong.position) ": " (wrong.better.0)
                            " is worth " (wrong.better_value.0) " to Alice, "
                            (wrong.worse.0) " is worth " (wrong.worse_value.0) "."
                        }
                    }
                }
            }
        }
    }
}
