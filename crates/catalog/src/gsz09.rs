//! GSZ09's claims: Gasarch, Sovich and Zimand, Tug of war game. N is the length of the path. In
//! section 2, n = N + 1 is the number of its nodes; in section 3 the length is 2n.

use richman_check::arenas;
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{Effort, Forces, Holding, Mechanism, Payment, Player, Preset, Purses, Right, Total};
use richman_solvers::{chips, purses};

use super::{Claims, Finding};
use crate::Error;

mod alternation;
mod introduction;
mod poorman;
mod richman;
mod runs;

/// In the order of the paper.
pub const CLAIMS: Claims = &[
    ("Introduction", introduction::alternation),
    ("Lemma 2.2", richman::lemma_2_2),
    ("Lemma 2.3", richman::lemma_2_3),
    ("Theorem 2.4", richman::theorem_2_4),
    ("Claim 2.5", richman::claim_2_5),
    ("Theorem 2.6", richman::theorem_2_6),
    ("Lemma 2.7", |session| richman::over_bobs_plays(session, |play| play.could_pay)),
    ("Lemma 2.8", |session| richman::over_bobs_plays(session, |play| play.fell)),
    ("Theorem 3.3", richman::theorem_3_3),
    ("Claim 3.4", richman::claim_3_4),
    ("Theorem 3.5", richman::theorem_3_5),
    ("Theorem 3.5 (b), proof", runs::theorem_3_5_proof),
    ("Fact 3.6", richman::fact_3_6),
    ("Fact 3.7", runs::fact_3_7),
    ("Lemma 3.8", richman::lemma_3_8),
    ("Lemma 3.9", richman::lemma_3_9),
    ("Lemma 3.10", richman::lemma_3_10),
    ("Lemma 3.11", richman::lemma_3_11),
    ("Lemma 3.12", richman::lemma_3_12),
    ("Lemma 3.13", richman::lemma_3_8),
    ("Lemma 3.14", richman::lemma_3_9),
    ("Lemma 3.15", richman::lemma_3_10),
    ("Section 4.2", |session| poorman::by_chips(session, Player::Alice)),
    ("Section 4.2, strategy", poorman::some_t),
    ("Section 4.3", |session| poorman::by_chips(session, Player::Bob)),
    ("Section 4.4", poorman::section_4_4),
    ("Lemma 4.3", poorman::lemma_4_3),
    ("Lemma 4.4", poorman::lemma_4_4),
    ("Section 4.4, equal money", poorman::equal_money),
    ("Lemma 5.1", poorman::lemma_5_1),
    ("Section 5.2.1", |session| poorman::programme(session, Player::Alice)),
    ("Section 5.2.2", |session| poorman::programme(session, Player::Bob)),
    ("Section 5.1", poorman::a_formula),
];

/// A path played out by definition, in agreement with the solver. Alice names a bid, Bob answers
/// knowing it, ties are hers, and the winner moves.
struct Game<'a> {
    length: u32,
    oracle: Oracle<'a>,
}

/// Plays out a path with all purses of `total` chips or, if money goes to the bank, at most that
/// many.
///
/// # Errors
/// [`Error::Damaged`] if the solver disagrees.
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
        Box::new(chips::solve(&arena, &mechanism, Total::new(total)?, &Effort::default())?)
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
    /// The fewest moves in which `player` can force a win from node `at`.
    fn rank(&self, player: Player, at: u32, alice: u32, bob: u32) -> Option<u32> {
        self.oracle.rank(player, OracleState { node: at, alice, bob, star: Player::Alice })
    }

    /// The player who can force a win, with the fewest moves; `None` for a draw.
    fn winner(&self, at: u32, alice: u32, bob: u32) -> Option<(Player, u32)> {
        Player::BOTH.into_iter().find_map(|player| Some((player, self.rank(player, at, alice, bob)?)))
    }

    /// Every inner node with every pair of purses: (at, alice, bob).
    fn states(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let open = |state: &OracleState| (1..self.length).contains(&state.node);
        self.oracle.states().filter(open).map(|OracleState { node, alice, bob, .. }| (node, alice, bob))
    }
}

/// Counts a statement about many states as one comparison; a failure names the first state.
fn everywhere(finding: &mut Finding, at: String, printed: &str, fails: Option<String>) {
    finding.compare(|| at, printed, fails.unwrap_or_else(|| printed.to_string()));
}
