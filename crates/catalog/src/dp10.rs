//! DP10's claims in sentences: Develin and Payne, Discrete bidding games, sections 2 to 7.

use richman_core::{Acceptance, Arena, ChipSolution, Effort, Mechanism, Player, Rule, Share, Ties, Total, Turn};
use richman_solvers::chips;

use super::{Claims, Finding, Session};
use crate::Error;

mod chess;
mod examples;
mod theory;
mod tic_tac_toe;
mod ties;

pub use theory::theorem_3_7;

/// In the order of the paper.
pub const CLAIMS: Claims = &[
    ("Section 1.2", chess::section_1_2),
    ("Section 2.3", ties::section_2_3),
    ("Lemma 3.1", theory::lemma_3_1),
    ("Lemma 3.2", theory::lemma_3_2),
    ("Example 3.3", theory::example_3_3),
    ("Proposition 3.4", theory::proposition_3_4),
    ("Section 3.2", ties::section_3_2),
    ("Example 3.5", theory::example_3_5),
    ("Section 3.3", theory::section_3_3),
    ("Example 3.6", theory::example_3_6),
    ("Theorem 3.7", theory::theorem_3_7),
    ("Example 3.8", theory::example_3_8),
    ("Theorem 3.10", |session| theory::stable_slope(session, Player::Alice)),
    ("Theorem 3.11", |session| theory::stable_slope(session, Player::Bob)),
    ("Theorem 3.12", theory::theorem_3_12),
    ("Theorem 3.13", |session| theory::stable_period(session, Player::Alice)),
    ("Theorem 3.14", |session| theory::stable_period(session, Player::Bob)),
    ("Problem 3.15", theory::problem_3_15),
    ("Problem 3.16", theory::problem_3_16),
    ("Problem 3.16, other ties", ties::unstable_for_ever),
    ("Proposition 4.1", examples::proposition_4_1),
    ("Corollary 4.2", examples::corollary_4_2),
    ("Proposition 4.3", examples::proposition_4_3),
    ("Proposition 4.4", examples::proposition_4_4),
    ("Proposition 4.5", examples::proposition_4_5),
    ("Proposition 4.6", examples::proposition_4_6),
    ("Corollary 4.7", examples::corollary_4_7),
    ("Proposition 4.8", examples::proposition_4_8),
    ("Example 5.1", examples::example_5_1),
    ("Example 5.2", examples::example_5_2),
    ("Example 5.3", |_| Ok(pictures("the expression", (1..=6).map(|board| format!("board {board}")).collect()))),
    ("Section 5", examples::section_5),
    ("Theorem 6.1", tic_tac_toe::theorem_6_1),
    ("Figure 1", |session| tic_tac_toe::figure(session, "Figure 1")),
    ("Example 6.2", |_| Ok(pictures("the first board", vec!["the second board".to_string()]))),
    ("Lemma 6.3", tic_tac_toe::lemma_6_3),
    ("Proposition 6.4", tic_tac_toe::proposition_6_4),
    ("Lemma 6.5", tic_tac_toe::lemma_6_5),
    ("Lemma 6.6", |session| tic_tac_toe::figure(session, "Figure 2")),
    ("Figure 2", |session| tic_tac_toe::figure(session, "Figure 2")),
    ("Theorem 6.7", tic_tac_toe::theorem_6_7),
    ("Figures 3 and 4, comparison", tic_tac_toe::comparison),
    ("7 Loser's Ball", ties::losers_ball),
    ("7 Make-it Take-it", ties::make_it_take_it),
    ("7 Make-it Take-it, recursion", ties::make_it_take_it_recursion),
    ("7 Ladies First, truncations", ties::truncations),
    ("7 Ladies First, product", ties::infinite_product),
    ("7 Ladies First", ties::ladies_first),
];

/// A finding without the boards printed as pictures.
fn pictures(range: &str, boards: Vec<String>) -> Finding {
    let mut finding = Finding::over(range);
    finding.omit(boards, "a picture that the copy of the paper lacks");
    finding
}

fn slope(rule: &Rule) -> Option<Share> {
    Share::ratio(rule.step().into(), (2 * rule.block()).into())
}

/// Whether `lower` is at most `upper` in the partial order, for all totals.
fn at_most(lower: &Rule, upper: &Rule) -> Result<bool, Error> {
    Ok(lower.difference(upper)?.above.is_none())
}

/// A turn of Alice, who has `own` half-steps of `total` chips and needs `hers` after her move,
/// `his` after Bob's.
fn alices_turn(mechanism: &Mechanism, total: u32, own: u32, hers: u32, his: u32) -> Turn<'_, impl Acceptance> {
    let (own, star) = (own / 2, own % 2 == 1);
    let needed = move |won| if won { hers.min(his) } else { hers.max(his) };
    let content = move |won, chips, _, star| 2 * chips + u32::from(star) >= needed(won);
    Turn { mechanism, player: Player::Alice, own, other: total - own, star, content }
}

/// A named formula for Alice's threshold from those after her move and after Bob's.
type Recursion<'a> = (&'a str, fn(u32, u32) -> u32);

/// Compares recursions for one turn with the least holding that has a good bid, for all pairs of
/// thresholds after Alice's move and Bob's, in half-steps with `chips` chips.
fn one_turn(finding: &mut Finding, ties: Ties, chips: u32, name: impl Fn(u32) -> String, recursions: [Recursion; 2]) {
    let (mechanism, unreachable) = (Mechanism { ties, ..Mechanism::default() }, 2 * chips + 2);
    for (alice, bob) in (0..=unreachable).flat_map(|alice| (0..=unreachable).map(move |bob| (alice, bob))) {
        let suffices = |&own: &u32| alices_turn(&mechanism, chips, own, alice, bob).is_content();
        let computed = (0..unreachable).find(suffices).unwrap_or(unreachable);
        for (which, recursion) in recursions {
            let at = || format!("f_A = {}, f_B = {}{which}", name(alice), name(bob));
            finding.compare(at, name(recursion(alice, bob)), name(computed));
        }
    }
}

fn solve(arena: &Arena, ties: Ties, total: u32) -> Result<ChipSolution, Error> {
    let mechanism = Mechanism { ties, ..Mechanism::default() };
    Ok(chips::solve(arena, &mechanism, Total::new(total)?, &Effort::default())?)
}

/// The expressions A, A^n, ..., A^2, E, B^2, ..., B^n, B and their rules.
pub fn chain(session: &mut Session, n: u32) -> Result<Vec<(String, Rule)>, Error> {
    let [a, e, b] = ["A", "E", "B"].map(|name| std::iter::once(name.to_string()));
    let (alice, bob) = ((2..=n).rev().map(|n| format!("A^{n}")), (2..=n).map(|n| format!("B^{n}")));
    let names = a.chain(alice).chain(e).chain(bob).chain(b);
    names.map(|name| session.library.expression(&name).map(|rule| (name, rule))).collect()
}
