//! Endless play with chips, written out position by position and holding by holding, as a game in
//! which one player moves at a time. Nothing here knows thresholds or values.

use std::collections::HashMap;

use richman_core::StarUse::{self, Kept, Used};
use richman_core::{Bids, ByPlayer, LabelledArena, Mechanism, Node, Payment, Player, Right, Ties, Winnable};

use crate::oracle::OracleState;

/// A point of a turn, at which one player decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point {
    /// Before the bids.
    Turn(PointHoldings),
    /// After the first bid.
    Answer(PointHoldings, u32),
    /// After a tie, which the star's holder decides.
    Tie(PointHoldings, u32),
    /// After the payment.
    Paid(PointHoldings, Player),
    /// Before the move.
    Move(PointHoldings, Player),
}

/// A position and both holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointHoldings {
    /// The position.
    pub node: Node,
    /// Both players' chips.
    pub chips: ByPlayer<u32>,
    /// The star's holder.
    pub star: Player,
}

/// A move between points: the number of the next one, and the weight where a turn ends with it.
pub type WrittenMove<Weight> = (usize, Option<Weight>);

/// A game with chips, written out.
pub struct WrittenOutGame<L: Winnable> {
    /// All points by their numbers.
    pub points: Vec<Point>,
    /// Who decides at each point.
    pub owners: Vec<Player>,
    /// The moves from each point.
    pub moves: Vec<Vec<WrittenMove<L::Move>>>,
    numbers: HashMap<Point, usize>,
}

richman_core::debug_by_name!([L: Winnable] WrittenOutGame<L> {});

struct Writer<'a, L: Winnable> {
    arena: &'a LabelledArena<L>,
    mechanism: &'a Mechanism,
    first: Player,
    game: WrittenOutGame<L>,
    open: Vec<Point>,
}

impl<L: Winnable> WrittenOutGame<L> {
    /// Writes the game out for all holdings of `total` chips, where `first` names the bid that the
    /// other player answers. An end leads to itself.
    ///
    /// # Panics
    /// If the winner of a bid does not pay the other player.
    pub fn new(arena: &LabelledArena<L>, mechanism: &Mechanism, total: u32, first: Player) -> WrittenOutGame<L> {
        assert_eq!(mechanism.payment, Payment::Richman, "the total stays");
        let (points, owners, moves, numbers) = Default::default();
        let game = WrittenOutGame { points, owners, moves, numbers };
        let mut writer = Writer { arena, mechanism, first, game, open: Vec::new() };
        for node in arena.nodes() {
            for star in Player::BOTH {
                for alice in 0..=total {
                    writer.number(Point::Turn(PointHoldings {
                        node,
                        chips: ByPlayer::new(alice, total - alice),
                        star,
                    }));
                }
            }
        }
        while let Some(point) = writer.open.pop() {
            let at = writer.game.numbers[&point];
            let to = writer.moves(point).into_iter().map(|(next, weight)| (writer.number(next), weight)).collect();
            writer.game.moves[at] = to;
        }
        writer.game
    }

    /// The number of the point before the bids of a state; with ties `alice` and `bob` the star is
    /// that player's.
    ///
    /// # Panics
    /// If the state is not one of the game.
    pub fn number(&self, state: OracleState) -> usize {
        let OracleState { node, alice, bob, star } = state;
        self.numbers[&Point::Turn(PointHoldings { node, chips: ByPlayer::new(alice, bob), star })]
    }
}

impl<L: Winnable> Writer<'_, L> {
    fn number(&mut self, point: Point) -> usize {
        if let Some(&known) = self.game.numbers.get(&point) {
            return known;
        }
        let owner = match point {
            Point::Turn(here) => self.arena.owner(here.node).unwrap_or(self.first),
            Point::Answer(..) => self.first.other(),
            Point::Tie(PointHoldings { star, .. }, _) => star,
            Point::Paid(_, player) | Point::Move(_, player) => player,
        };
        let number = self.game.points.len();
        self.game.points.push(point);
        self.game.owners.push(owner);
        self.game.moves.push(Vec::new());
        self.game.numbers.insert(point, number);
        self.open.push(point);
        number
    }

    fn bids(&self, chips: u32) -> Vec<u32> {
        match &self.mechanism.bids {
            Bids::All => (0..=chips).collect(),
            Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).collect(),
        }
    }

    fn moves(&self, point: Point) -> Vec<(Point, Option<L::Move>)> {
        let other = self.first.other();
        let inside = |point: Point| (point, None);
        let moved = |here: PointHoldings, player: Player| {
            let moves = self.arena.labelled(here.node, player);
            moves.map(|(node, label)| (Point::Turn(PointHoldings { node, ..here }), Some(label))).collect()
        };
        match point {
            Point::Turn(here) if self.arena.terminal(here.node).is_some() => vec![inside(point)],
            Point::Turn(here) => match self.arena.owner(here.node) {
                Some(owner) => moved(here, owner),
                None => {
                    let bids = self.bids(here.chips[self.first]).into_iter();
                    bids.map(|bid| inside(Point::Answer(here, bid))).collect()
                }
            },
            Point::Answer(here, bid) => {
                let answers = self.bids(here.chips[other]).into_iter();
                let result = |answer: u32| match bid.cmp(&answer) {
                    std::cmp::Ordering::Greater => self.paid(here, self.first, bid, Kept),
                    std::cmp::Ordering::Less => self.paid(here, other, answer, Kept),
                    std::cmp::Ordering::Equal => match self.mechanism.ties {
                        Ties::Advantage => Point::Tie(here, bid),
                        Ties::Marker => self.paid(here, here.star, bid, Used),
                        Ties::Alice => self.paid(here, Player::Alice, bid, Kept),
                        Ties::Bob => self.paid(here, Player::Bob, bid, Kept),
                        Ties::Loser | Ties::Winner => self.paid(here, here.star, bid, Kept),
                    },
                };
                answers.map(result).map(inside).collect()
            }
            Point::Tie(here, bid) => {
                let (used, kept) =
                    (self.paid(here, here.star, bid, Used), self.paid(here, here.star.other(), bid, Kept));
                vec![inside(used), inside(kept)]
            }
            Point::Paid(here, winner) => match self.mechanism.right {
                Right::Moves => vec![inside(Point::Move(here, winner))],
                Right::Chooses => Player::BOTH.map(|mover| inside(Point::Move(here, mover))).to_vec(),
            },
            Point::Move(here, mover) => moved(here, mover),
        }
    }

    /// After the winner has paid the bid; `used` says whether the star won a tie.
    fn paid(&self, here: PointHoldings, winner: Player, bid: u32, used: StarUse) -> Point {
        let mut chips = here.chips;
        chips[winner] -= bid;
        chips[winner.other()] += bid;
        let star = match self.mechanism.ties {
            Ties::Loser => winner.other(),
            Ties::Winner => winner,
            _ if used.is_used() => here.star.other(),
            _ => here.star,
        };
        Point::Paid(PointHoldings { chips, star, ..here }, winner)
    }
}
