//! Sections 4 and 5: money to the bank.

use dashu_int::IBig;
use dashu_ratio::RBig;
use richman_core::partition;
use richman_core::{Payment, Player};

use super::super::{Finding, Session};
use super::{everywhere, play_out};
use crate::Error;
use crate::tug_of_war::poorman::{self, MOST_MOVES, PurseWins};

/// Compares v and u of section 4 with chips. If `player` wins within t moves for ratios on one side
/// of x, the boundary in chips lies between x m - t and x m, rounded up.
pub fn by_chips(session: &Session, player: Player) -> Result<Finding, Error> {
    const MOVES: u32 = 12;
    let numbers = if player == Player::Alice { poorman::wins_within } else { poorman::losses_within };
    let most = if session.deep { 400 } else { 100 };
    let mut finding = Finding::over(format!(
        "lengths 2 to 6, every node, t up to {MOVES}: with m chips of Right up to {most} (programme for chips), Left's \
         threshold lies from x m - t to x m, rounded up"
    ));
    for length in 2..=6 {
        let chips = PurseWins::new(length, length * most, most, 1 << 30)?;
        for moves in 1..=MOVES {
            let numbers = numbers(length, moves)?;
            for at in 1..length {
                let within = |alice: u32, bob: u32| {
                    let (winner, rank) = chips.winner(at, alice, bob);
                    winner == player && rank <= moves
                };
                let above = |alice: u32, bob: u32| within(alice, bob) == (player == Player::Alice);
                let number = &numbers[at as usize];
                let fails = (1..=most).find_map(|bob| {
                    let threshold = partition(length * most + 1, |alice| !above(alice, bob));
                    let threshold = Some(threshold).filter(|&alice| alice <= length * most);
                    let agrees = match (threshold, number) {
                        (Some(chips), Some(x)) => {
                            let (chips, limit) = (RBig::from(chips), x * RBig::from(bob));
                            chips >= &limit - RBig::from(moves) && chips < limit + RBig::ONE
                        }
                        (threshold, number) => threshold.is_none() && number.is_none(),
                    };
                    (!agrees).then(|| format!("{threshold:?} against {bob}"))
                });
                let printed = number.as_ref().map_or("infinite".to_string(), RBig::to_string);
                everywhere(&mut finding, format!("N = {length}, p = {at}, t = {moves}"), &printed, fails);
            }
        }
    }
    Ok(finding)
}

/// In the middle Left wins with equal money, so v(p, t) <= 1 for some t.
pub fn some_t(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("equal money in the middle, even lengths 2 to 8, t up to {MOST_MOVES}"));
    for length in (2..=8).step_by(2) {
        let mut found = None;
        for moves in 1..=MOST_MOVES {
            let v = poorman::wins_within(length, moves)?[length as usize / 2].clone();
            found = found.or(v.filter(|v| *v <= RBig::ONE).map(|_| moves));
        }
        let computed = if found.is_some() { "there is" } else { "there is not" };
        finding.compare(|| format!("N = {length}"), "there is", computed);
    }
    Ok(finding)
}

pub fn section_4_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 2000 } else { 500 };
    let mut finding = Finding::over(format!(
        "even lengths 2 to 12: u(N/2, t) <= 1 <= v(N/2, t) for t up to 16, closer with each t; {most} chips of Right \
         against 8/10 and 12/10 of them in steps of 1/100 (programme for chips)"
    ));
    for length in (2..=12u32).step_by(2) {
        let middle = length as usize / 2;
        let mut last = None;
        for moves in length / 2..=MOST_MOVES {
            let pair = (
                poorman::losses_within(length, moves)?[middle].clone(),
                poorman::wins_within(length, moves)?[middle].clone(),
            );
            let (Some(u), Some(v)) = pair else { continue };
            let closer = last.as_ref().is_none_or(|last| *last >= &v - &u);
            finding.holds(u <= RBig::ONE && RBig::ONE <= v && closer, || format!("N = {length}, t = {moves}"));
            last = Some(v - u);
        }
        let least = poorman::win_thresholds(length, most)?[middle][most as usize];
        for hundredths in (80..=120).filter(|&hundredths| hundredths != 100) {
            let alice = most * hundredths / 100;
            let winner = if alice >= least { "Left" } else { "Right" };
            let printed = if hundredths > 100 { "Left" } else { "Right" };
            // Few chips are far from real money; theorem 10 (chips, to the bank) of docs/design.md
            // says how far.
            if hundredths > 100 || RBig::from(most - alice) > poorman::gaps(length, 64)?[middle] {
                finding.compare(|| format!("N = {length}, {hundredths}/100"), printed, winner);
            }
        }
    }
    Ok(finding)
}

