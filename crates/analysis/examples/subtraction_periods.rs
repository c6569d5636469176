//! Prints the table of periods that `richman reproduce 'LPR20 Section 4 finite sets'` compares with:
//! `cargo run --release -p richman-analysis --example subtraction_periods > crates/analysis/src/catalog/lpr20_periods.tsv`.

use std::error::Error;

use richman_analysis::periods::periods;
use richman_core::Unwatched;

fn main() -> Result<(), Box<dyn Error>> {
    println!("# Subtraction set, total, least heap from which on the values repeat, least period: all bids, proved.");
    println!("# cargo run --release -p richman-analysis --example subtraction_periods prints this file.");
    for row in periods(6, 20, &Unwatched)? {
        println!("{}", row.line());
    }
    Ok(())
}
