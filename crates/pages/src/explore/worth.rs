//! The value of a position, and best play of both.

use maud::{Markup, PreEscaped, html};
use richman_analysis::advice::Advice;
use richman_analysis::chips::{ChipsReport, HoldingsReport, PursesReport};
use richman_analysis::mean_payoff::{AverageChipsReport, AverageReport};
use richman_analysis::money::{Estimate, MoneyReport, Moves};
use richman_analysis::scores::{HoldingScores, ScoresReport};
use richman_analysis::{BoundsJson, Certainty, Grounds, Report, ReportHead, ScoreJson};
use richman_core::{End, Outcome, Player, Share, Walk, counted};
use richman_play::players::ChipEstimate;
use richman_render::reports::chips::{good_answers, needs, outcome, purse, sets};
use richman_render::reports::mean_payoff::{average_runs, averages};
use richman_render::reports::money::{coming_back, forced, moves_of, safe_bids, small};
use richman_render::reports::parts::{list_of, ranges, rational, wanted};
use richman_render::reports::scores::{score, scoring_bids};

use super::best;
use super::chip_table::{MOST_ROWS, values};
use super::number::{share, short_share};
use super::question::Inquiry;
use crate::{class_of, in_sentence};

/// The report as a part of the page; an ended game needs no numbers.
pub fn worth(report: &Report, walk: &dyn Walk) -> Markup {
    if !matches!(report, Report::Scores(_))
        && let Some(end) = walk.end()
    {
        return html! { p.outcome { (ended(end)) } };
    }
    match report {
        Report::Money(report) => html! { (goal(&report.head)) (money(report)) },
        Report::Chips(report) => html! { (goal(&report.head)) (chips(report)) },
        Report::Purses(report) => purses(report),
        Report::Scores(report) => scores(report),
        Report::Average(report) => average(report),
        Report::Averages(report) => average_with_chips(report),
    }
}

fn goal(head: &ReportHead) -> Markup {
    html! { @if let Some(wanted) = wanted(head) { p { (wanted) } } }
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
    let safe = safe_bids(report, |bid| html! { b { (small(bid, 12)) } }.into_string());
    html! {
        (bar(&report.win, &report.draw, report.exact))
        ul.facts {
            @for fact in facts { li { (PreEscaped(fact)) } }
            @if !report.exact && report.confidence.is_none() {
                li.note { "Only these bounds are proved here. The exact values lie between them." }
            }
            @if report.zugzwang {
                li {
                    b { "Zugzwang" }
                    ": the winner of the bid should let the other player move, and win the bid rather than tie."
                }
            }
            @for fact in safe.into_iter().chain(coming_back(report)) { li { (PreEscaped(fact)) } }
        }
        @if report.draw_bid == report.bid && report.draw_moves == report.moves {
            (play("How both play best", &report.bid, &report.moves))
        } @else {
            (play("If Alice is to win", &report.bid, &report.moves))
            (play("If Bob is to win", &report.draw_bid, &report.draw_moves))
        }
    }
}

fn average_with_chips(report: &AverageChipsReport) -> Markup {
    html! {
        @if let Some(given) = &report.holdings {
            p.outcome.nobody {
                "With " b { (given.alice.0) } " for Alice against " b { (given.bob.0) } " for Bob the average is "
                b { (rational(&given.average)) } "."
            }
        }
        p { "With " (report.total) " chips in the game, both can hold the long-run average to these numbers:" }
        table {
            thead { tr { th scope="col" { "Alice holds" } th scope="col" { "average" } } }
            tbody {
                @for [held, average] in average_runs(&report.averages) {
                    tr { td { (held) } td { (average) } }
                }
            }
        }
    }
}

fn average(report: &AverageReport) -> Markup {
    let facts = averages(report, rational);
    html! {
        ul.facts {
            @for fact in facts { li { (fact) } }
            @for player in Player::BOTH.into_iter().filter(|&player| !report.moves[player].is_empty()) {
                li { (player) " moves to keep to it: " (list_of(&report.moves[player])) "." }
            }
            @if report.zugzwang { li { b { "Zugzwang" } ": the winner of the bid should let the other player move." } }
        }
    }
}

/// How sure the numbers are and how they were found, if the report says so.
pub fn how(report: &Report) -> Option<String> {
    let Grounds { certainty, positions, stop } = report.grounds();
    let how = match certainty {
        Certainty::Estimate => return Some(in_sentence(stop)),
        Certainty::Confidence(confidence) => {
            format!("Estimates: each interval holds the truth with {confidence} confidence")
        }
        Certainty::Exact => "Exact".to_string(),
        Certainty::Bounds => "Bounds".to_string(),
    };
    let positions = positions.map_or_else(String::new, |count| format!("{}; ", counted(count, "position")));
    Some(format!("{how}; {positions}{stop}."))
}

