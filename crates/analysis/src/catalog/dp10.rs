//! The claims of DP10 that are sentences: Develin and Payne, Discrete bidding games, sections 2 to 6.

use richman_check::oracle::{Oracle, State};
use richman_check::random_turn;
use richman_core::{
    Arena, ArenaBuilder, Difference, Holding, Mechanism, Node, Player, Right, Rule, Share, Terminal, Threshold, Total,
    Turn,
};
use richman_solvers::chips::local;
use richman_solvers::{Options, chips, money, rules};

use super::printed::with_first_move;
use super::samples::{self, Kind, win_rule, winner};
use super::{Coded, Finding, Session};
use crate::Error;
use crate::stability::stable_moves;

/// In the order of the paper.
pub const CLAIMS: &[Coded] = &[
    Coded {
        place: "Lemma 3.1",
        what: "whoever wins without the tie-breaking advantage also wins with it",
        check: lemma_3_1,
    },
    Coded {
        place: "Lemma 3.2",
        what: "whoever wins with the tie-breaking advantage also wins with one chip more in its place",
        check: lemma_3_2,
    },
    Coded {
        place: "Example 3.3",
        what: "in B^n Alice wins (k*, 0) from k = 2^(n-1) - 1 on and (k, 0*) from k = 2^n - 1 on",
        check: example_3_3,
    },
    Coded {
        place: "Proposition 3.4",
        what: "there are best strategies that use the tie-breaking advantage whenever the bids are tied and not zero",
        check: proposition_3_4,
    },
    Coded {
        place: "Example 3.5",
        what: "where the second mover wins, the star's holder with equal chips can only win by bidding 0 and keeping the star",
        check: example_3_5,
    },
    Coded {
        place: "Section 3.3",
        what: "R(G[n]) does not increase with n and tends to R(G); for finite games R(G) = 1 - P(G) and R(G) + R(~G) = 1",
        check: section_3_3,
    },
    Coded {
        place: "Example 3.6",
        what: "Alice is sure to win, so R(G) = 0, but R(G[n]) = 1/2 for every truncation",
        check: example_3_6,
    },
    Coded {
        place: "Theorem 3.7",
        what: "the threshold is floor((|f_A| + |f_B|) / 2) + epsilon, with epsilon from the parity and the star of f_A",
        check: theorem_3_7,
    },
    Coded {
        place: "Example 3.8",
        what: "f(A, k) = 0, f(B, k) = k + 1, f(E, k) = (k + 1)/2 or floor((k + 1)/2)*, and tables of E, A^2 and B^2",
        check: example_3_8,
    },
    Coded {
        place: "Theorem 3.10",
        what: "with a share above R(G) + epsilon of enough chips Alice has a stable winning strategy",
        check: |session| stable_slope(session, Player::Alice),
    },
    Coded {
        place: "Theorem 3.11",
        what: "against a share below R(G) - epsilon of enough chips Bob has a stable strategy that prevents her from winning",
        check: |session| stable_slope(session, Player::Bob),
    },
    Coded {
        place: "Theorem 3.12",
        what: "a finite game is stable when the number of chips is large enough",
        check: theorem_3_12,
    },
    Coded {
        place: "Theorem 3.13",
        what: "a stable win of Alice stays one with m more chips for her and M - m more for Bob",
        check: |session| stable_period(session, Player::Alice),
    },
    Coded {
        place: "Theorem 3.14",
        what: "a stable strategy of Bob that prevents her from winning stays one with those chips added",
        check: |session| stable_period(session, Player::Bob),
    },
    Coded {
        place: "Problem 3.15",
        what: "is there a locally finite game that Alice wins with infinitely many chip counts of a share below R(G) - epsilon?",
        check: problem_3_15,
    },
    Coded {
        place: "Problem 3.16",
        what: "are locally finite games stable for large numbers of chips?",
        check: problem_3_16,
    },
    Coded {
        place: "Proposition 4.1",
        what: "against b < n chips in all Alice wins Tug^n exactly with (n - 1)* or more",
        check: proposition_4_1,
    },
    Coded {
        place: "Corollary 4.2",
        what: "who wins Tug^n(kn + a, (k'n + b)*) and Tug^n((kn + a)*, k'n + b)",
        check: corollary_4_2,
    },
    Coded {
        place: "Proposition 4.3",
        what: "where the first mover chooses any Tug^n, R = 1/2 but (3a, a*) is a draw for a > 1",
        check: proposition_4_3,
    },
    Coded {
        place: "Proposition 4.4",
        what: "where the first mover chooses Tug^1 or Tug^n from the vertex -1 for n >= 10, (3a*, 2a) is not stable for any a",
        check: proposition_4_4,
    },
    Coded {
        place: "Proposition 4.5",
        what: "for b < 2^n Alice wins Ult^n(a*, b) exactly if a > b, or a = b and b is not 2^(n-1) - 1",
        check: proposition_4_5,
    },
    Coded {
        place: "Proposition 4.6",
        what: "for b < 2^n Alice wins Ult^n(a, b*) exactly if a > b + 1, or a = b + 1 and b is not 2^(n-1) - 1",
        check: proposition_4_6,
    },
    Coded {
        place: "Corollary 4.7",
        what: "the same for all a and b, with congruences modulo 2^n",
        check: corollary_4_7,
    },
    Coded {
        place: "Proposition 4.8",
        what: "where the first mover chooses Ult^1, Ult^3, Ult^5, ..., R = 1/2 and the results of (k*, k) are not periodic in k",
        check: proposition_4_8,
    },
    Coded { place: "Example 5.1", what: "A <= G <= B for every game G", check: example_5_1 },
    Coded {
        place: "Example 5.2",
        what: "A < ... < A^3 < A^2 < E < B^2 < B^3 < ... < B; A^n <= G if Bob wins by making all of the first n moves, and the reverse",
        check: example_5_2,
    },
    Coded {
        place: "Example 5.3",
        what: "six positions of Tic-Tac-Toe are equivalent to E, as is A^2 & B^2",
        check: |_| Ok(Finding::over("the expression; the six boards are pictures that the copy of the paper lacks")),
    },
    Coded {
        place: "Section 5",
        what: "A^n = A & A^(n-1); E = G & ~G; G & H <= G' & H' if G <= G' and H <= H'",
        check: section_5,
    },
    Coded {
        place: "Theorem 6.1",
        what: "R(TTT) = 133/256; the moves of Figure 1 are best for real money, and for every total of chips but five",
        check: theorem_6_1,
    },
    Coded {
        place: "Figure 1",
        what: "the 29 moves are best for real money",
        check: |session| figure(session, "Figure 1"),
    },
    Coded {
        place: "Example 6.2",
        what: "a triple threat equivalent to B^3",
        check: |_| Ok(Finding::over("the first board; the second is a picture that the copy of the paper lacks")),
    },
    Coded {
        place: "Lemma 6.3",
        what: "if a counterattack is available then the best move is a block; in Tic-Tac-Toe a block is unique",
        check: lemma_6_3,
    },
    Coded {
        place: "Proposition 6.4",
        what: "every move of Figure 1 but Alice's first is best for all totals; wedge sums of positions in the proof",
        check: proposition_6_4,
    },
    Coded {
        place: "Lemma 6.5",
        what: "where the centre is not a best first move, Alice's best first two moves are adjacent corners",
        check: lemma_6_5,
    },
    Coded {
        place: "Lemma 6.6",
        what: "where the centre is not a best first move (five chips), every move of Figure 2 is best",
        check: |session| figure(session, "Figure 2"),
    },
    Coded {
        place: "Figure 2",
        what: "the moves are best for five chips",
        check: |session| figure(session, "Figure 2"),
    },
    Coded {
        place: "Theorem 6.7",
        what: "the centre is a best first move exactly for totals other than 5; a corner exactly for 0 to 7, 9, 11 to 14, 19, 20, 22, 26",
        check: theorem_6_7,
    },
    Coded {
        place: "Figures 3 and 4, comparison",
        what: "\"f' is greater than or equal to f'' unless k = 5\", with equality exactly for the listed totals",
        check: comparison,
    },
];

