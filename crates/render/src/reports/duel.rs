//! The result of a duel for people.

use std::fmt::Write;

use richman_core::{ByPlayer, Player};
use richman_play::duel::{DuelReport, EndlessTally, Tally};

use super::Printed;
use crate::csv::from_json;
use crate::layout::Layout;

impl Printed for DuelReport {
    fn text(&self, layout: Layout) -> String {
        let [first, second] = &self.players;
        let mut text = format!("{}\nposition {}\n{}\n", self.head.game, self.head.position, self.head.mechanism.0);
        let different = if self.distinct == self.games { "all".to_string() } else { self.distinct.to_string() };
        let _ = writeln!(
            text,
            "{} games{}{}, {different} of them different, {:.1} turns on average (seed {})\n",
            self.games,
            if self.games < self.asked { format!(" of {} (stopped)", self.asked) } else { String::new() },
            if self.opening > 0 { format!(" after {} random moves", self.opening) } else { String::new() },
            self.turns,
            self.seed
        );
        text.push_str(&match &self.endless {
            None => scores(self, layout),
            Some(endless) if self.average.is_some() => averages(self, endless, layout),
            Some(endless) => priorities(self, endless, layout),
        });
        if let Some([one, two]) = self.microseconds {
            let _ = writeln!(text, "An action takes {first} {one:.0} microseconds on average, {second} {two:.0}.");
        }
        if let (Some(average), None) = (self.average, &self.endless) {
            let _ = writeln!(text, "{first} is ahead by {average:.2} on average.");
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        const COLUMNS: [(&str, &str); 6] = [
            ("", "game position player=players/0 opponent=players/1 games asked distinct wins draws losses"),
            ("", "score score_low=interval/0 score_high=interval/1"),
            ("", "rating rating_low=rating_interval/0 rating_high=rating_interval/1"),
            ("/as_alice", "alice_wins=wins alice_draws=draws alice_losses=losses"),
            ("/as_bob", "bob_wins=wins bob_draws=draws bob_losses=losses"),
            ("", "average turns microseconds=microseconds/0 opponent_microseconds=microseconds/1 seed"),
        ];
        from_json(&COLUMNS, [self])
    }
}

fn scores(report: &DuelReport, layout: Layout) -> String {
    let [first, second] = &report.players;
    let mut rows = vec![["", "games", "wins", "draws", "losses", "score"].map(str::to_string)];
    let mut row = |name: &str, tally: Tally| {
        if tally.games() > 0 {
            let counts = [tally.games(), tally.wins, tally.draws, tally.losses];
            let [games, wins, draws, losses] = counts.map(|count| count.to_string());
            rows.push([name.to_string(), games, wins, draws, losses, percent(tally.score())]);
        }
    };
    row(first, report.tally);
    row("  as Alice", report.as_alice);
    row("  as Bob", report.as_bob);
    row(second, Tally { wins: report.tally.losses, losses: report.tally.wins, ..report.tally });
    let mut text = layout.aligned(rows, 1);
    let [low, high] = report.interval.map(percent);
    let _ =
        write!(text, "\n{first} scores {} against {second} (95% confidence: {low} to {high})", percent(report.score));
    let end = |rating: Option<f64>| rating.map_or("no end".to_string(), |rating| format!("{:+.0}", rating + 0.0));
    let [low, high] = report.rating_interval.map(end);
    let _ = match report.rating {
        Some(rating) => writeln!(text, ": a rating difference of {:+.0} ({low} to {high}).", rating + 0.0),
        None if report.score > 0.5 => writeln!(text, ": a rating difference of at least {low}."),
        None => writeln!(text, ": a rating difference of at most {high}."),
    };
    text
}

/// A parity game: who won the games that ended, and the priorities of the others.
fn priorities(report: &DuelReport, endless: &ByPlayer<EndlessTally>, layout: Layout) -> String {
    let first = &report.players[0];
    let all = endless.alice.cut_off + endless.bob.cut_off;
    let mut rows = vec![["", "games", "wins", "losses", "cut off"].map(str::to_string)];
    let tallies = [
        (first.clone(), report.tally, all),
        ("  as Alice".to_string(), report.as_alice, endless.alice.cut_off),
        ("  as Bob".to_string(), report.as_bob, endless.bob.cut_off),
    ];
    rows.extend(tallies.into_iter().filter(|(_, tally, _)| tally.games() > 0).map(|(name, tally, cut_off)| {
        let [games, wins, losses, cut_off] =
            [tally.games(), tally.wins, tally.losses, cut_off].map(|count| count.to_string());
        [name, games, wins, losses, cut_off]
    }));
    let mut text = layout.aligned(rows, 1) + "\n";
    if let Some(open) = endless.alice.left_open.or(endless.bob.left_open).filter(|_| all > 0) {
        let _ = writeln!(text, "Nobody has won a game that was cut off, because that depends on {open}.");
    }
    for player in Player::BOTH {
        const SHOWN: usize = 12;
        let counts = &endless[player].priorities;
        let moves = counts.iter().map(|(_, times)| times).sum::<u64>();
        if moves > 0 {
            let one =
                |(priority, times): &(u32, u64)| format!("{priority} ({})", percent(*times as f64 / moves as f64));
            let shown: Vec<String> = counts.iter().rev().take(SHOWN).map(one).collect();
            let more = if counts.len() > SHOWN { ", ..." } else { "" };
            let _ = writeln!(text, "Priorities with {first} as {player}: {}{more}.", shown.join(", "));
        }
    }
    text
}

/// A mean-payoff game: the averages of its games.
fn averages(report: &DuelReport, endless: &ByPlayer<EndlessTally>, layout: Layout) -> String {
    let [first, second] = &report.players;
    let mut rows = vec![["Alice", "Bob", "games", "average", "least", "greatest"].map(str::to_string)];
    for player in Player::BOTH {
        let (tally, [alice, bob]) = (&endless[player], player.either([first, second], [second, first]));
        let cells = tally.averages.map(|averages| averages.map(|average| format!("{average:.4}")));
        rows.extend(
            cells.map(|[mean, least, most]| [alice.clone(), bob.clone(), tally.games.to_string(), mean, least, most]),
        );
    }
    layout.aligned(rows, 2) + "\nAlice wants a large average of the weights, Bob a small one.\n"
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}
