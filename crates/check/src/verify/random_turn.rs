//! Random-turn play: the chance of a player to win from every position, also where chance moves.
//!
//! **Why.** Let the chances fulfil the equations of best play. Then the other player can hold the
//! player to them, because nobody wins a play that never ends. The player reaches them by best
//! moves that make progress. Suppose play with such moves stayed forever in some positions and
//! visited all of them infinitely often. All their chances would be equal; if above 0, the first of
//! them to join would lead on to one that joined earlier. So play ends, or reaches a chance of 0.

use dashu_ratio::RBig;
use richman_core::{
    Groups, LabelledArena, Node, NodeData, PacedWatch, Player, PositionKind, RandomTurn, Share, StochasticLabel, Watch,
};

use super::{Flaw, at, watched};

/// Proves the chance of `player` to win random-turn play from every position.
///
/// # Errors
/// The first [`Flaw`].
pub fn random_turn<L: RandomTurn>(
    arena: &LabelledArena<L>,
    player: Player,
    chances: &[Share],
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    if chances.len() != arena.len() {
        return Err(Flaw::Size { claimed: chances.len(), actual: arena.len() });
    }
    let claim = ClaimedChances { arena, player, chances };
    for node in arena.nodes() {
        watched(watch, "equations", node, arena)?;
        let (claimed, actual) = (claim.of(node).rational(), claim.of_best_play(node));
        if *claimed != actual {
            let what = format!("{player}'s chance is said to be {claimed}, but best play has {actual}");
            return Err(at(node, what));
        }
    }
    claim.check_progress(watch)
}

struct ClaimedChances<'a, L: RandomTurn> {
    arena: &'a LabelledArena<L>,
    player: Player,
    chances: &'a [Share],
}

/// How a position joins those that make progress.
struct Joining {
    /// Whether it joins at once.
    at_once: bool,
    /// It joins once one of these has.
    any: Vec<Node>,
    /// It joins once all of these have, if there are any.
    all: Vec<Node>,
}

impl<L: RandomTurn> ClaimedChances<'_, L> {
    fn of(&self, node: Node) -> &Share {
        &self.chances[node as usize]
    }

    /// The chance after the player's best move, and after the other player's.
    fn best_and_worst(&self, node: Node) -> [Option<&Share>; 2] {
        let after = |player| self.arena.moves(node, player).iter().map(|&to| self.of(to));
        [after(self.player).max(), after(self.player.other()).min()]
    }

    /// The chance according to the equation of the position.
    fn of_best_play(&self, node: Node) -> RBig {
        let [best, worst] =
            self.best_and_worst(node).map(|share| share.map_or(RBig::ZERO, |share| share.rational().clone()));
        match self.arena.data(node) {
            NodeData::End(end) => RBig::from(u8::from(L::winner(end) == Some(self.player))),
            NodeData::On(label) => match L::mover(label) {
                StochasticLabel::Player(PositionKind::Bid) => (best + worst) / RBig::from(2u8),
                StochasticLabel::Player(PositionKind::Owned(owner)) if owner == self.player => best,
                StochasticLabel::Player(PositionKind::Owned(_)) => worst,
                StochasticLabel::Chance => {
                    let part = |(to, label)| {
                        let chance = L::probability(label);
                        let chance = RBig::from(chance.numerator()) / RBig::from(chance.denominator());
                        chance * self.of(to).rational()
                    };
                    Player::BOTH
                        .into_iter()
                        .flat_map(|player| self.arena.labelled(node, player))
                        .map(part)
                        .fold(RBig::ZERO, |sum, part| sum + part)
                }
            },
        }
    }

    fn joining(&self, node: Node) -> Joining {
        let same = |&to: &Node| self.of(to) == self.of(node);
        let moves = |player| self.arena.moves(node, player).iter().copied().filter(same).collect::<Vec<Node>>();
        let (mut at_once, mut any, mut all) = (false, Vec::new(), Vec::new());
        match self.arena.data(node) {
            NodeData::End(_) => at_once = true,
            NodeData::On(label) => match L::mover(label) {
                StochasticLabel::Player(PositionKind::Bid) => {
                    let [best, worst] = self.best_and_worst(node);
                    at_once = best != worst;
                    any = moves(self.player);
                    all = moves(self.player.other());
                }
                StochasticLabel::Player(PositionKind::Owned(owner)) if owner == self.player => any = moves(owner),
                StochasticLabel::Player(PositionKind::Owned(other)) => all = moves(other),
                StochasticLabel::Chance => {
                    any = self.arena.successors(node).to_vec();
                    at_once = !any.iter().all(same);
                }
            },
        }
        Joining { at_once, any, all }
    }

    /// Checks that the player can make progress from every position with a chance.
    fn check_progress(&self, watch: &dyn Watch) -> Result<(), Flaw> {
        let pace = PacedWatch::new(watch);
        let stopped = |_| Flaw::Stopped;
        let open = || self.arena.nodes().filter(|&node| *self.of(node) > Share::ZERO);
        let into = |list: fn(Joining) -> Vec<Node>| {
            let steps =
                || open().flat_map(|node| list(self.joining(node)).into_iter().map(move |to| (to as usize, node)));
            Groups::of(self.arena.len(), 0, steps)
        };
        let (any, all) = (into(|joining| joining.any), into(|joining| joining.all));
        let mut waiting: Vec<u32> = vec![0; self.arena.len()];
        let mut has_joined = vec![false; self.arena.len()];
        let mut front = Vec::new();
        for node in open() {
            let joining = self.joining(node);
            waiting[node as usize] = joining.all.len() as u32;
            if joining.at_once {
                has_joined[node as usize] = true;
                front.push(node);
            }
        }
        while let Some(joined) = front.pop() {
            pace.step().map_err(stopped)?;
            for &node in all.get(joined as usize) {
                waiting[node as usize] -= 1;
            }
            let by_all = all.get(joined as usize).iter().filter(|&&node| waiting[node as usize] == 0);
            for &node in any.get(joined as usize).iter().chain(by_all) {
                if !std::mem::replace(&mut has_joined[node as usize], true) {
                    front.push(node);
                }
            }
        }
        match open().find(|&node| !has_joined[node as usize]) {
            None => Ok(()),
            Some(node) => {
                let chance = self.of(node).to_string();
                let player = self.player;
                Err(at(
                    node,
                    format!("{player}'s chance is said to be {chance}, but play need not make progress there"),
                ))
            }
        }
    }
}
