//! Real money.

use std::fmt::Write;

use richman_analysis::money::{BidSuffices, CellReport, EndWin, Estimate, MoneyReport, Moves, SureBids, Undecided};
use richman_analysis::{Answer, BoundsJson, ReportHead, ShareJson};
use richman_core::{Player, Share, Terminal};

use super::parts::{IN_FULL, decimal, list_of};
use super::{Solution, head};
use crate::csv::{share, words};
use crate::deciding::percent;
use crate::layout::Layout;

impl Solution for MoneyReport {
    fn text(&self, answer: &Answer, layout: Layout) -> String {
        match answer.end() {
            Some(Terminal::Win(player)) => return head(answer) + &format!("{player} has won.\n"),
            Some(Terminal::Draw) => return head(answer) + "The game has ended in a draw.\n",
            None => {}
        }
        if let Some(estimate) = &self.estimate {
            return head(answer) + &estimated(self, estimate);
        }
        let mut text = head(answer);
        for fact in forced(self, |share| decimal(share, IN_FULL), str::to_string) {
            let _ = writeln!(text, "{fact}");
        }
        let mut advise = |what: &str, bid: &Option<BoundsJson>, moves: &Moves| {
            let named: Vec<String> =
                moves.movers().map(|player| format!("{player} {}", moves_of(moves, player))).collect();
            let bid = match bid {
                Some(bid) => format!("Best bid{what} {}", decimal(bid, IN_FULL)),
                None if named.is_empty() => return,
                None => format!("No bid{}", what.trim_end()),
            };
            let _ = writeln!(text, "{bid}; moves: {}", named.join("; "));
        };
        if self.draw_bid == self.bid && self.draw_moves == self.moves {
            advise("", &self.bid, &self.moves);
        } else {
            let [win, draw] = goals(self);
            let width = win.len().max(draw.len());
            advise(&format!(" for {win:width$}"), &self.bid, &self.moves);
            advise(&format!(" for {draw:width$}"), &self.draw_bid, &self.draw_moves);
        }
        let safe = safe_bids(self, |bid| small(bid, 15));
        for fact in safe.into_iter().chain(coming_back(self)) {
            let _ = writeln!(text, "{fact}");
        }
        if self.zugzwang {
            text.push_str(
                "This is a zugzwang: the winner of the bid should let the other player move, and win the bid rather \
                 than tie.\n",
            );
        }
        if !self.cells.is_empty() {
            text.push_str(&cells(&self.cells, layout));
        }
        let exact = match (self.exact_positions, self.confidence) {
            (_, Some(confidence)) => format!("estimates: each interval holds the truth with {confidence} confidence"),
            (count, None) if self.exact && count == self.positions => "exact".to_string(),
            (Some(count), None) if self.exact => {
                format!("exact here and at {count} positions in all, bounds elsewhere")
            }
            (None | Some(0), None) => "bounds".to_string(),
            (Some(count), None) => format!("bounds; exact at {count} positions"),
        };
        let positions = self.positions.map_or_else(String::new, |count| format!("{count} positions; "));
        let _ = writeln!(text, "({exact}; {positions}{})", self.stop);
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        match &self.estimate {
            Some(estimate) => estimated_row(self, estimate),
            None if !self.cells.is_empty() => with_cells(self),
            None => self.rows_of_several(),
        }
    }

    fn rows_of_several(&self) -> Vec<Vec<String>> {
        const COLUMNS: &str = "game position win win_low win_high draw draw_low draw_high exact bid bid_low bid_high \
                               alice_moves bob_moves alice_undecided bob_undecided";
        let MoneyReport { head: ReportHead { game, position, .. }, win, draw, exact, bid, moves, .. } = self;
        let mut row = vec![game.clone(), position.clone()];
        row.extend([win, draw].into_iter().flat_map(|bounds| share(Some(bounds))));
        row.push(exact.to_string());
        row.extend(share(bid.as_ref()));
        row.extend([moves.alice.join(" "), moves.bob.join(" ")]);
        row.extend(moves.undecided.as_ref().map(undecided));
        vec![words(COLUMNS), row]
    }
}

