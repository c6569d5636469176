//! Sections 2 and 3: money to the other player.

use std::collections::HashSet;

use dashu_int::UBig;
use dashu_ratio::RBig;
use fastrand::Rng;
use richman_analysis::Subject;
use richman_core::{Effort, Mechanism, Payment, Player, Share};
use richman_solvers::money;

use super::super::{Finding, Session};
use super::{Game, everywhere, play_out};
use crate::Error;
use crate::tug_of_war::PathPosition;
use crate::tug_of_war::richman::{self, AlicePlan, BobPlan, fair as part};

/// Real money in play; all of it is 1.
struct Play {
    length: u32,
    at: u32,
    alice: RBig,
}

impl Play {
    fn new(position: PathPosition, alice: &RBig) -> Play {
        Play { length: position.length(), at: position.at(), alice: alice.clone() }
    }

    fn bob(&self) -> RBig {
        RBig::ONE - &self.alice
    }

    fn alice_moves(&mut self, bid: &RBig) {
        self.alice -= bid;
        self.at -= 1;
    }

    fn bob_moves(&mut self, bid: &RBig) {
        self.alice += bid;
        self.at += 1;
    }

    /// The token's position while the game goes on and nobody owes money.
    fn position(&self) -> Option<(PathPosition, Share)> {
        Some((PathPosition::new(self.length, self.at).ok()?, share(&self.alice)?))
    }

    fn plan(&self) -> Option<AlicePlan> {
        self.position().and_then(|(position, share)| AlicePlan::new(position, &share))
    }

    fn advantage(&self) -> Option<RBig> {
        self.position().map(|(position, share)| richman::advantage(position, &share))
    }
}

fn share(money: &RBig) -> Option<Share> {
    Share::ratio(UBig::try_from(money.numerator().clone()).ok()?, money.denominator().clone())
}

fn positions(lengths: std::ops::RangeInclusive<u32>) -> Result<Vec<PathPosition>, Error> {
    let mut positions = Vec::new();
    for length in lengths {
        positions.extend(PathPosition::all(length)?);
    }
    Ok(positions)
}

fn fair(position: PathPosition) -> RBig {
    part(position.at(), position.length())
}

fn name(position: PathPosition) -> String {
    format!("N = {}, p = {}", position.length(), position.at())
}

/// The advantage after Alice has made `lets` bids of her plan and Bob then pays `more` than the
/// next one; `None` if he cannot, an error if she cannot.
fn after_run(position: PathPosition, alice: &RBig, lets: u32, more: &RBig) -> Result<Option<RBig>, &'static str> {
    let mut play = Play::new(position, alice);
    let plan = play.plan().ok_or("a negative advantage")?;
    for _ in 0..lets {
        play.alice_moves(&plan.bid(play.at));
        if play.alice < RBig::ZERO {
            return Err("she cannot pay");
        }
    }
    let bid = plan.bid(play.at);
    if play.bob() <= bid {
        return Ok(None);
    }
    if play.at + 1 == play.length {
        return Err("Right reaches his end");
    }
    play.bob_moves(&(bid + more).min(play.bob()));
    Ok(play.advantage())
}

/// Whether Alice can pay for her whole plan down to node 0.
fn steamrolls(position: PathPosition, alice: &RBig) -> bool {
    let mut play = Play::new(position, alice);
    let Some(plan) = play.plan() else { return false };
    while play.at > 0 {
        play.alice_moves(&plan.bid(play.at));
    }
    play.alice >= RBig::ZERO
}

pub fn lemma_2_2(_: &mut Session) -> Result<Finding, Error> {
    let mut finding =
        Finding::over("lengths 2 to 10, every node and run; Right pays 1/1000 of all money more, or all he has");
    for position in positions(2..=10)? {
        finding.holds(steamrolls(position, &fair(position)), || format!("{}, no larger bid", name(position)));
        for lets in 0..position.at() {
            for more in [part(1, 1000), RBig::ONE] {
                let after = after_run(position, &fair(position), lets, &more);
                let grows = after.is_ok_and(|after| after.is_none_or(|advantage| advantage > RBig::ZERO));
                finding.holds(grows, || format!("{}, {lets} moves before", name(position)));
            }
        }
    }
    Ok(finding)
}