fn oracle_totals(session: &Session) -> u32 {
    if session.deep { 6 } else { 4 }
}

/// Plays out small arenas: `holds(oracle, state)` for every state that Alice wins.
fn for_wins(session: &mut Session, holds: impl Fn(&Oracle, State, u32) -> Option<bool>) -> Result<Finding, Error> {
    let most = oracle_totals(session);
    let range = format!("{}; all states with totals up to {most}, played out by definition", session.range(Kind::Any));
    let mut finding = Finding::over(range);
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let oracle = Oracle::new(arena, Right::Chooses, total, None);
            for state in oracle.states().filter(|state| oracle.rank(Player::Alice, *state).is_some()) {
                if let Some(holds) = holds(&oracle, state, total) {
                    finding.holds(holds, || format!("arena {number}, position {}, {total} chips", state.node));
                }
            }
        }
    }
    Ok(finding)
}

fn lemma_3_1(session: &mut Session) -> Result<Finding, Error> {
    for_wins(session, |oracle, state, _| {
        let with_star = State { star: Player::Alice, ..state };
        (state.star == Player::Bob).then(|| oracle.rank(Player::Alice, with_star).is_some())
    })
}

fn lemma_3_2(session: &mut Session) -> Result<Finding, Error> {
    for_wins(session, |oracle, state, total| {
        let with_chip = State { alice: state.alice + 1, star: Player::Bob, ..state };
        (state.star == Player::Alice && state.alice < total).then(|| oracle.rank(Player::Alice, with_chip).is_some())
    })
}

