//! Certificates of periods: true ones are proved, and every kind of corruption is refused.

use fastrand::Rng;
use richman_analysis::saved::win::RulesClaim;
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_analysis::{Games, Request, Subject, saved};
use richman_check::arenas::{self, ArenaShape};
use richman_check::verify;
use richman_core::{
    Arena, ArenaBuilder, ByPlayer, Effort, Mechanism, Player, Rule, RuleSide, RuleSolution, Terminal, Unfolding,
    Unwatched,
};
use richman_formats::{read, write};
use richman_solvers::rules;

/// A game with a cycle on which both players may stay forever.
const LADDER: &str = r#"{ "name": "ladder", "start": "left", "positions": {
    "win": { "winner": "alice" }, "loss": { "winner": "bob" },
    "left": { "alice": ["right", "hers"], "bob": ["right"] },
    "right": { "alice": ["left"], "bob": ["left", "his"] },
    "hers": { "alice": ["win"], "bob": ["loss"] },
    "his": { "both": ["win", "loss"] } } }"#;

fn subjects() -> Vec<Subject> {
    let names = [
        "tic-tac-toe",
        "connect:rows=3,cols=3,line=3",
        "tug-of-war:length=5,at=2",
        "ultimatum:degree=3",
        "expr:(A & B^2) & (B^3 & E)",
    ];
    let mut subjects: Vec<Subject> = names.iter().map(|name| Subject::named(name).unwrap()).collect();
    subjects.push(Subject::from_file("ladder.json", LADDER.as_bytes(), &Effort::default()).unwrap());
    subjects
}

fn certificate(subject: &Subject) -> (Box<dyn Unfolding>, SavedSolution) {
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let mechanism = Mechanism::default();
    let effort = Effort::default();
    let solution = rules::solve(unfolding.arena(), &mechanism, &effort).unwrap();
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort };
    let saved = saved::rules(subject, &request, solution).unwrap();
    (unfolding, saved)
}

/// Reads and proves the document; returns the error if it is wrong.
fn proved(text: &[u8]) -> Result<(), String> {
    let solution = read("c.json", text).map_err(|error| error.to_string())?;
    let report = saved::verify(&Games::default(), solution, &Effort::default()).map_err(|error| error.to_string())?;
    report.wrong.map_or(Ok(()), Err)
}

fn text(solution: &SavedSolution) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(solution, &mut bytes).unwrap();
    bytes
}

fn claim(solution: &SavedSolution) -> &RulesClaim {
    match &solution.claim {
        SolutionClaim::Rules(claim) => claim,
        other => panic!("{other:?}"),
    }
}

#[test]
fn certificates_read_back_and_are_proved() {
    for subject in subjects() {
        let (_, solution) = certificate(&subject);
        let bytes = text(&solution);
        assert_eq!(read("c.json", &bytes).unwrap(), solution, "{}", subject.name());
        proved(&bytes).unwrap();
    }
}

