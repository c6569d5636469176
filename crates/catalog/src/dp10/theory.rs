//! Section 3: the general theory.

use dashu_int::ops::Gcd;
use richman_analysis::stability::stable_moves;
use richman_check::oracle::{Oracle, OracleState};
use richman_check::random_turn;
use richman_core::{Arena, ByPlayer, Effort, Holding, Mechanism, Node, Player, Rule, Share, Ties, Total};
use richman_solvers::{chips, money};

use super::super::samples::{self, ArenaKind, share, win_rule};
use super::super::{Finding, Session};
use super::{Recursion, alices_turn, one_turn, slope, solve};
use crate::Error;

fn oracle_totals(session: &Session) -> u32 {
    if session.deep { 6 } else { 4 }
}

/// Plays out small arenas and checks `holds(oracle, state)` for every state that Alice wins.
fn for_wins(
    session: &mut Session,
    holds: impl Fn(&Oracle, OracleState, u32) -> Option<bool>,
) -> Result<Finding, Error> {
    let most = oracle_totals(session);
    let mechanism = Mechanism::default();
    let range = format!(
        "{}; all states with totals up to {most}, played out by definition, with the thresholds of the solver",
        session.range(ArenaKind::Any)
    );
    let mut finding = Finding::over(range);
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let oracle = Oracle::new(arena, &mechanism, total, None);
            let solution = solve(arena, Ties::Advantage, total)?;
            for node in arena.nodes() {
                let same = oracle.thresholds(node) == Some(solution.thresholds(node));
                finding.holds(same, || format!("arena {number}, position {node}, {total} chips, the solver"));
            }
            for state in oracle.states().filter(|state| oracle.rank(Player::Alice, *state).is_some()) {
                if let Some(holds) = holds(&oracle, state, total) {
                    finding.holds(holds, || format!("arena {number}, position {}, {total} chips", state.node));
                }
            }
        }
    }
    Ok(finding)
}

pub fn lemma_3_1(session: &mut Session) -> Result<Finding, Error> {
    for_wins(session, |oracle, state, _| {
        let with_star = OracleState { star: Player::Alice, ..state };
        (state.star == Player::Bob).then(|| oracle.rank(Player::Alice, with_star).is_some())
    })
}

pub fn lemma_3_2(session: &mut Session) -> Result<Finding, Error> {
    for_wins(session, |oracle, state, total| {
        let more = state.alice + 1;
        let with_chip =
            OracleState { alice: more.min(total), bob: total.saturating_sub(more), star: Player::Bob, ..state };
        (state.star == Player::Alice && state.alice < total).then(|| oracle.rank(Player::Alice, with_chip).is_some())
    })
}

pub fn example_3_3(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("n from 1 to 10, k up to 2^n + 2");
    for n in 1..=10u32 {
        let rule = session.library.expression(&format!("B^{n}"))?;
        for k in 0..=(1 << n) + 2 {
            let threshold = rule.at(k);
            let at = |star: &str| format!("n = {n}, k = {k}{star}");
            finding.compare(|| at("*"), k + 1 >= 1 << (n - 1), u64::from(2 * k + 1) >= threshold);
            finding.compare(|| at(""), k + 1 >= 1 << n, u64::from(2 * k) >= threshold);
        }
    }
    Ok(finding)
}

/// Every winning holding at every position has a good bid that uses the star in a tie, or is 0.
pub fn proposition_3_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 24 } else { 10 };
    let mut finding = Finding::over(format!(
        "{}; Alice with the star and her threshold or one more chip, totals up to {most}",
        session.range(ArenaKind::Any)
    ));
    let mechanism = Mechanism::default();
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let solution = solve(arena, Ties::Advantage, total)?;
            for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
                for stage in solution.wins.alice.stages(node) {
                    let before = |to: Node| solution.wins.alice.threshold_within(to, solution.total, stage.within - 1);
                    let alice = arena.moves(node, Player::Alice).iter().map(|&to| before(to));
                    let alice = alice.map(|t| t.plain + t.star).min().unwrap_or(0);
                    let bob = arena.moves(node, Player::Bob).iter().map(|&to| before(to));
                    let bob = bob.map(|t| t.plain + t.star).max().unwrap_or(0);
                    for own in stage.threshold.star..=(stage.threshold.star + 1).min(total) {
                        let turn = alices_turn(&mechanism, total, 2 * own + 1, alice, bob);
                        let good = (0..=own)
                            .any(|bid| turn.is_good(bid) && (bid == 0 || bid > turn.other || turn.star_used(bid)));
                        finding.holds(good, || format!("arena {number}, position {node}, {own}* of {total}"));
                    }
                }
            }
        }
    }
    Ok(finding)
}