fn expression(session: &mut Session, text: &str) -> Result<Rule, Error> {
    session.library.expression(text)
}

fn example_3_3(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("n from 1 to 10, k up to 2^n + 2");
    for n in 1..=10u32 {
        let rule = expression(session, &format!("B^{n}"))?;
        for k in 0..=(1 << n) + 2 {
            let threshold = rule.at(k);
            let at = |star: &str| format!("n = {n}, k = {k}{star}");
            finding.compare(|| at("*"), k + 1 >= 1 << (n - 1), u64::from(2 * k + 1) >= threshold);
            finding.compare(|| at(""), k + 1 >= 1 << n, u64::from(2 * k) >= threshold);
        }
    }
    Ok(finding)
}

/// A bid that wins and uses the star in a tie, or is 0, exists at every winning holding of every position.
fn proposition_3_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 24 } else { 10 };
    let mut finding = Finding::over(format!(
        "{}; Alice with the star and her threshold or one more chip, totals up to {most}",
        session.range(Kind::Any)
    ));
    let mechanism = Mechanism::default();
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let solution = chips::solve(arena, &mechanism, Total::new(u64::from(total))?, &Options::default())?;
            for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
                for stage in solution.alice.stages(node) {
                    let before = |to: Node| solution.alice.threshold_within(to, solution.total, stage.within - 1);
                    let alice = arena.moves(node, Player::Alice).iter().map(|&to| before(to));
                    let alice = alice.map(|t| t.plain + t.star).min().unwrap_or(0);
                    let bob = arena.moves(node, Player::Bob).iter().map(|&to| before(to));
                    let bob = bob.map(|t| t.plain + t.star).max().unwrap_or(0);
                    for own in stage.threshold.star..=(stage.threshold.star + 1).min(total) {
                        let met = |half_steps: u32| {
                            move |chips, star| Threshold::at(half_steps).is_met_by(half_steps_of(chips, star))
                        };
                        let turn = Turn {
                            own,
                            other: total - own,
                            star: true,
                            after_win: met(alice.min(bob)),
                            after_loss: met(alice.max(bob)),
                        };
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

fn half_steps_of(chips: u32, star: bool) -> Holding {
    Holding::from_half_steps(2 * chips + u32::from(star))
}

fn example_3_5(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 500 } else { 50 };
    let mut finding = Finding::over(format!("k up to {most}"));
    let even = expression(session, "E")?;
    let mut builder = ArenaBuilder::new();
    let alice = builder.terminal(Terminal::Win(Player::Alice));
    let bob = builder.terminal(Terminal::Win(Player::Bob));
    let last = builder.position(&[alice], &[bob]);
    let start = builder.position(&[last], &[last]);
    let rule = win_rule(&builder.build(start)?)?;
    for k in 0..=most {
        let needed = even.at(2 * k) as u32;
        let met = |chips, star| Threshold::at(needed).is_met_by(half_steps_of(chips, star));
        let turn = Turn { own: k, other: k, star: true, after_win: met, after_loss: met };
        let wins = u64::from(2 * k + 1) >= rule.at(2 * k);
        let only = turn.good_bids() == [0..=0] && turn.star_kept(0) && !turn.star_used(0);
        finding.holds(wins && only, || format!("k = {k}"));
    }
    Ok(finding)
}

fn section_3_3(session: &mut Session) -> Result<Finding, Error> {
    const MOVES: [u32; 5] = [1, 2, 4, 8, 16];
    let mut finding = Finding::over(format!(
        "{}, truncated after 1 to 16 moves; R + R(~G) = 1 and R = 1 - P without cycles and draws",
        session.range(Kind::Any)
    ));
    let mechanism = Mechanism::default();
    let solve = |arena: &Arena, within| -> Result<Share, Error> {
        let options = Options { within, ..Options::default() };
        Ok(money::solve(arena, &mechanism, &options)?.win.get(arena.start()).high)
    };
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        let whole = solve(arena, None)?;
        let truncated = MOVES.iter().map(|&moves| solve(arena, Some(moves))).collect::<Result<Vec<_>, _>>()?;
        let falls =
            truncated.windows(2).all(|pair| pair[0] >= pair[1]) && truncated.iter().all(|share| *share >= whole);
        finding.holds(falls, || format!("arena {number}"));
    }
    for (number, arena) in session.arenas(Kind::Decided)?.iter().enumerate() {
        let share = solve(arena, None)?;
        finding.compare(|| format!("arena {number}, ~G"), share.complement(), solve(&arena.mirror(), None)?);
        let chance = random_turn::probability(arena, arena.start(), false, arena.len() as u32);
        finding.compare(|| format!("arena {number}, P"), share.complement(), chance);
    }
    Ok(finding)
}