#[test]
fn corrupted_certificates_are_refused() {
    let mut kinds = std::collections::BTreeMap::new();
    for subject in subjects() {
        let (_, solution) = certificate(&subject);
        let name = subject.name();
        let mut refused = |kind: &'static str, corrupt: &dyn Fn(&mut RulesClaim)| {
            let mut changed = solution.clone();
            if let SolutionClaim::Rules(claim) = &mut changed.claim {
                corrupt(claim);
            }
            if changed != solution {
                assert!(proved(&text(&changed)).is_err(), "{name}: {kind} is accepted");
                *kinds.entry(kind).or_insert(0) += 1;
            }
        };
        refused("block of the start", &|claim| claim.win.block *= 2);
        refused("step of the start", &|claim| claim.win.step += 1);
        refused("from of the start", &|claim| claim.draw.from += 1);
        let count = claim(&solution).positions.len();
        for at in [0, count / 3, count / 2, count - 1] {
            let others = claim(&solution).alice.len() as u32;
            refused("another rule", &|claim| {
                let value = &mut claim.positions[at];
                value.alice = (value.alice + 1) % others;
            });
            let others = claim(&solution).bob.len() as u32;
            refused("another rule of Bob", &|claim| {
                let value = &mut claim.positions[at];
                value.bob = (value.bob + 1) % others;
            });
            refused("a missing position", &|claim| drop(claim.positions.remove(at)));
            refused("an unknown position", &|claim| claim.positions[at].position.push('x'));
            refused("a rule that is not there", &|claim| claim.positions[at].alice = 1_000_000);
        }
        let rules = claim(&solution).alice.len();
        for number in 0..rules {
            // A wrong value, late or early, up or down.
            let rule = claim(&solution).alice[number].clone();
            let length = rule.values().len();
            for at in [0, length / 2, length - 1] {
                for up in [true, false] {
                    refused("a wrong value", &|claim| {
                        let mut values = rule.values().to_vec();
                        values[at] = if up { values[at] + 1 } else { values[at].wrapping_sub(1) };
                        if let Ok(wrong) = Rule::new(values, rule.block(), rule.step()) {
                            claim.alice[number] = wrong;
                        }
                    });
                }
            }
            refused("a wrong step", &|claim| {
                let wrong = Rule::new(rule.values().to_vec(), rule.block(), (rule.step() + 1).min(2 * rule.block()));
                claim.alice[number] = wrong.unwrap_or_else(|_| Rule::nothing());
            });
            refused("a rule that breaks later", &|claim| {
                // The same values for three blocks, then one half-step more forever.
                let from = rule.from() + 3 * rule.block();
                let mut values: Vec<u32> = (0..from + rule.block()).map(|total| rule.at(total) as u32).collect();
                let last = values.len() - 1;
                values[last] = (values[last] + 1).min(2 * last as u32 + 2);
                if let Ok(wrong) = Rule::new(values, rule.block(), rule.step()) {
                    claim.alice[number] = wrong;
                }
            });
        }
    }
    println!("{kinds:?}");
    assert_eq!(kinds.len(), 11, "{kinds:?}");
    assert!(kinds.values().all(|&count| count >= 4), "{kinds:?}");
}

#[test]
fn unusable_certificates_are_explained() {
    let (_, solution) = certificate(&Subject::named("expr:E").unwrap());
    let good = String::from_utf8(text(&solution)).unwrap();
    proved(good.as_bytes()).unwrap();
    for (from, to, says) in [
        ("\"block\":1,\"step\":1,\"values\":[1]", "\"block\":2,\"step\":2,\"values\":[1,2]", "lowest terms"),
        ("\"block\":1,\"step\":1", "\"block\":0,\"step\":1", "at least one total"),
        ("\"block\":1,\"step\":1", "\"block\":1,\"step\":9", "rise faster"),
        ("\"values\":[1]", "\"values\":[7]", "at most total + 1"),
        ("\"values\":[1]", "\"values\":[-1]", ""),
        ("\"values\":[1]", "\"values\":[]", ""),
        ("\"rules\"", "\"ruled\"", "ruled"),
        ("\"right\":\"chooses\"", "\"right\":\"moves\"", "chooses"),
    ] {
        assert!(good.contains(from), "{from} in {good}");
        let error = proved(good.replace(from, to).as_bytes()).unwrap_err();
        assert!(error.contains(says), "{to}: {error}");
    }
}