pub fn example_3_5(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 500 } else { 50 };
    let mut finding = Finding::over(format!("k up to {most}"));
    let even = session.library.expression("E")?;
    let (rule, mechanism) = (win_rule(&samples::second_mover()?)?, Mechanism::default());
    for k in 0..=most {
        let needed = even.at(2 * k) as u32;
        let turn = alices_turn(&mechanism, 2 * k, 2 * k + 1, needed, needed);
        let wins = u64::from(2 * k + 1) >= rule.at(2 * k);
        let only = turn.good_bids() == [[0, 0]] && turn.star_kept(0) && !turn.star_used(0);
        finding.holds(wins && only, || format!("k = {k}"));
    }
    Ok(finding)
}

pub fn section_3_3(session: &mut Session) -> Result<Finding, Error> {
    const MOVES: [u32; 5] = [1, 2, 4, 8, 16];
    let mut finding = Finding::over(format!(
        "{}, truncated after 1 to 16 moves; R + R(~G) = 1 and R = 1 - P without cycles and draws",
        session.range(ArenaKind::Any)
    ));
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        let whole = share(arena, None)?;
        let truncated = MOVES.iter().map(|&moves| share(arena, Some(moves))).collect::<Result<Vec<_>, _>>()?;
        if arena.is_acyclic() {
            let longest = arena.len() as u32; // no play is longer
            finding.compare(|| format!("arena {number}, the limit"), &whole, share(arena, Some(longest))?);
        }
        let falls =
            truncated.windows(2).all(|pair| pair[0] >= pair[1]) && truncated.iter().all(|share| *share >= whole);
        finding.holds(falls, || format!("arena {number}"));
    }
    for (number, arena) in session.arenas(ArenaKind::Decided)?.iter().enumerate() {
        let rest = share(arena, None)?.complement();
        finding.compare(|| format!("arena {number}, ~G"), &rest, share(&arena.mirror(), None)?);
        let chance = random_turn::probability(arena, arena.start(), false, arena.len() as u32);
        finding.compare(|| format!("arena {number}, P"), &rest, chance);
    }
    Ok(finding)
}

pub fn example_3_6(_: &mut Session) -> Result<Finding, Error> {
    const MOST: u32 = 40;
    let mut finding = Finding::over(format!("the infinite game cut to m <= {MOST}; n from 2 to {MOST}"));
    let arena = samples::waiting(MOST)?;
    for within in (2..=MOST).map(Some).chain([None]) {
        let printed = if within.is_some() { "1/2" } else { "0" };
        finding.compare(|| within.map_or("G".to_string(), |n| format!("G[{n}]")), printed, share(&arena, within)?);
    }
    Ok(finding)
}

/// The printed formula, applied to the half-steps of f_A and f_B.
pub fn printed_formula(alice: u32, bob: u32) -> u32 {
    let sum = alice / 2 + bob / 2;
    let star = alice % 2 == 1;
    let epsilon = match (sum.is_multiple_of(2), star) {
        (true, false) => 0,
        (false, true) => 2,
        _ => 1,
    };
    2 * (sum / 2) + epsilon
}

pub fn theorem_3_7(_: &mut Session) -> Result<Finding, Error> {
    const MOST: u32 = 5;
    let mut finding = Finding::over(format!(
        "all pairs f_A, f_B of thresholds with {MOST} chips, against the definition of a turn; f_A > f_B is a zugzwang"
    ));
    let name = |half_steps| Holding::from_half_steps(half_steps).to_string();
    let recursions: [Recursion; 2] = [("", printed_formula), (", the solver", chips::local::chooses)];
    one_turn(&mut finding, Ties::Advantage, MOST, name, recursions);
    Ok(finding)
}

