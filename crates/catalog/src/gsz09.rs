//! The claims of GSZ09: Gasarch, Sovich and Zimand, Tug of war game. N is the length of the path, and n = N + 1 the number of its nodes in
//! section 2; in section 3 the length is 2n.

use richman_check::arenas;
use richman_check::oracle::{Oracle, State};
use richman_core::{Effort, Forces, Holding, Mechanism, Payment, Player, Preset, Purses, Right, Total};
use richman_solvers::{chips, purses};

use super::{Coded, Finding, coded};
use crate::Error;

mod alternation;
mod introduction;
mod poorman;
mod richman;
mod runs;

/// In the order of the paper.
pub const CLAIMS: &[Coded] = &[
    coded(
        "Introduction",
        "elsewhere the first tie is one player's, the second the other's, and so on in turn: these are ties `marker`, the star with who wins the next",
        introduction::alternation,
    ),
    coded(
        "Lemma 2.2",
        "without an advantage Left bids T/N: she wins, or the first larger bid of Right gives her an advantage",
        richman::lemma_2_2,
    ),
    coded(
        "Lemma 2.3",
        "with an advantage of d Left bids T/N + d/2^i at node i: she wins, or her advantage grows by at least d/2^(n-3)",
        richman::lemma_2_3,
    ),
    coded("Theorem 2.4", "with real money, advantage 0 or more, Left wins", richman::theorem_2_4),
    coded("Claim 2.5", "the advantage can grow only finitely often", richman::claim_2_5),
    coded("Theorem 2.6", "with real money, negative advantage, Right wins", richman::theorem_2_6),
    coded("Lemma 2.7", "Right can always pay the bids of his strategy", richman::lemma_2_7),
    coded("Lemma 2.8", "an advantage of -d is at most -d - d/2^(n+1) after each run of Right", richman::lemma_2_8),
    coded("Theorem 3.3", "with chips, advantage 0 or more, Left wins", richman::theorem_3_3),
    coded("Claim 3.4", "bidding T/N rounded down, Left wins or comes to an advantage larger by 1", richman::claim_3_4),
    coded(
        "Theorem 3.5",
        "at node n of 0, ..., 2n, k = n(n + 1)/2: Left forces a draw if Right has at most k - 1 dollars, Right wins if he has k or more and Left none",
        richman::theorem_3_5,
    ),
    coded(
        "Theorem 3.5 (b), proof",
        "the strategy that the proof of (b) gives Right wins from (0, k, n, 2n + 1)",
        runs::theorem_3_5_proof,
    ),
    coded("Fact 3.6", "(0, k - 1, n, 2n + 1) is a draw, Left bidding i - 1 in round i", richman::fact_3_6),
    coded(
        "Fact 3.7",
        "against the strategy of that proof every run comes back to a node with less money of Left, or is the straight one to node 2n",
        runs::fact_3_7,
    ),
    coded(
        "Lemma 3.8",
        "if both have d dollars, a multiple of n 2^(2n), the strategy for real money can be used as it is",
        richman::lemma_3_8,
    ),
    coded("Lemma 3.9", "after (2n - 1)(2d + 1) moves of best play the game is a draw", richman::lemma_3_9),
    coded("Lemma 3.10", "Left wins with pT/N + k dollars, k > 0", richman::lemma_3_10),
    coded("Lemma 3.11", "Left wins from node k if Right has fewer than 2n - k dollars", richman::lemma_3_11),
    coded("Lemma 3.12", "if best play comes back to a configuration, the game is a draw", richman::lemma_3_12),
    coded("Lemma 3.13", "Lemma 3.8 again", richman::lemma_3_8),
    coded("Lemma 3.14", "Lemma 3.9 again", richman::lemma_3_9),
    coded("Lemma 3.15", "Lemma 3.10 again", richman::lemma_3_10),
    coded(
        "Section 4.2",
        "v(1, t+1) = v(2, t)/(v(2, t) + 1), v(N-1, t+1) = 1 + v(N-2, t), and between them v(p, t+1) = v(p+1, t)(1 + v(p-1, t))/(1 + v(p+1, t))",
        poorman::section_4_2,
    ),
    coded("Section 4.2, strategy", "where Left wins there is a t with d_L/d_R >= v(p, t)", poorman::some_t),
    coded(
        "Section 4.3",
        "u(N-1, 1) = 1, and u(p, t+1) comes from u(p-1, t) and u(p+1, t) as v(p, t+1) does from v",
        poorman::section_4_3,
    ),
    coded(
        "Section 4.4",
        "in the middle, Left wins with more money than Right, and Right with more than Left",
        poorman::section_4_4,
    ),
    coded("Lemma 4.3", "v(p), u(p) and 1/v(N - p) satisfy the system (1)", poorman::lemma_4_3),
    coded("Lemma 4.4", "the system (1) has one solution", poorman::lemma_4_4),
    coded(
        "Section 4.4, equal money",
        "does Left win in the middle when both have the same amount of real money?",
        poorman::equal_money,
    ),
    coded("Lemma 5.1", "there are at most d_L + d_R + N steps", poorman::lemma_5_1),
    coded("Section 5.2.1", "programme L finds whether Left wins, and the fewest moves", poorman::programme_l),
    coded("Section 5.2.2", "programme R finds whether Right wins, and the fewest moves", poorman::programme_r),
    coded(
        "Section 5.1",
        "is there a simple formula for who wins with chips and money to the bank?",
        poorman::a_formula,
    ),
];