pub fn lemma_2_3(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(
        "lengths 2 to 7 (n = N + 1), every node and run, advantages of 1/8, 1/3 and 1 times T/N; Right pays 2^-40 d \
         more",
    );
    for position in positions(2..=7)? {
        let mut least: Option<RBig> = None;
        let mut fails = None;
        for size in [part(1, 8), part(1, 3), RBig::ONE] {
            let advantage = size / RBig::from(position.length());
            let alice = fair(position) + &advantage;
            if alice > RBig::ONE {
                continue;
            }
            if !steamrolls(position, &alice) {
                fails = Some("she cannot pay".to_string());
            }
            for lets in 0..position.at() {
                let more = &advantage / RBig::from(1u64 << 40);
                match after_run(position, &alice, lets, &more) {
                    Ok(None) => {}
                    Ok(Some(after)) => {
                        let gain = (after - &advantage) / &advantage;
                        least = Some(least.map_or(gain.clone(), |least| least.min(gain)));
                    }
                    Err(why) => fails = Some(why.to_string()),
                }
            }
        }
        let bound = RBig::ONE / RBig::from(1u64 << (position.length() - 2));
        if least.is_some_and(|least| least < bound) {
            let own = RBig::ONE / RBig::from(1u64 << position.at());
            fails = Some(format!("for small payments hardly more than d {own}"));
        }
        everywhere(&mut finding, name(position), &format!("at least d {bound}"), fails);
    }
    Ok(finding)
}

/// Plays Alice's plan against a Bob who at random lets her have bids or pays more. Lists, for each
/// place and start, the advantages at the beginning of runs, and whether she won.
fn plays_of_alice(session: &Session) -> Result<Vec<(PathPosition, Vec<RBig>, bool)>, Error> {
    let games = if session.deep { 200 } else { 12 };
    let mut rng = Rng::with_seed(2009);
    let mut plays = Vec::new();
    for position in positions(2..=4)? {
        for (more, _) in [RBig::ZERO, part(1, 1000)].iter().flat_map(|more| (0..games).map(move |game| (more, game))) {
            let mut play = Play::new(position, &(fair(position) + more));
            let mut plan = play.plan();
            let mut advantages: Vec<RBig> = plan.iter().map(|plan| plan.advantage.clone()).collect();
            while let Some(current) = plan.as_ref().filter(|_| play.at > 0) {
                let bid = current.bid(play.at);
                let room = play.bob() - &bid;
                if room > RBig::ZERO && rng.u32(0..4) > 0 {
                    let more = &room / RBig::from([1u32, 10, 1000][rng.usize(0..3)]);
                    play.bob_moves(&(bid + more));
                    plan = play.plan();
                    advantages.extend(plan.iter().map(|plan| plan.advantage.clone()));
                } else {
                    play.alice_moves(&bid);
                    if play.alice < RBig::ZERO {
                        plan = None;
                    }
                }
            }
            plays.push((position, advantages, plan.is_some() && play.at == 0));
        }
    }
    Ok(plays)
}

/// Compares p/N with the real-money solver, which knows neither order of bidding nor ties.
fn thresholds(finding: &mut Finding) -> Result<(), Error> {
    for length in 2..=20 {
        let unfolding = Subject::named(&format!("tug-of-war:length={length}"))?.unfold(None, &Effort::default())?;
        let solution = money::solve(unfolding.arena(), &Mechanism::default(), &Effort::default())?;
        for position in PathPosition::all(length)? {
            let node = unfolding.node(&position.at().to_string())?;
            let expected = richman::threshold(position);
            for computed in [solution.win.get(node), solution.draw.get(node)] {
                finding.compare(|| name(position), &expected, computed.high);
            }
        }
    }
    Ok(())
}

pub fn theorem_2_4(session: &mut Session) -> Result<Finding, Error> {
    let plays = plays_of_alice(session)?;
    let mut finding = Finding::over(format!(
        "{} plays of her strategy against random answers, lengths 2 to 4, half of them without an advantage at first; \
         the threshold of the solver up to length 20",
        plays.len()
    ));
    for (position, _, won) in plays {
        finding.holds(won, || name(position));
    }
    thresholds(&mut finding)?;
    Ok(finding)
}

