//! Corrupted shares and bounds of solutions for real money.

use super::*;

/// The least common denominator of a solution.
pub(super) fn common_denominator(values: &[MoneyValue]) -> u128 {
    let gcd = |mut a: u128, mut b: u128| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let denominators = values.iter().flat_map(|value| [&value.win.low, &value.draw.low]).map(|share| fraction(share).1);
    denominators.fold(1, |common, denominator| common / gcd(common, denominator) * denominator)
}

pub(super) fn money_kinds(kinds: &mut Vec<Kind>) {
    for (what, of_draw) in [("win", false), ("draw", true)] {
        for (direction, by) in [("up", 1), ("down", -1)] {
            for (role, name) in [
                (NodeRole::Start, "the start"),
                (NodeRole::Inner, "an inner position"),
                (NodeRole::Cycle, "a position of a cycle"),
                (NodeRole::End, "an end"),
            ] {
                let name = format!("money: {what} share one unit {direction} at {name}");
                kinds.push(kind(&name, Says::Position, move |case| {
                    let common = common_denominator(case.shares());
                    let chosen = case.sample.iter().filter(|&&at| !case.shares().is_empty() && case.role(at) == role);
                    let changed = chosen.flat_map(|&at| {
                        let value = &case.shares()[at];
                        let old = if of_draw { &value.draw.low } else { &value.win.low };
                        let shares = [common, fraction(old).1].map(|denominator| shifted(old, denominator, by));
                        shares.into_iter().flatten().map(move |share| {
                            let share = ShareBounds::exact(share);
                            case.with_shares(format!("position {}: {share}", value.position), |values| {
                                if of_draw { values[at].draw = share } else { values[at].win = share }
                            })
                        })
                    });
                    changed.collect()
                }));
            }
            let name = format!("money: {what} share one unit {direction} in the head");
            kinds.push(kind(
                &name,
                Says::Words(if of_draw { "draw threshold" } else { "win threshold" }),
                move |case| {
                    let common = common_denominator(case.shares());
                    let (SolutionClaim::Money(MoneyClaim { win, draw, .. }), None) =
                        (&case.solution.claim, &case.truth)
                    else {
                        return Vec::new();
                    };
                    let share = shifted(if of_draw { &draw.low } else { &win.low }, common, by);
                    let change = |solution: &mut SavedSolution, share: Share| {
                        let share = ShareBounds::exact(share);
                        if let SolutionClaim::Money(MoneyClaim { win, draw, .. }) = &mut solution.claim {
                            if of_draw { *draw = share } else { *win = share }
                        }
                    };
                    share.into_iter().map(|share| case.with("head", |solution| change(solution, share))).collect()
                },
            ));
        }
    }
    fn exchange(value: &mut MoneyValue) {
        std::mem::swap(&mut value.win, &mut value.draw);
    }
    fn mirror(value: &mut MoneyValue) {
        (value.win, value.draw) = (value.draw.complement(), value.win.complement());
    }
    for (name, change) in
        [("win and draw shares exchanged", exchange as fn(&mut MoneyValue)), ("players exchanged", mirror)]
    {
        kinds.push(kind(&format!("money: {name} at a position"), Says::Position, move |case| {
            let at = case.sample.iter().filter(|&&at| at < case.shares().len());
            at.map(|&at| case.with_shares(case.notation(at), |values| change(&mut values[at]))).collect()
        }));
        kinds.push(kind(&format!("money: {name} everywhere"), Says::Position, move |case| {
            if case.shares().is_empty() {
                return Vec::new();
            }
            vec![case.with_shares("everywhere".to_string(), |values| values.iter_mut().for_each(change))]
        }));
    }
    kinds.push(kind("money: win and draw shares exchanged in the head", Says::Words("threshold"), |case| {
        vec![case.with("head", |solution| {
            if let SolutionClaim::Money(MoneyClaim { win, draw, .. }) = &mut solution.claim {
                std::mem::swap(win, draw);
            }
        })]
    }));
    kinds.push(kind("money: shares of two positions exchanged", Says::Position, |case| {
        let mut variants = Vec::new();
        let chosen = || case.sample.iter().copied().filter(|&at| at < case.shares().len());
        for (one, two) in chosen().flat_map(|one| chosen().map(move |two| (one, two))).filter(|(one, two)| one < two) {
            let what = format!("{} and {}", case.notation(one), case.notation(two));
            variants.push(case.with_shares(what, |values| {
                let [a, b] = [one, two].map(|at| (values[at].win.clone(), values[at].draw.clone()));
                (values[one].win, values[one].draw) = b;
                (values[two].win, values[two].draw) = a;
            }));
        }
        variants
    }));
    kinds.push(kind("money: the end belongs to another player", Says::Position, |case| {
        let owners = [(Share::ZERO, Share::ZERO), (Share::ONE, Share::ONE), (Share::ONE, Share::ZERO)]
            .map(|(win, draw)| (ShareBounds::exact(win), ShareBounds::exact(draw)));
        let ends = case.sample.iter().filter(|&&at| at < case.shares().len() && case.role(at) == NodeRole::End);
        ends.flat_map(|&at| {
            owners.clone().map(|(win, draw)| {
                case.with_shares(format!("{}: {win}, {draw}", case.notation(at)), |values| {
                    (values[at].win, values[at].draw) = (win.clone(), draw.clone());
                })
            })
        })
        .collect()
    }));
    kinds.push(kind("money: the second best moves", Says::Position, |case| {
        let arena = case.unfolding.arena();
        let mut variants = Vec::new();
        for &at in case.sample.iter().filter(|&&at| at < case.shares().len()) {
            let node = at as Node;
            let wins = |player| -> Vec<Share> {
                arena.moves(node, player).iter().map(|&to| case.shares()[to as usize].win.low.clone()).collect()
            };
            let (mut alice, mut bob) = (wins(Player::Alice), wins(Player::Bob));
            alice.sort();
            bob.sort();
            for (alice, bob) in [(alice.last(), bob.last()), (alice.first(), bob.first()), (alice.last(), bob.first())]
            {
                if let (Some(alice), Some(bob)) = (alice, bob) {
                    let rate = case.solution.mechanism.payment.rate();
                    let win = ShareBounds::exact(threshold(rate, alice, bob));
                    variants
                        .push(case.with_shares(format!("{}: {win}", case.notation(at)), |values| values[at].win = win));
                }
            }
        }
        variants
    }));
    kinds.push(kind("money: every share of play that goes on is one half", Says::Position, |case| {
        let half = ShareBounds::exact(Share::dyadic(1, 1));
        vec![case.with_shares("everywhere".to_string(), |values| {
            for (_, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none()) {
                (value.win, value.draw) = (half.clone(), half.clone());
            }
        })]
    }));
}

