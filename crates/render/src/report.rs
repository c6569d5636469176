//! Common parts of reports in words: thresholds, bids, advice, periods.

use std::fmt::Write;

use richman_analysis::advice::{Advice, BidRange, BidReply};
use richman_analysis::chips::{Assurance, HoldingsReport};
use richman_analysis::holdings::{HoldingNeeds, HoldingsTable};
use richman_analysis::mean_payoff::{AverageReport, AveragesByHolding, CreditsByHolding, NumberJson, OneSidedAverage};
use richman_analysis::money::{BidSuffices, EndWin, MoneyReport, Moves, SureBids, Undecided};
use richman_analysis::stability::Stability;
use richman_analysis::table::{PeriodReport, TablePeriods};
use richman_analysis::{BoundsJson, HoldingSets, ReportHead, ScoreJson, ShareJson, ThresholdJson};
use richman_core::{ByPlayer, Mechanism, Outcome, PayoffBounds, Player, Share, ShareBounds, Unfolding, counted};
use richman_formats::MechanismJson;

use crate::csv;

/// The head of every report: game, position and conditions.
pub fn head(head: &ReportHead, picture: Option<String>, truncated: Option<u32>) -> String {
    let ReportHead { game, position, mechanism, .. } = head;
    let place = match picture {
        Some(picture) if picture != *position => format!("\n{}\n\n", picture.trim_end()),
        _ => format!("position {position}\n"),
    };
    let wanted = wanted(head).map_or_else(String::new, |line| line + "\n");
    format!("{game}\n{place}{}{wanted}", conditions(mechanism, truncated))
}

/// Alice's objective, if it is a long-run average.
pub fn wanted(head: &ReportHead) -> Option<String> {
    let least = head.at_least.as_ref()?;
    Some(format!("Alice wins if the long-run average is at least {}.", rational(least)))
}

/// The mechanism unless it is the default, and the moves after which a play is a draw.
pub fn conditions(mechanism: &MechanismJson, truncated: Option<u32>) -> String {
    let mut text = String::new();
    if mechanism.0 != Mechanism::default() {
        let _ = writeln!(text, "{}", mechanism.0);
    }
    if let Some(moves) = truncated {
        let _ = writeln!(text, "A play of more than {moves} moves counts as a draw.");
    }
    text
}

/// The start of an arena as text.
pub fn picture(unfolding: &dyn Unfolding) -> String {
    unfolding.picture(unfolding.arena().start())
}

/// A share as a fraction and a decimal; bounds and long fractions as decimals only, with
/// `elsewhere` saying where to find the rest.
pub fn decimal(share: &BoundsJson, elsewhere: &str) -> String {
    const LONGEST: usize = 60;
    let ShareBounds { low, high } = &share.0;
    if let Some(value) = close(share, 15) {
        return value;
    }
    if share.0.as_exact().is_none() {
        return format!("a value between {:.15} and {:.15}", low.to_f64(), high.to_f64());
    }
    let fraction = low.to_string();
    if fraction.len() > LONGEST {
        let digits = fraction.len() - 1;
        return format!("{:.15}... (a fraction of {digits} digits{elsewhere})", low.to_f64());
    }
    format!("{fraction} ({:.6})", low.to_f64())
}

