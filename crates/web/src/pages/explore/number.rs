//! Numbers as people read them: a fraction with its decimal, bounds where no more is proved, holdings, bids.

use maud::{Markup, html};
use richman_analysis::advice::BidRange;
use richman_analysis::{BoundsJson, HoldingSets, ThresholdJson};
use richman_core::ShareBounds;

/// The longest fraction that is written out.
const LONGEST: usize = 60;

/// A share of the money.
pub fn share(share: &BoundsJson) -> Markup {
    let ShareBounds { low, high } = &share.0;
    if share.0.as_exact().is_none() {
        return html! {
            span.bounds { "a value between " b { (format!("{:.12}", low.to_f64())) } " and " b { (format!("{:.12}", high.to_f64())) } }
        };
    }
    let fraction = low.to_string();
    match fraction.len() {
        0..=1 => html! { b { (fraction) } },
        2..=LONGEST => html! { b { (fraction) } " " span.decimal { "(" (format!("{:.6}", low.to_f64())) ")" } },
        length => html! {
            b { (format!("{:.15}", low.to_f64())) "…" }
            " " span.decimal { "(a fraction of " (length - 1) " digits, which the JSON has)" }
        },
    }
}

/// A share in the least room.
pub fn short_share(share: &BoundsJson) -> String {
    let ShareBounds { low, high } = &share.0;
    if share.0.as_exact().is_none() {
        return format!("{:.6} to {:.6}", low.to_f64(), high.to_f64());
    }
    let fraction = low.to_string();
    match fraction.len() {
        0..=1 => fraction,
        2..=12 => format!("{fraction} ({:.4})", low.to_f64()),
        _ => format!("{:.6}", low.to_f64()),
    }
}

/// What Alice needs: `4* or more`, or both numbers where there is no least holding.
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

/// A threshold in a cell of a table, as the command line prints it.
pub fn cell(threshold: &ThresholdJson) -> String {
    if let Some(wins) = &threshold.wins {
        let marked = |chips: &[[u32; 2]], star: &str| -> Vec<String> {
            let range = |&[first, last]: &[u32; 2]| {
                if first == last { format!("{first}{star}") } else { format!("{first}..{last}{star}") }
            };
            chips.iter().map(range).collect()
        };
        return [marked(&wins.plain, ""), marked(&wins.star, "*")].concat().join(" ");
    }
    match threshold.threshold {
        Some(holding) => holding.0.to_string(),
        None => format!("{} or {}*", threshold.plain, threshold.star),
    }
}

/// Listed holdings, where they are not all from some number on.
pub fn sets(sets: &HoldingSets) -> String {
    let part = |chips: &[BidRange], how: &str| {
        if chips.is_empty() { format!("none {how}") } else { format!("{} {how}", ranges(chips)) }
    };
    format!("{}; {}", part(&sets.plain, "without the star"), part(&sets.star, "with it"))
}

/// Ranges such as `1, 3 to 5`.
pub fn ranges(ranges: &[BidRange]) -> String {
    const SHOWN: usize = 24;
    let word =
        |[first, last]: &BidRange| if first == last { first.to_string() } else { format!("{first} to {last}") };
    let more = if ranges.len() > SHOWN { ", ..." } else { "" };
    let words: Vec<String> = ranges.iter().take(SHOWN).map(word).collect();
    words.join(", ") + more
}

/// Names with commas, the first of very many.
pub fn list(names: &[String]) -> String {
    const SHOWN: usize = 24;
    if names.len() <= SHOWN {
        return names.join(", ");
    }
    format!("{}, ... ({} in all)", names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", "), names.len())
}
