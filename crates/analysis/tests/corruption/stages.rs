//! Corrupted thresholds and stages of solutions with chips.

use super::*;

/// Changes one number, or both, of one threshold.
pub(super) fn threshold_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(Threshold) -> Option<Threshold>;
    let changes: [(&str, Change); 6] = [
        ("plain + 1", |of| Some(Threshold { plain: of.plain + 1, ..of })),
        ("plain - 1", |of| Some(Threshold { plain: of.plain.checked_sub(1)?, ..of })),
        ("star + 1", |of| Some(Threshold { star: of.star + 1, ..of })),
        ("star - 1", |of| Some(Threshold { star: of.star.checked_sub(1)?, ..of })),
        ("half a step up", |of| Some(Threshold::at(of.holding()?.half_steps() + 1))),
        ("half a step down", |of| Some(Threshold::at(of.holding()?.half_steps().checked_sub(1)?))),
    ];
    let roles = [
        (NodeRole::Start, "at the start"),
        (NodeRole::Inner, "in an acyclic part"),
        (NodeRole::Cycle, "in a cycle"),
        (NodeRole::End, "at an end"),
    ];
    for (change_name, change) in changes {
        for (role, role_name) in roles {
            // Ends have thresholds of 0.
            if role == NodeRole::End && change(Threshold::NOTHING).is_none() {
                continue;
            }
            let name = format!("chips: {change_name} {role_name}");
            kinds.push(kind(&name, Says::Position, move |case| {
                case.with_stages(&|at, total, stages| {
                    if case.role(at) != role {
                        return Vec::new();
                    }
                    let one = |index: usize| {
                        let threshold = change(stages[index].threshold)?;
                        let largest = total.chips() + 1;
                        if threshold.plain > largest || threshold.star > largest {
                            return None;
                        }
                        let mut new = stages.to_vec();
                        new[index].threshold = threshold;
                        Some(new)
                    };
                    (0..stages.len()).filter_map(one).collect()
                })
            }));
        }
    }
    kinds.push(kind("chips: a threshold above the total and one", Says::Anything, |case| {
        case.with_stages(&|_, total, stages| {
            let beyond = Threshold { plain: total.chips() + 2, star: total.chips() + 2 };
            let one = |index: usize| {
                let mut new = stages.to_vec();
                new[index].threshold = beyond;
                new
            };
            let first = Stage { within: 0, threshold: beyond };
            (0..stages.len()).map(one).chain([[&[first], stages].concat()]).collect()
        })
    }));
    kinds.push(kind("chips: a threshold far above the total", Says::Anything, |case| {
        case.with_stages(&|_, _, stages| {
            let one = |index: usize| {
                let mut new = stages.to_vec();
                new[index].threshold = Threshold { plain: 1 << 30, star: 1 << 30 };
                new
            };
            (0..stages.len()).map(one).collect()
        })
    }));
}

pub(super) fn better(threshold: Threshold) -> Option<Threshold> {
    let Threshold { plain, star } = threshold;
    if plain > star {
        Some(Threshold { plain: plain - 1, star })
    } else {
        Some(Threshold { plain, star: star.checked_sub(1)? })
    }
}

