//! Chips, and purses of both players.

use richman_analysis::Answer;
use richman_analysis::advice::{Advice, BidRange, BidReply};
use richman_analysis::chips::{Assurance, ChipsReport, HoldingsReport, PursesReport};
use richman_analysis::holdings::HoldingNeeds;
use richman_analysis::trace::{Trace, TraceEnd, TraceTurn};
use richman_analysis::{HoldingSets, ThresholdJson};
use richman_core::{ByPlayer, Outcome, Player, counted};

use super::parts::{list_of, ranges};
use super::{Solution, grounds, head};
use crate::csv::from_json;
use crate::layout::Layout;

impl Solution for ChipsReport {
    fn text(&self, answer: &Answer, layout: Layout) -> String {
        let about = format!("With {} chips in the game", self.total);
        let nobody = |held| format!("  Nobody can force a win, nor both a draw, if she has  {}\n", sets(held));
        let needed = [&self.win, &self.draw].map(|threshold| needs(threshold, self.total));
        let more = self.undetermined.as_ref().map(nobody);
        head(answer) + &with_chips(&about, needed, more, self.holdings.as_ref(), layout) + &grounds(answer)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let columns = [("", "game position chips=total win# draw#"), HELD];
        from_json(&columns[..if self.holdings.is_some() { 2 } else { 1 }], [self])
    }
}

impl Solution for PursesReport {
    fn text(&self, answer: &Answer, layout: Layout) -> String {
        let purse = |needs| purse(needs, self.head.mechanism.0.has_star(), self.reason.is_none());
        let about = format!("Against {} chips of Bob", self.holdings.bob.0.chips());
        let reason = self.reason.as_ref().map(|reason| format!("  ({reason})\n"));
        let needed = [&self.win, &self.draw].map(purse);
        head(answer) + &with_chips(&about, needed, reason, Some(&self.holdings), layout) + &grounds(answer)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        from_json(&[("", "game position"), NEEDS, HELD], [self])
    }
}

/// Alice's chip thresholds, additions, and the outcomes of the holdings.
fn with_chips(
    about: &str,
    needs: [String; 2],
    more: Option<String>,
    holdings: Option<&HoldingsReport>,
    layout: Layout,
) -> String {
    let ([win, draw], more) = (needs, more.unwrap_or_default());
    let held = holdings.map_or_else(String::new, |holdings| format!("\n{}", with_holdings(holdings, layout)));
    format!(
        "{about}:\n  Alice can force a win with       {win}\n  Bob cannot force one if she has  {draw}\n{more}{held}"
    )
}

fn with_holdings(report: &HoldingsReport, layout: Layout) -> String {
    let mut text =
        format!("With {} for Alice against {} for Bob: {}.\n", report.alice.0, report.bob.0, outcome(report));
    for (player, advice) in [(Player::Alice, &report.advice.alice), (Player::Bob, &report.advice.bob)] {
        if let Some(advice) = advice {
            let loses = report.outcome == Outcome::Win(player.other());
            text.push_str(&advised(player, advice, loses));
        }
    }
    if let Some(line) = &report.trace {
        text.push_str(&trace(line, layout));
    }
    text
}

