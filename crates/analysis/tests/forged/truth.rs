//! Whether a saved solution is true, by the judges of `check` and by the solution of its question.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use richman_analysis::mean_payoff::NumberJson;
use richman_analysis::saved::parity::{ParityClaims, ParityMoneyClaim};
use richman_analysis::saved::win::{ChipClaims, MoneyClaim, PurseClaims};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_analysis::{Question, Stake, Subject};
use richman_check::averages::averages;
use richman_check::oracle::{Oracle, OracleState};
use richman_check::parity_judge::ParityJudge;
use richman_check::payoff_judge::PayoffJudge;
use richman_check::policies::{chance, parity_chance};
use richman_core::{
    Aim, Bidding, Effort, Holding, MeanPayoff, MeanPayoffArena, MeanPayoffArenaBuilder, Mechanism, Node, NodeData,
    Parity, PayoffBounds, Player, Share, ShareBounds, Threshold, Ties, WinLose,
};
use richman_formats::saved::AnyClaim;

use super::solved;

/// The most pairs of strategies that a judge tries.
const STRATEGIES: usize = 1 << 8;

/// The question that a solution answers.
fn answered(saved: &SavedSolution, aim: Aim) -> Question {
    let mechanism = saved.mechanism.clone();
    let mut question = Question { mechanism, aim, all: true, ..Question::default() };
    match &saved.claim {
        SolutionClaim::Chips(ChipClaims { totals }) => question.stake = Stake::Total(totals[0].total),
        SolutionClaim::Parity(ParityClaims { totals }) => question.stake = Stake::Total(totals[0].total),
        SolutionClaim::ChipAverages(claim) => question.stake = Stake::Total(claim.total),
        SolutionClaim::Credits(claim) => (question.stake, question.credits) = (Stake::Total(claim.total), true),
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
        SolutionClaim::Money(MoneyClaim { positions, .. }) => {
            bounds.extend(positions.iter().map(|one| (one.position.clone(), vec![one.win.clone(), one.draw.clone()])));
        }
        SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) => {
            bounds.extend(positions.iter().map(|one| (one.position.clone(), vec![one.needs.clone()])));
        }
        SolutionClaim::PayoffShares(claim) => {
            bounds.extend(claim.positions.iter().map(|one| (one.position.clone(), vec![one.needs.clone()])));
        }
        SolutionClaim::MeanPayoff(_) => {}
        SolutionClaim::Chips(ChipClaims { totals }) => {
            let positions = totals.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &(&one.wins, &one.guards)));
        }
        SolutionClaim::Purses(PurseClaims { ranges }) => {
            let positions = ranges.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &(&one.wins, &one.guards)));
        }
        SolutionClaim::Parity(ParityClaims { totals }) => {
            let positions = totals.iter().flat_map(|claim| &claim.positions);
            positions.for_each(|one| add(&one.position, &one.needs));
        }
        SolutionClaim::ChipAverages(claim) => {
            let average = |rank: &u32| &claim.averages[*rank as usize];
            let of = |ranks: &[u32]| ranks.iter().map(average).collect::<Vec<_>>();
            claim.positions.iter().for_each(|one| add(&one.position, &of(&one.ranks)));
        }
        SolutionClaim::Credits(claim) => {
            let average = |rank: &u32| &claim.averages[*rank as usize];
            let of = |ranks: &[u32]| ranks.iter().map(average).collect::<Vec<_>>();
            claim.positions.iter().for_each(|one| add(&one.average.position, &(of(&one.average.ranks), &one.credits)));
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
pub fn judged(subject: &Subject, saved: &SavedSolution) -> Result<(), String> {
    let (mechanism, effort) = (&saved.mechanism, Effort::default());
    let is_richman = mechanism.payment.rate().is_richman();
    let (start, say) = (Some(saved.position.as_str()), |what: String| if what.is_empty() { Ok(()) } else { Err(what) });
    let is_in = |bounds: &ShareBounds, share: &Share| bounds.low <= *share && *share <= bounds.high;
    match &saved.claim {
        SolutionClaim::Money(MoneyClaim { positions, .. }) if is_richman => {
            let unfolding = subject.unfold(start, &effort).unwrap();
            let arena = unfolding.arena();
            let of = |player| chance(arena, player, STRATEGIES as u64);
            let (Some(alice), Some(bob)) = (of(Player::Alice), of(Player::Bob)) else { return Ok(()) };
            let is_wrong = |value: &&richman_analysis::saved::win::MoneyValue| {
                let node = unfolding.node(&value.position).unwrap() as usize;
                !is_in(&value.win, &alice[node].complement()) || !is_in(&value.draw, &bob[node])
            };
            say(positions.iter().find(is_wrong).map_or(String::new(), |value| format!("{value:?}")))
        }
        SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) if is_richman => {
            let unfolding = subject.unfold_for::<Parity>(start, &effort).unwrap();
            let Some(bob) = parity_chance(unfolding.arena(), Player::Bob, STRATEGIES as u64) else { return Ok(()) };
            let is_wrong = |value: &&richman_analysis::saved::parity::ParityMoneyValue| {
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
        SolutionClaim::Chips(ChipClaims { totals }) => {
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
        SolutionClaim::Parity(ParityClaims { totals }) => {
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
        SolutionClaim::Credits(claim) => {
            let unfolding = subject.unfold_for::<MeanPayoff>(start, &effort).unwrap();
            let total = claim.total.chips();
            for judge in orders(mechanism).map(|first| PayoffJudge::new(unfolding.arena(), mechanism, total, first)) {
                let credits = judge.credits(Player::Alice, &RBig::ZERO);
                for value in &claim.positions {
                    let node = unfolding.node(&value.average.position).unwrap();
                    for ((state, _), claimed) in states(mechanism, node, total).zip(&value.credits) {
                        if credits[judge.number(state)] != claimed.map(i128::from) {
                            return Err(format!("the least credit at {state:?} is {:?}", credits[judge.number(state)]));
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
    let index = |to: Node| nodes.iter().position(|&node| node == to).unwrap() as Node;
    let mut builder = MeanPayoffArenaBuilder::new();
    for &node in nodes {
        let moves = |player| arena.labelled(node, player).map(|(to, weight)| (index(to), weight)).collect::<Vec<_>>();
        let NodeData::On(kind) = arena.data(node);
        builder.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
    }
    let alone = builder.build(0).unwrap();
    let near = |from: &Share, end: Share| (0..LITTLE).fold(end, |near, _| Share::mean(&near, from));
    let worth = |share: &Share| averages(&alone, &rate.coin(share), STRATEGIES);
    let here = index(node) as usize;
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
pub fn may_hold(subject: &Subject, saved: &SavedSolution, forged: &SavedSolution) -> Result<(), String> {
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
        Some(found) if found.claim.key() == forged.claim.key() && !agree(&found.claim, &forged.claim) => {
            Err(format!("the solver finds {:?}", found.claim))
        }
        _ => Ok(()),
    }
}