pub(super) fn stage_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(Total, &[Stage]) -> Vec<Vec<Stage>>;
    fn at_each(stages: &[Stage], change: impl Fn(&mut Stage) -> Option<()>) -> Vec<Vec<Stage>> {
        let one = |index: usize| {
            let mut new = stages.to_vec();
            change(&mut new[index])?;
            Some(new)
        };
        (0..stages.len()).filter_map(one).collect()
    }
    fn without(stages: &[Stage], which: impl Fn(usize, usize) -> bool) -> Vec<Vec<Stage>> {
        let one = |index: usize| {
            let mut new = stages.to_vec();
            new.remove(index);
            new
        };
        (0..stages.len()).filter(|&index| which(index, stages.len())).map(one).collect()
    }
    let changes: [(&str, Change); 18] = [
        ("a stage one move early", |_, stages| {
            at_each(stages, |stage| stage.within.checked_sub(1).map(|within| stage.within = within))
        }),
        ("a stage one move late", |_, stages| {
            at_each(stages, |stage| stage.within.checked_add(1).map(|within| stage.within = within))
        }),
        ("a stage before any move", |_, stages| at_each(stages, |stage| (stage.within > 0).then(|| stage.within = 0))),
        ("a stage after 2^32 - 1 moves", |_, stages| {
            at_each(stages, |stage| {
                stage.within = u32::MAX;
                Some(())
            })
        }),
        ("every stage of a position one move early", |_, stages| {
            if stages.iter().any(|stage| stage.within == 0) {
                return Vec::new();
            }
            vec![stages.iter().map(|stage| Stage { within: stage.within - 1, ..*stage }).collect()]
        }),
        ("every stage of a position one move late", |_, stages| {
            vec![stages.iter().map(|stage| Stage { within: stage.within + 1, ..*stage }).collect()]
        }),
        ("the first stage removed", |_, stages| without(stages, |index, _| index == 0)),
        ("a middle stage removed", |_, stages| without(stages, |index, count| index > 0 && index + 1 < count)),
        ("the last stage removed", |_, stages| without(stages, |index, count| index + 1 == count)),
        ("all stages removed", |_, _| vec![Vec::new()]),
        ("a first stage more", |total, stages| {
            let Some(first) = stages.first() else { return Vec::new() };
            let threshold = Threshold { star: first.threshold.star, plain: total.chips() + 1 };
            let added = |within| [&[Stage { within, threshold }], stages].concat();
            if threshold == first.threshold { Vec::new() } else { (0..first.within).map(added).collect() }
        }),
        ("a stage more between two", |_, stages| {
            let mut variants = Vec::new();
            for index in 1..stages.len() {
                let (before, after) = (stages[index - 1], stages[index]);
                let between = (before.within + 1..after.within)
                    .flat_map(|within| [(within, after.threshold), (within, better(before.threshold).unwrap())]);
                for (within, threshold) in between {
                    let mut new = stages.to_vec();
                    new.insert(index, Stage { within, threshold });
                    variants.push(new);
                }
            }
            variants
        }),
        ("a last stage more", |_, stages| {
            let Some(last) = stages.last() else { return Vec::new() };
            let Some(threshold) = better(last.threshold) else { return Vec::new() };
            let added = |more: u32| [stages, &[Stage { within: last.within + more, threshold }]].concat();
            vec![added(1), added(2), added(1000), added(u32::MAX - last.within)]
        }),
        ("an unreachable win claimed", |total, stages| {
            if !stages.is_empty() {
                return Vec::new();
            }
            let none = total.chips() + 1;
            let thresholds = [
                Threshold::NOTHING,
                Threshold { plain: none, star: none - 1 },
                Threshold { plain: none - 1, star: none },
                Threshold { plain: none - 1, star: none - 1 },
            ];
            let times = [0, 1, 2, 7, u32::MAX];
            times.iter().flat_map(|&within| thresholds.map(|threshold| vec![Stage { within, threshold }])).collect()
        }),
        ("a win that needs nothing", |_, stages| {
            if stages.last().is_some_and(|last| last.threshold == Threshold::NOTHING) {
                return Vec::new();
            }
            let within = stages.last().map_or(1, |last| last.within + 1);
            vec![[stages, &[Stage { within, threshold: Threshold::NOTHING }]].concat()]
        }),
        ("a stage twice", |_, stages| {
            (0..stages.len()).map(|index| [&stages[..=index], &stages[index..]].concat()).collect()
        }),
        ("a better stage within the same number of moves", |_, stages| {
            let insert = |index: usize| {
                let threshold = better(stages[index].threshold)?;
                Some([&stages[..index], &[Stage { threshold, ..stages[index] }], &stages[index..]].concat())
            };
            (0..stages.len()).filter_map(insert).collect()
        }),
        ("stages in reverse order", |_, stages| vec![stages.iter().rev().copied().collect()]),
    ];
    for (name, change) in changes {
        kinds.push(kind(&format!("chips: {name}"), Says::Position, move |case| {
            case.with_stages(&|_, total, stages| change(total, stages))
        }));
    }
    kinds.push(kind("chips: every stage of play that goes on one move late", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.terminal(at).is_none() {
                stages.iter_mut().for_each(|stage| stage.within += 1);
            }
        })
    }));
    kinds.push(kind("chips: every stage one move late", Says::Position, |case| {
        everywhere(case, &|_, _, stages| stages.iter_mut().for_each(|stage| stage.within += 1))
    }));
    kinds.push(kind("chips: nobody wins while play goes on", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.terminal(at).is_none() {
                stages.clear();
            }
        })
    }));
    kinds.push(kind("chips: nobody wins in a cycle", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.is_cyclic(at) {
                stages.clear();
            }
        })
    }));
    kinds.push(kind("chips: only the last stage kept", Says::Position, |case| {
        everywhere(case, &|_, _, stages| {
            if let Some(last) = stages.last().copied() {
                *stages = vec![last];
            }
        })
    }));
}

/// Changes the stages of each player, and of both, at every position.
pub(super) fn everywhere(case: &Case, change: &dyn Fn(usize, Player, &mut Vec<Stage>)) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (index, claim) in case.totals().iter().enumerate() {
        for players in [&Player::BOTH[..1], &Player::BOTH[1..], &Player::BOTH[..]] {
            variants.push(case.with_chips(index, format!("total {}, {players:?}", claim.total), |claim| {
                for (at, value) in claim.positions.iter_mut().enumerate() {
                    for &player in players {
                        change(at, player, stages_mut(value, player));
                    }
                }
            }));
        }
    }
    variants
}