fn trace(line: &Trace, layout: Layout) -> String {
    let turn = |(number, turn): (usize, &TraceTurn)| {
        let bid = |bid: Option<u32>| bid.map_or("-".to_string(), |bid| bid.to_string());
        let star = match turn.star_used {
            Some(true) => " with the star",
            Some(false) => ", the star is kept",
            None => "",
        };
        let lets = if turn.mover == turn.winner { String::new() } else { format!(" and lets {} move", turn.mover) };
        let (bids, wins) = match (turn.alice_bids, turn.bob_bids) {
            (None, None) => ("no bids".to_string(), String::new()),
            (alice, bob) => {
                (format!("bids {} and {}", bid(alice), bid(bob)), format!("{} wins the bid{star}{lets};", turn.winner))
            }
        };
        [
            format!("{number}."),
            format!("Alice {}, Bob {}:", turn.alice.0, turn.bob.0),
            bids,
            wins,
            format!("{} moves {}", turn.mover, turn.name),
        ]
    };
    let turns = layout.columns((1..).zip(&line.turns).map(turn));
    let end = match line.end {
        TraceEnd::Alice => "Alice has won".to_string(),
        TraceEnd::Bob => "Bob has won".to_string(),
        TraceEnd::Draw => "a draw".to_string(),
        TraceEnd::Repeats => "the position and the holdings come back: a draw".to_string(),
        TraceEnd::Long => format!("the line goes on after {} turns", line.turns.len()),
    };
    format!("\nA line of best play:\n{turns}At {}: {end}.\n\n", line.position)
}

/// The outcome of given holdings.
const HELD: (&str, &str) = ("", "alice bob outcome within");
/// A player's needs without and with the star; empty if no number of chips suffices.
pub(super) const NEEDS: (&str, &str) =
    ("", "win_plain=win/plain win_star=win/star draw_plain=draw/plain draw_star=draw/star");

/// The sufficient holdings for a total: `4* or more`, or both numbers if there is no least holding.
pub fn needs(threshold: &ThresholdJson, total: u32) -> String {
    if let Some(wins) = &threshold.wins {
        return sets(wins);
    }
    match threshold.threshold {
        Some(holding) if holding.0.chips() > total => "no holding".to_string(),
        Some(holding) if holding.0.half_steps() == 0 => "any holding".to_string(),
        Some(holding) => format!("{} or more", holding.0),
        None => {
            let part = |chips: u32, how: &str| {
                if chips > total { format!("never {how}") } else { format!("{chips} or more chips {how}") }
            };
            format!("{}, {}", part(threshold.plain, "without the star"), part(threshold.star, "with it"))
        }
    }
}

/// Explicit lists of holdings, unless all from some number on suffice.
pub fn sets(sets: &HoldingSets) -> String {
    if !sets.has_star {
        return if sets.plain.is_empty() { "no holding".to_string() } else { ranges(&sets.plain) };
    }
    let part = |chips: &[BidRange], how: &str| {
        if chips.is_empty() { format!("none {how}") } else { format!("{} {how}", ranges(chips)) }
    };
    format!("{}; {}", part(&sets.plain, "without the star"), part(&sets.star, "with it"))
}

/// A player's needs against one purse; `proved` if every number of chips is decided.
pub fn purse(needs: &HoldingNeeds, has_star: bool, proved: bool) -> String {
    let chips = |chips: Option<u64>, how: &str| match chips {
        Some(0) => format!("any number of chips{how}"),
        Some(chips) => format!("{chips} or more chips{how}"),
        None if proved => format!("no number of chips{how}"),
        None => format!("no number of chips that was looked at{how}"),
    };
    if !has_star || needs.plain == needs.star {
        return chips(needs.plain, "");
    }
    format!("{}, {}", chips(needs.plain, " without the star"), chips(needs.star, " with it"))
}

/// The good answers to a bid.
pub fn good_answers(answer: &BidReply) -> String {
    let mut good: Vec<String> = Vec::new();
    if answer.lower {
        good.push("less".to_string());
    }
    if answer.equal {
        good.push("the same".to_string());
    }
    match answer.higher.as_slice() {
        [] => {}
        [[_, most]] if answer.to[0] < answer.to[1] => good.push(format!("more, up to {most}")),
        higher => good.push(ranges(higher)),
    }
    if good.is_empty() { "nothing is sure".to_string() } else { good.join(" or ") }
}

