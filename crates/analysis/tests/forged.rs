//! Saved solutions of random games, of every objective and stake and under every payment. What is
//! saved is proved; and no forged solution is, where numbers are replaced by those near them, plans
//! and potentials exchanged, positions dropped, or the mechanism is another, unless the judges of
//! `check` say that it is true.

use std::collections::BTreeMap;
use std::sync::Mutex;

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::chips::HoldingsQuery;
use richman_analysis::mean_payoff::NumberJson;
use richman_analysis::{Error, Opened, Question, Stake, Subject, ask};
use richman_check::averages::averages;
use richman_check::oracle::{Oracle, OracleState};
use richman_check::parity_judge::ParityJudge;
use richman_check::payoff_judge::PayoffJudge;
use richman_check::policies::{chance, parity_chance};
use richman_core::{
    Aim, Bidding, ByPlayer, Effort, Holding, MeanPayoff, MeanPayoffArena, MeanPayoffArenaBuilder, Mechanism, Node,
    NodeData, Parity, PayoffBounds, Player, Right, Share, ShareBounds, Stage, Threshold, Ties, Total, Unwatched,
    WinLose,
};
use richman_formats::{PlanClaim, SavedSolution, SolutionClaim, read};

use crate::judge::{PANIC, Verdict, judge, judge_text, text};
use crate::seeds::seeds;

const PAYMENTS: [&str; 5] = ["richman", "poorman", "taxman:1/2", "taxman:1/3", "taxman:0"];

/// The most pairs of strategies that a judge tries.
const STRATEGIES: usize = 1 << 8;

/// A random game file with the aim; few moves lead back, so that there are several components.
fn file(rng: &mut Rng, aim: Aim) -> String {
    let count = rng.usize(1..=4);
    let equal = rng.bool();
    let most = *rng.choice(&[1, 3]).unwrap();
    let position = |rng: &mut Rng, at: usize| {
        let owner = if equal || rng.u32(..3) > 0 { None } else { rng.choice(Player::BOTH) };
        let moves = |rng: &mut Rng| {
            let one = |rng: &mut Rng| {
                let ends = if aim == Aim::Win { &["win", "loss", "tie"][..] } else { &[] };
                if !ends.is_empty() && rng.u32(..3) == 0 {
                    return format!("\"{}\"", rng.choice(ends).unwrap());
                }
                let to = if rng.u32(..3) == 0 { rng.usize(..count) } else { rng.usize(at..count) };
                match aim {
                    Aim::MeanPayoff => format!("{{\"to\": \"p{to}\", \"weight\": {}}}", rng.i64(-most..=most)),
                    _ => format!("\"p{to}\""),
                }
            };
            (0..rng.usize(1..=2)).map(|_| one(rng)).collect::<Vec<_>>().join(", ")
        };
        let moves = match owner {
            Some(owner) => {
                let name = owner.either("alice", "bob");
                format!("\"kind\": \"{name}\", \"{name}\": [{}]", moves(rng))
            }
            None if equal => format!("\"both\": [{}]", moves(rng)),
            None => format!("\"alice\": [{}], \"bob\": [{}]", moves(rng), moves(rng)),
        };
        let priority = if aim == Aim::Parity { format!(", \"priority\": {}", rng.u32(..4)) } else { String::new() };
        format!("\"p{at}\": {{{moves}{priority}}}")
    };
    let mut positions: Vec<String> = (0..count).map(|at| position(rng, at)).collect();
    let objective = match aim {
        Aim::Parity => "\"objective\": \"parity\", ",
        Aim::MeanPayoff => "\"objective\": \"mean-payoff\", ",
        _ => {
            let ends = [("win", "alice"), ("loss", "bob"), ("tie", "none")];
            positions.extend(ends.map(|(name, winner)| format!("\"{name}\": {{\"winner\": \"{winner}\"}}")));
            ""
        }
    };
    format!("{{\"name\": \"random\", \"start\": \"p0\", {objective}\"positions\": {{{}}}}}", positions.join(", "))
}

