//! The judge of play with real money in which one player has all of it: a turn is written out bid
//! by bid, as a game in which one player moves at a time.
//!
//! The player without money bids 0, the other one 0 or more. A bid above 0 wins. If a part of it is
//! paid to the other player, both then have money; the values of that are given from outside, for
//! instance by enumerating all strategies of random-turn play. Nothing here knows thresholds.

use std::collections::HashMap;

use dashu_ratio::RBig;
use richman_core::{
    LabelledArena, MeanPayoffArena, Mechanism, Node, NodeData, Payment, Player, Rate, Right, Ties, Winnable,
};

use crate::energy::EnergyGame;
use crate::oracle::OracleState;
use crate::written::{Point, WrittenOutGame};
use crate::zielonka::TurnGame;

/// The verdict at a position, by the star's holder.
pub type Verdicts = Box<dyn Fn(Node, Player) -> bool>;

/// A game in which one player has all the money, written out.
pub struct OneSidedGame<L: Winnable> {
    /// The game without chips, whose every bid is 0.
    written: WrittenOutGame<L>,
    /// After a bid above 0: its origin, the mover, and the next position.
    outbid: Vec<Outbid>,
    poor: Player,
    is_paid: bool,
}

richman_core::debug_by_name!([L: Winnable] OneSidedGame<L> {});

struct Outbid {
    from: usize,
    mover: Player,
    /// Targets, each with the weight of the move, and the number of the turn that follows if the
    /// poor player still has nothing.
    moves: Vec<(Node, i64, usize)>,
}

impl<L: Winnable> OneSidedGame<L> {
    /// Writes the game out in which `poor` has nothing.
    pub fn new(
        arena: &LabelledArena<L>,
        mechanism: &Mechanism,
        poor: Player,
        weight: impl Fn(L::Move) -> i64,
    ) -> OneSidedGame<L> {
        let (rich, is_paid) = (poor.other(), mechanism.payment.rate() != Rate::POORMAN);
        let free = Mechanism { payment: Payment::Richman, ..mechanism.clone() };
        let written = WrittenOutGame::new(arena, &free, 0, rich);
        let mut outbid = Vec::new();
        for (from, point) in written.points.iter().enumerate() {
            let &Point::Turn(here) = point else { continue };
            if arena.terminal(here.node).is_some() || arena.owner(here.node).is_some() {
                continue;
            }
            let star = match mechanism.ties {
                Ties::Loser => poor,
                Ties::Winner => rich,
                _ => here.star,
            };
            let movers = if mechanism.right == Right::Chooses { vec![rich, poor] } else { vec![rich] };
            for mover in movers {
                let next = |(to, label)| (to, weight(label), written.number(state(to, star)));
                outbid.push(Outbid { from, mover, moves: arena.labelled(here.node, mover).map(next).collect() });
            }
        }
        OneSidedGame { written, outbid, poor, is_paid }
    }

    /// Whether the poor player wins, at a position and with this holder of the star. `enough` tells
    /// where that player wins with any money above 0. `priority` decides endless play; an end has
    /// one too.
    pub fn wins(&self, enough: impl Fn(Node) -> bool, priority: impl Fn(Node) -> u32) -> Verdicts {
        let (written, rich) = (&self.written, self.poor.other());
        let mut game = TurnGame::default();
        for (point, &owner) in written.points.iter().zip(&written.owners) {
            let of = if let Point::Turn(here) = point { priority(here.node) } else { 0 };
            game.add(owner, of);
        }
        let [won, lost] = [self.poor, rich].map(|winner| {
            let end = game.add(winner, winner.either(0, 1));
            game.set_moves(end, vec![end]);
            end
        });
        let mut moves: Vec<Vec<usize>> =
            written.moves.iter().map(|moves| moves.iter().map(|(to, _)| *to).collect()).collect();
        for Outbid { from, mover, moves: after } in &self.outbid {
            let to = game.add(*mover, 0);
            moves[*from].push(to);
            let end = |&(node, _, turn): &(Node, i64, usize)| match (self.is_paid, enough(node)) {
                (true, true) => won,
                (true, false) => lost,
                (false, _) => turn,
            };
            game.set_moves(to, after.iter().map(end).collect());
        }
        for (at, moves) in moves.into_iter().enumerate() {
            game.set_moves(at, moves);
        }
        let (alice, poor) = (game.won_by_alice(), self.poor);
        let numbers: HashMap<(Node, Player), usize> = self.turns().collect();
        Box::new(move |node, star| alice[numbers[&(node, star)]] == (poor == Player::Alice))
    }

