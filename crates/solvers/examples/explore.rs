use richman_core::*;
use richman_solvers::{Options, subtraction::*};
fn main() {
    let t0 = std::time::Instant::now();
    // periods
    let mut maxfrom = 0;
    let mut none = 0;
    let mut hist = std::collections::BTreeMap::<u64, u32>::new();
    let mut non_unique = vec![];
    for mask in 1u32..64 {
        let set: Vec<u32> = (1..=6).filter(|s| mask >> (s - 1) & 1 == 1).collect();
        for t in 0..=20 {
            let rules = Rules::new(&set, Total::new(t).unwrap(), &Bids::All, &Bids::All).unwrap();
            match period(&rules, 20000, &Options::default()).unwrap() {
                None => {
                    none += 1;
                    println!("none {set:?} {t}");
                }
                Some(p) => {
                    *hist.entry(p.period).or_default() += 1;
                    if p.from > maxfrom {
                        maxfrom = p.from;
                        println!("{set:?} {t} from {} period {}", p.from, p.period);
                    }
                    if !p.unique {
                        non_unique.push((set.clone(), t));
                    }
                }
            }
        }
    }
    println!(
        "none {none} hist {hist:?} nonunique {} {:?} {:?}",
        non_unique.len(),
        &non_unique.iter().take(10).collect::<Vec<_>>(),
        t0.elapsed()
    );
    // restricted symmetric bids, unitary
    let mut stats = std::collections::BTreeMap::<(bool, String), u32>::new();
    for t in 1..=8u32 {
        for mask in 1u32..1 << (t + 1) {
            let bids: Vec<u32> = (0..=t).filter(|b| mask >> b & 1 == 1).collect();
            let zero = bids[0] == 0;
            let b = Bids::Only(bids.clone());
            let Ok(rules) = Rules::new(&[1], Total::new(t.into()).unwrap(), &b, &b) else { continue };
            let key = match period(&rules, 3000, &Options::default()).unwrap() {
                None => "none".to_string(),
                Some(p) => format!("period {} unique {}", p.period, p.unique),
            };
            let n = stats.entry((zero, key.clone())).or_default();
            *n += 1;
            if *n <= 2 {
                println!("{t} {bids:?} {key}");
            }
        }
    }
    println!("{stats:?} {:?}", t0.elapsed());
    // asymmetric, unitary
    for t in 1..=3u32 {
        let sets: Vec<Vec<u32>> = (1u32..1 << (t + 1)).map(|m| (0..=t).filter(|b| m >> b & 1 == 1).collect()).collect();
        for a in &sets {
            for b in &sets {
                if a >= b {
                    continue;
                }
                let Ok(rules) =
                    Rules::new(&[1], Total::new(t.into()).unwrap(), &Bids::Only(a.clone()), &Bids::Only(b.clone()))
                else {
                    continue;
                };
                let p = period(&rules, 3000, &Options::default()).unwrap();
                match p {
                    None => {
                        let r: Vec<_> = Heaps::new(&rules).skip(2000).step_by(499).take(2).collect();
                        println!(
                            "{t} {a:?} {b:?} no period {:?} / {:?}",
                            r[0].maximin.star_alice, r[1].maximin.star_alice
                        )
                    }
                    Some(p) => println!(
                        "{t} {a:?} {b:?} from {} period {} unique {} {:?} {:?} {:?}",
                        p.from,
                        p.period,
                        p.unique,
                        p.row(p.from).maximin.star_alice,
                        p.row(p.from + 1).maximin.star_alice,
                        p.row(p.from + 1).maximin.star_bob
                    ),
                }
            }
        }
    }
    println!("{:?}", t0.elapsed());
    // general sum
    for t in 0..=6u32 {
        for heap in 0..=14u32 {
            for mask in 1u32..32 {
                let set: Vec<u32> = (1..=5).filter(|s| mask >> (s - 1) & 1 == 1).collect();
                let rules = Rules::new(&set, Total::new(t.into()).unwrap(), &Bids::All, &Bids::All).unwrap();
                let st = general_sum::solve(&rules, heap, &Options::default()).unwrap();
                let s = &st[heap as usize];
                for (name, row) in [("A", &s.star_alice), ("B", &s.star_bob)] {
                    for p in 1..row.len() {
                        if let (Some(x), Some(y)) = (row[p - 1].one(), row[p].one()) {
                            if x[0] > y[0] {
                                println!(
                                    "budget fails T={t} heap {heap} {set:?} star {name} p {} {x:?} -> {y:?}",
                                    p - 1
                                );
                            }
                        }
                    }
                    if row.iter().any(|e| !matches!(e, general_sum::Equilibrium::One(_))) && heap <= 6 && t <= 3 {
                        println!("T={t} heap {heap} {set:?} {name} {row:?}");
                    }
                }
            }
        }
    }
    println!("{:?}", t0.elapsed());
}