fn example_3_6(_: &mut Session) -> Result<Finding, Error> {
    const MOST: u32 = 40;
    let mut finding = Finding::over(format!("the infinite game cut to m <= {MOST}; n from 2 to {MOST}"));
    let arena = samples::waiting(MOST)?;
    for within in (2..=MOST).map(Some).chain([None]) {
        let options = Options { within, ..Options::default() };
        let share = money::solve(&arena, &Mechanism::default(), &options)?.win.get(arena.start()).high;
        let printed = if within.is_some() { "1/2" } else { "0" };
        finding.compare(|| within.map_or("G".to_string(), |n| format!("G[{n}]")), printed, share);
    }
    Ok(finding)
}

/// The printed formula, on the half-steps of f_A and f_B.
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
    for alice in 0..=2 * MOST + 2 {
        for bob in 0..=2 * MOST + 2 {
            let met = |needed: u32| move |chips, star| Threshold::at(needed).is_met_by(half_steps_of(chips, star));
            let suffices = |own: u32| {
                let (win, loss) = (alice.min(bob), alice.max(bob));
                let (own, star) = (own / 2, own % 2 == 1);
                let turn = Turn { own, other: MOST - own, star, after_win: met(win), after_loss: met(loss) };
                !turn.good_bids().is_empty()
            };
            let computed = (0..2 * MOST + 2).find(|&own| suffices(own)).unwrap_or(2 * MOST + 2);
            let at = || format!("f_A = {}, f_B = {}", name(alice), name(bob));
            finding.compare(at, name(printed_formula(alice, bob)), name(computed));
        }
    }
    Ok(finding)
}

fn example_3_8(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("all totals; the tables of A^2 and B^2 are missing from the copy of the paper");
    for (name, rule) in [
        ("A", Rule::nothing()),
        ("B", Rule::unreachable()),
        ("E", Rule::new(vec![1, 2], 2, 2)?), // floor(1/2)* and (1 + 1)/2, then n more
    ] {
        finding.holds(expression(session, name)? == rule, || name.to_string());
    }
    Ok(finding)
}

/// The win rules of the start: free, and with one player restricted to moves that are best for real money.
struct Restricted {
    free: Rule,
    alice: Rule,
    bob: Rule,
    share: Share,
    /// The least common denominator of the shares of the positions that can be reached, and of the best bids.
    block: u64,
}