/// A long-run average in sentences. `number` writes a number.
pub fn averages(report: &AverageReport, number: impl Fn(&NumberJson) -> String) -> Vec<String> {
    let between = |bounds: &PayoffBounds| match bounds.as_exact() {
        Some(average) => number(&NumberJson(average.clone())),
        None => {
            let [low, high] = [&bounds.low, &bounds.high].map(|end| number(&NumberJson(end.clone())));
            format!("between {low} and {high}")
        }
    };
    let everywhere = "from every position that can follow";
    let first = match (&report.one_sided, report.any_share) {
        (Some(OneSidedAverage { star_alice, star_bob, .. }), _) => {
            let held = if report.share.0 == Share::ZERO { "none" } else { "all" };
            let worth = match star_alice == star_bob {
                true => between(star_alice),
                false => {
                    let [alice, bob] = [star_alice, star_bob].map(between);
                    format!("{alice} if Alice holds the star and {bob} if Bob does,")
                }
            };
            let ties = report.head.mechanism.0.ties;
            format!(
                "The long-run average is {worth} from this position, as Alice has {held} of the money and ties are \
                     {ties}."
            )
        }
        (None, true) => format!(
            "The long-run average is {} {everywhere}, whatever the shares of the money, if both have some.",
            between(&report.average)
        ),
        (None, false) => {
            let share = &report.share.0;
            format!(
                "The long-run average is {} {everywhere}, if Alice has the share {share} of the money.",
                between(&report.average)
            )
        }
    };
    let known = report.one_sided.as_ref().map_or(report.exact, OneSidedAverage::is_exact);
    let limits = if known {
        "Alice can keep its lower limit above any smaller number, Bob its upper limit below any larger one."
    } else {
        "Alice can keep its lower limit above any number below these, Bob its upper limit below any above them."
    };
    let nearby = report.one_sided.as_ref().and_then(|OneSidedAverage { nearby, .. }| {
        if report.head.mechanism.0.payment.rate().is_richman() {
            return Some(format!("With any share between 0 and 1 it is {} {everywhere}.", between(nearby)));
        }
        let near = number(&NumberJson(nearby.as_exact()?.clone()));
        Some(format!("As her share comes near {}, it comes near {near} {everywhere}.", report.share.0))
    });
    [first, limits.to_string()].into_iter().chain(nearby).collect()
}

/// The averages of a position in runs of holdings, such as `0* to 5*`, each with its number.
pub fn average_runs(averages: &AveragesByHolding) -> Vec<[String; 2]> {
    let AveragesByHolding { plain, star } = averages;
    runs([plain, star], rational)
}

/// The least credits by runs of Alice's holdings.
pub fn credit_runs(credits: &CreditsByHolding) -> Vec<[String; 2]> {
    let CreditsByHolding { plain, star } = credits;
    runs([plain, star], |credit| credit.map_or("none suffices".to_string(), |credit| credit.0.to_string()))
}

/// Runs of holdings without and with the star, each with its value.
fn runs<T>(by_star: [&Vec<(u32, u32, T)>; 2], words: impl Fn(&T) -> String) -> Vec<[String; 2]> {
    let run = |mark: &str, (from, to, value): &(u32, u32, T)| {
        let held = if from == to { format!("{from}{mark}") } else { format!("{from}{mark} to {to}{mark}") };
        [held, words(value)]
    };
    let [plain, star] = by_star;
    plain.iter().map(|one| run("", one)).chain(star.iter().map(|one| run("*", one))).collect()
}

/// A rational number as a fraction and a decimal; a long fraction as a decimal only.
pub fn rational(number: &NumberJson) -> String {
    const LONGEST: usize = 40;
    let text = number.to_string();
    match text.contains('/') {
        false => text,
        true if text.len() > LONGEST => format!("{:.15}", number.to_f64()),
        true => format!("{text} ({:.6})", number.to_f64()),
    }
}

/// The results that both players can force with real money, in sentences. `share` writes a share.
/// `ratio` writes Alice's money to Bob's; it appears if money leaves the game, because then only
/// the ratio stays comparable.
pub fn forced(
    report: &MoneyReport,
    share: impl Fn(&BoundsJson) -> String,
    ratio: impl Fn(&str) -> String,
) -> Vec<String> {
    const LONGEST: usize = 60;
    let is_bank = !report.head.mechanism.0.payment.rate().is_richman();
    let beside = |known: &Option<String>| match known {
        Some(known) if is_bank && known.len() <= LONGEST => format!(", {} of hers to his", ratio(known)),
        _ => String::new(),
    };
    let MoneyReport { win, draw, .. } = report;
    let [beside_win, beside_draw] = [&report.ratio.win, &report.ratio.draw].map(beside);
    let is_one = (report.exact || report.confidence.is_some()) && win == draw;
    let [alices, bobs] = [win, draw].map(|threshold| threshold.0.as_exact());
    let hardest = |player| at_hardest_end(player, report.at_end[player]);
    let alice = match alices {
        Some(share) if *share == Share::ONE => hardest(Player::Alice),
        Some(share) if *share == Share::ZERO && report.at_end.alice == Some(EndWin::Yes) => with_any(Player::Alice),
        _ => format!("Alice can force a win with more than {} of the money{beside_win}.", share(win)),
    };
    let bob = match bobs {
        Some(share) if *share == Share::ZERO => hardest(Player::Bob),
        Some(share) if *share == Share::ONE && report.at_end.bob == Some(EndWin::Yes) => with_any(Player::Bob),
        _ if is_one && alices != Some(&Share::ONE) => "Bob can force a win when Alice has less.".to_string(),
        _ => format!("Bob can force a win when Alice has less than {}{beside_draw}.", share(draw)),
    };
    let between = report.has_draws().then(|| "Between the two both can force a draw.".to_string());
    [alice, bob].into_iter().chain(between).collect()
}