/// A path: Alice names a bid, Bob answers knowing it, ties are hers, and the winner moves. Played out by its definition, with the same result as the
/// solver's.
struct Game<'a> {
    length: u32,
    oracle: Oracle<'a>,
}

/// Plays out a path of one length with all purses of `total` chips in all, or, where money goes to the bank, of at most so many.
///
/// # Errors
/// [`Error::Damaged`] where the solver says something else.
fn play_out<T>(
    length: u32,
    payment: Payment,
    total: u32,
    judge: impl FnOnce(&Game) -> Result<T, Error>,
) -> Result<T, Error> {
    let arena = arenas::path(length)?;
    let mechanism = Mechanism { payment, right: Right::Moves, ..Preset::Gasarch.mechanism() };
    let game = Game { length, oracle: Oracle::new(&arena, &mechanism, total, None) };
    let solved: Box<dyn Forces> = if mechanism.payment == Payment::Richman {
        Box::new(chips::solve(&arena, &mechanism, Total::new(total.into())?, &Effort::default())?)
    } else {
        Box::new(purses::solve(&arena, &mechanism, Purses::Together(total), &Effort::default())?)
    };
    for (at, alice, bob) in game.states() {
        for (player, own, other) in [(Player::Alice, alice, bob), (Player::Bob, bob, alice)] {
            let (own, other) = (Holding::new(own, false)?, Holding::new(other, false)?);
            if solved.wins_in(player, at, own, other) != game.rank(player, at, alice, bob) {
                let state = format!("N = {length}, p = {at}, {alice} against {bob}, {player}");
                return Err(Error::Damaged { reason: format!("the solver and the definition disagree: {state}") });
            }
        }
    }
    judge(&game)
}

impl Game<'_> {
    /// The fewest moves in which `player` can force a win from node `at` with these chips, or `None` where that player cannot.
    fn rank(&self, player: Player, at: u32, alice: u32, bob: u32) -> Option<u32> {
        self.oracle.rank(player, State { node: at, alice, bob, star: Player::Alice })
    }

    /// Who can force a win, with the fewest moves; `None` for a draw.
    fn winner(&self, at: u32, alice: u32, bob: u32) -> Option<(Player, u32)> {
        Player::BOTH.into_iter().find_map(|player| Some((player, self.rank(player, at, alice, bob)?)))
    }

    /// Every node where the game goes on, with every pair of purses: (at, alice, bob).
    fn states(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let open = |state: &State| (1..self.length).contains(&state.node);
        self.oracle.states().filter(open).map(|State { node, alice, bob, .. }| (node, alice, bob))
    }
}

/// Counts one statement about many states as one comparison, which names the first state where it fails.
fn everywhere(finding: &mut Finding, at: String, printed: &str, fails: Option<String>) {
    finding.compare(|| at, printed, fails.unwrap_or_else(|| printed.to_string()));
}