impl Restricted {
    fn new(arena: &Arena) -> Result<Restricted, Error> {
        let shares = money::solve(arena, &Mechanism::default(), &Options::default())?.win;
        let restricted = |player| {
            stable_moves(arena, player, |node| shares.get(node).as_exact().cloned())
                .ok_or_else(|| Error::Catalog { reason: "a sample without exact shares".to_string() })
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
                block = block / gcd(block, denominator) * denominator;
            }
        }
        Ok(Restricted {
            free: win_rule(arena)?,
            alice: win_rule(&restricted(Player::Alice)?)?,
            bob: win_rule(&restricted(Player::Bob)?)?,
            share: shares.get(arena.start()).high,
            block,
        })
    }

    fn of(&self, player: Player) -> &Rule {
        match player {
            Player::Alice => &self.alice,
            Player::Bob => &self.bob,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn slope(rule: &Rule) -> Option<Share> {
    Share::ratio(rule.step().into(), (2 * rule.block()).into())
}

fn stable_slope(session: &mut Session, player: Player) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "{}; for all totals the threshold with {player}'s moves restricted stays within a bound of R x total",
        session.range(Kind::Any)
    ));
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        let restricted = Restricted::new(arena)?;
        finding.holds(slope(restricted.of(player)) == Some(restricted.share), || format!("arena {number}"));
    }
    Ok(finding)
}

fn theorem_3_12(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("");
    let mut last = None;
    let mut unstable = 0;
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        let Restricted { free, alice, bob, .. } = Restricted::new(arena)?;
        let differences = [free.last_difference(&alice)?, free.last_difference(&bob)?];
        finding.holds(!differences.contains(&Some(None)), || format!("arena {number}"));
        let latest = differences.iter().flatten().flatten().max();
        unstable += u32::from(latest.is_some());
        last = last.max(latest.copied());
    }
    finding.range = format!(
        "{}, all totals; {unstable} of them are unstable somewhere, the latest with {} chips",
        session.range(Kind::Any),
        last.map_or("no".to_string(), |total| total.to_string())
    );
    Ok(finding)
}

