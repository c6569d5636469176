//! Shares of money for readers: a fraction with its decimal, or bounds if no more is proved.

use maud::{Markup, html};
use richman_analysis::BoundsJson;
use richman_core::ShareBounds;
use richman_render::reports::parts::close;

/// The longest fraction that is written out.
const LONGEST: usize = 32;

/// A share of the money.
pub fn share(share: &BoundsJson) -> Markup {
    let ShareBounds { low, high } = &share.0;
    if let Some(value) = close(share, 12) {
        return html! { b { (value) } };
    }
    if share.0.as_exact().is_none() {
        return html! {
            span.bounds {
                "a value between " b { (format!("{:.12}", low.to_f64())) }
                " and " b { (format!("{:.12}", high.to_f64())) }
            }
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

/// A share in little space.
pub fn short_share(share: &BoundsJson) -> String {
    match share.0.as_exact().map(|exact| exact.to_string()) {
        Some(fraction) if fraction.len() == 1 => fraction,
        Some(fraction) if fraction.len() <= 12 => format!("{fraction} ({})", in_decimals(share)),
        _ => in_decimals(share),
    }
}

/// A share in the least space.
pub fn in_decimals(share: &BoundsJson) -> String {
    let ShareBounds { low, high } = &share.0;
    match share.0.as_exact() {
        Some(exact) => format!("{:.4}", exact.to_f64()),
        None => format!("{:.6} to {:.6}", low.to_f64(), high.to_f64()),
    }
}
