//! The result of a duel for people.

use std::fmt::Write;

use richman_play::duel::{DuelReport, Tally};

pub fn text(report: &DuelReport) -> String {
    let [first, second] = &report.players;
    let mut text = format!("{}\nposition {}\n{}\n", report.head.game, report.head.position, report.head.mechanism.0);
    let different = if report.distinct == report.games { "all".to_string() } else { report.distinct.to_string() };
    let _ = writeln!(
        text,
        "{} games{}{}, {different} of them different, {:.1} turns on average (seed {})\n",
        report.games,
        if report.games < report.asked { format!(" of {} (stopped)", report.asked) } else { String::new() },
        if report.opening > 0 { format!(" after {} random moves", report.opening) } else { String::new() },
        report.turns,
        report.seed
    );
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
    text.push_str(&super::columns(rows, 1));
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
    if let Some([one, two]) = report.microseconds {
        let _ = writeln!(text, "An action takes {first} {one:.0} microseconds on average, {second} {two:.0}.");
    }
    if let Some(average) = report.average {
        let _ = writeln!(text, "{first} is ahead by {average:.2} on average.");
    }
    text
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}