/// threshold(k + M) against threshold(k) + M R, for stable play of one player and every total.
fn stable_period(session: &mut Session, player: Player) -> Result<Finding, Error> {
    let mut finding =
        Finding::over(format!("a game of three or four positions, and {}, every total", session.range(Kind::Any)));
    let arenas = session.arenas(Kind::Any)?;
    let named = (0..).map(|number: u32| format!("arena {number}")).zip(arenas);
    let small = match player {
        Player::Alice => ("x, y, z".to_string(), samples::new_bids()?),
        Player::Bob => ("w, x, y, z".to_string(), samples::turning_zugzwang()?),
    };
    for (name, arena) in std::iter::once(small).chain(named) {
        let restricted = Restricted::new(&arena)?;
        let rule = restricted.of(player);
        let Ok(block) = u32::try_from(restricted.block) else { continue };
        let step = u64::from(block) * u64::from(rule.step()) / u64::from(rule.block());
        // The largest holding of Alice with which Bob prevents her win, or her least that wins; then with M chips more.
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
                    let bob = Total::new(u64::from(total)).and_then(|total| total.rest(alice));
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

/// The least of threshold - R x total over all totals, in chips, rounded for people.
fn deepest(rule: &Rule) -> Option<f64> {
    let slope = f64::from(rule.step()) / f64::from(rule.block());
    (0..rule.from() + rule.block())
        .map(|total| (rule.at(total) as f64 - slope * f64::from(total)) / 2.0)
        .reduce(f64::min)
}

fn problem_3_15(session: &mut Session) -> Result<Finding, Error> {
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
    Ok(Finding {
        not_checkable: true,
        range: format!(
            "experiment on truncations: the least of threshold - R x total over all totals, in chips. The game of section 7 that Alice wins \
             with the first move, or both of the next two, or all of the next three, ... ({}). The least of 20 random games of layers of four \
             positions, by number of layers ({}). A positive answer needs it to fall without bound",
            words.join("; "),
            layers.join("; ")
        ),
        ..Finding::default()
    })
}

fn problem_3_16(session: &mut Session) -> Result<Finding, Error> {
    let games = if session.deep { 100 } else { 30 };
    let mut words = Vec::new();
    for depth in [4, 6, 8, 10] {
        let (mut unstable, mut latest) = (0, None);
        for seed in 0..games {
            let Restricted { free, alice, bob, .. } = Restricted::new(&samples::layers(depth, seed)?)?;
            let last = [free.last_difference(&alice)?, free.last_difference(&bob)?];
            let last = last.into_iter().flatten().flatten().max();
            unstable += u32::from(last.is_some());
            latest = latest.max(last);
        }
        let latest = latest.map_or("none".to_string(), |total| total.to_string());
        words.push(format!("{depth} layers: {unstable} unstable somewhere, the latest at {latest} chips"));
    }
    Ok(Finding {
        not_checkable: true,
        range: format!(
            "experiment on truncations: the last unstable total of {games} random games of layers of four positions ({}). A negative \
             answer needs a game whose last unstable total grows for ever",
            words.join("; ")
        ),
        ..Finding::default()
    })
}

fn tug(session: &mut Session, n: u32) -> Result<Rule, Error> {
    let solved = session.library.game(&format!("tug-of-war:length={},at={n}", 2 * n))?;
    Ok(solved.win(solved.start()).clone())
}

fn proposition_4_1(session: &mut Session) -> Result<Finding, Error> {
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

fn corollary_4_2(session: &mut Session) -> Result<Finding, Error> {
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

fn proposition_4_3(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 12 } else { 6 };
    let length = 4 * most + 4;
    let mut finding = Finding::over(format!("the infinite game cut to n <= {length}; a from 2 to {most}"));
    let choices: Vec<(u32, i64)> = (1..=length).map(|n| (n, 0)).collect();
    let arena = samples::choice_of_tugs(&choices)?;
    for a in 2..=most {
        let result = winner(&arena, 4 * a, 6 * a)?;
        finding.compare(|| format!("a = {a}"), "draw", named(result));
    }
    let share = money::solve(&arena, &Mechanism::default(), &Options::default())?.win.get(arena.start()).high;
    finding.compare(|| "R".to_string(), "1/2", share);
    Ok(finding)
}

fn named(winner: Option<Player>) -> String {
    winner.map_or_else(|| "draw".to_string(), |player| player.to_string())
}

fn proposition_4_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 8 } else { 5 };
    let length = 5 * most + 12;
    let mut finding = Finding::over(format!(
        "the infinite game cut to n <= {length}; a from 1 to {most}; Alice wins at n, as section 4.1 says"
    ));
    let choices =
        |label: i64| -> Vec<(u32, i64)> { [(1, 0)].into_iter().chain((10..=length).map(|n| (n, label))).collect() };
    // "Richman values of all Tug^n starting at -1 less than 1/2"
    let arena = samples::choice_of_tugs(&choices(-1))?;
    let shares = money::solve(&arena, &Mechanism::default(), &Options::default())?.win;
    let least = arena.moves(arena.start(), Player::Bob)[1..].iter().map(|&to| shares.get(to).high).min();
    let half = Share::mean(&Share::ZERO, &Share::ONE);
    finding.compare(|| "R of Tug^n from -1 below 1/2".to_string(), true, least.is_some_and(|least| least < half));
    // The argument itself, with the vertex next to the middle on Alice's side: Bob draws, but not with stable moves.
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
    let solved = session.library.game(&format!("ultimatum:degree={n}"))?;
    Ok(solved.win(solved.start()).clone())
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

fn proposition_4_5(session: &mut Session) -> Result<Finding, Error> {
    ultimatum_claim(session, true, false, |n, b| b + 1 == 1 << (n - 1))
}

fn proposition_4_6(session: &mut Session) -> Result<Finding, Error> {
    ultimatum_claim(session, false, false, |n, b| b + 1 == 1 << (n - 1))
}

fn corollary_4_7(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = ultimatum_claim(session, true, true, |n, b| (b + 1) % (1 << n) == (1 << (n - 1)) % (1 << n))?;
    // For (a, b*) the congruence is printed for a: a = 2^(n-1) modulo 2^n.
    let second = ultimatum_claim(session, false, true, |n, a| a % (1 << n) == (1 << (n - 1)) % (1 << n))?;
    finding.absorb(second);
    Ok(finding)
}

fn proposition_4_8(session: &mut Session) -> Result<Finding, Error> {
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

/// `less` and `equal` in the partial order, for all totals.
fn at_most(lower: &Rule, upper: &Rule) -> Result<bool, Error> {
    Ok(lower.difference(upper)?.above.is_none())
}

fn example_5_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("{}, all totals", session.range(Kind::Any)));
    for (number, arena) in session.arenas(Kind::Any)?.iter().enumerate() {
        let rule = win_rule(arena)?;
        let between = at_most(&Rule::nothing(), &rule)? && at_most(&rule, &Rule::unreachable())?;
        finding.holds(between, || format!("arena {number}"));
    }
    Ok(finding)
}

fn example_5_2(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("n up to 10, all totals; {}", session.range(Kind::Acyclic)));
    let mut chain = vec![Rule::nothing()];
    for n in (2..=10).rev() {
        chain.push(expression(session, &format!("A^{n}"))?);
    }
    chain.push(expression(session, "E")?);
    for n in 2..=10 {
        chain.push(expression(session, &format!("B^{n}"))?);
    }
    chain.push(Rule::unreachable());
    for (number, pair) in chain.windows(2).enumerate() {
        let strictly = matches!(pair[0].difference(&pair[1])?, Difference { below: Some(_), above: None });
        finding.holds(strictly, || format!("link {number} of the chain"));
    }
    for (number, arena) in session.arenas(Kind::Acyclic)?.iter().enumerate() {
        let rule = win_rule(arena)?;
        // The shortest line of moves of one player alone that decides the game for them.
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
            let bound = expression(session, &format!("A^{n}"))?;
            finding.holds(at_most(&bound, &rule)?, || format!("A^{n} <= arena {number}"));
        }
        if let Some(n) = alone(Player::Alice).filter(|&n| n > 0) {
            let bound = expression(session, &format!("B^{n}"))?;
            finding.holds(at_most(&rule, &bound)?, || format!("arena {number} <= B^{n}"));
        }
    }
    Ok(finding)
}