/// Advice in one line.
pub fn advised(player: Player, advice: &Advice, loses: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if advice.answers.is_empty() && !advice.bids.is_empty() {
        parts.push(format!("bid {}", ranges(&advice.bids)));
    }
    for answer in &advice.answers {
        parts.push(format!("answer {}: {}", ranges(&[answer.to]), good_answers(answer)));
    }
    if let Some(fastest) = advice.fastest.as_ref().filter(|fastest| **fastest != advice.bids) {
        parts.push(format!("fastest {}", ranges(fastest)));
    }
    parts.extend(advice.use_star.map(|used| if used { "use the star in a tie" } else { "keep the star" }.to_string()));
    for run in &advice.star_by_bid {
        let verb = if run.use_star { "use" } else { "keep" };
        parts.push(format!("{verb} the star in a tie at {}", ranges(&[run.bids])));
    }
    match (advice.let_other_move, advice.moves.is_empty()) {
        (true, true) => parts.push(format!("let {} move", player.other())),
        (true, false) => {
            parts.push(format!("let {} move (if made to move: {})", player.other(), list_of(&advice.moves)))
        }
        (false, false) => parts.push(format!("move {}", list_of(&advice.moves))),
        (false, true) => {}
    }
    for after in &advice.moves_by_bid {
        let more: Vec<String> = after.moves.iter().filter(|name| !advice.moves.contains(name)).cloned().collect();
        let what = match (advice.depends_on_bid(), more.is_empty()) {
            (true, true) => format!("let {} move", player.other()),
            (true, false) => format!("move {}", list_of(&more)),
            (false, true) => continue,
            (false, false) => format!("also {}", list_of(&more)),
        };
        parts.push(format!("after winning with {} {what}", ranges(&[after.bids])));
    }
    if let Some(after) = &advice.after_tie {
        let what = if after.let_other_move { format!("let {} move", player.other()) } else { list_of(&after.moves) };
        parts.push(format!("after using the star: {what}"));
    }
    if !advice.made_to_move.is_empty() {
        parts.push(format!("if made to move: {}", list_of(&advice.made_to_move)));
    }
    for after in &advice.made_to_move_by_bid {
        let case = if after.tied { "a tie at" } else { "a bid of" };
        parts.push(format!("if made to move after {case} {}: {}", ranges(&[after.bids]), list_of(&after.moves)));
    }
    let note = if loses { " (loses anyway; this holds out longest)" } else { "" };
    format!("  {player}: {}{note}\n", parts.join("; "))
}

/// The result that each player can force with given holdings.
pub fn outcome(report: &HoldingsReport) -> String {
    match (report.outcome, report.within) {
        (Outcome::Win(winner), Some(0)) => format!("{winner} has won"),
        (Outcome::Win(winner), Some(count)) => {
            format!("{winner} can force a win within {}", counted(count.into(), "move"))
        }
        (Outcome::Win(winner), None) => format!("{winner} can force a win"),
        (Outcome::Draw, _) => "both can force a draw".to_string(),
        (Outcome::Undetermined, _) => {
            let sure = match &report.guarantee {
                Some(ByPlayer { alice: Assurance::Draw, .. }) => "Alice",
                Some(ByPlayer { bob: Assurance::Draw, .. }) => "Bob",
                _ => return "undetermined: with sealed bids nobody can force anything".to_string(),
            };
            format!("undetermined: nobody can force a win, and only {sure} is sure of a draw")
        }
    }
}

/// A threshold as short as in a table.
pub fn cell(threshold: &ThresholdJson) -> String {
    if let Some(wins) = &threshold.wins {
        let part = |[first, last]: BidRange, star: &str| match first == last {
            true => format!("{first}{star}"),
            false => format!("{first}..{last}{star}"),
        };
        let star = wins.star.iter().filter(|_| wins.has_star).map(|&chips| part(chips, "*"));
        return wins.plain.iter().map(|&chips| part(chips, "")).chain(star).collect::<Vec<_>>().join(" ");
    }
    match threshold.threshold {
        Some(holding) => holding.0.to_string(),
        None => format!("{} or {}*", threshold.plain, threshold.star),
    }
}
