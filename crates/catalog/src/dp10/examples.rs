//! Sections 4 and 5: Tug o' War, Ultimatum, and the partial order.

use richman_core::{Difference, Effort, Holding, Mechanism, Player, Rule, Share, Terminal};
use richman_solvers::{money, rules};

use super::super::samples::{self, ArenaKind, share, win_rule, winner};
use super::super::{Finding, Session};
use super::{at_most, chain, slope};
use crate::Error;

fn tug(session: &mut Session, n: u32) -> Result<Rule, Error> {
    session.library.rule(&format!("tug-of-war:length={},at={n}", 2 * n))
}

pub fn proposition_4_1(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 40 } else { 12 };
    let mut finding = Finding::over(format!("n from 1 to {most}, all b < n, holdings of Alice up to 2n"));
    for n in 1..=most {
        let rule = tug(session, n)?;
        for b in 0..n {
            for alice in 0..=4 * n {
                let wins = u64::from(alice) >= rule.at(alice / 2 + b);
                let at = || format!("n = {n}, Alice {}, Bob {b}", Holding::from_half_steps(alice));
                finding.compare(at, alice + 1 >= 2 * n, wins);
            }
        }
    }
    Ok(finding)
}

pub fn corollary_4_2(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 24 } else { 8 };
    let mut finding = Finding::over(format!("n from 1 to {most}, all a, b < n, k and k' up to 3"));
    for n in 1..=most {
        let rule = tug(session, n)?;
        for (k, l) in (0..=3u32).flat_map(|k| (0..=3).map(move |l| (k, l))) {
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                let total = (k + l) * n + a + b;
                let own = 2 * (k * n + a);
                let at = |star| format!("n = {n}, k = {k}, a = {a}{star}, k' = {l}, b = {b}");
                finding.compare(|| at(""), k > l, u64::from(own) >= rule.at(total));
                let printed = k > l || (k == l && a == n - 1);
                finding.compare(|| at("*"), printed, u64::from(own + 1) >= rule.at(total));
            }
        }
    }
    Ok(finding)
}

pub fn proposition_4_3(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 12 } else { 6 };
    let length = 4 * most + 4;
    let mut finding = Finding::over(format!("the infinite game cut to n <= {length}; a from 2 to {most}"));
    let choices: Vec<(u32, i64)> = (1..=length).map(|n| (n, 0)).collect();
    let arena = samples::choice_of_tugs(&choices)?;
    for a in 2..=most {
        let result = winner(&arena, 4 * a, 6 * a)?;
        finding.compare(|| format!("a = {a}"), "draw", named(result));
    }
    finding.compare(|| "R".to_string(), "1/2", share(&arena, None)?);
    Ok(finding)
}

fn named(winner: Option<Player>) -> String {
    winner.map_or_else(|| "draw".to_string(), |player| player.to_string())
}

pub fn proposition_4_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 8 } else { 5 };
    let length = 5 * most + 12;
    let mut finding = Finding::over(format!(
        "the infinite game cut to n <= {length}; a from 1 to {most}; Alice wins at n, as section 4.1 says"
    ));
    let choices =
        |label: i64| -> Vec<(u32, i64)> { [(1, 0)].into_iter().chain((10..=length).map(|n| (n, label))).collect() };
    // "Richman values of all Tug^n starting at -1 less than 1/2"
    let arena = samples::choice_of_tugs(&choices(-1))?;
    let shares = money::solve(&arena, &Mechanism::default(), &Effort::default())?.win;
    let least = arena.moves(arena.start(), Player::Bob)[1..].iter().map(|&to| shares.get(to).high).min();
    let half = Share::mean(&Share::ZERO, &Share::ONE);
    finding.compare(|| "R of Tug^n from -1 below 1/2".to_string(), true, least.is_some_and(|least| least < half));
    // The argument itself, at the vertex next to the middle on Alice's side: Bob can draw, but not
    // with stable moves.
    let arena = samples::choice_of_tugs(&choices(1))?;
    let stable = samples::choice_of_tugs(&[(1, 0)])?;
    for a in 1..=most {
        finding.compare(|| format!("a = {a}, vertex 1"), "draw", named(winner(&arena, 5 * a, 6 * a + 1)?));
        let lost = named(winner(&stable, 5 * a, 6 * a + 1)?);
        finding.compare(|| format!("a = {a}, Bob keeps to Tug^1"), "Alice", lost);
    }
    Ok(finding)
}

fn ultimatum(session: &mut Session, n: u32) -> Result<Rule, Error> {
    session.library.rule(&format!("ultimatum:degree={n}"))
}

fn ultimatum_claim(
    session: &mut Session,
    star: bool,
    congruent: bool,
    special: impl Fn(u32, u32) -> bool,
) -> Result<Finding, Error> {
    let most = if session.deep { 10 } else { 7 };
    let bound = |n: u32| if congruent { 3 << n } else { 1 << n };
    let mut finding = Finding::over(format!(
        "n from 1 to {most}, b < {} and a up to b + 3",
        if congruent { "3 x 2^n" } else { "2^n" }
    ));
    for n in 1..=most {
        let rule = ultimatum(session, n)?;
        for b in 0..bound(n) {
            for a in 0..=b + 3 {
                let ahead = if star { b } else { b + 1 };
                let printed = a > ahead || (a == ahead && !special(n, if congruent && !star { a } else { b }));
                let wins = u64::from(2 * a + u32::from(star)) >= rule.at(a + b);
                finding.compare(|| format!("n = {n}, a = {a}, b = {b}"), printed, wins);
            }
        }
    }
    Ok(finding)
}