fn section_5(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("n up to 10, all totals; {}", session.range(Kind::Decided)));
    for n in 2..=10 {
        let shorter = if n == 2 { "E".to_string() } else { format!("A^{}", n - 1) };
        let both = [expression(session, &format!("A^{n}"))?, expression(session, &format!("A & {shorter}"))?];
        finding.holds(both[0] == both[1], || format!("A^{n} = A & {shorter}"));
    }
    let even = expression(session, "E")?;
    let found = session.arenas(Kind::Decided)?.iter().map(win_rule).collect::<Result<Vec<Rule>, _>>()?;
    for (number, (arena, rule)) in session.arenas(Kind::Decided)?.iter().zip(&found).enumerate() {
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

const BOARD: &str = "tic-tac-toe";

fn theorem_6_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("real money, and every total for the moves");
    let solved = session.library.game(BOARD)?;
    finding.compare(|| "R(TTT)".to_string(), "133/256", solved.share(solved.start()));
    let figure = super::printed::figure(&super::data::parse("DP10", super::data::DP10)?, "Figure 1");
    figure.check(
        session,
        &mut finding,
        |_| true,
        |solved, [from, to], player| {
            if from == solved.start() && player == Player::Alice {
                // Best at every total but five: the threshold stays the same if this move is made.
                let fixed = with_first_move(solved, "b2")?;
                let last = fixed.last_difference(solved.win(from))?;
                let only = (0..5).all(|total| fixed.at(total) == solved.win(from).at(total));
                return Ok(last == Some(Some(5)) && only);
            }
            Ok(*solved.win(to) == solved.best(from, player)?)
        },
    )?;
    Ok(finding)
}

fn figure(_: &mut Session, name: &str) -> Result<Finding, Error> {
    let figure = super::printed::figure(&super::data::parse("DP10", super::data::DP10)?, name);
    Ok(Finding::over(match figure.undetermined() {
        0 => String::new(),
        count => format!("{count} moves lead to a position that the text does not determine and are left out"),
    }))
}

/// Whether a player can decide the game with the next move: Alice by winning, Bob by preventing that for ever.
fn threat(solved: &super::solved::Solved, node: Node, player: Player) -> bool {
    let decided = match player {
        Player::Alice => Rule::nothing(),
        Player::Bob => Rule::unreachable(),
    };
    solved.unfolding.arena().moves(node, player).iter().any(|&to| *solved.win(to) == decided)
}

fn lemma_6_3(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let arena = solved.unfolding.arena();
    let mut counterattacks = 0;
    let mut finding = Finding::default();
    for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
        let decided = [Rule::nothing(), Rule::unreachable()].contains(solved.win(node));
        for player in Player::BOTH {
            if decided || !threat(&solved, node, player.other()) || threat(&solved, node, player) {
                continue;
            }
            let is_block = |to: &Node| !threat(&solved, *to, player.other());
            let (blocks, others): (Vec<Node>, Vec<Node>) =
                arena.moves(node, player).iter().partition(|to| is_block(to));
            let name = |what: &str| format!("{player} at {}: {what}", solved.unfolding.notation(node));
            finding.holds(blocks.len() <= 1, || name("more than one block"));
            if blocks.iter().any(|&to| threat(&solved, to, player)) {
                counterattacks += 1;
                let best = |nodes: &[Node]| -> Result<Rule, Error> {
                    let rules = nodes.iter().map(|&to| solved.win(to));
                    Ok(if player == Player::Alice { rules::least(rules)? } else { rules::greatest(rules)? })
                };
                if !others.is_empty() {
                    let (block, other) = (best(&blocks)?, best(&others)?);
                    let (lower, upper) = if player == Player::Alice { (&block, &other) } else { (&other, &block) };
                    finding.holds(at_most(lower, upper)?, || name("a move that is no block is better"));
                }
            }
        }
    }
    finding.range = format!("all positions that are open, all totals; {counterattacks} counterattacks");
    Ok(finding)
}