pub fn example_3_8(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("all totals; the tables of A^2 and B^2 are missing from the copy of the paper");
    for (name, rule) in [
        ("A", Rule::nothing()),
        ("B", Rule::unreachable()),
        ("E", Rule::new(vec![1, 2], 2, 2)?), // floor(1/2)* and (1 + 1)/2, then n more
    ] {
        finding.holds(session.library.expression(name)? == rule, || name.to_string());
    }
    Ok(finding)
}

/// The start's win rules, free and with one player restricted to best real-money moves.
struct RestrictedWins {
    free: Rule,
    of: ByPlayer<Rule>,
    share: Share,
    /// The least common denominator of the reachable positions' shares and of the best bids.
    block: u64,
}

impl RestrictedWins {
    fn new(arena: &Arena) -> Result<RestrictedWins, Error> {
        let shares = money::solve(arena, &Mechanism::default(), &Effort::default())?.win;
        let restricted = |player| {
            stable_moves(arena, player, |node| shares.get(node).as_exact().cloned())
                .ok_or_else(|| Error::Damaged { reason: "a sample without exact shares".to_string() })
        };
        let mut block = 1u64;
        for node in arena.nodes() {
            let mut fractions = vec![shares.get(node).high];
            let of = |player| arena.moves(node, player).iter().map(|&to| shares.get(to).high);
            if let (Some(alice), Some(bob)) = (of(Player::Alice).min(), of(Player::Bob).max()) {
                fractions.push(Share::half_difference(&alice, &bob));
            }
            for fraction in fractions {
                let denominator = u64::try_from(fraction.denominator().clone()).unwrap_or(u64::MAX);
                block = block / block.gcd(denominator) * denominator;
            }
        }
        Ok(RestrictedWins {
            free: win_rule(arena)?,
            of: ByPlayer::new(win_rule(&restricted(Player::Alice)?)?, win_rule(&restricted(Player::Bob)?)?),
            share: shares.get(arena.start()).high,
            block,
        })
    }
}

pub fn stable_slope(session: &mut Session, player: Player) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "{}; for all totals the threshold with {player}'s moves restricted stays within a bound of R x total",
        session.range(ArenaKind::Any)
    ));
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        let restricted = RestrictedWins::new(arena)?;
        finding.holds(slope(&restricted.of[player]) == Some(restricted.share), || format!("arena {number}"));
    }
    Ok(finding)
}

pub fn theorem_3_12(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("");
    let mut last = None;
    let mut unstable = 0;
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        let RestrictedWins { free, of: ByPlayer { alice, bob }, .. } = RestrictedWins::new(arena)?;
        let differences = [free.last_difference(&alice)?, free.last_difference(&bob)?];
        finding.holds(!differences.contains(&Some(None)), || format!("arena {number}"));
        let latest = differences.iter().flatten().flatten().max();
        unstable += u32::from(latest.is_some());
        last = last.max(latest.copied());
    }
    finding.range = format!(
        "{}, all totals; {unstable} of them are unstable somewhere{}",
        session.range(ArenaKind::Any),
        last.map_or(String::new(), |total| format!(", the latest with {total} chips"))
    );
    Ok(finding)
}