/// Both players' exact chances to win random-turn play.
pub(super) fn chances(values: &[MoneyValue], player: Player) -> Vec<Share> {
    let chance = |value: &MoneyValue| match player {
        Player::Alice => value.win.high.complement(),
        Player::Bob => value.draw.low.clone(),
    };
    values.iter().map(chance).collect()
}

/// Claims that the chance of `player` is between `low` and `high`.
pub(super) fn set_chance(value: &mut MoneyValue, player: Player, low: Share, high: Share) {
    let chance = ShareBounds { low, high };
    match player {
        Player::Alice => value.win = chance.complement(),
        Player::Bob => value.draw = chance,
    }
}

/// False solutions of the equations for the chances of `player`: too large if play can circle.
pub(super) fn false_fixed_points(case: &Case, player: Player) -> Vec<Vec<Share>> {
    const ROUNDS: usize = 40;
    let arena = case.unfolding.arena();
    let exact = case.truth.as_deref().unwrap_or(case.money());
    let truth = chances(exact, player);
    // Starts from the whole game and from each cycle, with the same chance everywhere.
    let count = arena.components().len();
    let in_component = |component: usize| -> Vec<usize> {
        let nodes = arena.components().nodes(component).iter().map(|&node| node as usize);
        nodes.filter(|&at| case.is_cyclic(at)).collect()
    };
    let open = (0..truth.len()).filter(|&at| case.terminal(at).is_none()).collect();
    let from: Vec<Vec<usize>> = (0..count).map(in_component).filter(|nodes| !nodes.is_empty()).chain([open]).collect();
    let mut levels: BTreeSet<Share> = truth.iter().cloned().collect();
    levels.extend([Share::ONE, Share::dyadic(1, 1), Share::dyadic(1, 30)]);
    let mut found = BTreeSet::new();
    for (nodes, level) in from.iter().flat_map(|nodes| levels.iter().map(move |level| (nodes, level))) {
        let mut chance = truth.clone();
        nodes.iter().for_each(|&at| chance[at] = level.clone());
        for _ in 0..ROUNDS {
            let mut fixed = true;
            for at in (0..truth.len()).filter(|&at| case.terminal(at).is_none()) {
                let of = |player| arena.moves(at as Node, player).iter().map(|&to| &chance[to as usize]);
                let (Some(best), Some(worst)) = (of(player).max(), of(player.other()).min()) else { continue };
                let next = threshold(case.solution.mechanism.payment.rate(), best, worst);
                fixed &= chance[at] == next;
                chance[at] = next;
            }
            if fixed {
                if chance != truth {
                    found.insert(chance);
                }
                break;
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn the_false_fixed_points_are_the_known_ones() {
    let set = |case: &Case, names: &[(&str, &str)]| -> Vec<Share> {
        let mut chance = chances(case.shares(), Player::Alice);
        for (name, share) in names {
            chance[case.unfolding.node(name).unwrap() as usize] = share.parse().unwrap();
        }
        chance
    };
    let detour = case(DETOUR, Right::Chooses, &[]);
    let found = false_fixed_points(&detour, Player::Alice);
    // s = (1 + min(0, a)) / 2 whatever the claims for a and b.
    assert!(found.contains(&set(&detour, &[("c", "1"), ("t", "1/4")])), "a loop of one position wins");
    assert!(found.contains(&set(&detour, &[("a", "1"), ("b", "1"), ("t", "1/2")])), "a loop of two positions wins");
    let rungs = case(RUNGS, Right::Chooses, &[]);
    for player in Player::BOTH {
        let found = false_fixed_points(&rungs, player);
        for share in ["1/2", "2/3"] {
            let share: Share = share.parse().unwrap();
            let on_rungs = |chance: &Vec<Share>| {
                ["x", "y", "z"].iter().all(|name| chance[rungs.unfolding.node(name).unwrap() as usize] == share)
            };
            assert!(found.iter().any(on_rungs), "{player}, {share}");
        }
    }
    for game in ["tug-of-war", "ultimatum"] {
        for player in Player::BOTH {
            assert!(false_fixed_points(&case(game, Right::Chooses, &[]), player).is_empty(), "{game} always ends");
        }
    }
}

pub(super) fn fixed_point_kinds(kinds: &mut Vec<Kind>) {
    const SAYS: Says = Says::Words("no play that makes progress to a win");
    for player in Player::BOTH {
        // If the winner must move, another complaint may come first.
        let of = move |case: &Case| {
            let chooses = case.solution.mechanism.right == Right::Chooses;
            if chooses && !case.money().is_empty() { false_fixed_points(case, player) } else { Vec::new() }
        };
        let show = |chance: &[Share]| chance.iter().map(Share::to_string).collect::<Vec<_>>().join(" ");
        kinds.push(kind(&format!("fixed point: {player}'s chances, exact"), SAYS, move |case| {
            let claim = |chance: Vec<Share>| {
                case.with_shares(show(&chance), |values| {
                    for (value, chance) in values.iter_mut().zip(chance) {
                        set_chance(value, player, chance.clone(), chance);
                    }
                })
            };
            of(case).into_iter().map(claim).collect()
        }));
        kinds.push(kind(&format!("fixed point: lower bounds on {player}'s chances"), SAYS, move |case| {
            let claim = |chance: Vec<Share>| {
                case.with_shares(show(&chance), |values| {
                    for (at, (value, low)) in values.iter_mut().zip(chance).enumerate() {
                        let high = if case.terminal(at).is_some() { low.clone() } else { Share::ONE };
                        set_chance(value, player, low, high);
                    }
                })
            };
            of(case).into_iter().map(claim).collect()
        }));
    }
}

/// Makes false bounds from bounds and the true share.
type OtherBounds = fn(&ShareBounds, &Share) -> Vec<ShareBounds>;

pub(super) fn bound_kinds(kinds: &mut Vec<Kind>) {
    /// A share between two, much nearer to the first.
    fn near(share: &Share, far: &Share) -> Share {
        (0..20).fold(far.clone(), |between, _| Share::mean(share, &between))
    }
    fn above(bounds: &ShareBounds, truth: &Share) -> Vec<Share> {
        let all = [&bounds.high, &Share::mean(truth, &bounds.high), &Share::ONE, &Share::mean(truth, &Share::ONE)]
            .map(|share| [share.clone(), near(truth, share)]);
        all.into_iter().flatten().filter(|share| share > truth).collect()
    }
    fn below(bounds: &ShareBounds, truth: &Share) -> Vec<Share> {
        above(&bounds.complement(), &truth.complement()).iter().map(Share::complement).collect()
    }
    let changes: [(&str, OtherBounds); 6] = [
        ("low and high exchanged", |bounds, _| {
            vec![ShareBounds { low: bounds.high.clone(), high: bounds.low.clone() }]
        }),
        ("low above the share", |bounds, truth| {
            let high = |low: &Share| low.max(&bounds.high).clone();
            above(bounds, truth).into_iter().map(|low| ShareBounds { high: high(&low), low }).collect()
        }),
        ("low above the share, high as high as can be", |bounds, truth| {
            above(bounds, truth).into_iter().map(|low| ShareBounds { low, high: Share::ONE }).collect()
        }),
        ("high below the share", |bounds, truth| {
            let low = |high: &Share| high.min(&bounds.low).clone();
            below(bounds, truth).into_iter().map(|high| ShareBounds { low: low(&high), high }).collect()
        }),
        ("high below the share, low as low as can be", |bounds, truth| {
            below(bounds, truth).into_iter().map(|high| ShareBounds { low: Share::ZERO, high }).collect()
        }),
        ("another share inside, as exact", |bounds, truth| {
            let shares = above(bounds, truth).into_iter().chain(below(bounds, truth));
            let inside = shares.filter(|share| &bounds.low <= share && share <= &bounds.high);
            inside.map(ShareBounds::exact).collect()
        }),
    ];
    for (name, change) in changes {
        // Reading stops at exchanged bounds without naming a position.
        let says = if name == "low and high exchanged" { Says::Anything } else { Says::Position };
        for (what, of_draw) in [("win", false), ("draw", true)] {
            let field = move |value: &mut MoneyValue, bounds: ShareBounds| {
                if of_draw { value.draw = bounds } else { value.win = bounds }
            };
            let parts = move |value: &MoneyValue| if of_draw { value.draw.clone() } else { value.win.clone() };
            kinds.push(kind(&format!("bounds: {what}, {name}, at a position"), says, move |case| {
                let Some((claimed, truth)) = case.bounds() else { return Vec::new() };
                let at_each = case.sample.iter().flat_map(|&at| {
                    change(&parts(&claimed[at]), &parts(&truth[at]).low).into_iter().map(move |new| {
                        let what = format!("{}: {new}", case.notation(at));
                        case.with_shares(what, |values| field(&mut values[at], new))
                    })
                });
                at_each.collect()
            }));
            kinds.push(kind(&format!("bounds: {what}, {name}, everywhere"), says, move |case| {
                let Some((claimed, truth)) = case.bounds() else { return Vec::new() };
                let most = 8;
                let everywhere = (0..most).map(|index| {
                    case.with_shares(format!("number {index}"), |values| {
                        for (at, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none())
                        {
                            let new = change(&parts(&claimed[at]), &parts(&truth[at]).low);
                            if !new.is_empty() {
                                field(value, new[index % new.len()].clone());
                            }
                        }
                    })
                });
                everywhere.collect()
            }));
        }
    }
    kinds.push(kind("bounds: at an end", Says::Position, |case| {
        let ends = case.sample.iter().filter(|&&at| at < case.money().len() && case.role(at) == NodeRole::End);
        let mut variants = Vec::new();
        for &at in ends {
            for (low, high) in [("0", "1"), ("0", "1/2"), ("1/2", "1"), ("1/4", "3/4"), ("0", "1/4611686018427387904")]
            {
                let new = ShareBounds { low: low.parse().unwrap(), high: high.parse().unwrap() };
                for of_draw in [false, true] {
                    let what = format!("{}, {}: {new}", case.notation(at), if of_draw { "draw" } else { "win" });
                    variants.push(case.with_shares(what, |values| {
                        let value = &mut values[at];
                        if of_draw { value.draw = new.clone() } else { value.win = new.clone() }
                    }));
                }
            }
        }
        variants
    }));
    kinds.push(kind("bounds: wider or narrower in the head", Says::Words("threshold"), |case| {
        if case.bounds().is_none() {
            return Vec::new();
        }
        let all = ShareBounds { low: Share::ZERO, high: Share::ONE };
        let changes: [fn(&ShareBounds, &ShareBounds) -> ShareBounds; 4] = [
            |_, all| all.clone(),
            |bounds, _| ShareBounds::exact(bounds.low.clone()),
            |bounds, _| ShareBounds::exact(bounds.high.clone()),
            |bounds, all| ShareBounds { low: bounds.low.clone(), high: Share::mean(&bounds.high, &all.high) },
        ];
        let one = |change: fn(&ShareBounds, &ShareBounds) -> ShareBounds, of_draw| {
            case.with("head", |solution| {
                if let SolutionClaim::Money(MoneyClaim { win, draw, .. }) = &mut solution.claim {
                    let bounds = if of_draw { draw } else { win };
                    *bounds = change(bounds, &all);
                }
            })
        };
        changes.iter().flat_map(|&change| [one(change, false), one(change, true)]).collect()
    }));
}

#[test]
fn bounds_the_wrong_way_round_are_said_to_be_so() {
    let case = bounded("tug-of-war", Right::Chooses);
    for (at, value) in case.money().iter().enumerate().filter(|(_, value)| !is_exact(value)) {
        for of_draw in [false, true] {
            let variant = case.with_shares(value.position.clone(), |values| {
                let bounds = if of_draw { &mut values[at].draw } else { &mut values[at].win };
                std::mem::swap(&mut bounds.low, &mut bounds.high);
            });
            for (way, says) in [(Way::Memory, "the bounds are the wrong way round"), (Way::Text, "is not a share")] {
                assert_eq!(complaint_about(&case, Says::Words(says), &variant, way), None);
            }
        }
    }
}

/// True and provable changes are accepted: no upper bounds, no lower bounds, neither.
#[test]
fn weaker_bounds_are_valid() {
    for case in cases().iter().filter(|case| case.solution.mechanism.right == Right::Chooses) {
        for (low, high) in [(true, false), (false, true), (true, true)] {
            let Corrupt::Solution(solution) = case
                .with_shares(String::new(), |values| {
                    for (_, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none()) {
                        for bounds in [&mut value.win, &mut value.draw] {
                            if low {
                                bounds.low = Share::ZERO;
                            }
                            if high {
                                bounds.high = Share::ONE;
                            }
                        }
                    }
                })
                .corrupt
            else {
                continue;
            };
            let verdict = judge(*solution);
            assert!(matches!(verdict, Verdict::Valid), "{}, {low}, {high}: {verdict:?}", case.name);
        }
    }
}

/// Random changes of bounds at some positions: every accepted solution is true.
#[test]
fn no_false_bounds_are_accepted() {
    let results: Vec<(usize, usize, Vec<String>)> = cases()
        .par_iter()
        .filter(|case| !case.money().is_empty() && case.money().len() < 40)
        .map(|case| {
            let mut rng = Rng::with_seed(4);
            let exact = case.truth.as_deref().unwrap_or(case.money());
            let (mut valid, mut tried, mut complaints) = (0, 0, Vec::new());
            for _ in 0..1_500 {
                let changes = rng.usize(1..=2 * exact.len());
                let random = |rng: &mut Rng| {
                    let truth = &exact[rng.usize(0..exact.len())];
                    let near = if rng.bool() { &truth.win.low } else { &truth.draw.low };
                    let far = if rng.bool() { Share::ZERO } else { Share::ONE };
                    (0..rng.u32(0..6)).fold(far, |between, _| Share::mean(near, &between))
                };
                let variant = case.with_shares(String::new(), |values| {
                    if rng.bool() {
                        values.clone_from_slice(exact);
                    }
                    for _ in 0..changes {
                        let at = rng.usize(0..values.len());
                        let value = &mut values[at];
                        let bounds = if rng.bool() { &mut value.win } else { &mut value.draw };
                        match rng.u32(0..4) {
                            0 => bounds.low = random(&mut rng),
                            1 => bounds.high = random(&mut rng),
                            2 => *bounds = ShareBounds::exact(random(&mut rng)),
                            _ => *bounds = ShareBounds { low: Share::ZERO, high: Share::ONE },
                        }
                        if case.terminal(at).is_some() && rng.u32(0..8) > 0 {
                            *value = exact[at].clone();
                        }
                    }
                });
                let Corrupt::Solution(solution) = variant.corrupt else { continue };
                let SolutionClaim::Money(MoneyClaim { positions, .. }) = &solution.claim else { continue };
                let is_true = positions.iter().zip(exact).all(|(value, truth)| holds(value, truth));
                let shown: Vec<String> =
                    positions.iter().map(|value| format!("{} {} {}", value.position, value.win, value.draw)).collect();
                tried += 1;
                match judge(*solution) {
                    Verdict::Valid if is_true => valid += 1,
                    Verdict::Wrong(wrong) if wrong != PANIC => {}
                    verdict => complaints.push(format!("{}: {verdict:?} for {}", case.name, shown.join(", "))),
                }
            }
            (valid, tried, complaints)
        })
        .collect();
    let valid: usize = results.iter().map(|result| result.0).sum();
    let tried: usize = results.iter().map(|result| result.1).sum();
    let complaints: Vec<&str> = results.iter().flat_map(|result| result.2.iter().take(3)).map(String::as_str).collect();
    println!("{valid} of {tried} valid");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(valid > 0 && valid < tried);
}

pub(super) fn holds(value: &MoneyValue, truth: &MoneyValue) -> bool {
    let within = |bounds: &ShareBounds, truth: &ShareBounds| bounds.low <= truth.low && truth.high <= bounds.high;
    within(&value.win, &truth.win) && within(&value.draw, &truth.draw)
}