/// A search's estimate, which proves nothing.
fn estimated(report: &MoneyReport, estimate: &Estimate) -> Markup {
    let share = |share: f64| html! { b { (format!("{:.1}%", 100.0 * share)) } };
    html! {
        p.outcome.nobody { "By an estimate, Alice wins with more than about " (share(estimate.needs)) " of the money." }
        (best_play("What seems best", Some(format!("about {:.1}%", 100.0 * estimate.bid)), &report.moves))
        p.small {
            "After Alice's best move she needs about " (share(estimate.after_alice)) ", after Bob's about "
            (share(estimate.after_bob)) ". Nothing here is proved."
        }
    }
}

/// What the computer would play with chips, which proves nothing.
pub fn estimated_with_chips(question: &Inquiry, estimate: &ChipEstimate) -> Markup {
    let total = question.of.stake.total(&question.of.mechanism).ok().flatten().map_or(0, |total| total.chips());
    let chips = estimate.needs * f64::from(total);
    html! {
        p.outcome.nobody {
            "By an estimate, Alice wins with more than about " b { (format!("{chips:.1}")) }
            " of the " (total) " chips."
        }
        (both(|player| {
            let choice = estimate.choices[player].as_ref()?;
            Some(html! { p.best-play { (best::estimated(player, choice)) } })
        }))
        p.small {
            "This is what the best computer player goes by. It rests on what the position is worth in real money, and \
             nothing here is proved."
        }
        @if estimate.choices.iter().all(Option::is_none) {
            p.small { "Write what each holds to see which bids seem best." }
        }
    }
}

/// What there is to say of each player, side by side.
pub fn both(content: impl Fn(Player) -> Option<Markup>) -> Markup {
    html! {
        div.both {
            @for player in Player::BOTH {
                @if let Some(content) = content(player) {
                    section class={ "player " (class_of(player)) } { h3 { (player) } (content) }
                }
            }
        }
    }
}

/// The best bid and moves at a real-money threshold; nothing once the game is over.
fn play(title: &str, bid: &Option<BoundsJson>, moves: &Moves) -> Markup {
    best_play(title, bid.as_ref().map(short_share), moves)
}

fn best_play(title: &str, bid: Option<String>, moves: &Moves) -> Markup {
    if bid.is_none() && moves.movers().next().is_none() {
        return Markup::default();
    }
    html! {
        h3 { (title) }
        p.best-play {
            @match bid {
                Some(bid) => { "Both bid " b { (bid) } " of all the money." }
                None => "Nobody bids."
            }
        }
        dl.advice {
            @for player in moves.movers() {
                dt class=(class_of(player)) { (player) " moves" } dd { (moves_of(moves, player)) }
            }
        }
    }
}

/// Who wins at which share, from 0 to 1.
fn bar(win: &BoundsJson, draw: &BoundsJson, exact: bool) -> Markup {
    const WIDTH: f64 = 100.0;
    let at = |share: &Share| share.to_f64().clamp(0.0, 1.0) * WIDTH;
    let percent = |at: f64| format!("{at:.3}%");
    let [bob, draw_end, win_from, alice] = [&draw.0.low, &draw.0.high, &win.0.low, &win.0.high].map(at);
    let middle = draw_end.min(win_from)..draw_end.max(win_from);
    html! {
        svg.share-bar role="img"
            aria-label="Who can force a win with which share of the money of Alice, from 0 to 1" {
            rect.bob-part x="0" y="18" width=(percent(bob)) height="24" {}
            rect.open-part x=(percent(bob)) y="18" width=(percent(alice - bob)) height="24" {}
            rect.draw-part x=(percent(middle.start)) y="18" width=(percent(middle.end - middle.start)) height="24" {}
            rect.alice-part x=(percent(alice)) y="18" width=(percent(WIDTH - alice)) height="24" {}
            @if bob > 25.0 { text.on-part x=(percent(bob / 2.0)) y="35" text-anchor="middle" { "Bob wins" } }
            @if middle.end - middle.start > 15.0 {
                text.on-draw x=(percent((middle.start + middle.end) / 2.0)) y="35" text-anchor="middle" { "draw" }
            }
            @if WIDTH - alice > 25.0 {
                text.on-part x=(percent((WIDTH + alice) / 2.0)) y="35" text-anchor="middle" { "Alice wins" }
            }
            text.tick x="0" y="58" { "0" }
            text.tick x="50%" y="58" text-anchor="middle" { "Alice's share of the money" }
            text.tick x="100%" y="58" text-anchor="end" { "1" }
            @if exact && alice > 0.0 && alice < WIDTH {
                text.tick x=(percent(alice.clamp(8.0, 92.0))) y="13" text-anchor="middle" {
                    (format!("{:.4}", win.0.high.to_f64()))
                }
            }
            @if exact && bob > 0.0 && (alice - bob) > 20.0 {
                text.tick x=(percent(bob.clamp(8.0, 92.0))) y="13" text-anchor="middle" {
                    (format!("{:.4}", draw.0.low.to_f64()))
                }
            }
        }
    }
}

