//! Solves a class and says how long it took: `endgame KQK`.
use richman_core::{ChessClass, Player};
use richman_solvers::{Options, endgames};
use std::time::Instant;
fn main() {
    let text = std::env::args().nth(1).unwrap();
    let class = ChessClass::parse(&text, 8).unwrap();
    let options = Options { memory: 12 << 30, ..Options::default() };
    let base = ChessClass::parse("KPK", 8).unwrap();
    let t = Instant::now();
    let exact = endgames::exact(&base, &options).unwrap();
    println!("exact KPK: {:.2?}; {} nodes", t.elapsed(), exact.arena.len());
    let mut differ = 0;
    let mut digits = 0;
    for node in exact.arena.nodes() {
        if exact.arena.terminal(node).is_some() {
            continue;
        }
        let [win, draw] = exact.thresholds(node).unwrap();
        if win != draw {
            differ += 1;
        }
        digits = digits.max(win.denominator_bits());
    }
    println!("win and draw differ at {differ}; longest denominator {digits} bits");
    let mut tables = endgames::Tables::default();
    for c in exact.classes.keys() {
        if c.of(Player::Alice).len() >= c.of(Player::Bob).len() {
            tables.insert(exact.chances(c).unwrap());
        }
    }
    for c in endgames::needed(&class) {
        if tables.has(&c) && c != class {
            continue;
        }
        let t = Instant::now();
        let chances = endgames::solve(&c, &tables, &options).unwrap();
        let [a, b] = &chances.chances;
        let mut worst = 0;
        let mut sum = 0f64;
        let mut n = 0u64;
        for rank in 0..chances.index.size() {
            if chances.index.unrank(rank).is_some() {
                let gap = endgames::ONE - a[rank as usize] - b[rank as usize];
                worst = worst.max(gap);
                sum += a[rank as usize] as f64 / endgames::ONE as f64;
                n += 1;
            }
        }
        println!(
            "{c}: {:.2?}; width 2^{:.1}; mean chance of Alice {:.4}, {n} positions of {}",
            t.elapsed(),
            (worst as f64).log2() - 62.0,
            sum / n as f64,
            chances.index.size()
        );
        if let Some((_, first)) = exact.classes.get(&c) {
            let mut bad = 0;
            for rank in 0..chances.index.size() {
                if chances.index.unrank(rank).is_some() {
                    let [w, _] = exact.thresholds(first + rank as u32).unwrap();
                    let c = w.complement().floor_dyadic(62).0;
                    if a[rank as usize] > c {
                        bad += 1;
                    }
                }
            }
            println!("   above exact: {bad}");
        }
        tables.insert(chances);
    }
}