/// Circular claims: every turn is right if the next positions keep their promise, but nobody ever
/// wins.
pub(super) fn circle_kinds(kinds: &mut Vec<Kind>) {
    // The time at which positions of a circle claim their wins: all at once, or in turn.
    type Schedule = fn(usize, u32) -> u32;
    let schedules: [(&str, Schedule); 5] = [
        ("at once", |_, last| last + 1),
        ("long after", |_, last| last + 1000),
        ("one after the other", |at, last| last + 1 + at as u32),
        ("one before the other", |at, last| last + 100_000 - at as u32),
        ("at the end of time", |_, _| u32::MAX),
    ];
    for (name, schedule) in schedules {
        let when = move |claim: &ChipClaim, at: usize| {
            let all = claim.positions.iter().flat_map(|value| value.wins.alice.iter().chain(&value.wins.bob));
            schedule(at, all.map(|stage| stage.within).max().unwrap_or(0))
        };
        kinds.push(kind(&format!("circle: a cycle wins with nothing, {name}"), Says::Position, move |case| {
            everywhere_with(case, &|claim, at, player| {
                let last = stages(&claim.positions[at], player).last();
                let won = last.is_some_and(|last| last.threshold == Threshold::NOTHING);
                (case.is_cyclic(at) && !won).then(|| Stage { within: when(claim, at), threshold: Threshold::NOTHING })
            })
        }));
        // The other player's equations for a draw are those for a win.
        kinds.push(kind(&format!("circle: draws are claimed as wins, {name}"), Says::Position, move |case| {
            everywhere_with(case, &|claim, at, player| {
                let none = Threshold::unreachable(claim.total);
                let last = |player| stages(&claim.positions[at], player).last().map_or(none, |last| last.threshold);
                let draw = last(player.other()).opposite(claim.total);
                (case.terminal(at).is_none() && draw != last(player))
                    .then(|| Stage { within: when(claim, at), threshold: draw })
            })
        }));
        kinds.push(kind(
            &format!("circle: draws are claimed as wins in a cycle, {name}"),
            Says::Position,
            move |case| {
                everywhere_with(case, &|claim, at, player| {
                    let none = Threshold::unreachable(claim.total);
                    let last = |player| stages(&claim.positions[at], player).last().map_or(none, |last| last.threshold);
                    let draw = last(player.other()).opposite(claim.total);
                    (case.is_cyclic(at) && draw != last(player))
                        .then(|| Stage { within: when(claim, at), threshold: draw })
                })
            },
        ));
        kinds.push(kind(
            &format!("circle: a position that has no way out wins, {name}"),
            Says::Position,
            move |case| {
                let arena = case.unfolding.arena();
                let components = arena.components();
                let closed = |at: usize| {
                    let component = components.component(at as Node);
                    let stays =
                        |&node: &Node| arena.successors(node).iter().all(|&to| components.component(to) <= component);
                    let leaves =
                        |&node: &Node| arena.successors(node).iter().any(|&to| components.component(to) != component);
                    let nodes = components.nodes(component as usize);
                    case.is_cyclic(at) && nodes.iter().all(stays) && !nodes.iter().any(leaves)
                };
                everywhere_with(case, &|claim, at, _| {
                    closed(at).then(|| Stage { within: when(claim, at), threshold: Threshold::NOTHING })
                })
            },
        ));
    }
    kinds.push(kind("circle: one stage too many rests on the next position's", Says::Position, |case| {
        // Every position of a cycle claims its last threshold but one as early as its neighbour
        // does.
        everywhere(case, &|at, _, stages| {
            if case.is_cyclic(at) && stages.len() > 1 {
                let within = stages[stages.len() - 2].within;
                let last = stages[stages.len() - 1].threshold;
                stages.pop();
                stages.pop();
                stages.push(Stage { within, threshold: last });
            }
        })
    }));
}

/// Adds a last stage wherever `added` gives one, for one player or both, at all positions together.
pub(super) fn everywhere_with(case: &Case, added: &dyn Fn(&ChipClaim, usize, Player) -> Option<Stage>) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (index, claim) in case.totals().iter().enumerate() {
        for players in [&Player::BOTH[..1], &Player::BOTH[1..], &Player::BOTH[..]] {
            variants.push(case.with_chips(index, format!("total {}, {players:?}", claim.total), |changed| {
                for (at, value) in changed.positions.iter_mut().enumerate() {
                    for &player in players {
                        if let Some(stage) = added(claim, at, player) {
                            stages_mut(value, player).push(stage);
                        }
                    }
                }
            }));
        }
    }
    variants
}
