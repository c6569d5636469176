//! How often rules for bids that know only real-money values lose on small Hex boards: `cargo run
//! --release --example hex_rules -- ROWS COLS TOTAL...`

use std::error::Error;

use richman_catalog::hex_rules::lost;
use richman_core::Effort;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<Vec<u64>, _>>()?;
    let [rows, cols, totals @ ..] = &numbers[..] else { return Err("give rows, columns and totals".into()) };
    println!(
        "total  start      cases  integer part  nearest  needs  nearest needs  outward needs  moves (of the last)"
    );
    for &chips in totals {
        let total = chips.to_string().parse()?;
        let report = lost(*rows as usize, *cols as usize, total, &Effort::default())?;
        let lost =
            report.rules.map(|rule| format!("{} ({:.3}%)", rule.bids, 100.0 * rule.bids as f64 / report.cases as f64));
        println!("{chips:>5} {:>6} {:>10}  {}  {}", report.start, report.cases, lost.join("  "), report.rules[4].moves);
    }
    Ok(())
}
