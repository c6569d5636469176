//! Moves that are best, and those between which bounds do not decide.

use std::cmp::Reverse;

use richman_core::Player;
use serde::Serialize;

/// Best moves of both players, by the game's names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Alice's: every one is surely a best move. Empty where bounds do not tell which is.
    pub alice: Vec<String>,
    /// Bob's.
    pub bob: Vec<String>,
    /// Where only bounds on what the moves lead to are known, and do not tell which move is best.
    #[serde(skip_serializing_if = "UndecidedMoves::is_empty")]
    pub undecided: UndecidedMoves,
}

/// What bounds say of moves between which they do not decide; null for a player for whom they do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct UndecidedMoves {
    /// Alice's moves.
    pub alice: Option<Undecided>,
    /// Bob's.
    pub bob: Option<Undecided>,
}

impl UndecidedMoves {
    fn is_empty(&self) -> bool {
        self.alice.is_none() && self.bob.is_none()
    }
}

/// Moves between which bounds do not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// Every move that may be the best.
    pub moves: Vec<String>,
    /// Those of them that ask for least at the worst: a player who is on the right side of the bounds of the position stays there with them. Another may be better.
    pub keeping: Vec<String>,
}

impl Moves {
    /// Moves that are best for sure.
    pub fn best(alice: Vec<String>, bob: Vec<String>) -> Moves {
        Moves { alice, bob, undecided: UndecidedMoves::default() }
    }

    /// The moves that each player's choice names.
    pub(crate) fn chosen([alice, bob]: [Choice; 2]) -> Moves {
        let undecided = UndecidedMoves { alice: alice.undecided, bob: bob.undecided };
        Moves { alice: alice.best, bob: bob.best, undecided }
    }

    /// Those of one player.
    pub fn of(&self, player: Player) -> &[String] {
        if player == Player::Alice { &self.alice } else { &self.bob }
    }
}

/// What is known of a player's moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) best: Vec<String>,
    pub(crate) undecided: Option<Undecided>,
}

impl Choice {
    /// From each move's name, where it leads, and what is asked for there, at the least and at the most; the less the
    /// better. Moves to one place are equally good.
    pub(crate) fn least<To: PartialEq, T: Ord>(moves: &[(impl ToString, To, T, T)]) -> Choice {
        let Some(most) = moves.iter().map(|(_, _, _, high)| high).min() else { return Choice::default() };
        // The least of all, and the least that leads elsewhere than that one.
        let first = moves.iter().min_by_key(|(_, _, low, _)| low);
        let second = moves.iter().filter(|(_, to, ..)| first.is_some_and(|(_, place, ..)| to != place));
        let second = second.min_by_key(|(_, _, low, _)| low);
        let names = |is_one: &dyn Fn(usize) -> bool| -> Vec<String> {
            (0..moves.len()).filter(|&at| is_one(at)).map(|at| moves[at].0.to_string()).collect()
        };
        let may_be_best = |at: usize| moves[at].2 <= *most;
        let is_best = |at: usize| {
            let (_, to, _, high) = &moves[at];
            [first, second].into_iter().flatten().all(|(_, place, low, _)| to == place || high <= low)
        };
        let best = names(&is_best);
        let undecided = best
            .is_empty()
            .then(|| Undecided { moves: names(&may_be_best), keeping: names(&|at| moves[at].3 == *most) });
        Choice { best, undecided }
    }

    /// Of the same, the more the better.
    pub(crate) fn most<To: PartialEq, T: Ord>(moves: Vec<(impl ToString, To, T, T)>) -> Choice {
        let turned = moves.into_iter().map(|(name, to, low, high)| (name, to, Reverse(high), Reverse(low)));
        Choice::least(&turned.collect::<Vec<_>>())
    }

    /// Leaves only some of the moves to be named, unless that leaves none.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&String) -> bool) {
        let named = match &mut self.undecided {
            Some(undecided) => &mut undecided.keeping,
            None => &mut self.best,
        };
        if named.iter().any(&is_kept) {
            named.retain(is_kept);
        }
    }
}
