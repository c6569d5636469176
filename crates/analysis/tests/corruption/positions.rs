//! Corrupted lists of positions.

use super::*;
use richman_core::ByPlayer;

pub(super) fn position_kinds(kinds: &mut Vec<Kind>) {
    /// Edits names of positions together with their values.
    fn edit(case: &Case, what: String, change: impl Fn(&mut Vec<(String, usize)>)) -> Vec<Variant> {
        let mut order: Vec<(String, usize)> =
            (0..case.unfolding.arena().len()).map(|at| (case.notation(at), at)).collect();
        change(&mut order);
        let mut solution = case.solution.clone();
        match &mut solution.claim {
            SolutionClaim::Money(MoneyClaim { positions, .. }) => {
                let value = |(position, at): &(String, usize)| MoneyValue {
                    position: position.clone(),
                    ..positions[*at].clone()
                };
                *positions = order.iter().map(value).collect();
            }
            SolutionClaim::Chips(ChipClaims { totals }) => {
                // The last total, so that the verifier first finds the others true.
                let positions = &mut totals.last_mut().unwrap().positions;
                let value = |(position, at): &(String, usize)| ChipValue {
                    position: position.clone(),
                    ..positions[*at].clone()
                };
                *positions = order.iter().map(value).collect();
            }
            _ => unreachable!("these have tests of their own"),
        }
        vec![Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }]
    }
    kinds.push(kind("positions: one missing", Says::Position, |case| {
        case.sample.iter().flat_map(|&at| edit(case, case.notation(at), |order| drop(order.remove(at)))).collect()
    }));
    kinds.push(kind("positions: none", Says::Words("position"), |case| {
        edit(case, "all".to_string(), |order| order.clear())
    }));
    kinds.push(kind("positions: one more with an unknown name", Says::Words("is not a position"), |case| {
        let names = ["nowhere", "-99", "999999999999", "A.B", "é", "((((("];
        names.iter().flat_map(|name| edit(case, name.to_string(), |order| order.push((name.to_string(), 0)))).collect()
    }));
    kinds.push(kind("positions: one renamed", Says::Words("is not a position"), |case| {
        let rename = |at: usize| edit(case, case.notation(at), |order| order[at].0 = format!("{} x", order[at].0));
        case.sample.iter().flat_map(|&at| rename(at)).collect()
    }));
    kinds.push(kind("positions: one twice", Says::Position, |case| {
        case.sample
            .iter()
            .flat_map(|&at| edit(case, case.notation(at), |order| order.push(order[at].clone())))
            .collect()
    }));
    kinds.push(kind("positions: one twice under a symmetric name", Says::Position, |case| {
        let rotated = |name: &str| {
            let rows: Vec<String> = name.split('/').map(|row| row.chars().rev().collect()).collect();
            rows.join("/")
        };
        let twin = |at: usize| {
            let name = case.notation(at);
            Some(rotated(&name)).filter(|twin| *twin != name && case.unfolding.node(twin) == Ok(at as Node))
        };
        let twins = case.sample.iter().filter_map(|&at| Some((at, twin(at)?)));
        twins.flat_map(|(at, twin)| edit(case, twin.clone(), |order| order.push((twin.clone(), at)))).collect()
    }));
    kinds.push(kind("positions: one in place of another", Says::Position, |case| {
        let count = case.unfolding.arena().len();
        let pairs = case.sample.iter().map(|&at| (at, (at + 1) % count));
        pairs.flat_map(|(at, to)| edit(case, case.notation(at), |order| order[at].0 = order[to].0.clone())).collect()
    }));
    kinds.push(kind("chips: values of two positions exchanged", Says::Position, |case| {
        let mut variants = Vec::new();
        for (index, claim) in case.totals().iter().enumerate() {
            for (one, &first) in case.sample.iter().enumerate() {
                for &second in &case.sample[one + 1..] {
                    let what = format!("total {}: {}, {}", claim.total, case.notation(first), case.notation(second));
                    variants.push(case.with_chips(index, what, |claim| {
                        claim.positions.swap(first, second);
                        let name = std::mem::take(&mut claim.positions[first].position);
                        claim.positions[first].position =
                            std::mem::replace(&mut claim.positions[second].position, name);
                    }));
                }
            }
        }
        variants
    }));
    kinds.push(kind("chips: players exchanged at a position", Says::Position, |case| {
        let mut variants = Vec::new();
        for (index, claim) in case.totals().iter().enumerate() {
            for &at in &case.sample {
                let what = format!("total {}: {}", claim.total, case.notation(at));
                variants.push(case.with_chips(index, what, |claim| {
                    let ByPlayer { alice, bob } = &mut claim.positions[at].wins;
                    std::mem::swap(alice, bob);
                }));
            }
        }
        variants
    }));
    kinds.push(kind("chips: players exchanged everywhere", Says::Position, |case| {
        let exchange = |value: &mut ChipValue| std::mem::swap(&mut value.wins.alice, &mut value.wins.bob);
        let one = |index| {
            case.with_chips(index, format!("total {index}"), |claim| claim.positions.iter_mut().for_each(exchange))
        };
        (0..case.totals().len()).map(one).collect()
    }));
    kinds.push(kind("chips: the end belongs to another player", Says::Position, |case| {
        let won = vec![Stage { within: 0, threshold: Threshold::NOTHING }];
        let owners =
            [(won.clone(), Vec::new()), (Vec::new(), won.clone()), (won.clone(), won.clone()), Default::default()];
        let mut variants = Vec::new();
        for index in 0..case.totals().len() {
            for &at in case.sample.iter().filter(|&&at| case.terminal(at).is_some()) {
                for (alice, bob) in &owners {
                    let what = format!("{}: {}, {}", case.notation(at), show(alice), show(bob));
                    variants.push(case.with_chips(index, what, |claim| {
                        let value = &mut claim.positions[at];
                        (value.wins.alice, value.wins.bob) = (alice.clone(), bob.clone());
                    }));
                }
            }
        }
        variants
    }));
}