fn proposition_6_4(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = figure(session, "Figure 1")?;
    let figure = super::printed::figure(&super::data::parse("DP10", super::data::DP10)?, "Figure 1");
    let first = |found: &super::data::Move| !(found.from == "start" && found.player == "alice");
    figure.check(session, &mut finding, first, |solved, [from, to], player| {
        Ok(*solved.win(to) == solved.best(from, player)?)
    })?;
    Ok(finding)
}

fn lemma_6_5(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("all totals");
    let solved = session.library.game(BOARD)?;
    let (start, centre) = (solved.start(), with_first_move(&solved, "b2")?);
    let whole = solved.win(start);
    let last = centre.last_difference(whole)?.flatten().unwrap_or(0);
    for total in (0..=last).filter(|&total| centre.at(total) != whole.at(total)) {
        let best = |node: Node, name: &str| -> Result<bool, Error> {
            let after = solved.after(node, Player::Alice, name)?;
            Ok(solved.win(after).at(total) == solved.best(node, Player::Alice)?.at(total))
        };
        finding.holds(best(start, "a1")?, || format!("{total} chips, the corner"));
        let corner = solved.after(start, Player::Alice, "a1")?;
        let adjacent = solved.unfolding.node("A.A/.../...")?;
        for &to in solved.unfolding.arena().moves(corner, Player::Alice) {
            let is_best = solved.win(to).at(total) == solved.best(corner, Player::Alice)?.at(total);
            let name = solved.unfolding.notation(to);
            finding.compare(|| format!("{total} chips, second move to {name}"), to == adjacent, is_best);
        }
    }
    Ok(finding)
}

const EQUAL: [u32; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 19, 20, 22, 26];

fn theorem_6_7(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let whole = solved.win(solved.start()).clone();
    let mut finding = Finding::over("all totals");
    for (name, best) in
        [("b2", &(|total: u32| total != 5) as &dyn Fn(u32) -> bool), ("a1", &|total| EQUAL.contains(&total))]
    {
        let fixed = with_first_move(&solved, name)?;
        for total in 0..settled(&fixed, &whole)? {
            let computed = fixed.at(total) == whole.at(total);
            finding.compare(|| format!("{name}, {total} chips"), best(total), computed);
        }
    }
    Ok(finding)
}

/// After so many totals nothing new can happen between two rules.
fn settled(one: &Rule, other: &Rule) -> Result<u32, Error> {
    let (settled, block) = one.settled(other)?;
    Ok(settled + block)
}

fn comparison(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let (centre, corner) = (with_first_move(&solved, "b2")?, with_first_move(&solved, "a1")?);
    let end = settled(&centre, &corner)?;
    let mut finding = Finding::over("all totals");
    let greater = (0..end).filter(|&k| k != 5).all(|k| centre.at(k) >= corner.at(k));
    let smaller = (0..end).filter(|&k| k != 5).all(|k| centre.at(k) <= corner.at(k));
    let word = |greater: bool| if greater { "f' >= f''" } else { "f' <= f''" };
    finding.compare(|| "k other than 5".to_string(), word(true), word(greater && !smaller));
    let equal: Vec<u32> = (0..end).filter(|&k| centre.at(k) == corner.at(k)).collect();
    let printed: Vec<u32> = EQUAL.into_iter().filter(|&k| k != 5).collect();
    finding.compare(|| "the totals with equality".to_string(), format!("{printed:?}"), format!("{equal:?}"));
    Ok(finding)
}

/// [`local::chooses`] is what all of this rests on; see [`theorem_3_7`] for where the print differs.
const _: fn(u32, u32) -> u32 = local::chooses;