pub fn proposition_4_5(session: &mut Session) -> Result<Finding, Error> {
    ultimatum_claim(session, true, false, |n, b| b + 1 == 1 << (n - 1))
}

pub fn proposition_4_6(session: &mut Session) -> Result<Finding, Error> {
    ultimatum_claim(session, false, false, |n, b| b + 1 == 1 << (n - 1))
}

pub fn corollary_4_7(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = ultimatum_claim(session, true, true, |n, b| (b + 1) % (1 << n) == (1 << (n - 1)) % (1 << n))?;
    // For (a, b*) the congruence is printed for a: a = 2^(n-1) modulo 2^n.
    let second = ultimatum_claim(session, false, true, |n, a| a % (1 << n) == (1 << (n - 1)) % (1 << n))?;
    finding.cells += second.cells;
    finding.differ.extend(second.differ);
    Ok(finding)
}

pub fn proposition_4_8(session: &mut Session) -> Result<Finding, Error> {
    let degrees: Vec<u32> = if session.deep { vec![1, 3, 5, 7, 9] } else { vec![1, 3, 5, 7] };
    let largest = degrees[degrees.len() - 1];
    let mut finding = Finding::over(format!("the infinite game cut to odd n <= {largest}; k < 2^{}", largest + 1));
    let rule = win_rule(&samples::choice_of_ultimatums(&degrees)?)?;
    for k in 0..1u32 << (largest + 1) {
        let draw = degrees.iter().any(|&n| (k + 1) % (1 << n) == (1 << (n - 1)) % (1 << n));
        finding.compare(|| format!("k = {k}"), !draw, u64::from(2 * k + 1) >= rule.at(2 * k));
    }
    finding.compare(|| "R".to_string(), "1/2", slope(&rule).map_or("none".to_string(), |share| share.to_string()));
    Ok(finding)
}

pub fn example_5_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("{}, all totals", session.range(ArenaKind::Any)));
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        let rule = win_rule(arena)?;
        let between = at_most(&Rule::nothing(), &rule)? && at_most(&rule, &Rule::unreachable())?;
        finding.holds(between, || format!("arena {number}"));
    }
    Ok(finding)
}

pub fn example_5_2(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("n up to 10, all totals; {}", session.range(ArenaKind::Acyclic)));
    for (number, pair) in chain(session, 10)?.windows(2).enumerate() {
        let strictly = matches!(pair[0].1.difference(&pair[1].1)?, Difference { below: Some(_), above: None });
        finding.holds(strictly, || format!("link {number} of the chain"));
    }
    for (number, arena) in session.arenas(ArenaKind::Acyclic)?.iter().enumerate() {
        let rule = win_rule(arena)?;
        // The shortest line of one player's moves alone that wins for that player.
        let alone = |player: Player| {
            let mut front = vec![arena.start()];
            (0..arena.len() as u32).find(|_| {
                let decided = front.iter().any(|&node| match player {
                    Player::Alice => arena.terminal(node) == Some(Terminal::Win(Player::Alice)),
                    Player::Bob => arena.terminal(node).is_some_and(|end| end != Terminal::Win(Player::Alice)),
                });
                if !decided {
                    front = front.iter().flat_map(|&node| arena.moves(node, player)).copied().collect();
                }
                decided
            })
        };
        if let Some(n) = alone(Player::Bob).filter(|&n| n > 0) {
            let bound = session.library.expression(&format!("A^{n}"))?;
            finding.holds(at_most(&bound, &rule)?, || format!("A^{n} <= arena {number}"));
        }
        if let Some(n) = alone(Player::Alice).filter(|&n| n > 0) {
            let bound = session.library.expression(&format!("B^{n}"))?;
            finding.holds(at_most(&rule, &bound)?, || format!("arena {number} <= B^{n}"));
        }
    }
    Ok(finding)
}

pub fn section_5(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("n up to 10, all totals; {}", session.range(ArenaKind::Decided)));
    for n in 2..=10 {
        let shorter = if n == 2 { "E".to_string() } else { format!("A^{}", n - 1) };
        let both =
            [session.library.expression(&format!("A^{n}"))?, session.library.expression(&format!("A & {shorter}"))?];
        finding.holds(both[0] == both[1], || format!("A^{n} = A & {shorter}"));
    }
    let even = session.library.expression("E")?;
    let found = session.arenas(ArenaKind::Decided)?.iter().map(win_rule).collect::<Result<Vec<Rule>, _>>()?;
    for (number, (arena, rule)) in session.arenas(ArenaKind::Decided)?.iter().zip(&found).enumerate() {
        let wedge = rules::wedge(rule, &win_rule(&arena.mirror())?)?;
        finding.holds(wedge == even, || format!("G & ~G, arena {number}"));
    }
    for (number, four) in found.windows(4).enumerate() {
        if at_most(&four[0], &four[1])? && at_most(&four[2], &four[3])? {
            let (lower, upper) = (rules::wedge(&four[0], &four[2])?, rules::wedge(&four[1], &four[3])?);
            finding.holds(at_most(&lower, &upper)?, || format!("monotone, arenas from {number}"));
        }
    }
    Ok(finding)
}