fn question(rng: &mut Rng, aim: Aim) -> Question {
    let has_money = rng.bool();
    let has_bank = !has_money && aim == Aim::Win && rng.u32(..3) == 0;
    let payment = match (has_money, has_bank) {
        (true, _) => *rng.choice(&PAYMENTS).unwrap(),
        (_, true) => *rng.choice(&["poorman", "taxman:1/2"]).unwrap(),
        _ => "richman",
    };
    let mechanism = Mechanism {
        payment: payment.parse().unwrap(),
        ties: rng.choice(Ties::ALL).unwrap(),
        bidding: rng.choice([Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
        right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
        ..Mechanism::default()
    };
    let stake = match (has_money, has_bank) {
        (true, _) => Stake::Money,
        (_, true) => {
            let [alice, bob] = [mechanism.has_star(), false].map(|star| Holding::new(rng.u32(..=2), star).unwrap());
            Stake::Hands(HoldingsQuery { alice, bob, trace: false })
        }
        _ => Stake::Total(Total::new(rng.u64(..=3)).unwrap()),
    };
    let share = ["0", "1/3", "1/2", "1"][rng.usize(..4)];
    let least = RBig::from_parts(rng.i64(-4..=4).into(), rng.u8(1..=3).into());
    let at_least = (has_money && rng.u32(..3) > 0 && aim == Aim::MeanPayoff).then_some(NumberJson(least));
    let share = (has_money && at_least.is_none() && aim == Aim::MeanPayoff).then(|| share.parse().unwrap());
    Question { mechanism, aim, stake, share, at_least, all: true, ..Question::default() }
}

/// What `solve --save` writes.
fn solved(subject: &Subject, question: &Question) -> Result<Option<SavedSolution>, Error> {
    let Some(saving) = ask(subject, question, &Effort::default())?.saving(subject, &Unwatched)? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    saving.write(&mut text).unwrap();
    Ok(Some(read("solution.json", &text).unwrap()))
}

struct Case {
    subject: Subject,
    about: String,
    saved: SavedSolution,
}

/// The saved solution of a random game, if the question is served; for some questions with chips
/// the certificate of all totals.
fn case(seed: u64) -> Option<Case> {
    let mut rng = Rng::with_seed(seed ^ 0xF0463D);
    let aim = [Aim::Win, Aim::Parity, Aim::MeanPayoff, Aim::MeanPayoff][(seed % 4) as usize];
    let file = file(&mut rng, aim);
    let subject = Subject::from_file("game.json", file.as_bytes()).unwrap_or_else(|error| panic!("{error}: {file}"));
    let question = question(&mut rng, aim);
    let about = format!("seed {seed}, {question:?}: {file}");
    let is_rule = aim == Aim::Win && matches!(question.stake, Stake::Total(_)) && rng.bool();
    let found = match is_rule {
        true => Opened::new(&subject, &question, &Effort::default())
            .and_then(|opened| opened.certificate(&subject, &Unwatched).map(Some)),
        false => solved(&subject, &question),
    };
    match found {
        Ok(saved) => Some(Case { subject, about, saved: saved? }),
        Err(Error::Core(_) | Error::NotServed { .. } | Error::NoTotal { .. } | Error::OneSidedAverage) => None,
        Err(error) => panic!("{error}, {about}"),
    }
}

fn kind(claim: &SolutionClaim) -> &'static str {
    match claim {
        SolutionClaim::Money { .. } => "money",
        SolutionClaim::Chips { .. } => "chips",
        SolutionClaim::Rules(_) => "rules",
        SolutionClaim::Purses { .. } => "purses",
        SolutionClaim::Parity { .. } => "parity",
        SolutionClaim::ParityMoney { .. } => "parity with money",
        SolutionClaim::MeanPayoff(_) => "an average",
        SolutionClaim::PayoffShares(_) => "shares for an average",
        SolutionClaim::ChipAverages(_) => "averages with chips",
    }
}

/// The shares that are claimed, with those at the start.
fn shares(claim: &mut SolutionClaim) -> Vec<&mut ShareBounds> {
    match claim {
        SolutionClaim::Money { positions, .. } => {
            positions.iter_mut().flat_map(|value| [&mut value.win, &mut value.draw]).collect()
        }
        SolutionClaim::ParityMoney { positions, .. } => positions.iter_mut().map(|value| &mut value.needs).collect(),
        SolutionClaim::PayoffShares(claim) => claim.positions.iter_mut().map(|value| &mut value.needs).collect(),
        _ => Vec::new(),
    }
}

/// The whole numbers that are claimed.
fn numbers(claim: &mut SolutionClaim) -> Vec<&mut u32> {
    match claim {
        SolutionClaim::Chips { totals } => {
            let stages = totals.iter_mut().flat_map(|claim| &mut claim.positions);
            let stages = stages.flat_map(|value| {
                value.wins.iter_mut().chain(value.guards.iter_mut().flat_map(ByPlayer::iter_mut)).flatten()
            });
            stages
                .flat_map(|stage: &mut Stage| {
                    let Stage { within, threshold: Threshold { plain, star } } = stage;
                    [within, plain, star]
                })
                .collect()
        }
        SolutionClaim::Parity { totals } => {
            let values = totals.iter_mut().flat_map(|claim| &mut claim.positions);
            values.flat_map(|value| [&mut value.needs.plain, &mut value.needs.star]).collect()
        }
        SolutionClaim::ChipAverages(claim) => claim.positions.iter_mut().flat_map(|value| &mut value.ranks).collect(),
        SolutionClaim::Rules(claim) => {
            claim.positions.iter_mut().flat_map(|value| [&mut value.alice, &mut value.bob]).collect()
        }
        _ => Vec::new(),
    }
}

/// The averages that are claimed.
fn wanted(claim: &mut SolutionClaim) -> Vec<&mut RBig> {
    match claim {
        SolutionClaim::MeanPayoff(claim) => vec![&mut claim.average.low, &mut claim.average.high],
        SolutionClaim::PayoffShares(claim) => vec![&mut claim.least],
        SolutionClaim::ChipAverages(claim) => claim.averages.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Makes what is claimed of the start agree with its entry, which is the first.
fn mend_head(claim: &mut SolutionClaim, start: &str) {
    match claim {
        SolutionClaim::Money { win, draw, positions } => {
            if let Some(value) = positions.iter().find(|value| value.position == start) {
                (*win, *draw) = (value.win.clone(), value.draw.clone());
            }
        }
        SolutionClaim::ParityMoney { needs, positions } => {
            positions.iter().filter(|value| value.position == start).for_each(|value| *needs = value.needs.clone());
        }
        SolutionClaim::PayoffShares(claim) => {
            let start = claim.positions.iter().find(|value| value.position == start);
            start.into_iter().for_each(|value| claim.needs = value.needs.clone());
        }
        SolutionClaim::Parity { totals } => {
            for claim in totals {
                let start = claim.positions.iter().find(|value| value.position == start);
                start.into_iter().for_each(|value| claim.needs = value.needs);
            }
        }
        _ => {}
    }
}

/// A share near another: an end, a little more or less, or another that is claimed.
fn near(rng: &mut Rng, share: &Share, others: &[ShareBounds]) -> Share {
    let end = [Share::ZERO, Share::ONE][rng.usize(..2)].clone();
    match rng.u32(..5) {
        0 | 1 => end,
        2 => (0..rng.u32(1..=12)).fold(end, |near, _| Share::mean(&near, share)),
        _ => rng.choice(others).unwrap().low.clone(),
    }
}

fn forge_shares(claim: &mut SolutionClaim, rng: &mut Rng) {
    let all: Vec<ShareBounds> = shares(claim).into_iter().map(|bounds| bounds.clone()).collect();
    let old = rng.choice(&all).unwrap().clone();
    let [low, high] = [&old.low, &old.high].map(|share| near(rng, share, &all));
    let new = match rng.u32(..4) {
        0 | 1 => ShareBounds::exact(low),
        2 if low <= old.high => ShareBounds { low, high: old.high.clone() },
        3 if old.low <= high => ShareBounds { low: old.low.clone(), high },
        _ => ShareBounds { low: Share::ZERO, high: Share::ONE },
    };
    let everywhere = rng.bool();
    let mut found: Vec<&mut ShareBounds> = shares(claim).into_iter().filter(|bounds| **bounds == old).collect();
    let first = rng.usize(..found.len());
    found.iter_mut().enumerate().filter(|(at, _)| everywhere || *at == first).for_each(|(_, bounds)| {
        **bounds = new.clone();
    });
}

fn forge_numbers(claim: &mut SolutionClaim, rng: &mut Rng) {
    let all: Vec<u32> = numbers(claim).into_iter().map(|number| *number).collect();
    let old = *rng.choice(&all).unwrap();
    let new = match rng.u32(..4) {
        0 => 0,
        1 => old.saturating_add(1),
        2 => old.saturating_sub(1),
        _ => *rng.choice(&all).unwrap(),
    };
    let everywhere = rng.bool();
    let first = rng.usize(..all.len());
    let found =
        numbers(claim).into_iter().enumerate().filter(|(at, number)| everywhere && **number == old || *at == first);
    found.for_each(|(_, number)| *number = new);
}

fn forge_averages(claim: &mut SolutionClaim, rng: &mut Rng) {
    let mut all = wanted(claim);
    let other = (**rng.choice(&all).unwrap()).clone();
    let at = rng.usize(..all.len());
    let step = RBig::from_parts(1.into(), [1u32, 2, 12, 1 << 20][rng.usize(..4)].into());
    *all[at] = match rng.u32(..5) {
        0 => RBig::ZERO,
        1 => RBig::ONE,
        2 => &*all[at] + step,
        3 => &*all[at] - step,
        _ => other,
    };
}

/// Exchanges what proves the claim at two positions, or of both players, or drops it.
fn exchange(claim: &mut SolutionClaim, rng: &mut Rng) -> bool {
    macro_rules! at_two {
        ($positions:expr, $part:ident) => {{
            let positions = $positions;
            let (one, two) = (rng.usize(..positions.len()), rng.usize(..positions.len()));
            if rng.bool() {
                let old = (positions[one].$part.clone(), positions[two].$part.clone());
                (positions[two].$part, positions[one].$part) = old;
            } else {
                positions[one].$part = std::mem::take(&mut positions[one].$part).swapped();
            }
            true
        }};
    }
    match claim {
        SolutionClaim::Parity { totals } => at_two!(&mut totals[0].positions, plans),
        SolutionClaim::ParityMoney { positions, .. } => at_two!(positions, moves),
        SolutionClaim::PayoffShares(claim) => {
            let positions = &mut claim.positions;
            match rng.u32(..3) {
                0 => positions.iter_mut().for_each(|value| value.potentials = ByPlayer::both(RBig::ZERO)),
                1 => positions.iter_mut().for_each(|value| value.potentials.bob = value.potentials.alice.clone()),
                _ => positions.iter_mut().for_each(|value| value.potentials.alice = value.potentials.bob.clone()),
            }
            true
        }
        SolutionClaim::MeanPayoff(claim) => {
            let (one, two) = (rng.usize(..claim.positions.len()), rng.usize(..claim.positions.len()));
            let old = (claim.positions[one].1.clone(), claim.positions[two].1.clone());
            (claim.positions[two].1, claim.positions[one].1) = old;
            true
        }
        SolutionClaim::ChipAverages(claim) => at_two!(&mut claim.positions, potentials),
        SolutionClaim::Chips { totals } => at_two!(&mut totals[0].positions, wins),
        SolutionClaim::Purses { ranges } => at_two!(&mut ranges[0].positions, wins),
        _ => false,
    }
}

fn drop_position(claim: &mut SolutionClaim, rng: &mut Rng) {
    macro_rules! remove {
        ($positions:expr) => {{
            let positions = $positions;
            drop(positions.swap_remove(rng.usize(..positions.len())))
        }};
    }
    match claim {
        SolutionClaim::Money { positions, .. } => remove!(positions),
        SolutionClaim::Chips { totals } => remove!(&mut totals[0].positions),
        SolutionClaim::Rules(claim) => remove!(&mut claim.positions),
        SolutionClaim::Purses { ranges } => remove!(&mut ranges[0].positions),
        SolutionClaim::Parity { totals } => remove!(&mut totals[0].positions),
        SolutionClaim::ParityMoney { positions, .. } => remove!(positions),
        SolutionClaim::MeanPayoff(claim) => remove!(&mut claim.positions),
        SolutionClaim::PayoffShares(claim) => remove!(&mut claim.positions),
        SolutionClaim::ChipAverages(claim) => remove!(&mut claim.positions),
    }
}

/// A change of the solution, and its name.
fn forged(saved: &SavedSolution, rng: &mut Rng) -> (&'static str, SavedSolution) {
    let mut forged = saved.clone();
    let claim = &mut forged.claim;
    let has = [!shares(claim).is_empty(), !numbers(claim).is_empty(), !wanted(claim).is_empty()];
    let change = match rng.u32(..16) {
        0..8 if has[0] => {
            forge_shares(claim, rng);
            // What proves that the average is no less may prove that it is no more.
            if let (SolutionClaim::PayoffShares(claim), true) = (claim, rng.bool()) {
                claim.positions.iter_mut().for_each(|value| value.potentials.bob = value.potentials.alice.clone());
            }
            "a share"
        }
        0..8 if has[1] => {
            forge_numbers(claim, rng);
            "a number"
        }
        4..12 if has[2] => {
            forge_averages(claim, rng);
            "an average"
        }
        12 => {
            drop_position(claim, rng);
            "a position less"
        }
        13 if matches!(
            claim,
            SolutionClaim::Money { .. } | SolutionClaim::PayoffShares(_) | SolutionClaim::MeanPayoff(_)
        ) =>
        {
            forged.mechanism.payment = rng.choice(&PAYMENTS).unwrap().parse().unwrap();
            "another payment"
        }
        14 => {
            forged.mechanism.right = if forged.mechanism.right == Right::Moves { Right::Chooses } else { Right::Moves };
            "the other right"
        }
        _ if exchange(claim, rng) => "a proof exchanged",
        _ if has[0] => {
            forge_shares(claim, rng);
            "a share"
        }
        _ => {
            forge_numbers(claim, rng);
            "a number"
        }
    };
    mend_head(&mut forged.claim, &forged.position);
    (change, forged)
}

/// The question that a solution answers.
fn answered(saved: &SavedSolution, aim: Aim) -> Question {
    let mechanism = saved.mechanism.clone();
    let mut question = Question { mechanism, aim, all: true, ..Question::default() };
    match &saved.claim {
        SolutionClaim::Chips { totals } => question.stake = Stake::Total(totals[0].total),
        SolutionClaim::Parity { totals } => question.stake = Stake::Total(totals[0].total),
        SolutionClaim::ChipAverages(claim) => question.stake = Stake::Total(claim.total),
        SolutionClaim::MeanPayoff(claim) => question.share = Some(claim.share.clone()),
        SolutionClaim::PayoffShares(claim) => question.at_least = Some(NumberJson(claim.least.clone())),
        _ => {}
    }
    question
}

/// The numbers of a claim by position, without what proves them; bounds apart.
fn values(claim: &SolutionClaim) -> (BTreeMap<String, String>, BTreeMap<String, Vec<ShareBounds>>) {
    let (mut exact, mut bounds) = (BTreeMap::new(), BTreeMap::new());
    let mut add = |position: &str, value: &dyn std::fmt::Debug| {
        let all: &mut String = exact.entry(position.to_string()).or_default();
        *all += &format!("{value:?}");
    };
    match claim {
        SolutionClaim::Money { positions, .. } => {
            bounds.extend(positions.iter().map(|one| (one.position.clone(), vec![one.win.clone(), one.draw.clone()])));
        }
        SolutionClaim::ParityMoney { positions, .. } => {
            bounds.extend(positions.iter().map(|one| (one.position.clone(), vec![one.needs.clone()])));
        }
        SolutionClaim::PayoffShares(claim) => {
            bounds.extend(claim.positions.iter().map(|one| (one.position.clone(), vec![one.needs.clone()])));
        }
        SolutionClaim::MeanPayoff(_) => {}
        SolutionClaim::Chips { totals } => {
            let positions = totals.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &(&one.wins, &one.guards)));
        }
        SolutionClaim::Purses { ranges } => {
            let positions = ranges.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &(&one.wins, &one.guards)));
        }
        SolutionClaim::Parity { totals } => {
            let positions = totals.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &one.needs));
        }
        SolutionClaim::ChipAverages(claim) => {
            let average = |rank: &u32| &claim.averages[*rank as usize];
            let of = |ranks: &[u32]| ranks.iter().map(average).collect::<Vec<_>>();
            claim.positions.iter().for_each(|one| add(&one.position, &of(&one.ranks)));
        }
        SolutionClaim::Rules(claim) => {
            let table = |rule: &richman_core::Rule| (0..60).map(|total| rule.at(total)).collect::<Vec<_>>();
            for one in &claim.positions {
                let rules = [&claim.alice[one.alice as usize], &claim.bob[one.bob as usize]];
                add(&one.position, &rules.map(table));
            }
        }
    }
    (exact, bounds)
}