fn estimated(report: &MoneyReport, estimate: &Estimate) -> String {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let [alice, bob] = [&report.moves.alice, &report.moves.bob].map(|moves| list_of(moves));
    format!(
        "Alice needs about {} of the money to win: {} after her best move, {} after Bob's.\n\
         Bid about {}; Alice moves: {alice}; Bob moves: {bob}\n(an estimate, nothing is proved: {})\n",
        percent(estimate.needs),
        percent(estimate.after_alice),
        percent(estimate.after_bob),
        percent(estimate.bid),
        report.stop
    )
}

/// The cells that decide most often.
fn cells(cells: &[CellReport], layout: Layout) -> String {
    const LISTED: usize = 12;
    let mut cells: Vec<_> = cells.iter().collect();
    cells.sort_by(|one, other| other.critical.0.high.cmp(&one.critical.0.high));
    let row = |row: &[&CellReport]| -> Vec<String> {
        row.iter().flat_map(|cell| [cell.cell.clone(), format!("{}%", percent(cell))]).collect()
    };
    let table = layout.aligned(cells[..cells.len().min(LISTED)].chunks(4).map(row), 0);
    let mut text = format!("\nHow often a cell decides when the others are filled at random:\n\n{table}");
    if cells.len() > LISTED {
        let _ = writeln!(text, "and {} more, all of them in the JSON and in the drawing", cells.len() - LISTED);
    }
    text + "\n"
}

/// The moves among which the bounds do not decide.
fn undecided(undecided: &Option<Undecided>) -> String {
    undecided.as_ref().map_or_else(String::new, |undecided| undecided.moves.join(" "))
}

/// A row for the whole position, and one for every open cell with the chance that it decides.
fn with_cells(report: &MoneyReport) -> Vec<Vec<String>> {
    let header = words("game position cell threshold_or_critical low high bid bid_low bid_high moves");
    let row = |cell: &str, critical: &BoundsJson, bid: Option<&BoundsJson>, moves: String| {
        let place = [&report.head.game, &report.head.position, cell].map(str::to_string).to_vec();
        [place, share(Some(critical)).to_vec(), share(bid).to_vec(), vec![moves]].concat()
    };
    let whole = row("", &report.win, report.bid.as_ref(), report.moves.alice.join(" "));
    let cell = |cell: &CellReport| row(&cell.cell, &cell.critical, None, String::new());
    [header, whole].into_iter().chain(report.cells.iter().map(cell)).collect()
}

fn estimated_row(report: &MoneyReport, estimate: &Estimate) -> Vec<Vec<String>> {
    let [needs, bid] = [estimate.needs, estimate.bid].map(|share| share.to_string());
    let moves = [&report.moves.alice, &report.moves.bob].map(|moves| moves.join(" "));
    let row = [report.head.game.clone(), report.head.position.clone(), needs, bid].into_iter().chain(moves).collect();
    vec![words("game position estimated_need estimated_bid alice_moves bob_moves"), row]
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
    Some(format!("Play can come back here: always bidding exactly the best bid {said}."))
}

/// The safe bids if the win threshold is only bounded. `share` writes a share.
pub fn safe_bids(report: &MoneyReport, share: impl Fn(&ShareJson) -> String) -> Option<String> {
    let SureBids { alice, bob } = report.sure_bids.as_ref()?;
    let [hers, his] = [alice, bob].map(share);
    let his = if hers == his { "the same bid".to_string() } else { format!("a bid of {his}") };
    let his = match report.has_draws() {
        false => format!("; if it is below the lower bound, so can Bob after {his}"),
        true if report.draw.0.low == Share::ZERO => String::new(), // he wins with no share
        true => format!("; if it is below the lower bound for a draw, Bob can force a win after {his}"),
    };
    Some(format!(
        "If Alice's share is above the upper bound, she can still force a win after a bid of {hers}, whoever wins \
         it{his}."
    ))
}

/// A bid with this many decimals. Of one that would be 0 then, the first digits, rounded down: a
/// smaller bid is as safe.
pub fn small(bid: &ShareJson, decimals: usize) -> String {
    let value = bid.0.to_f64();
    let is_tiny = value < 10_f64.powi(2 - decimals as i32);
    match value {
        0.0 => "0".to_string(),
        value if is_tiny => format!("{:.2e}", value * 0.995),
        value => format!("{value:.decimals$}"),
    }
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