pub fn claim_2_5(session: &mut Session) -> Result<Finding, Error> {
    let plays = plays_of_alice(session)?;
    let mut finding = Finding::over(
        "the plays of Theorem 2.4: each larger bid of Right lets the advantage grow by d/2^(n-2) or more, up to at \
         most T",
    );
    for (position, advantages, _) in plays {
        let factor = RBig::ONE + RBig::ONE / RBig::from(1u32 << (position.length() - 1));
        let grows = advantages.windows(2).all(|pair| pair[1] >= &pair[0] * &factor && pair[1] > pair[0]);
        finding.holds(grows && advantages.iter().all(|advantage| *advantage <= RBig::ONE), || name(position));
    }
    Ok(finding)
}

/// A play of Bob's plan against random bids.
pub struct BobsPlay {
    position: PathPosition,
    won: bool,
    pub could_pay: bool,
    /// Whether the advantage fell as far as Lemma 2.8 says in each of his runs.
    pub fell: bool,
}

fn plays_of_bob(session: &Session) -> Result<Vec<BobsPlay>, Error> {
    let games = if session.deep { 200 } else { 12 };
    let mut rng = Rng::with_seed(2009);
    let mut plays = Vec::new();
    for position in positions(2..=5)? {
        for (missing, _) in [part(1, 2), part(1, 100)].iter().flat_map(|part| (0..games).map(move |game| (part, game)))
        {
            let missing = missing / RBig::from(position.length());
            let mut play = Play::new(position, &(fair(position) - &missing));
            let Some(plan) = play.position().and_then(|(position, share)| BobPlan::new(position, &share)) else {
                continue;
            };
            let least = &missing / RBig::from(1u64 << (position.length() + 2));
            let (mut could_pay, mut fell, mut start) = (true, true, -missing);
            while could_pay && 0 < play.at && play.at < play.length {
                let price = plan.price(play.at);
                let bids = [
                    RBig::ZERO,
                    &price - part(1, 1_000_000),
                    price.clone(),
                    &price + part(1, 1000),
                    play.alice.clone(),
                ];
                let bid = bids[rng.usize(0..bids.len())].clone().max(RBig::ZERO).min(play.alice.clone());
                let answer = plan.answer(play.at, &bid);
                if answer > bid {
                    could_pay = answer <= play.bob();
                    play.bob_moves(&answer);
                } else {
                    play.alice_moves(&bid);
                    if let Some(advantage) = play.advantage() {
                        fell &= advantage <= &start - &least;
                        start = advantage;
                    }
                }
            }
            plays.push(BobsPlay { position, won: play.at == play.length, could_pay, fell });
        }
    }
    Ok(plays)
}

/// Counts the plays of Bob's plan for which a statement holds.
pub fn over_bobs_plays(session: &Session, holds: impl Fn(&BobsPlay) -> bool) -> Result<Finding, Error> {
    let plays = plays_of_bob(session)?;
    let mut finding =
        Finding::over(format!("{} plays of his strategy against random bids, lengths 2 to 5", plays.len()));
    for play in &plays {
        finding.holds(holds(play), || name(play.position));
    }
    Ok(finding)
}

pub fn theorem_2_6(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = over_bobs_plays(session, |play| play.won)?;
    finding.range += "; the threshold of the solver up to length 20";
    thresholds(&mut finding)?;
    Ok(finding)
}

/// Checks a statement about (game, node, Alice's chips, Bob's) on some lengths, playing out every
/// total up to a limit.
fn for_states(
    session: &Session,
    even: bool,
    mut holds: impl FnMut(&Game, u32, u32, u32, u32) -> Option<bool>,
) -> Result<Finding, Error> {
    let most = if session.deep { 14 } else { 9 };
    let lengths: Vec<u32> = if even { vec![2, 4, 6] } else { (2..=6).collect() };
    let mut finding =
        Finding::over(format!("lengths {lengths:?}, every node, totals up to {most}, played out by definition"));
    for &length in &lengths {
        for total in 0..=most {
            play_out(length, Payment::Richman, total, |game| {
                for (at, alice, bob) in game.states() {
                    if let Some(holds) = holds(game, length, at, alice, bob) {
                        finding.holds(holds, || format!("N = {length}, p = {at}, {alice} against {bob}"));
                    }
                }
                Ok(())
            })?;
        }
    }
    Ok(finding)
}

pub fn theorem_3_3(session: &mut Session) -> Result<Finding, Error> {
    for_states(session, false, |game, length, at, alice, bob| {
        let position = PathPosition::new(length, at).ok()?;
        (richman::chip_advantage(position, alice, bob) >= 0).then(|| game.rank(Player::Alice, at, alice, bob).is_some())
    })
}

