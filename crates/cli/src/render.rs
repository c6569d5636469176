//! Reports for people, and as rows of comma-separated values.

pub mod duel;
pub mod reproduce;
pub mod review;
pub mod scores;
pub mod unitary;

use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use richman_analysis::advice::{Advice, BidRange};
use richman_analysis::chips::{ChipsReport, HoldingsReport, PursesReport, Sure};
use richman_analysis::class::MOST_LETTERS;
use richman_analysis::compare::{Both, CompareReport, Compared, Order};
use richman_analysis::holdings::{HoldingsTable, Needs};
use richman_analysis::money::{MoneyReport, Moves};
use richman_analysis::saved::VerifyReport;
use richman_analysis::stability::Stability;
use richman_analysis::table::{Period, PeriodReport, TableReport};
use richman_analysis::trace::{End, Trace};
use richman_analysis::{BoundsJson, GameInfo, HoldingSets, ThresholdJson};
use richman_core::{Mechanism, Outcome, Player, Share, ShareBounds, Terminal, Unfolding};
use richman_formats::MechanismJson;

/// The head of every report: game, position, mechanism where it is not the usual one.
pub fn head(game: &str, position: &str, mechanism: &MechanismJson, unfolding: Option<&dyn Unfolding>) -> String {
    let mut text = format!("{game}\n");
    let picture = unfolding.map(|unfolding| unfolding.picture(unfolding.arena().start()));
    match picture {
        Some(picture) if picture != position => {
            let _ = write!(text, "\n{}\n\n", picture.trim_end());
        }
        _ => {
            let _ = writeln!(text, "position {position}");
        }
    }
    if mechanism.0 != Mechanism::default() {
        let _ = writeln!(text, "{}", mechanism.0);
    }
    text
}

fn truncation(text: &mut String, moves: Option<u32>) {
    if let Some(moves) = moves {
        let _ = writeln!(text, "A play of more than {moves} moves counts as a draw.");
    }
}

/// A share as a fraction and a decimal; bounds, and fractions too long to read, as decimals.
fn decimal(share: &BoundsJson) -> String {
    const LONGEST: usize = 60;
    let ShareBounds { low, high } = &share.0;
    if share.0.as_exact().is_none() {
        return format!("a value between {:.15} and {:.15}", low.to_f64(), high.to_f64());
    }
    let fraction = low.to_string();
    if fraction.len() > LONGEST {
        let digits = fraction.len() - 1;
        return format!("{:.15}... (a fraction of {digits} digits, printed by --json)", low.to_f64());
    }
    format!("{fraction} ({:.6})", low.to_f64())
}

/// A threshold as Alice's money to Bob's, where money leaves the game and so only their ratio stays comparable.
fn to_bob(ratio: &Option<String>, report: &MoneyReport) -> String {
    const LONGEST: usize = 60;
    match ratio {
        Some(ratio) if !report.mechanism.0.payment.rate().is_richman() && ratio.len() <= LONGEST => {
            format!(", {ratio} of hers to his")
        }
        _ => String::new(),
    }
}

fn list_of(moves: &[String]) -> String {
    const SHOWN: usize = 24;
    if moves.len() <= SHOWN {
        return moves.join(", ");
    }
    format!("{}, ... ({} in all)", moves[..SHOWN].join(", "), moves.len())
}