    fn turns(&self) -> impl Iterator<Item = ((Node, Player), usize)> {
        let turn = |(at, point): (usize, &Point)| match point {
            Point::Turn(here) => Some(((here.node, here.star), at)),
            _ => None,
        };
        self.written.points.iter().enumerate().filter_map(turn)
    }
}

impl OneSidedGame<richman_core::MeanPayoff> {
    /// Writes out a game for an average.
    pub fn of_averages(arena: &MeanPayoffArena, mechanism: &Mechanism, poor: Player) -> Self {
        OneSidedGame::new(arena, mechanism, poor, |weight| weight)
    }

    /// Whether `player` can guarantee an average of at least `least` (Alice) or at most that (Bob),
    /// from each position with each holder of the star. `nearby` are the averages if both have some
    /// money.
    ///
    /// # Panics
    /// If a part of an average has more than 127 bits.
    pub fn keeps(&self, player: Player, least: &RBig, nearby: &[RBig]) -> Verdicts {
        let small =
            |number: RBig| i128::try_from(number.numerator().clone()).expect("averages of small games are small");
        // All numbers over one denominator.
        let common = nearby
            .iter()
            .fold(RBig::from(least.denominator().clone()), |all, one| all * RBig::from(one.denominator().clone()));
        let sign = player.either(1, -1);
        let gain = |average: &RBig| sign * small((average - least) * &common);
        let mut game = EnergyGame::default();
        for &owner in &self.written.owners {
            game.add(owner == player);
        }
        let weighed = |weight: Option<i64>| weight.map_or(0, |weight| gain(&RBig::from(weight)));
        let mut moves: Vec<Vec<(usize, i128)>> = self
            .written
            .moves
            .iter()
            .map(|moves| moves.iter().map(|&(to, weight)| (to, weighed(weight))).collect())
            .collect();
        let ends: Vec<usize> = nearby
            .iter()
            .map(|average| {
                let end = game.add(true);
                game.set_moves(end, vec![(end, gain(average))]);
                end
            })
            .collect();
        for Outbid { from, mover, moves: after } in &self.outbid {
            let to = game.add(*mover == player);
            moves[*from].push((to, 0));
            let end = |&(node, weight, turn): &(Node, i64, usize)| match self.is_paid {
                true => (ends[node as usize], weighed(Some(weight))),
                false => (turn, weighed(Some(weight))),
            };
            game.set_moves(to, after.iter().map(end).collect());
        }
        for (at, moves) in moves.into_iter().enumerate() {
            game.set_moves(at, moves);
        }
        let credits = game.least_credits();
        let numbers: HashMap<(Node, Player), usize> = self.turns().collect();
        Box::new(move |node, star| credits[numbers[&(node, star)]].is_some())
    }
}

fn state(node: Node, star: Player) -> OracleState {
    OracleState { node, alice: 0, bob: 0, star }
}

/// The priority of a position of a game that ends, where endless play is not won by `poor`.
pub fn priority_of_end<L: Winnable>(arena: &LabelledArena<L>, node: Node, poor: Player) -> u32 {
    let winner = match arena.data(node) {
        NodeData::End(end) => L::winner(end).unwrap_or(poor.other()),
        NodeData::On(_) => poor.other(),
    };
    winner.either(2, 1)
}
