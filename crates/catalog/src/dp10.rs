//! The claims of DP10 that are sentences: Develin and Payne, Discrete bidding games, sections 2 to 7.

use richman_core::{Player, Rule, Share};

use super::{Coded, Finding, Session, coded};
use crate::Error;

mod chess;
mod examples;
mod theory;
mod tic_tac_toe;
mod ties;

pub use theory::theorem_3_7;

/// In the order of the paper.
pub const CLAIMS: &[Coded] = &[
    coded(
        "Section 1.2",
        "a game of bidding chess: its moves, who has the white pieces, and how the queen threatens the king",
        chess::section_1_2,
    ),
    coded(
        "Section 2.3",
        "it is never a disadvantage to have the tie-breaking advantage, and it is worth less than a chip",
        ties::section_2_3,
    ),
    coded("Lemma 3.1", "whoever wins without the tie-breaking advantage also wins with it", theory::lemma_3_1),
    coded(
        "Lemma 3.2",
        "whoever wins with the tie-breaking advantage also wins with one chip more in its place",
        theory::lemma_3_2,
    ),
    coded(
        "Example 3.3",
        "in B^n Alice wins (k*, 0) from k = 2^(n-1) - 1 on and (k, 0*) from k = 2^n - 1 on",
        theory::example_3_3,
    ),
    coded(
        "Proposition 3.4",
        "there are best strategies that use the tie-breaking advantage whenever the bids are tied and not zero",
        theory::proposition_3_4,
    ),
    coded(
        "Section 3.2",
        "for Lemma 3.1 it is essential that whoever has the tie-breaking advantage is not required to use it",
        ties::section_3_2,
    ),
    coded(
        "Example 3.5",
        "where the second mover wins, the star's holder with equal chips can only win by bidding 0 and keeping the star",
        theory::example_3_5,
    ),
    coded(
        "Section 3.3",
        "R(G[n]) does not increase with n, stays above R(G), and is R(G) in the end where the game always ends; for finite games R(G) = 1 - P(G) and R(G) + R(~G) = 1",
        theory::section_3_3,
    ),
    coded(
        "Example 3.6",
        "Alice is sure to win, so R(G) = 0, but R(G[n]) = 1/2 for every truncation",
        theory::example_3_6,
    ),
    coded(
        "Theorem 3.7",
        "the threshold is floor((|f_A| + |f_B|) / 2) + epsilon, with epsilon from the parity and the star of f_A",
        theory::theorem_3_7,
    ),
    coded(
        "Example 3.8",
        "f(A, k) = 0, f(B, k) = k + 1, f(E, k) = (k + 1)/2 or floor((k + 1)/2)*, and tables of E, A^2 and B^2",
        theory::example_3_8,
    ),
    coded(
        "Theorem 3.10",
        "with a share above R(G) + epsilon of enough chips Alice has a stable winning strategy",
        |session| theory::stable_slope(session, Player::Alice),
    ),
    coded(
        "Theorem 3.11",
        "against a share below R(G) - epsilon of enough chips Bob has a stable strategy that prevents her from winning",
        |session| theory::stable_slope(session, Player::Bob),
    ),
    coded("Theorem 3.12", "a finite game is stable when the number of chips is large enough", theory::theorem_3_12),
    coded(
        "Theorem 3.13",
        "a stable win of Alice stays one with m more chips for her and M - m more for Bob",
        |session| theory::stable_period(session, Player::Alice),
    ),
    coded(
        "Theorem 3.14",
        "a stable strategy of Bob that prevents her from winning stays one with those chips added",
        |session| theory::stable_period(session, Player::Bob),
    ),
    coded(
        "Problem 3.15",
        "is there a locally finite game that Alice wins with infinitely many chip counts of a share below R(G) - epsilon?",
        theory::problem_3_15,
    ),
    coded("Problem 3.16", "are locally finite games stable for large numbers of chips?", theory::problem_3_16),
    coded(
        "Problem 3.16, other ties",
        "not where Alice wins all ties: with the game of Ladies First in a choice, chips and real money disagree for all totals",
        ties::unstable_for_ever,
    ),
    coded(
        "Proposition 4.1",
        "against b < n chips in all Alice wins Tug^n exactly with (n - 1)* or more",
        examples::proposition_4_1,
    ),
    coded("Corollary 4.2", "who wins Tug^n(kn + a, (k'n + b)*) and Tug^n((kn + a)*, k'n + b)", examples::corollary_4_2),
    coded(
        "Proposition 4.3",
        "where the first mover chooses any Tug^n, R = 1/2 but (3a, a*) is a draw for a > 1",
        examples::proposition_4_3,
    ),
    coded(
        "Proposition 4.4",
        "where the first mover chooses Tug^1 or Tug^n from the vertex -1 for n >= 10, (3a*, 2a) is not stable for any a",
        examples::proposition_4_4,
    ),
    coded(
        "Proposition 4.5",
        "for b < 2^n Alice wins Ult^n(a*, b) exactly if a > b, or a = b and b is not 2^(n-1) - 1",
        examples::proposition_4_5,
    ),
    coded(
        "Proposition 4.6",
        "for b < 2^n Alice wins Ult^n(a, b*) exactly if a > b + 1, or a = b + 1 and b is not 2^(n-1) - 1",
        examples::proposition_4_6,
    ),
    coded("Corollary 4.7", "the same for all a and b, with congruences modulo 2^n", examples::corollary_4_7),
    coded(
        "Proposition 4.8",
        "where the first mover chooses Ult^1, Ult^3, Ult^5, ..., R = 1/2 and the results of (k*, k) are not periodic in k",
        examples::proposition_4_8,
    ),
    coded("Example 5.1", "A <= G <= B for every game G", examples::example_5_1),
    coded(
        "Example 5.2",
        "A < ... < A^3 < A^2 < E < B^2 < B^3 < ... < B; A^n <= G if Bob wins by making all of the first n moves, and the reverse",
        examples::example_5_2,
    ),
    coded("Example 5.3", "six positions of Tic-Tac-Toe are equivalent to E, as is A^2 & B^2", |_| {
        Ok(pictures("the expression", (1..=6).map(|board| format!("board {board}")).collect()))
    }),
    coded("Section 5", "A^n = A & A^(n-1); E = G & ~G; G & H <= G' & H' if G <= G' and H <= H'", examples::section_5),
    coded(
        "Theorem 6.1",
        "R(TTT) = 133/256; the moves of Figure 1 are best for real money, and for every total of chips but five",
        tic_tac_toe::theorem_6_1,
    ),
    coded("Figure 1", "the 29 moves are best for real money", |session| tic_tac_toe::figure(session, "Figure 1")),
    coded("Example 6.2", "a triple threat equivalent to B^3", |_| {
        Ok(pictures("the first board", vec!["the second board".to_string()]))
    }),
    coded(
        "Lemma 6.3",
        "if a counterattack is available then the best move is a block; in Tic-Tac-Toe a block is unique",
        tic_tac_toe::lemma_6_3,
    ),
    coded(
        "Proposition 6.4",
        "every move of Figure 1 but Alice's first is best for all totals; wedge sums of positions in the proof",
        tic_tac_toe::proposition_6_4,
    ),
    coded(
        "Lemma 6.5",
        "where the centre is not a best first move, Alice's best first two moves are adjacent corners",
        tic_tac_toe::lemma_6_5,
    ),
    coded(
        "Lemma 6.6",
        "where the centre is not a best first move (five chips), every move of Figure 2 is best",
        |session| tic_tac_toe::figure(session, "Figure 2"),
    ),
    coded("Figure 2", "the moves are best for five chips", |session| tic_tac_toe::figure(session, "Figure 2")),
    coded(
        "Theorem 6.7",
        "the centre is a best first move exactly for totals other than 5; a corner exactly for 0 to 7, 9, 11 to 14, 19, 20, 22, 26",
        tic_tac_toe::theorem_6_7,
    ),
    coded(
        "Figures 3 and 4, comparison",
        "\"f' is greater than or equal to f'' unless k = 5\", with equality exactly for the listed totals",
        tic_tac_toe::comparison,
    ),
    coded(
        "7 Loser's Ball",
        "where the second mover wins and both have the same chips, whoever starts without the epsilon-chip wins; so holdings are not totally ordered",
        ties::losers_ball,
    ),
    coded(
        "7 Make-it Take-it",
        "it is always an advantage not to have the -epsilon-chip, and always good to accept it together with a chip",
        ties::make_it_take_it,
    ),
    coded(
        "7 Make-it Take-it, recursion",
        "the threshold is floor((|f_A| + |f_B|) / 2) + delta, with delta from the parity, f_B (even) and f_A (odd)",
        ties::make_it_take_it_recursion,
    ),
    coded(
        "7 Ladies First, truncations",
        "R(G[n(n + 1)/2]) is the product of 1 - 1/2^j for j up to n, where Alice wins with the first move, or both of the next two, and so on",
        ties::truncations,
    ),
    coded("7 Ladies First, product", "R(G) is the infinite product, a positive number", ties::infinite_product),
    coded(
        "7 Ladies First",
        "where Alice wins all ties she wins that game whatever the chips, by bidding 0; Theorem 3.11 does not extend to it",
        ties::ladies_first,
    ),
];

/// What is there to compare, and the boards that are pictures.
fn pictures(range: &str, boards: Vec<String>) -> Finding {
    let mut finding = Finding::over(range);
    finding.omit(boards, "a picture that the copy of the paper lacks");
    finding
}

fn expression(session: &mut Session, text: &str) -> Result<Rule, Error> {
    session.library.expression(text)
}

fn slope(rule: &Rule) -> Option<Share> {
    Share::ratio(rule.step().into(), (2 * rule.block()).into())
}

/// `less` and `equal` in the partial order, for all totals.
fn at_most(lower: &Rule, upper: &Rule) -> Result<bool, Error> {
    Ok(lower.difference(upper)?.above.is_none())
}