/// A real-money report.
pub fn money(report: &MoneyReport, unfolding: &dyn Unfolding) -> String {
    let mut text = head(&report.game, &report.position, &report.mechanism, Some(unfolding));
    truncation(&mut text, report.truncated);
    if let Some(end) = unfolding.arena().terminal(unfolding.arena().start()) {
        let who = match end {
            Terminal::Win(player) => format!("{player} has won."),
            Terminal::Draw => "The game has ended in a draw.".to_string(),
        };
        let _ = writeln!(text, "{who}");
        return text;
    }
    let never_alice = report.win.0.as_exact() == Some(&Share::ONE);
    let never_bob = report.draw.0.as_exact() == Some(&Share::ZERO);
    if never_alice {
        text.push_str("Alice cannot force a win with any share of the money.\n");
    } else {
        let ratio = to_bob(&report.ratio.win, report);
        let _ = writeln!(text, "Alice can force a win with more than {} of the money{ratio}.", decimal(&report.win));
    }
    if never_bob {
        text.push_str("Bob cannot force a win with any share of the money.\n");
    } else if report.win == report.draw && !never_alice {
        text.push_str("Bob can force a win when she has less.\n");
    } else {
        let ratio = to_bob(&report.ratio.draw, report);
        let _ = writeln!(text, "Bob can force a win when she has less than {}{ratio}.", decimal(&report.draw));
    }
    if report.win != report.draw && report.exact {
        text.push_str("Between the two both can force a draw.\n");
    }
    let mut advise = |what: &str, bid: &Option<BoundsJson>, moves: &Moves| {
        let Some(bid) = bid else { return };
        let _ = writeln!(
            text,
            "{what} {}; moves: Alice {}; Bob {}",
            decimal(bid),
            list_of(&moves.alice),
            list_of(&moves.bob)
        );
    };
    if report.draw_bid == report.bid && report.draw_moves == report.moves {
        advise("Best bid", &report.bid, &report.moves);
    } else {
        advise("Best bid for the win ", &report.bid, &report.moves);
        advise("Best bid for the draw", &report.draw_bid, &report.draw_moves);
    }
    if let Some(sure) = &report.sure_bids {
        let _ = writeln!(
            text,
            "Above both bounds Alice is sure with a bid of {:.15}, below both Bob with {:.15}.",
            sure.alice.0.to_f64(),
            sure.bob.0.to_f64()
        );
    }
    if report.zugzwang {
        text.push_str("This is a zugzwang: the winner of the bid should let the other player move, and win the bid rather than tie.\n");
    }
    let exact = match report.exact_positions {
        count if count == report.positions => "exact".to_string(),
        count if report.exact => format!("exact here and at {count} positions in all, bounds elsewhere"),
        count => format!("bounds; exact at {count} positions"),
    };
    let _ = writeln!(text, "({exact}; {} positions; {})", report.positions, report.stop);
    text
}