/// Whether both claims can be true.
fn agree(one: &SolutionClaim, other: &SolutionClaim) -> bool {
    if let (SolutionClaim::MeanPayoff(one), SolutionClaim::MeanPayoff(other)) = (one, other) {
        let (one, other) = (&one.average, &other.average);
        return one.low <= other.high && other.low <= one.high;
    }
    let ((exact, bounds), (other_exact, other_bounds)) = (values(one), values(other));
    let meet = |one: &ShareBounds, other: &ShareBounds| one.low <= other.high && other.low <= one.high;
    let each = |(one, other): (&Vec<ShareBounds>, &Vec<ShareBounds>)| one.iter().zip(other).all(|(a, b)| meet(a, b));
    exact == other_exact
        && bounds.keys().eq(other_bounds.keys())
        && bounds.values().zip(other_bounds.values()).all(each)
}

/// The judges' verdict on a claim, by the definition of the game; what they cannot judge they let
/// pass.
fn judged(subject: &Subject, saved: &SavedSolution) -> Result<(), String> {
    let (mechanism, effort) = (&saved.mechanism, Effort::default());
    let is_richman = mechanism.payment.rate().is_richman();
    let (start, say) = (Some(saved.position.as_str()), |what: String| if what.is_empty() { Ok(()) } else { Err(what) });
    let is_in = |bounds: &ShareBounds, share: &Share| bounds.low <= *share && *share <= bounds.high;
    match &saved.claim {
        SolutionClaim::Money { positions, .. } if is_richman => {
            let unfolding = subject.unfold(start, &effort).unwrap();
            let arena = unfolding.arena();
            let of = |player| chance(arena, player, STRATEGIES as u64);
            let (Some(alice), Some(bob)) = (of(Player::Alice), of(Player::Bob)) else { return Ok(()) };
            let is_wrong = |value: &&richman_formats::MoneyValue| {
                let node = unfolding.node(&value.position).unwrap() as usize;
                !is_in(&value.win, &alice[node].complement()) || !is_in(&value.draw, &bob[node])
            };
            say(positions.iter().find(is_wrong).map_or(String::new(), |value| format!("{value:?}")))
        }
        SolutionClaim::ParityMoney { positions, .. } if is_richman => {
            let unfolding = subject.unfold_for::<Parity>(start, &effort).unwrap();
            let Some(bob) = parity_chance(unfolding.arena(), Player::Bob, STRATEGIES as u64) else { return Ok(()) };
            let is_wrong = |value: &&richman_formats::ParityMoneyValue| {
                !is_in(&value.needs, &bob[unfolding.node(&value.position).unwrap() as usize])
            };
            say(positions.iter().find(is_wrong).map_or(String::new(), |value| format!("{value:?}")))
        }
        SolutionClaim::MeanPayoff(claim) => {
            let unfolding = subject.unfold_for::<MeanPayoff>(start, &effort).unwrap();
            let coin = mechanism.payment.rate().coin(&claim.share);
            let Some(all) = averages(unfolding.arena(), &coin, STRATEGIES) else { return Ok(()) };
            let PayoffBounds { low, high } = &claim.average;
            say(all.iter().find(|one| *one < low || *one > high).map_or(String::new(), RBig::to_string))
        }
        SolutionClaim::PayoffShares(claim) => {
            let unfolding = subject.unfold_for::<MeanPayoff>(start, &effort).unwrap();
            let arena = unfolding.arena();
            for value in &claim.positions {
                let node = unfolding.node(&value.position).unwrap();
                judge_share(arena, mechanism, node, &claim.least, &value.needs)?;
            }
            Ok(())
        }
        SolutionClaim::Chips { totals } => {
            let unfolding = subject.unfold_for::<WinLose>(start, &effort).unwrap();
            let (arena, claim) = (unfolding.arena(), &totals[0]);
            let oracle = Oracle::new(arena, mechanism, claim.total.chips(), None);
            let Some(found) = oracle.thresholds(arena.start()) else { return Ok(()) };
            let most = claim.total.chips() + 1;
            let needed = |threshold: Threshold| [threshold.plain.min(most), threshold.star.min(most)];
            let both = [(claim.win, found.win), (claim.draw, found.draw)];
            let is_wrong = both.iter().any(|(claimed, found)| {
                let (claimed, found) = (needed(*claimed), needed(*found));
                if mechanism.has_star() { claimed != found } else { claimed[0] != found[0] }
            });
            say(if is_wrong { format!("{found:?}") } else { String::new() })
        }
        SolutionClaim::Parity { totals } => {
            let unfolding = subject.unfold_for::<Parity>(start, &effort).unwrap();
            let claim = &totals[0];
            let judges = orders(mechanism)
                .map(|first| ParityJudge::new(unfolding.arena(), mechanism, claim.total.chips(), first));
            for judge in judges {
                for value in &claim.positions {
                    let node = unfolding.node(&value.position).unwrap();
                    for (state, holding) in states(mechanism, node, claim.total.chips()) {
                        if value.needs.is_met_by(holding) != judge.is_won_by_alice(state) {
                            return Err(format!("{state:?}"));
                        }
                    }
                }
            }
            Ok(())
        }
        SolutionClaim::ChipAverages(claim) => {
            let unfolding = subject.unfold_for::<MeanPayoff>(start, &effort).unwrap();
            let total = claim.total.chips();
            for judge in orders(mechanism).map(|first| PayoffJudge::new(unfolding.arena(), mechanism, total, first)) {
                for (rank, average) in (0..).zip(&claim.averages) {
                    let [alice, bob] = Player::BOTH.map(|player| judge.credits(player, average));
                    for value in &claim.positions {
                        let node = unfolding.node(&value.position).unwrap();
                        for ((state, _), claimed) in states(mechanism, node, total).zip(&value.ranks) {
                            let at = judge.number(state);
                            if *claimed == rank && !(alice[at].is_some() && bob[at].is_some()) {
                                return Err(format!("{state:?} is not worth {average}"));
                            }
                        }
                    }
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Who may name the first bid.
fn orders(mechanism: &Mechanism) -> impl Iterator<Item = Player> + use<> {
    let all: &[Player] = match mechanism.bidding {
        Bidding::Sealed => &Player::BOTH,
        Bidding::AliceFirst => &[Player::Alice],
        Bidding::BobFirst => &[Player::Bob],
    };
    all.iter().copied()
}

/// Alice's holdings in the order of saved averages: without the star, then with it.
fn states(mechanism: &Mechanism, node: Node, total: u32) -> impl Iterator<Item = (OracleState, Holding)> + use<> {
    let stars: &[Player] = match mechanism.ties {
        Ties::Alice => &[Player::Alice],
        Ties::Bob => &[Player::Bob],
        _ => &[Player::Bob, Player::Alice],
    };
    let has_star = mechanism.has_star();
    stars.iter().flat_map(move |&star| {
        (0..=total).map(move |alice| {
            let holding = Holding::new(alice, has_star && star == Player::Alice).unwrap();
            (OracleState { node, alice, bob: total - alice, star }, holding)
        })
    })
}

/// What play that stays in a component is worth with a share a little above or below the claim.
fn judge_share(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    node: Node,
    least: &RBig,
    needs: &ShareBounds,
) -> Result<(), String> {
    const LITTLE: u32 = 20;
    let (components, rate) = (arena.components(), mechanism.payment.rate());
    let index = components.component(node) as usize;
    if !arena.is_closed(index) {
        return Ok(());
    }
    let nodes = components.nodes(index);
    let place = |to: Node| nodes.iter().position(|&node| node == to).unwrap() as Node;
    let mut builder = MeanPayoffArenaBuilder::new();
    for &node in nodes {
        let moves = |player| arena.labelled(node, player).map(|(to, weight)| (place(to), weight)).collect::<Vec<_>>();
        let NodeData::On(kind) = arena.place(node);
        builder.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
    }
    let alone = builder.build(0).unwrap();
    let near = |from: &Share, end: Share| (0..LITTLE).fold(end, |near, _| Share::mean(&near, from));
    let worth = |share: &Share| averages(&alone, &rate.coin(share), STRATEGIES);
    let here = place(node) as usize;
    if needs.high < Share::ONE
        && let Some(all) = worth(&near(&needs.high, Share::ONE))
        && all[here] < *least
    {
        return Err(format!("more than {} is worth {}", needs.high, all[here]));
    }
    if needs.low > Share::ZERO
        && let Some(all) = worth(&near(&needs.low, Share::ZERO))
        && all[here] >= *least
    {
        return Err(format!("less than {} is worth {}", needs.low, all[here]));
    }
    Ok(())
}

/// Whether a forged solution that was accepted may be true: by the judges, and by the solution of
/// the same question.
fn may_hold(subject: &Subject, saved: &SavedSolution, forged: &SavedSolution) -> Result<(), String> {
    judged(subject, forged)?;
    let least = |claim: &SolutionClaim| match claim {
        SolutionClaim::PayoffShares(claim) => Some(claim.least.clone()),
        _ => None,
    };
    let is_same = saved.mechanism == forged.mechanism && least(&saved.claim) == least(&forged.claim);
    let found = match is_same {
        true => Some(saved.clone()),
        false => solved(subject, &answered(forged, subject.aim())).ok().flatten(),
    };
    match found {
        Some(found) if kind(&found.claim) == kind(&forged.claim) && !agree(&found.claim, &forged.claim) => {
            Err(format!("the solver finds {:?}", found.claim))
        }
        _ => Ok(()),
    }
}

#[test]
fn what_is_saved_is_proved_and_what_is_forged_is_not() {
    const FORGED: usize = 5;
    let counts: Mutex<BTreeMap<(&str, &str), [u32; 2]>> = Mutex::default();
    let mut complaints: Vec<String> = seeds("RICHMAN_FORGED", 1_300)
        .into_par_iter()
        .flat_map_iter(|seed| {
            let Some(Case { subject, about, saved }) = case(seed) else { return Vec::new() };
            let kind = kind(&saved.claim);
            let mut complaints = Vec::new();
            let text = String::from_utf8(text(&saved)).unwrap();
            let (verdict, right) = (judge_text(text.as_bytes()), judged(&subject, &saved));
            if !matches!(verdict, Verdict::Valid) || right.is_err() {
                complaints.push(format!("{verdict:?}, {right:?}, {about}\n{text}"));
            }
            let mut rng = Rng::with_seed(seed);
            for _ in 0..FORGED {
                let (change, forged) = forged(&saved, &mut rng);
                if forged == saved {
                    continue;
                }
                let verdict = judge(forged.clone());
                let count = |at: usize| counts.lock().unwrap().entry((kind, change)).or_default()[at] += 1;
                match verdict {
                    Verdict::Wrong(wrong) if wrong == PANIC => complaints.push(format!("a panic, {change}, {about}")),
                    Verdict::Wrong(_) | Verdict::Error(_) => count(0),
                    Verdict::Valid => {
                        count(1);
                        if let Err(why) = may_hold(&subject, &saved, &forged) {
                            let text = String::from_utf8(self::text(&forged)).unwrap();
                            complaints.push(format!("{change}, but {why}: {about}\n{text}"));
                        }
                    }
                }
            }
            complaints
        })
        .collect();
    let counts = counts.into_inner().unwrap();
    println!("refused and accepted: {counts:#?}");
    complaints.truncate(5);
    assert!(complaints.is_empty(), "such as:\n{}", complaints.join("\n"));
    let of = |kind: &str| counts.iter().filter(|(key, _)| key.0 == kind).map(|(_, [refused, _])| refused).sum::<u32>();
    for kind in [
        "money",
        "chips",
        "rules",
        "purses",
        "parity",
        "parity with money",
        "an average",
        "shares for an average",
        "averages with chips",
    ] {
        assert!(of(kind) >= 5, "{kind}: {}", of(kind));
    }
}

/// A saved strategy has a move, and a plan, exactly where its player makes one.
#[test]
fn moves_and_plans_are_given_exactly_where_they_are_made() {
    let file = r#"{"name": "gate", "objective": "parity", "start": "a", "positions": {
        "a": {"kind": "alice", "alice": ["b", "c"], "priority": 1},
        "b": {"both": ["a", "c"], "priority": 2},
        "c": {"kind": "bob", "bob": ["a"], "priority": 1}}}"#;
    let subject = Subject::from_file("game.json", file.as_bytes()).unwrap();
    let save = |stake: Stake| {
        let question = Question { aim: Aim::Parity, stake, all: true, ..Question::default() };
        let saved = solved(&subject, &question).unwrap().unwrap();
        assert!(matches!(judge(saved.clone()), Verdict::Valid));
        saved
    };
    let refused = |forged: SavedSolution, what: &str| {
        let verdict = judge(forged);
        assert!(matches!(&verdict, Verdict::Wrong(wrong) if wrong.contains(what)), "{what}: {verdict:?}");
    };
    let of_money = save(Stake::Money);
    for (at, player) in (0..3).flat_map(|at| Player::BOTH.map(|player| (at, player))) {
        let mut forged = of_money.clone();
        let SolutionClaim::ParityMoney { positions, .. } = &mut forged.claim else { panic!("parity with real money") };
        let to = &mut positions[at].moves[player];
        let (changed, what) = match to {
            Some(_) => (None, "a move must be given"),
            None => (Some("a".to_string()), "the move must be null"),
        };
        *to = changed;
        refused(forged, what);
    }
    let with_chips = save(Stake::Total(Total::new(3).unwrap()));
    let mut needless = 0;
    for (at, player) in (0..3).flat_map(|at| Player::BOTH.map(|player| (at, player))) {
        let mut forged = with_chips.clone();
        let SolutionClaim::Parity { totals } = &mut forged.claim else { panic!("parity with chips") };
        let plan = &mut totals[0].positions[at].plans[player][0];
        let what = if plan.is_some() { "it is missing" } else { "there is none to make here" };
        needless += u32::from(plan.is_none());
        *plan = match plan {
            Some(_) => None,
            None => Some(PlanClaim(0, false, [const { None }; 4])),
        };
        refused(forged, what);
    }
    assert!(needless >= 2, "{needless}");
}

/// Potentials say what happens with a share near the saved one, not who wins the ties of a player
/// who has all the money.
#[test]
fn no_average_is_proved_where_one_player_has_all_the_money() {
    let file = r#"{"name": "hours", "objective": "mean-payoff", "start": "gate", "positions": {
        "left": {"both": ["left", "gate"]}, "gate": {"both": ["left", "right"]},
        "right": {"both": ["gate", "right"], "weight": 1}}}"#;
    let subject = Subject::from_file("game.json", file.as_bytes()).unwrap();
    for payment in PAYMENTS {
        let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
        let share = Some("1/2".parse().unwrap());
        let question = Question { mechanism, aim: Aim::MeanPayoff, share, ..Question::default() };
        let mut saved = solved(&subject, &question).unwrap().unwrap();
        assert!(matches!(judge(saved.clone()), Verdict::Valid), "{payment}");
        for share in [Share::ZERO, Share::ONE] {
            let SolutionClaim::MeanPayoff(claim) = &mut saved.claim else { panic!("an average with real money") };
            claim.share = share;
            assert!(matches!(judge(saved.clone()), Verdict::Wrong(_)), "{payment}");
        }
    }
}