pub fn lemma_4_3(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(
        "lengths 2 to 16: bounds on v(p) 2^-100 apart or closer satisfy the system; up to length 8 they lie between \
         u(p, 16) and v(p, 16), and 1/v(N - p) is v(p)",
    );
    let close = RBig::ONE / RBig::from(IBig::ONE << 100);
    for length in 2..=16u32 {
        let v = poorman::limits(length, 256)?;
        for at in 1..length as usize {
            let system = |side: fn(&(RBig, RBig)) -> &RBig| {
                let down = side(&v[at - 1]);
                match v.get(at + 1).map(side) {
                    None => RBig::ONE + down,
                    Some(up) => up * (RBig::ONE + down) / (RBig::ONE + up),
                }
            };
            let (low, high) = &v[at];
            let next = (system(|bounds| &bounds.0), system(|bounds| &bounds.1));
            let meets = *low <= next.1 && next.0 <= *high && high - low < close && &next.1 - &next.0 < close;
            finding.holds(meets, || format!("N = {length}, p = {at}"));
            let mirror = &v[length as usize - at];
            let inverse = (RBig::ONE / &mirror.1, RBig::ONE / &mirror.0);
            finding.holds(*low <= inverse.1 && inverse.0 <= *high, || format!("N = {length}, p = {at}, 1/v(N - p)"));
        }
        if length <= 8 {
            let (u, w) = (poorman::losses_within(length, MOST_MOVES)?, poorman::wins_within(length, MOST_MOVES)?);
            for at in 1..length as usize {
                let between =
                    u[at].as_ref().is_some_and(|u| *u <= v[at].1) && w[at].as_ref().is_some_and(|w| *w >= v[at].0);
                finding.holds(between, || format!("N = {length}, p = {at}, between u and v"));
            }
        }
    }
    Ok(finding)
}

/// Counts all real solutions, positive or not. With c(0) = 1, c(1) = K + 1 and c(j + 1) = K c(j) -
/// c(j - 1) + 1 they are x_p = c(p - 1)/c(p) for the roots K of c(N) at which no earlier c is 0.
/// All roots lie between -2 and 2.
pub fn lemma_4_4(_: &mut Session) -> Result<Finding, Error> {
    const BITS: usize = 12;
    let mut finding =
        Finding::over("lengths 2 to 8, all real solutions, counted by changes of sign in steps of 1/4096");
    for length in 2..=8 {
        let c = |i: i128| {
            let numerator = 2 * i + 1; // over 2^(BITS + 1)
            let mut c = vec![1i128, numerator + (1 << (BITS + 1))];
            for j in 1..length {
                c.push(numerator * c[j] - (c[j - 1] << (2 * BITS + 2)) + (1 << ((BITS + 1) * (j + 1))));
            }
            c
        };
        let solutions = (-(2i128 << BITS) - 1..2 << BITS)
            .filter(|&i| {
                let (left, right) = (c(i), c(i + 1));
                let same = |j: usize| left[j].signum() == right[j].signum();
                (0..length).all(same) && !same(length)
            })
            .count();
        finding.compare(|| format!("N = {length}"), 1, solutions);
    }
    Ok(finding)
}

pub fn equal_money(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 2000 } else { 200 };
    let mut lost = 0;
    for length in (2..=20).step_by(2) {
        let least = &poorman::win_thresholds(length, most)?[length as usize / 2];
        lost += (0..=most).filter(|&chips| least[chips as usize] > chips).count();
    }
    let mut finding = Finding::over(format!(
        "chips, which say no less than real money does: equal purses of up to {most}, even paths up to length 20"
    ));
    finding.answer("purses with which Left loses", lost);
    Ok(finding)
}