/// Whose win the best bids of a report are for, if they differ. Alice's need for a draw is the
/// share below which Bob wins; where no share draws for certain, both bids are for a win.
pub fn goals(report: &MoneyReport) -> [&'static str; 2] {
    if report.has_draws() { ["the win", "the draw"] } else { ["Alice's win", "Bob's win"] }
}

/// The result of always making the best bid where play can come back.
pub fn coming_back(report: &MoneyReport) -> Option<String> {
    let are = |which| -> Vec<Player> {
        Player::BOTH.into_iter().filter(|&player| report.bid_suffices[player] == Some(which)).collect()
    };
    let said = match (are(BidSuffices::No).as_slice(), are(BidSuffices::Unknown).as_slice()) {
        ([], []) => return None,
        ([Player::Alice], _) => "does not win for Alice; bids as close to it as she likes do",
        ([Player::Bob], _) => "does not win for Bob; bids as close to it as he likes do",
        ([], _) => "may not win; bids as close to it as a player likes do",
        _ => "does not win for either player; bids as close to it as they like do",
    };
    Some(format!("Play can come back here: exactly the best bid every time {said}."))
}

/// The safe bids if the win threshold is only bounded. `share` writes a share.
pub fn safe_bids(report: &MoneyReport, share: impl Fn(&ShareJson) -> String) -> Option<String> {
    let SureBids { alice, bob } = report.sure_bids.as_ref()?;
    Some(format!(
        "If Alice has more than the bounds, a bid of {} leaves her more than she needs next; if she has less, a bid of \
         {} does that for Bob.",
        share(alice),
        share(bob)
    ))
}

/// The result for a player for whom no share below all the money suffices.
fn at_hardest_end(player: Player, end: Option<EndWin>) -> String {
    match end {
        Some(EndWin::No) => format!("{player} cannot force a win with any share of the money."),
        Some(EndWin::Yes) => format!("{player} can force a win only with all the money."),
        Some(EndWin::WithStar(star)) => {
            format!("{player} can force a win only with all the money, and only if {star} holds the star.")
        }
        None => format!("{player} cannot force a win with less than all the money."),
    }
}

/// The result for a player who needs no money.
fn with_any(player: Player) -> String {
    format!("{player} can force a win with any share of the money, even with none.")
}

/// One number for close bounds that agree to `decimals` decimals, and their distance.
pub fn close(share: &BoundsJson, decimals: usize) -> Option<String> {
    let ShareBounds { low, high } = &share.0;
    if share.0.as_exact().is_some() {
        return None;
    }
    let width = 2.0 * Share::half_difference(high, low).to_f64();
    (width > 0.0 && width < 0.1f64.powi(decimals as i32))
        .then(|| format!("{:.decimals$} (within 2^{:.0})", low.to_f64(), width.log2().ceil()))
}

/// Moves in one line: all, or the first ones and the count.
pub fn list_of(moves: &[String]) -> String {
    const SHOWN: usize = 24;
    if moves.len() <= SHOWN {
        return moves.join(", ");
    }
    format!("{}, ... ({} in all)", moves[..SHOWN].join(", "), moves.len())
}

/// A player's best moves. If bounds do not decide: the candidates, and the candidates that keep to
/// the bounds.
pub fn moves_of(moves: &Moves, player: Player) -> String {
    let Some(Undecided { moves: candidates, keeping }) = &moves.undecided[player] else {
        return list_of(moves.of(player));
    };
    let keep = if keeping.len() == 1 { "keeps" } else { "keep" };
    format!(
        "{} (the bounds do not decide which is best; {} {keep} to them)",
        candidates_of(candidates),
        candidates_of(keeping)
    )
}