/// Every run, with every larger bid of Right, from every state with a non-negative advantage.
pub fn claim_3_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 20 } else { 12 };
    let mut finding =
        Finding::over(format!("lengths 2 to 6, every node, totals up to {most}, every run with every larger bid"));
    for (position, total) in
        positions(2..=6)?.into_iter().flat_map(|position| (0..=most).map(move |total| (position, total)))
    {
        for alice in 0..=total {
            let advantage = richman::chip_advantage(position, alice, total - alice);
            if advantage >= 0 {
                let grows = left_run(position, total, alice, advantage) && right_run(position, total, alice, advantage);
                finding.holds(grows, || format!("{}, {alice} of {total}", name(position)));
            }
        }
    }
    Ok(finding)
}

fn has_grown(length: u32, at: u32, alice: u32, total: u32, before: i64) -> bool {
    match PathPosition::new(length, at) {
        Ok(position) => richman::chip_advantage(position, alice, total - alice) > before,
        Err(_) => at == 0,
    }
}

/// After some moves of Left and a larger bid of Right, her advantage has grown, or she has won.
fn left_run(position: PathPosition, total: u32, alice: u32, before: i64) -> bool {
    let bid = richman::chip_bid(position, total);
    let (mut at, mut alice) = (position.at(), alice);
    loop {
        let Some(rest) = alice.checked_sub(bid) else { return false };
        (at, alice) = (at - 1, rest);
        if at == 0 {
            return true;
        }
        let higher = (bid + 1)..=(total - alice);
        if !higher.into_iter().all(|paid| has_grown(position.length(), at + 1, alice + paid, total, before)) {
            return false;
        }
    }
}

/// After some moves of Right and one of Left, her advantage has grown; Right does not reach his
/// end.
fn right_run(position: PathPosition, total: u32, alice: u32, before: i64) -> bool {
    let bid = richman::chip_bid(position, total);
    ((bid + 1)..=(total - alice)).all(|paid| {
        let (at, alice) = (position.at() + 1, alice + paid);
        let Ok(next) = PathPosition::new(position.length(), at) else { return false };
        alice >= bid
            && has_grown(position.length(), at - 1, alice - bid, total, before)
            && right_run(next, total, alice, before)
    })
}

pub(super) fn k(n: u32) -> u32 {
    richman::most_for_draw(n) + 1
}

pub fn theorem_3_5(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 4 } else { 3 };
    let mut finding = Finding::over(format!(
        "n up to {most}, purses of Left up to 4 and of Right up to k + 3, played out by definition; n up to 12, purses \
         of Left up to 30 and of Right up to k + 30, by the programme"
    ));
    let mut check = |n: u32, left: u32, right: u32, winner: Option<Player>| {
        let at = || format!("n = {n}, {left} against {right}");
        if right < k(n) {
            finding.holds(winner != Some(Player::Bob), at);
        } else if left == 0 {
            finding.holds(winner == Some(Player::Bob), at);
        }
    };
    for n in 1..=most {
        for (left, right) in (0..=4).flat_map(|left| (0..=k(n) + 3).map(move |right| (left, right))) {
            let found = play_out(2 * n, Payment::Richman, left + right, |game| Ok(game.winner(n, left, right)))?;
            check(n, left, right, found.map(|(winner, _)| winner));
        }
    }
    for n in 1..=12 {
        for total in 0..=k(n) + 30 {
            let chips = richman::ChipWins::new(2 * n, total)?;
            for left in 0..=total.min(30) {
                check(n, left, total - left, chips.winner(n, left).map(|(winner, _)| winner));
            }
        }
    }
    Ok(finding)
}

pub fn fact_3_6(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 5 } else { 4 };
    let mut finding = Finding::over(format!("n from 2 to {most}, every answer of Right; for n = 1 Left wins"));
    for n in 2..=most {
        let total = k(n) - 1;
        let found = play_out(2 * n, Payment::Richman, total, |game| Ok(game.winner(n, 0, total)))?;
        finding.compare(|| format!("n = {n}"), "draw", outcome(found));
        // Left bids i at node n + i if she has at least 0 + 1 + ... + i chips, and 0 left of node
        // n. Right must not win.
        let bid = |at: u32, alice: u32| {
            let step = at.saturating_sub(n);
            if alice >= step * (step + 1) / 2 { step } else { 0 }
        };
        let safe = !reaches(2 * n, (n, 0), |at, alice| {
            let bid = bid(at, alice).min(alice);
            let right = (bid + 1..=total - alice).map(|paid| (at + 1, alice + paid));
            right.chain([(at - 1, alice - bid)]).collect()
        });
        finding.holds(safe, || format!("n = {n}, by those bids"));
    }
    Ok(finding)
}