pub fn a_formula(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 2000 } else { 200 };
    let mut finding = Finding::over(format!("lengths 2 to 20, purses of Right up to {most}"));
    let mut exact = 0;
    let mut outside = 0;
    for length in 2..=20u32 {
        let least = poorman::win_thresholds(length, most)?;
        let (limits, gaps) = (poorman::limits(length, 128)?, poorman::gaps(length, 128)?);
        for at in 1..length as usize {
            for bob in 0..=most {
                let chips = least[at][bob as usize];
                let money = RBig::from(bob);
                let inside = RBig::from(chips) >= &limits[at].0 * &money - &gaps[at]
                    && RBig::from(chips) < &limits[at].1 * &money + RBig::ONE;
                outside += u32::from(!inside);
                if length <= 4 {
                    exact += u32::from(chips != small_path(length, at, bob, &limits[at].1));
                }
            }
        }
        if length % 2 == 0 {
            let short = [20, 50, 100, 200].map(|m| m - i64::from(least[length as usize / 2][m as usize]));
            finding.answer(format!("length {length}: how much less than 20, 50, 100 and 200 is enough"), words(&short));
        }
    }
    finding.answer("exceptions to the formulas on lengths 2, 3 and 4", exact);
    finding.answer("exceptions to the strip on all lengths", outside);
    Ok(finding)
}

fn words(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// The thresholds on paths of length 2 to 4 (docs/design.md, after theorem 10 (chips, to the
/// bank)).
fn small_path(length: u32, at: usize, bob: u32, limit: &RBig) -> u32 {
    match (length, at) {
        (2, _) => bob,
        (3, _) => u32::try_from((limit * RBig::from(bob)).floor()).unwrap_or(0),
        (_, 1) => bob.saturating_sub(1) / 2,
        (_, 2) => bob.saturating_sub(1),
        _ => (2 * bob).saturating_sub(1),
    }
}

/// The longest play under any moves, and the fewest moves of a forced win.
pub fn lemma_5_1(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 20 } else { 10 };
    let mut finding = Finding::over(format!(
        "lengths 2 to 6, all purses up to {most}: the longest of all plays; and the fewest moves of whoever wins \
         (programme for chips)"
    ));
    for length in 2..=6u32 {
        let size = |alice: u32, bob: u32| (alice * (most + 1) + bob) as usize;
        let mut longest = vec![vec![0u32; size(most, most) + 1]; length as usize + 1];
        let (mut any, mut forced) = (None, None);
        let chips = PurseWins::new(length, most, most, 1 << 30)?;
        for (alice, bob) in (0..=most).flat_map(|alice| (0..=most).map(move |bob| (alice, bob))) {
            for at in 1..length as usize {
                let had = (0..=alice).map(|bid| longest[at - 1][size(alice - bid, bob)]);
                let outbid = (1..=bob).map(|bid| longest[at + 1][size(alice, bob - bid)]);
                let moves = 1 + had.chain(outbid).max().unwrap_or(0);
                longest[at][size(alice, bob)] = moves;
                let bound = alice + bob + length;
                let place = |moves: u32| format!("{moves} at node {at} with {alice} against {bob}");
                if moves > bound {
                    any.get_or_insert_with(|| place(moves));
                }
                let fewest = chips.winner(at as u32, alice, bob).1;
                if fewest > bound {
                    forced.get_or_insert_with(|| place(fewest));
                }
            }
        }
        let printed = "at most d_L + d_R + N";
        everywhere(&mut finding, format!("N = {length}, any play"), printed, any);
        everywhere(&mut finding, format!("N = {length}, a forced win"), printed, forced);
    }
    Ok(finding)
}

pub fn programme(session: &Session, player: Player) -> Result<Finding, Error> {
    let most = if session.deep { 9 } else { 7 };
    let run = if player == Player::Alice { poorman::programme_l } else { poorman::programme_r };
    let mut finding = Finding::over(format!(
        "lengths 2 to 6, every node, purses up to {most}: what is stored, against the game played out by definition"
    ));
    for length in 2..=6 {
        let stored = run(length, most, most)?;
        play_out(length, Payment::Poorman, 2 * most, |game| {
            for (at, alice, bob) in game.states().filter(|&(_, alice, bob)| alice.max(bob) <= most) {
                let fewest = game.rank(player, at, alice, bob).unwrap_or(0);
                let at_state = || format!("N = {length}, p = {at}, {alice} against {bob}");
                finding.compare(at_state, stored.stored(at, alice, bob), fewest);
            }
            Ok(())
        })?;
    }
    Ok(finding)
}
