//! The judge of parity with chips: it writes the game out position by position and holding by
//! holding, as a game in which one player moves at a time, and knows nothing about thresholds.
//!
//! One of the players names their bid first. With sealed bids no player can do better than when
//! naming second, nor worse than when naming first; so where both orders agree, sealed play has
//! that result too.

use std::collections::HashMap;

use richman_core::{Bids, ByPlayer, Mechanism, Node, NodeData, ParityArena, Payment, Player, Right, Ties};

use crate::oracle::OracleState;
use crate::zielonka::TurnGame;

/// A point of a turn, at which one player decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Point {
    /// Before the bids.
    Turn(Holdings),
    /// After the first bid.
    Answer(Holdings, u32),
    /// After a tie, which the star's holder decides.
    Tie(Holdings, u32),
    /// After the payment.
    Paid(Holdings, Player),
    /// Before the move.
    Move(Holdings, Player),
}

/// A position and what both hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Holdings {
    node: Node,
    chips: ByPlayer<u32>,
    star: Player,
}

/// A parity game with chips, written out.
pub struct ParityJudge {
    won: Vec<bool>,
    numbers: HashMap<Point, usize>,
}

struct Writer<'a> {
    arena: &'a ParityArena,
    mechanism: &'a Mechanism,
    first: Player,
    game: TurnGame,
    numbers: HashMap<Point, usize>,
    open: Vec<Point>,
}

impl ParityJudge {
    /// Writes the game out for all holdings of `total` chips, where `first` names the bid that the
    /// other player answers, and solves it.
    ///
    /// # Panics
    /// If the winner of a bid does not pay the other player.
    pub fn new(arena: &ParityArena, mechanism: &Mechanism, total: u32, first: Player) -> ParityJudge {
        assert_eq!(mechanism.payment, Payment::Richman, "the total stays");
        let (game, numbers, open) = Default::default();
        let mut writer = Writer { arena, mechanism, first, game, numbers, open };
        for node in arena.nodes() {
            for star in Player::BOTH {
                for alice in 0..=total {
                    writer.number(Point::Turn(Holdings { node, chips: ByPlayer::new(alice, total - alice), star }));
                }
            }
        }
        while let Some(point) = writer.open.pop() {
            let at = writer.numbers[&point];
            let to = writer.moves(point).into_iter().map(|next| writer.number(next)).collect();
            writer.game.set_moves(at, to);
        }
        ParityJudge { won: writer.game.won_by_alice(), numbers: writer.numbers }
    }

    /// Whether Alice wins; with ties `alice` and `bob` the star is that player's.
    pub fn is_won_by_alice(&self, state: OracleState) -> bool {
        let OracleState { node, alice, bob, star } = state;
        self.won[self.numbers[&Point::Turn(Holdings { node, chips: ByPlayer::new(alice, bob), star })]]
    }
}

impl Writer<'_> {
    fn number(&mut self, point: Point) -> usize {
        if let Some(&known) = self.numbers.get(&point) {
            return known;
        }
        let priority = match point {
            Point::Turn(Holdings { node, .. }) => match self.arena.place(node) {
                NodeData::On(place) => place.priority.0,
                NodeData::End(Player::Alice) => 0,
                NodeData::End(Player::Bob) => 1,
            },
            _ => 0, // the least priority, so it decides nothing
        };
        let owner = match point {
            Point::Turn(here) => self.arena.owner(here.node).unwrap_or(self.first),
            Point::Answer(..) => self.first.other(),
            Point::Tie(Holdings { star, .. }, _) => star,
            Point::Paid(_, player) | Point::Move(_, player) => player,
        };
        let number = self.game.add(owner, priority);
        self.numbers.insert(point, number);
        self.open.push(point);
        number
    }

    fn bids(&self, chips: u32) -> Vec<u32> {
        match &self.mechanism.bids {
            Bids::All => (0..=chips).collect(),
            Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).collect(),
        }
    }

    fn moves(&self, point: Point) -> Vec<Point> {
        let other = self.first.other();
        match point {
            Point::Turn(here) if self.arena.terminal(here.node).is_some() => vec![point],
            Point::Turn(here) if self.arena.owner(here.node).is_some() => {
                let targets = self.arena.successors(here.node).iter();
                targets.map(|&node| Point::Turn(Holdings { node, ..here })).collect()
            }
            Point::Turn(here) => {
                let bids = self.bids(here.chips[self.first]).into_iter();
                bids.map(|bid| Point::Answer(here, bid)).collect()
            }
            Point::Answer(here, bid) => {
                let answers = self.bids(here.chips[other]).into_iter();
                answers
                    .map(|answer| match bid.cmp(&answer) {
                        std::cmp::Ordering::Greater => self.paid(here, self.first, bid, false),
                        std::cmp::Ordering::Less => self.paid(here, other, answer, false),
                        std::cmp::Ordering::Equal => match self.mechanism.ties {
                            Ties::Advantage => Point::Tie(here, bid),
                            Ties::Marker => self.paid(here, here.star, bid, true),
                            Ties::Alice => self.paid(here, Player::Alice, bid, false),
                            Ties::Bob => self.paid(here, Player::Bob, bid, false),
                            Ties::Loser | Ties::Winner => self.paid(here, here.star, bid, false),
                        },
                    })
                    .collect()
            }
            Point::Tie(here, bid) => {
                vec![self.paid(here, here.star, bid, true), self.paid(here, here.star.other(), bid, false)]
            }
            Point::Paid(here, winner) => match self.mechanism.right {
                Right::Moves => vec![Point::Move(here, winner)],
                Right::Chooses => Player::BOTH.map(|mover| Point::Move(here, mover)).to_vec(),
            },
            Point::Move(here, mover) => {
                let targets = self.arena.moves(here.node, mover).iter();
                targets.map(|&node| Point::Turn(Holdings { node, ..here })).collect()
            }
        }
    }

    /// After the winner has paid the bid; `used` if the star won a tie.
    fn paid(&self, here: Holdings, winner: Player, bid: u32, used: bool) -> Point {
        let mut chips = here.chips;
        chips[winner] -= bid;
        chips[winner.other()] += bid;
        let star = match self.mechanism.ties {
            Ties::Loser => winner.other(),
            Ties::Winner => winner,
            _ if used => here.star.other(),
            _ => here.star,
        };
        Point::Paid(Holdings { chips, star, ..here }, winner)
    }
}
