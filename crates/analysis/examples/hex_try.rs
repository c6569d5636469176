use richman_core::{HexBoard, Holding, Player, Total};
use richman_solvers::Options;
use richman_solvers::hex::bidding::Stakes;
use richman_solvers::hex::small::{Cores, Thresholds, Wins};

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (size, k) = (args[0], args[1] as u32);
    let n = size * size;
    let empty = HexBoard::new(size, size, vec![None; n]).unwrap();
    let cells: Vec<usize> = (0..n).collect();
    let time = std::time::Instant::now();
    let exact = Thresholds::of(&empty, &cells, Total::new(k.into()).unwrap(), Cores::All, &Options::default()).unwrap();
    println!("start {} in {:?}", Holding::from_half_steps(exact.at(0)), time.elapsed());
    let time = std::time::Instant::now();
    let wins = Wins::of(&empty, &cells, &Options::default()).unwrap();
    println!("wins {} in {:?}", wins.share(0), time.elapsed());
    let mut rng = fastrand::Rng::with_seed(1);
    let all = exact.positions();
    let samples: Vec<usize> =
        if all < 100_000 { (0..all).collect() } else { (0..300_000).map(|_| rng.usize(..all)).collect() };
    let unit = f64::from(2 * k + 2);
    // bias and error of roundings by number open
    let mut hist: std::collections::BTreeMap<(usize, i32), u64> = Default::default();
    let mut sums = vec![(0.0, 0.0, 0u64); n + 1];
    // rules: 0 K, 1 floats, 2 rounded, 3 floats+.5...
    const R: usize = 9;
    let (mut pairs, mut bid_lost, mut move_lost) = (0u64, [0u64; R], 0u64);
    let mut won_pairs_tight = 0u64;
    let mut tight_lost = [0u64; R];
    for &p in &samples {
        let share = wins.share(p);
        if share == 0.0 || share == 1.0 {
            continue;
        }
        let t = exact.at(p);
        let est = unit * (1.0 - share);
        let open = (0..n).filter(|&c| p / 3usize.pow(c as u32) % 3 == 0).count();
        *hist.entry((open, (f64::from(t) - est).round() as i32)).or_default() += 1;
        let e = f64::from(t) - est;
        sums[open].0 += e;
        sums[open].1 += e * e;
        sums[open].2 += 1;
        // best cell by criticality
        let mut best = (f64::NEG_INFINITY, 0, 0.0, 0.0);
        let (mut low, mut high) = (u32::MAX, 0);
        for c in 0..n {
            let w = 3usize.pow(c as u32);
            if p / w % 3 != 0 {
                continue;
            }
            let (a, b) = (wins.share(p + w), wins.share(p + 2 * w));
            if a - b > best.0 + 1e-12 {
                best = (a - b, c, a, b);
            }
            low = low.min(exact.at(p + w));
            high = high.max(exact.at(p + 2 * w));
        }
        let w = 3usize.pow(best.1 as u32);
        let (l, h) = (unit * (1.0 - best.2), unit * (1.0 - best.3));
        for hold in t..=2 * k + 1 {
            let own = Holding::from_half_steps(hold);
            let other = Holding::from_half_steps(2 * k + 1 - hold);
            let truth = Stakes { own, other, won: f64::from(low), lost: f64::from(high) };
            let stakes = |won: f64, lost: f64| Stakes { own, other, won, lost };
            let kbid = ((best.0 / 2.0 * f64::from(k) + 1e-9) as u32).min(own.chips());
            let around = (best.0 / 2.0 * f64::from(k)).round() as u32;
            let bids = [
                kbid,
                around.min(own.chips()),
                stakes(l, h).safest(),
                stakes(l.round(), h.round()).safest(),
                stakes(l.ceil(), h.floor()).safest(),
                stakes(l.floor(), h.ceil()).safest(),
                stakes(l.floor(), h.floor()).safest(),
                stakes(l.ceil(), h.ceil()).safest(),
                truth.safest(),
            ];
            pairs += 1;
            let tight = hold <= t + 1;
            won_pairs_tight += u64::from(tight);
            for (r, &bid) in bids.iter().enumerate() {
                if truth.margin(bid) < 0.0 {
                    bid_lost[r] += 1;
                    if tight {
                        tight_lost[r] += 1;
                    }
                }
            }
            // move
            let after = 2 * (own.chips() - bids[8]) + u32::from(own.has_star());
            if after >= low && after < exact.at(p + w) {
                move_lost += 1;
            }
        }
        let _ = Player::Alice;
    }
    println!("pairs {pairs}, tight {won_pairs_tight}, move lost {move_lost}");
    println!("bid lost {:?}", bid_lost.map(|x| format!("{:.3}%", 100.0 * x as f64 / pairs as f64)));
    println!("tight    {:?}", tight_lost.map(|x| format!("{:.3}%", 100.0 * x as f64 / won_pairs_tight as f64)));
    for (open, (s, q, c)) in sums.iter().enumerate() {
        if *c > 0 {
            let c = *c as f64;
            println!("open {open}: bias {:.3} rms {:.3}", s / c, (q / c).sqrt());
        }
    }
    for ((open, d), c) in hist {
        if open % 3 == 0 {
            println!("open {open} diff {d}: {c}");
        }
    }
}