fn chips(report: &ChipsReport) -> Markup {
    let thresholds = html! {
        dl.thresholds {
            dt { "Alice can force a win with" } dd { b { (needs(&report.win, report.total)) } }
            dt { "Bob cannot force one if she has" } dd { b { (needs(&report.draw, report.total)) } }
            @if let Some(undetermined) = &report.undetermined {
                dt { "Nobody can force a win, nor both a draw, if she has" } dd { b { (sets(undetermined)) } }
            }
        }
    };
    let title = format!("With {} in the game", counted(report.total.into(), "chip"));
    html! {
        @match &report.holdings {
            Some(holdings) => { (with_holdings(holdings)) (folded(&title, &thresholds)) }
            None => {
                h3 { (title) }
                (thresholds)
                p.small { "Write what each holds to see the outcome, the best bids and the best moves." }
            }
        }
    }
}

fn folded(title: &str, content: &Markup) -> Markup {
    html! { details { summary { (title) } (content) } }
}

fn purses(report: &PursesReport) -> Markup {
    let has_star = report.head.mechanism.0.has_star();
    let proved = report.reason.is_none();
    let thresholds = html! {
        dl.thresholds {
            dt { "Alice can force a win with" } dd { b { (purse(&report.win, has_star, proved)) } }
            dt { "Bob cannot force one if she has" } dd { b { (purse(&report.draw, has_star, proved)) } }
        }
        @if let Some(reason) = &report.reason {
            p.small { "Where a number is missing, nothing is proved: " (reason) "." }
        }
    };
    let title = format!("Against {} of Bob", counted(report.holdings.bob.0.chips().into(), "chip"));
    html! { (with_holdings(&report.holdings)) (folded(&title, &thresholds)) }
}

fn with_holdings(report: &HoldingsReport) -> Markup {
    let class = match report.outcome {
        Outcome::Win(player) => class_of(player),
        Outcome::Draw | Outcome::Undetermined => "nobody",
    };
    html! {
        p class={ "outcome " (class) } {
            b { (in_sentence(&outcome(report))) }
            " " span.hands { "Alice holds " (report.alice.0) ", Bob " (report.bob.0) "." }
        }
        (both(|player| {
            let advice = report.advice[player].as_ref()?;
            Some(html! {
                p.best-play { (best::sentence(player, advice)) }
                @if report.outcome == Outcome::Win(player.other()) {
                    p.small { (player) " loses anyway; this holds out longest." }
                }
                @if best::has_more(advice) {
                    details open[!advice.answers.is_empty()] {
                        summary { "All good choices" }
                        (advised(player, advice))
                    }
                }
            })
        }))
    }
}

/// Advice as a list of cases.
pub fn advised(player: Player, advice: &Advice) -> Markup {
    let other = player.other();
    let star = |used| if used { "use the star" } else { "keep the star" };
    html! {
        dl.advice {
            @if advice.answers.is_empty() && !advice.bids.is_empty() {
                dt { "Bid" }
                dd { b { (ranges(&advice.bids)) } }
            }
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
    }
}

fn with_scores(holding: &HoldingScores) -> Markup {
    let [low, high] = &holding.value;
    html! {
        p.outcome.nobody {
            @if low == high { b { "Alice gets " (low.0) " when both bid best." } }
            @else { b { "Alice can make sure of " (low.0) ", and Bob can hold her to " (high.0) "." } }
            " " span.hands { "Alice holds " (holding.alice.0) ", Bob " (holding.bob.0) "." }
        }
        (both(|player| Some(html! { p.best-play { "Bid " b { (scoring_bids(&holding.bids[player])) } "." } })))
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
