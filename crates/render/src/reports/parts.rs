//! Common parts of reports in words: heads, numbers, lists.

use std::fmt::Write;

use richman_analysis::advice::BidRange;
use richman_analysis::mean_payoff::NumberJson;
use richman_analysis::{BoundsJson, ReportHead};
use richman_core::{Mechanism, Share, ShareBounds, Unfolding};
use richman_formats::MechanismJson;

/// The note for a fraction that is shortened.
pub(super) const IN_FULL: &str = ", in full as JSON";

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

/// Bids in one line.
pub fn ranges(ranges: &[BidRange]) -> String {
    ranges.iter().copied().map(range).collect::<Vec<_>>().join(", ")
}

/// `3`, or `3 to 5`.
pub(crate) fn range([first, last]: BidRange) -> String {
    if first >= last { first.to_string() } else { format!("{first} to {last}") }
}