/// `4* or more`, or both numbers where there is no least holding.
fn needs(threshold: &ThresholdJson, total: u32) -> String {
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

/// A chip report.
pub fn chips(report: &ChipsReport, unfolding: &dyn Unfolding) -> String {
    let mut text = head(&report.game, &report.position, &report.mechanism, Some(unfolding));
    truncation(&mut text, report.truncated);
    let _ = writeln!(text, "With {} chips in the game:", report.total);
    let _ = writeln!(text, "  Alice can force a win with       {}", needs(&report.win, report.total));
    let _ = writeln!(text, "  Bob cannot force one if she has  {}", needs(&report.draw, report.total));
    if let Some(undetermined) = &report.undetermined {
        let _ = writeln!(text, "  Nobody can force a win, nor both a draw, if she has  {}", sets(undetermined));
    }
    if let Some(holdings) = &report.holdings {
        text.push('\n');
        text.push_str(&with_holdings(holdings));
    }
    let _ = writeln!(text, "(exact; {} positions; {})", report.positions, report.stop);
    text
}

/// Listed holdings, where they are not all from some number on.
fn sets(sets: &HoldingSets) -> String {
    let part = |chips: &[BidRange], how: &str| {
        if chips.is_empty() { format!("none {how}") } else { format!("{} {how}", ranges(chips)) }
    };
    format!("{}; {}", part(&sets.plain, "without the star"), part(&sets.star, "with it"))
}

/// What a player needs against one purse.
fn purse(needs: &Needs, has_star: bool, proved: bool) -> String {
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

/// A report where the bank is paid.
pub fn purses(report: &PursesReport, unfolding: &dyn Unfolding) -> String {
    let mut text = head(&report.game, &report.position, &report.mechanism, Some(unfolding));
    truncation(&mut text, report.truncated);
    let has_star = report.mechanism.0.has_star();
    let proved = report.reason.is_none();
    let _ = writeln!(text, "Against {} chips of Bob:", report.holdings.bob.0.chips());
    let _ = writeln!(text, "  Alice can force a win with       {}", purse(&report.win, has_star, proved));
    let _ = writeln!(text, "  Bob cannot force one if she has  {}", purse(&report.draw, has_star, proved));
    if let Some(reason) = &report.reason {
        let _ = writeln!(text, "  ({reason})");
    }
    text.push('\n');
    text.push_str(&with_holdings(&report.holdings));
    let _ = writeln!(text, "(exact; {} positions; {})", report.positions, report.stop);
    text
}

/// The same as one row; empty where no number of chips suffices.
pub fn purses_csv(report: &PursesReport) -> Vec<Vec<String>> {
    let PursesReport { game, position, win, draw, holdings, .. } = report;
    let chips = [win.plain, win.star, draw.plain, draw.star];
    let mut row = vec![game.clone(), position.clone()];
    row.extend(chips.map(|chips| chips.map_or_else(String::new, |chips| chips.to_string())));
    row.extend([holdings.alice.0.to_string(), holdings.bob.0.to_string(), holdings.outcome.to_string()]);
    row.push(holdings.within.map_or_else(String::new, |moves| moves.to_string()));
    let header =
        ["game", "position", "win_plain", "win_star", "draw_plain", "draw_star", "alice", "bob", "outcome", "within"];
    vec![words(&header), row]
}

fn with_holdings(report: &HoldingsReport) -> String {
    let moves = |count: u32| format!("{count} {}", if count == 1 { "move" } else { "moves" });
    let result = match (report.outcome, report.within) {
        (Outcome::Win(winner), Some(0)) => format!("{winner} has won"),
        (Outcome::Win(winner), Some(count)) => format!("{winner} can force a win within {}", moves(count)),
        (Outcome::Win(winner), None) => format!("{winner} can force a win"),
        (Outcome::Draw, _) => "both can force a draw".to_string(),
        (Outcome::Undetermined, _) => {
            let sure: Vec<&str> = [("Alice", 0), ("Bob", 1)]
                .into_iter()
                .filter(|&(_, at)| report.guarantee.is_some_and(|both| [both.alice, both.bob][at] == Sure::Draw))
                .map(|(name, _)| name)
                .collect();
            match sure.first() {
                Some(name) => format!("undetermined: nobody can force a win, and only {name} is sure of a draw"),
                None => "undetermined: with sealed bids nobody can force anything".to_string(),
            }
        }
    };
    let mut text = format!("With {} for Alice against {} for Bob: {result}.\n", report.alice.0, report.bob.0);
    for (player, advice) in [(Player::Alice, &report.advice.alice), (Player::Bob, &report.advice.bob)] {
        if let Some(advice) = advice {
            let loses = report.outcome == Outcome::Win(player.other());
            text.push_str(&advised(player, advice, loses));
        }
    }
    if let Some(line) = &report.trace {
        text.push_str(&trace(line));
    }
    text
}

/// A line of best play.
fn trace(line: &Trace) -> String {
    let mut text = "\nA line of best play:\n".to_string();
    let mut table = Table::new();
    table.load_style(NOTHING);
    for (number, turn) in (1..).zip(&line.turns) {
        let bid = |bid: Option<u32>| bid.map_or("-".to_string(), |bid| bid.to_string());
        let bids = format!("bids {} and {}", bid(turn.alice_bids), bid(turn.bob_bids));
        let star = match turn.star_used {
            Some(true) => " with the star",
            Some(false) => ", the star is kept",
            None => "",
        };
        let lets = if turn.mover == turn.winner { String::new() } else { format!(" and lets {} move", turn.mover) };
        table.add_row([
            format!("{number}."),
            format!("Alice {}, Bob {}:", turn.alice.0, turn.bob.0),
            bids,
            format!("{} wins the bid{star}{lets};", turn.winner),
            format!("{} moves {}", turn.mover, turn.name),
        ]);
    }
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let end = match line.end {
        End::Alice => "Alice has won".to_string(),
        End::Bob => "Bob has won".to_string(),
        End::Draw => "a draw".to_string(),
        End::Repeats => "the position and the holdings come back: a draw".to_string(),
        End::Long => format!("the line goes on after {} turns", line.turns.len()),
    };
    let _ = writeln!(text, "At {}: {end}.\n", line.position);
    text
}

fn ranges(ranges: &[BidRange]) -> String {
    let words: Vec<String> = ranges
        .iter()
        .map(|[first, last]| if first == last { first.to_string() } else { format!("{first} to {last}") })
        .collect();
    words.join(", ")
}

/// Advice in one line.
pub fn advised(player: Player, advice: &Advice, loses: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if advice.answers.is_empty() {
        parts.push(format!("bid {}", ranges(&advice.bids)));
    }
    for answer in &advice.answers {
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
        let what = if good.is_empty() { "nothing is sure".to_string() } else { good.join(" or ") };
        parts.push(format!("answer {}: {what}", ranges(&[answer.to])));
    }
    if let Some(fastest) = advice.fastest.as_ref().filter(|fastest| **fastest != advice.bids) {
        parts.push(format!("fastest {}", ranges(fastest)));
    }
    match advice.use_star {
        Some(true) => parts.push("use the star in a tie".to_string()),
        Some(false) => parts.push("keep the star".to_string()),
        None => {}
    }
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
        if !more.is_empty() {
            parts.push(format!("after winning with {} also {}", ranges(&[after.bids]), list_of(&more)));
        }
    }
    if let Some(after) = &advice.after_tie {
        let what = if after.let_other_move { format!("let {} move", player.other()) } else { list_of(&after.moves) };
        parts.push(format!("after using the star: {what}"));
    }
    if !advice.made_to_move.is_empty() {
        parts.push(format!("if made to move: {}", list_of(&advice.made_to_move)));
    }
    let note = if loses { " (loses anyway; this holds out longest)" } else { "" };
    format!("  {player}: {}{note}\n", parts.join("; "))
}

/// A chip table.
pub fn table(report: &TableReport) -> String {
    let mut text = head(&report.game, &report.position, &report.mechanism, None);
    truncation(&mut text, report.truncated);
    text.push_str("What Alice needs to force a win, and what she needs so that Bob cannot:\n\n");
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["chips", "win", "draw"]);
    for row in &report.rows {
        table.add_row([row.chips.to_string(), cell(&row.win), cell(&row.draw)]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&periods(&report.period));
    if let Some(class) = &report.class {
        let _ = writeln!(text, "The win threshold is that of {} for all totals.", class.expression);
    }
    if let Some(stability) = &report.stability {
        stable(&mut text, "win", &stability.win);
        stable(&mut text, "draw", &stability.draw);
    }
    text
}

fn periods(period: &Period) -> String {
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

fn stable(text: &mut String, name: &str, stability: &Stability) {
    let listed: Vec<String> = stability.unstable.iter().map(u32::to_string).collect();
    let here = if listed.is_empty() { "no total of the table".to_string() } else { listed.join(", ") };
    let of_all = match (stability.proved, stability.last, &stability.reason) {
        (true, Some(last), _) => format!("the last of all is {last}"),
        (true, None, None) => "none at all".to_string(),
        (_, _, reason) => format!("the last of all is not known: {}", reason.as_deref().unwrap_or_default()),
    };
    let _ = writeln!(text, "Unstable for the {name}: {here}; {of_all}.");
}

/// What one player needs against what the other holds.
pub fn holdings(report: &HoldingsTable, fixed: Player) -> String {
    let mut text = head(&report.game, &report.position, &report.mechanism, None);
    truncation(&mut text, report.truncated);
    let other = fixed.other();
    let question = match fixed {
        Player::Bob => "What Alice needs against Bob's chips, to force a win and so that Bob cannot",
        Player::Alice => "What Bob needs against Alice's chips, so that she cannot force a win and to force one",
    };
    let has_star = report.mechanism.0.has_star();
    let star = if has_star { format!("With the star: {fixed} does not hold it. ") } else { String::new() };
    let none = if report.reason.is_none() { "suffices" } else { "that was looked at suffices" };
    let _ = writeln!(text, "{question}.\n{star}-: no number of chips {none}.\n");
    let mut table = Table::new();
    let column = |goal: &str, star: &str| format!("{goal}, {star}");
    let goals = if other == Player::Alice { ["win", "draw"] } else { ["stop her", "win"] };
    let mut header = vec![format!("{fixed}")];
    for goal in goals {
        if has_star {
            header.extend([column(goal, "without star"), column(goal, "with star")]);
        } else {
            header.push(goal.to_string());
        }
    }
    table.load_style(NOTHING).set_header(header);
    for row in holdings_csv(report).into_iter().skip(1) {
        let shown = row.into_iter().enumerate().filter(|(at, _)| has_star || ![2, 4].contains(at));
        table.add_row(shown.map(|(_, cell)| if cell.is_empty() { "-".to_string() } else { cell }));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if let Some(reason) = &report.reason {
        let _ = writeln!(text, "\nNot proved where a number is missing: {reason}.");
    }
    text
}

/// The same as rows; empty where no number of chips suffices.
pub fn holdings_csv(report: &HoldingsTable) -> Vec<Vec<String>> {
    let fixed = if report.rows.first().is_some_and(|row| row.alice.is_some()) { "alice" } else { "bob" };
    let header = words(&[fixed, "win_plain", "win_star", "draw_plain", "draw_star"]);
    let rows = report.rows.iter().map(|row| {
        let fixed = row.alice.or(row.bob).map(u64::from);
        let chips = [fixed, row.win.plain, row.win.star, row.draw.plain, row.draw.star];
        chips.iter().map(|chips| chips.map_or_else(String::new, |chips| chips.to_string())).collect()
    });
    std::iter::once(header).chain(rows).collect()
}

fn cell(threshold: &ThresholdJson) -> String {
    if let Some(wins) = &threshold.wins {
        let all: Vec<String> = [(&wins.plain, ""), (&wins.star, "*")]
            .iter()
            .flat_map(|(chips, star)| chips.iter().map(move |&[first, last]| (first, last, star)))
            .map(
                |(first, last, star)| {
                    if first == last { format!("{first}{star}") } else { format!("{first}..{last}{star}") }
                },
            )
            .collect();
        return all.join(" ");
    }
    match threshold.threshold {
        Some(holding) => holding.0.to_string(),
        None => format!("{} or {}*", threshold.plain, threshold.star),
    }
}

/// How two games compare.
pub fn compare(report: &CompareReport) -> String {
    let game = |side: &Compared| {
        let class = match (&side.class, &side.rule) {
            (Some(class), _) => format!("class {}", class.expression),
            (None, Some(_)) => format!("no class of up to {MOST_LETTERS} letters"),
            (None, None) => "class unknown".to_string(),
        };
        let position = match side.game.strip_prefix("expr:") {
            Some(expression) if expression == side.position => String::new(), // it is its own position
            _ => format!(", position {}", side.position),
        };
        format!("{}{position}; {class}", side.game)
    };
    let mut text = format!("G: {}\nH: {}\n", game(&report.g), game(&report.h));
    if report.mechanism.0 != Mechanism::default() {
        let _ = writeln!(text, "{}", report.mechanism.0);
    }
    truncation(&mut text, report.truncated);
    let at = |total: Option<u32>, both: &Option<Both>| -> Option<String> {
        let (total, both) = (total?, both.as_ref()?);
        let chips = if total == 1 { "1 chip".to_string() } else { format!("{total} chips") };
        let wins = |name: &str, threshold: &ThresholdJson| match threshold.threshold {
            Some(holding) if holding.0.chips() > total => format!("cannot win {name}"),
            _ => format!("wins {name} with {}", needs(threshold, total)),
        };
        Some(format!("with {chips} she {} and {}", wins("G", &both.g), wins("H", &both.h)))
    };
    let below = at(report.witness.below, &report.thresholds.below).unwrap_or_default();
    let above = at(report.witness.above, &report.thresholds.above).unwrap_or_default();
    let result = match report.order {
        Order::Less => format!("G is less than H: Alice never needs more in G than in H, and {below}."),
        Order::Equal => "G and H are equal: Alice needs the same in both.".to_string(),
        Order::Greater => format!("G is greater than H: Alice never needs less in G than in H, and {above}."),
        Order::Incomparable => format!("G and H are incomparable: for Alice, {below}; {above}."),
    };
    match (report.totals, &report.reason) {
        (Some(last), Some(reason)) => {
            let _ = writeln!(text, "With up to {last} chips {result}\nNothing is proved beyond that ({reason}).");
        }
        _ => {
            let how = if report.order == Order::Incomparable { "by these two totals" } else { "for every total" };
            let _ = writeln!(text, "{result}\n(proved {how})");
        }
    }
    text
}

/// The result of a proof.
pub fn verify(report: &VerifyReport) -> String {
    let about = format!("{} from {} ({} positions)", report.game, report.position, report.positions);
    match &report.wrong {
        None => format!("valid: {about}\n"),
        Some(wrong) => format!("WRONG: {about}\n{wrong}\n"),
    }
}

/// The games and their parameters.
pub fn list(games: &[GameInfo]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["game", "parameters (defaults)", ""]);
    for game in games {
        table.add_row([game.name, game.parameters, game.description]);
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("\nWrite NAME[:key=value,...], the path of a game file, or expr:EXPRESSION.\n");
    text
}

fn words(row: &[&str]) -> Vec<String> {
    row.iter().map(ToString::to_string).collect()
}

const THRESHOLD_COLUMNS: [&str; 6] = ["win", "win_plain", "win_star", "draw", "draw_plain", "draw_star"];

fn threshold_cells(win: &ThresholdJson, draw: &ThresholdJson) -> Vec<String> {
    let cells = |threshold: &ThresholdJson| {
        let holding = threshold.threshold.map_or_else(String::new, |holding| holding.0.to_string());
        [holding, threshold.plain.to_string(), threshold.star.to_string()]
    };
    [cells(win), cells(draw)].concat()
}

/// A real-money report as one row.
pub fn money_csv(report: &MoneyReport) -> Vec<Vec<String>> {
    let bid = |bid: &Option<BoundsJson>| bid.as_ref().map_or_else(String::new, |bid| bid.0.to_string());
    vec![
        words(&["game", "position", "win", "draw", "exact", "bid", "alice_moves", "bob_moves"]),
        vec![
            report.game.clone(),
            report.position.clone(),
            report.win.0.to_string(),
            report.draw.0.to_string(),
            report.exact.to_string(),
            bid(&report.bid),
            report.moves.alice.join(" "),
            report.moves.bob.join(" "),
        ],
    ]
}

/// A chip report as one row.
pub fn chips_csv(report: &ChipsReport) -> Vec<Vec<String>> {
    let mut header = words(&["game", "position", "chips"]);
    header.extend(words(&THRESHOLD_COLUMNS));
    let mut row = vec![report.game.clone(), report.position.clone(), report.total.to_string()];
    row.extend(threshold_cells(&report.win, &report.draw));
    if let Some(holdings) = &report.holdings {
        header.extend(words(&["alice", "bob", "outcome", "within"]));
        row.push(holdings.alice.0.to_string());
        row.push(holdings.bob.0.to_string());
        row.push(holdings.outcome.to_string());
        row.push(holdings.within.map_or_else(String::new, |moves| moves.to_string()));
    }
    vec![header, row]
}

/// A chip table as rows.
pub fn table_csv(report: &TableReport) -> Vec<Vec<String>> {
    let mut header = words(&["chips"]);
    header.extend(words(&THRESHOLD_COLUMNS));
    let rows = report.rows.iter().map(|row| {
        let mut cells = vec![row.chips.to_string()];
        cells.extend(threshold_cells(&row.win, &row.draw));
        cells
    });
    std::iter::once(header).chain(rows).collect()
}