/// Every number solves the equations of a dead loop; only the unreachable threshold is true.
#[test]
fn a_fixed_point_on_a_cycle_proves_nothing() {
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    builder.position(&[1], &[1]);
    let arena = builder.build(1).unwrap();
    let claim = |rule: Rule| RuleSolution {
        mechanism: Mechanism::default(),
        wins: ByPlayer::new(
            RuleSide { rules: vec![Rule::nothing(), rule], of: vec![0, 1] },
            RuleSide { rules: vec![Rule::unreachable()], of: vec![0, 0] },
        ),
    };
    for (values, block, step) in
        [(vec![0], 1, 0), (vec![1], 1, 1), (vec![1, 2], 2, 2), (vec![2, 2], 1, 0), (vec![1], 1, 2)]
    {
        let rule = Rule::new(values, block, step).unwrap();
        assert!(verify::rules(&arena, &claim(rule.clone()), &Unwatched).is_err(), "{rule}");
    }
    verify::rules(&arena, &claim(Rule::unreachable()), &Unwatched).unwrap();
}

/// On random arenas, any rule in place of a true one is refused: the claim covers the positions on
/// which the start rests.
#[test]
fn other_rules_on_random_arenas_are_refused() {
    let mut rng = Rng::with_seed(44);
    let (mut tried, mut cyclic) = (0, 0);
    while tried < 400 {
        let shape = ArenaShape { cyclic: rng.bool(), ..ArenaShape::small(&mut rng) };
        let arena: Arena = arenas::random(shape, &mut rng).unwrap();
        let Ok(solution) = rules::solve(&arena, &Mechanism::default(), &Effort::default()) else { continue };
        verify::rules(&arena, &solution, &Unwatched).unwrap();
        for _ in 0..4 {
            let mut wrong = solution.clone();
            let rule = wrong.wins.alice.rule(arena.start()).clone();
            // Raise or lower the values from some total on, or everywhere.
            let first = rng.u32(0..=rule.from() + rule.block());
            let blocks = 1 + rng.u32(0..3);
            let end = first.max(rule.from()) + blocks * rule.block();
            let up = rng.bool();
            let change = |total: u32| {
                let value = rule.at(total) as u32;
                if total < first {
                    value
                } else if up {
                    (value + 1).min(2 * total + 2)
                } else {
                    value.saturating_sub(1)
                }
            };
            let Ok(other) = Rule::new((0..end).map(change).collect(), blocks * rule.block(), blocks * rule.step())
            else {
                continue;
            };
            if other != rule {
                let start = arena.start() as usize;
                wrong.wins.alice.of[start] = wrong.wins.alice.rules.len() as u32;
                wrong.wins.alice.rules.push(other.clone());
                assert!(verify::rules(&arena, &wrong, &Unwatched).is_err(), "{rule} became {other}");
                tried += 1;
                cyclic += usize::from(!arena.is_acyclic());
            }
        }
    }
    assert!(cyclic > 50, "{cyclic} of {tried}");
}

/// The verifier accepts everything that the solver proves, even if irrelevant positions have other
/// periods or blocks have the maximal length.
#[test]
fn what_the_solver_proves_is_accepted() {
    let mut builder = ArenaBuilder::new();
    let won = builder.terminal(Terminal::Win(Player::Alice));
    let lost = builder.terminal(Terminal::Win(Player::Bob));
    let mut choices = vec![lost, won];
    for length in [7u32, 11, 13, 17, 19, 23] {
        let first = builder.len() as u32;
        builder.terminal(Terminal::Win(Player::Alice));
        for step in 1..length {
            let sides = [first + step - 1, first + step + 1];
            builder.position(&sides, &sides);
        }
        builder.terminal(Terminal::Win(Player::Bob));
        choices.push(first + length / 2);
    }
    let start = builder.position(&choices, &[lost]);
    let arena = builder.build(start).unwrap();
    let solution = rules::solve(&arena, &Mechanism::default(), &Effort::default()).unwrap();
    assert_eq!(solution.win(start).chip_block(), 2); // E: the other moves do not matter
    verify::rules(&arena, &solution, &Unwatched).unwrap();

    let subject = Subject::named("expr:A^20").unwrap();
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let solution = rules::solve(unfolding.arena(), &Mechanism::default(), &Effort::default()).unwrap();
    verify::rules(unfolding.arena(), &solution, &Unwatched).unwrap();
}