fn outcome(winner: Option<(Player, u32)>) -> String {
    match winner {
        Some((Player::Alice, _)) => "Left wins".to_string(),
        Some((Player::Bob, _)) => "Right wins".to_string(),
        None => "draw".to_string(),
    }
}

/// Whether play can reach Bob's end of the path.
fn reaches(length: u32, start: (u32, u32), after: impl Fn(u32, u32) -> Vec<(u32, u32)>) -> bool {
    let (mut open, mut seen) = (vec![start], HashSet::from([start]));
    while let Some((at, alice)) = open.pop() {
        if at == length {
            return true;
        }
        if at > 0 {
            open.extend(after(at, alice).into_iter().filter(|&state| seen.insert(state)));
        }
    }
    false
}

/// Whether the real-money strategy's bids stay whole after Right has paid one dollar too much.
pub fn lemma_3_8(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(
        "n up to 5, d = n 2^(2n), the token in the middle, Right pays one dollar more than Left's first bid",
    );
    for n in 1..=5u32 {
        let position = PathPosition::new(2 * n, n)?;
        let total = RBig::from(2 * n * (1 << (2 * n)));
        let mut play = Play::new(position, &part(1, 2));
        let bids = |play: &Play| -> Vec<RBig> {
            let plan = play.plan();
            plan.iter().flat_map(|plan| (1..2 * n).map(|at| plan.bid(at) * &total)).collect()
        };
        let mut all = bids(&play);
        let higher = &all[n as usize - 1] / &total + RBig::ONE / &total;
        if higher <= play.bob() {
            play.bob_moves(&higher);
            all.extend(bids(&play));
        }
        finding.holds(all.iter().all(RBig::is_int), || format!("n = {n}"));
    }
    Ok(finding)
}

pub fn lemma_3_9(session: &mut Session) -> Result<Finding, Error> {
    for_states(session, true, |game, length, at, alice, bob| {
        let (_, rank) = game.winner(at, alice, bob)?;
        ((alice + bob) % 2 == 0).then_some(rank <= (length - 1) * (alice + bob + 1))
    })
}

pub fn lemma_3_10(session: &mut Session) -> Result<Finding, Error> {
    for_states(session, false, |game, length, at, alice, bob| {
        (alice * length > at * (alice + bob)).then(|| game.rank(Player::Alice, at, alice, bob).is_some())
    })
}

pub fn lemma_3_11(session: &mut Session) -> Result<Finding, Error> {
    for_states(session, true, |game, length, at, alice, bob| {
        (bob < length - at).then(|| game.rank(Player::Alice, at, alice, bob).is_some())
    })
}

/// Follows the fastest win against the longest defence, and looks for a configuration that occurs
/// twice.
pub fn lemma_3_12(session: &mut Session) -> Result<Finding, Error> {
    for_states(session, false, |game, length, at, alice, bob| {
        let (winner, _) = game.winner(at, alice, bob)?;
        let total = alice + bob;
        let mut seen = HashSet::new();
        let (mut at, mut alice) = (at, alice);
        while 0 < at && at < length {
            if !seen.insert((at, alice)) {
                return Some(false);
            }
            let after = |x: u32, y: u32| if y > x { (at + 1, alice + y) } else { (at - 1, alice - x) };
            let rank = |(at, alice): (u32, u32)| game.rank(winner, at, alice, total - alice).unwrap_or(u32::MAX);
            let answers = |x: u32| (0..=total - alice).map(move |y| after(x, y));
            let worst = |x: u32| answers(x).max_by_key(|&state| rank(state));
            let best = |x: u32| answers(x).min_by_key(|&state| rank(state));
            let next = match winner {
                Player::Alice => (0..=alice).filter_map(worst).min_by_key(|&state| rank(state)),
                Player::Bob => (0..=alice).filter_map(best).max_by_key(|&state| rank(state)),
            };
            (at, alice) = next?;
        }
        Some(true)
    })
}
