//! Rules for all totals, compared with thresholds computed total by total far beyond the block.

use std::time::Duration;

use fastrand::Rng;
use richman_check::arenas::{self, Shape};
use richman_core::{Arena, Error, Limits, Mechanism, Rule, Thresholds, Total, Unwatched};
use richman_solvers::{Options, chips, rules};

fn options() -> Options<'static> {
    Options { time: Some(Duration::from_secs(20)), ..Options::default() }
}

fn computed(arena: &Arena, last: u32) -> Vec<Thresholds> {
    let totals = Total::new(0).unwrap()..=Total::new(u64::from(last)).unwrap();
    chips::table(arena, &Mechanism::default(), totals, &Options::default()).unwrap()
}

/// The rule holds for at least ten blocks past `from`, and neither a smaller `from` nor a smaller block does.
fn check(rule: &Rule, value: impl Fn(u32) -> u32, last: u32) {
    let (from, block, step) = (rule.from(), rule.chip_block(), 2 * rule.chip_step());
    assert!(last >= from + 11 * block, "enough totals");
    for total in 0..=last {
        assert_eq!(rule.at(total), u64::from(value(total)), "total {total} of {rule}");
    }
    let holds = |from: u32, block: u32, step: u32| (from..=last - block).all(|k| value(k + block) == value(k) + step);
    assert!(holds(from, block, step));
    assert!(from == 0 || value(from - 1 + block) != value(from - 1) + step, "the least from");
    // A smaller block would have a step of the same slope; it fails late, and so for every `from`.
    for smaller in 1..block {
        if (smaller * step) % block == 0 && (smaller * step / block) % 2 == 0 {
            assert!(!holds(last - 2 * block, smaller, smaller * step / block), "block {smaller} in place of {block}");
        }
    }
}

fn check_arena(arena: &Arena) -> Result<[Rule; 2], Error> {
    let solution = rules::solve(arena, &Mechanism::default(), &options())?;
    richman_check::verify::rules(arena, &solution, &Unwatched).unwrap();
    let found = [solution.win(arena.start()), solution.draw(arena.start())];
    let last = found.iter().map(|rule| rule.from() + 11 * rule.chip_block() + 1).max().unwrap();
    let rows = computed(arena, last.max(40));
    check(&found[0], |k| rows[k as usize].win.holding().unwrap().half_steps(), last);
    check(&found[1], |k| rows[k as usize].draw.holding().unwrap().half_steps(), last);
    Ok(found)
}

#[test]
fn random_arenas() {
    let mut rng = Rng::with_seed(4);
    let (mut proved, mut open) = ([0, 0], Vec::new());
    for round in 0..300 {
        let shape = Shape { cyclic: round % 2 == 1, ..Shape::small(&mut rng) };
        let arena = arenas::random(shape, &mut rng).unwrap();
        match check_arena(&arena) {
            Ok(_) => proved[round % 2] += 1,
            Err(error) => open.push(format!("{round}: {error}")),
        }
    }
    println!("{proved:?} proved\n{}", open.join("\n"));
}

#[test]
fn boards() {
    for name in ["tic-tac-toe", "connect:rows=3,cols=3,line=3", "tug-of-war", "ultimatum", "expr:(A & B^2) & B"] {
        let subject = richman_analysis::Subject::named(name).unwrap();
        let unfolding = subject.unfold(None, &Limits::default(), &Unwatched).unwrap();
        let began = std::time::Instant::now();
        let solution = rules::solve(unfolding.arena(), &Mechanism::default(), &options()).unwrap();
        println!("{name} {:?} {} rules", began.elapsed(), solution.alice.rules.len());
        let start = unfolding.arena().start();
        for rule in [solution.win(start), solution.draw(start)] {
            println!("  {rule}; block {} step {} half-steps", rule.block(), rule.step());
        }
        check_arena(unfolding.arena()).unwrap();
    }
}