/// Moves of which one is best.
fn candidates_of(moves: &[String]) -> String {
    list_of(moves).replace(", ", " or ")
}

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

/// The table of one player's needs against the holdings of `fixed`: head and rows, with a dash if
/// no number of chips suffices.
pub fn against(report: &HoldingsTable, fixed: Player) -> (Vec<String>, Vec<Vec<String>>) {
    let has_star = report.head.mechanism.0.has_star();
    let goals = if fixed == Player::Bob { ["win", "draw"] } else { ["stop her", "win"] };
    let columns = |goal: &str| match has_star {
        true => vec![format!("{goal}, without star"), format!("{goal}, with star")],
        false => vec![goal.to_string()],
    };
    let head = [fixed.to_string()].into_iter().chain(goals.into_iter().flat_map(columns)).collect();
    let rows = csv::holdings(report).into_iter().skip(1).map(|row| {
        let shown = row.into_iter().enumerate().filter(|(at, _)| has_star || ![2, 4].contains(at));
        shown.map(|(_, cell)| if cell.is_empty() { "-".to_string() } else { cell }).collect()
    });
    (head, rows.collect())
}

/// Bids in one line.
pub fn ranges(ranges: &[BidRange]) -> String {
    ranges.iter().copied().map(range).collect::<Vec<_>>().join(", ")
}

/// The best bids of a scoring game, ascending, neighbours as ranges.
pub fn scoring_bids(bids: &[Option<u32>]) -> String {
    match bids.iter().copied().collect::<Option<Vec<u32>>>() {
        Some(bids) => ranges(&richman_core::ranges(bids)),
        None => "nothing: no bid is allowed".to_string(),
    }
}

/// A score, or the maximin and the minimax.
pub fn score(low: ScoreJson, high: ScoreJson) -> String {
    if low == high { low.0.to_string() } else { format!("{}..{}", low.0, high.0) }
}

/// `3`, or `3 to 5`.
pub(crate) fn range([first, last]: BidRange) -> String {
    if first >= last { first.to_string() } else { format!("{first} to {last}") }
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

/// The proved periods, in lines.
pub fn periods(period: &TablePeriods) -> String {
    let said = |period: &PeriodReport| {
        let PeriodReport { block, step, from, .. } = period;
        let finer = period.finer.as_ref().map_or_else(String::new, |finer| {
            format!(" (with steps of half a chip: {} chips more, {} more)", finer.block, finer.step.0)
        });
        format!("threshold(k + {block}) = threshold(k) + {step} for every k >= {from}{finer}")
    };
    let mut text = String::new();
    match (&period.win, &period.draw) {
        (Some(win), Some(draw)) => {
            let _ = writeln!(text, "Proved for all totals:\n  win:  {}\n  draw: {}", said(win), said(draw));
        }
        (win, draw) => {
            for (name, period) in [("win", win), ("draw", draw)] {
                if let Some(period) = period {
                    let _ = writeln!(text, "Proved for all totals, {name}: {}", said(period));
                }
            }
        }
    }
    if let Some(reason) = &period.reason {
        let _ = writeln!(text, "No period proved: {reason}. The rows above are exact.");
    }
    text
}

/// The totals at which a threshold needs other moves than real money does.
pub fn stable(text: &mut String, name: &str, stability: &Stability) {
    let listed: Vec<String> = stability.unstable.iter().map(u32::to_string).collect();
    let here = if listed.is_empty() { "no total of the table".to_string() } else { listed.join(", ") };
    let of_all = match (stability.proved, stability.last, &stability.reason) {
        (true, Some(last), _) => format!("the last of all is {last}"),
        (true, None, None) => "none at all".to_string(),
        (_, _, reason) => format!("the last of all is not known: {}", reason.as_deref().unwrap_or_default()),
    };
    let _ = writeln!(text, "Unstable for the {name}: {here}; {of_all}.");
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

#[cfg(test)]
mod tests;
