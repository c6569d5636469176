//! Best moves, and moves between which bounds do not decide.

use std::cmp::Reverse;

use richman_core::{ByPlayer, Player};
use schemars::JsonSchema;
use serde::Serialize;

/// Best moves of both players by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Moves {
    /// Alice's: each is certainly a best move. Empty if bounds do not tell which is best.
    pub alice: Vec<String>,
    /// Bob's.
    pub bob: Vec<String>,
    /// Moves between which bounds do not decide; null for a player whose best moves are known.
    #[serde(serialize_with = "richman_formats::by_player::serialize", skip_serializing_if = "decides")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Option<Undecided>>")]
    pub undecided: ByPlayer<Option<Undecided>>,
}

fn decides(undecided: &ByPlayer<Option<Undecided>>) -> bool {
    undecided.iter().all(Option::is_none)
}

/// Moves between which bounds do not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Undecided {
    /// Every move that may be best.
    pub moves: Vec<String>,
    /// The moves with the best worst case: they keep a player on the right side of the position's
    /// bounds there. Another move may be better.
    pub keeping: Vec<String>,
}

impl Moves {
    /// Moves that are certainly best.
    pub fn best(alice: Vec<String>, bob: Vec<String>) -> Moves {
        Moves { alice, bob, undecided: ByPlayer::default() }
    }

    /// The moves of both players' choices.
    pub(crate) fn chosen(ByPlayer { alice, bob }: ByPlayer<BestMoves>) -> Moves {
        Moves { alice: alice.best, bob: bob.best, undecided: ByPlayer::new(alice.undecided, bob.undecided) }
    }

    /// The players who can move.
    pub fn movers(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|&player| !self.of(player).is_empty() || self.undecided[player].is_some())
    }

    /// A player's best moves.
    pub fn of(&self, player: Player) -> &[String] {
        if player == Player::Alice { &self.alice } else { &self.bob }
    }
}

/// The best moves of a player, as far as known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BestMoves {
    pub(crate) best: Vec<String>,
    pub(crate) undecided: Option<Undecided>,
}

impl BestMoves {
    /// The choice among moves given as name, target, and bounds on the target's value; less is
    /// better. Moves to one target are equally good.
    pub(crate) fn least<To: PartialEq, T: Ord>(moves: &[(impl ToString, To, T, T)]) -> BestMoves {
        let Some(most) = moves.iter().map(|(_, _, _, high)| high).min() else { return BestMoves::default() };
        // The least lower bound, and the least one of another target.
        let first = moves.iter().min_by_key(|(_, _, low, _)| low);
        let second = moves.iter().filter(|(_, to, ..)| first.is_some_and(|(_, target, ..)| to != target));
        let second = second.min_by_key(|(_, _, low, _)| low);
        let names = |is_one: &dyn Fn(usize) -> bool| -> Vec<String> {
            (0..moves.len()).filter(|&at| is_one(at)).map(|at| moves[at].0.to_string()).collect()
        };
        let may_be_best = |at: usize| moves[at].2 <= *most;
        let is_best = |at: usize| {
            let (_, to, _, high) = &moves[at];
            [first, second].into_iter().flatten().all(|(_, target, low, _)| to == target || high <= low)
        };
        let best = names(&is_best);
        let undecided = best
            .is_empty()
            .then(|| Undecided { moves: names(&may_be_best), keeping: names(&|at| moves[at].3 == *most) });
        BestMoves { best, undecided }
    }

    /// The same, if more is better.
    pub(crate) fn most<To: PartialEq, T: Ord>(moves: Vec<(impl ToString, To, T, T)>) -> BestMoves {
        let turned = moves.into_iter().map(|(name, to, low, high)| (name, to, Reverse(high), Reverse(low)));
        BestMoves::least(&turned.collect::<Vec<_>>())
    }

    /// Keeps only the moves that pass the test, unless none does.
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