/// Compares threshold(k + M) with threshold(k) + M R, for every total and stable play of one
/// player.
pub fn stable_period(session: &mut Session, player: Player) -> Result<Finding, Error> {
    let mut finding =
        Finding::over(format!("a game of three or four positions, and {}, every total", session.range(ArenaKind::Any)));
    let arenas = session.arenas(ArenaKind::Any)?;
    let named = (0..).map(|number: u32| format!("arena {number}")).zip(arenas);
    let small = match player {
        Player::Alice => ("x, y, z".to_string(), samples::new_bids()?),
        Player::Bob => ("w, x, y, z".to_string(), samples::turning_zugzwang()?),
    };
    for (name, arena) in std::iter::once(small).chain(named) {
        let restricted = RestrictedWins::new(&arena)?;
        let rule = &restricted.of[player];
        let Ok(block) = u32::try_from(restricted.block) else { continue };
        let step = u64::from(block) * u64::from(rule.step()) / u64::from(rule.block());
        // Alice's largest holding with which Bob prevents her win, or her least that wins; then M
        // chips more.
        let holding = |total: u32| match player {
            Player::Alice => Some(rule.at(total)).filter(|&least| least <= u64::from(2 * total + 1)),
            Player::Bob => rule.at(total).checked_sub(1),
        };
        let wins = |total: u32, half_steps: u64| half_steps >= rule.at(total);
        let wrong = (0..rule.from() + rule.block()).find_map(|total| {
            let later = holding(total)? + step;
            (wins(total + block, later) != (player == Player::Alice)).then_some((total, later))
        });
        let printed = if player == Player::Alice { "Alice wins" } else { "she does not" };
        let computed = if player == Player::Alice { "she does not" } else { "Alice wins" };
        match wrong {
            None => finding.holds(true, String::new),
            Some((total, later)) => {
                let state = |total: u32, alice: u64| {
                    let alice = Holding::from_half_steps(alice as u32);
                    let bob = Total::new(total).and_then(|total| total.rest(alice));
                    bob.map_or_else(|error| error.to_string(), |bob| format!("({alice}, {bob})"))
                };
                let at = || {
                    format!("{name}: {} to {}, M = {block}", state(total, later - step), state(total + block, later))
                };
                finding.compare(at, printed, computed);
            }
        }
    }
    Ok(finding)
}

/// The least threshold - R x total over all totals, in chips, rounded for display.
fn deepest(rule: &Rule) -> Option<f64> {
    let slope = f64::from(rule.step()) / f64::from(rule.block());
    (0..rule.from() + rule.block())
        .map(|total| (rule.at(total) as f64 - slope * f64::from(total)) / 2.0)
        .reduce(f64::min)
}

pub fn problem_3_15(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 6 } else { 5 };
    let mut words = Vec::new();
    for runs in 1..=most {
        let rule = win_rule(&samples::longer_and_longer(runs)?)?;
        let share = slope(&rule).map_or(0.0, |share| share.to_f64());
        words.push(format!("{runs} runs: R = {share:.4}, {:+.2}", deepest(&rule).unwrap_or(0.0)));
    }
    let mut layers = Vec::new();
    for depth in [4, 6, 8, 10] {
        let mut least = f64::MAX;
        for seed in 0..20 {
            least = least.min(deepest(&win_rule(&samples::layers(depth, seed)?)?).unwrap_or(0.0));
        }
        layers.push(format!("{depth}: {least:+.2}"));
    }
    Ok(Finding::over(format!(
        "experiment on truncations: the least of threshold - R x total over all totals, in chips. The game of section \
         7 that Alice wins with the first move, or both of the next two, or all of the next three, ... ({}). The least \
         of 20 random games of layers of four positions, by number of layers ({}). A positive answer needs it to fall \
         without bound",
        words.join("; "),
        layers.join("; ")
    )))
}

pub fn problem_3_16(session: &mut Session) -> Result<Finding, Error> {
    let games = if session.deep { 100 } else { 30 };
    let mut words = Vec::new();
    for depth in [4, 6, 8, 10] {
        let (mut unstable, mut latest) = (0, None);
        for seed in 0..games {
            let RestrictedWins { free, of: ByPlayer { alice, bob }, .. } =
                RestrictedWins::new(&samples::layers(depth, seed)?)?;
            let last = [free.last_difference(&alice)?, free.last_difference(&bob)?];
            let last = last.into_iter().flatten().flatten().max();
            unstable += u32::from(last.is_some());
            latest = latest.max(last);
        }
        let latest = latest.map_or(String::new(), |total| format!(", the latest at {total} chips"));
        words.push(format!("{depth} layers: {unstable} unstable somewhere{latest}"));
    }
    Ok(Finding::over(format!(
        "experiment on truncations: the last unstable total of {games} random games of layers of four positions ({}). \
         A negative answer needs a game whose last unstable total grows forever",
        words.join("; ")
    )))
}
