//! A match: both players bid, the bids are shown, ties are decided, the winner pays and one player
//! moves, until the game ends. Where the position belongs to a player, that player moves without a
//! bid, and nothing is paid.
//!
//! Chips are conserved by construction: only [`Match::pay`] changes them, and chips not paid to the
//! other player go to the bank. In a win-lose game, a player without a move cannot be the mover:
//! the other one moves, whoever wins the bid. A sealed bid is hidden until both are in;
//! [`Match::view`] shows it only to its bidder.

use std::collections::BTreeMap;

use richman_core::{
    Bids, ByPlayer, End, Holding, Mechanism, Player, Priority, ResolvedBid, StarUse, Total, Walk, higher_bid, ranges,
};
use serde::{Deserialize, Serialize};

use crate::Illegal;
use crate::certain::sure_bid;

/// The rules of a match, in addition to the game's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRules {
    /// The bidding mechanism.
    pub mechanism: Mechanism,
    /// Alice's and Bob's holdings at the start.
    pub start: ByPlayer<Holding>,
    /// The turns after which a match is cut off: a draw, unless the game need not end. Such games
    /// have a limit.
    pub limit: Option<u32>,
}

impl MatchRules {
    /// An equal split of `total` chips, with an odd chip for Bob, who has no star; no limit of
    /// turns.
    ///
    /// ```
    /// use richman_core::{Mechanism, Total};
    /// use richman_play::MatchRules;
    ///
    /// let rules = MatchRules::equal(Mechanism::default(), Total::new(9)?);
    /// assert_eq!(rules.start.map(|holding| holding.to_string()).into_iter().collect::<Vec<_>>(), ["4*", "5"]);
    /// # Ok::<(), richman_core::Error>(())
    /// ```
    pub fn equal(mechanism: Mechanism, total: Total) -> MatchRules {
        let half = total.chips() / 2;
        let alice = Holding::from_half_steps(2 * half + u32::from(mechanism.has_star()));
        let start = ByPlayer::new(alice, Holding::from_half_steps(2 * (total.chips() - half)));
        MatchRules { mechanism, start, limit: None }
    }
}

/// An action; as JSON `{"bid":3}`, `{"use_star":true}`, `{"move":"b2"}`, `"let"`, `"stay"` or
/// `"resign"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Bids this many chips.
    Bid(u32),
    /// In a tie: uses the star, or keeps it.
    UseStar(bool),
    /// Moves.
    Move(String),
    /// Lets the other player move, having won the bid.
    Let,
    /// Ends a scoring game by the rule for stuck players, instead of letting the other player move.
    Stay,
    /// Resigns, at any time.
    Resign,
}

/// The action that the match waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A bid.
    Bid,
    /// Whether to use the star in a tie at that bid.
    Star {
        /// The tied bid.
        bid: u32,
    },
    /// A move.
    Move {
        /// Whether the winner of the bid may let the other player move.
        may_let: bool,
    },
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchEnd {
    /// By the rules of the game.
    Game(End),
    /// That player resigned.
    Resigned(Player),
    /// The limit on turns was reached: a draw, or [the result so far](Match::so_far).
    Limit,
    /// Neither player has an allowed bid, which ends the match like the limit.
    NoBids,
}

impl MatchEnd {
    /// The winner, if any; in a scoring game the player with the better score.
    pub fn winner(self) -> Option<Player> {
        match self {
            MatchEnd::Game(End::Win(player)) => Some(player),
            MatchEnd::Game(End::Score(score)) if score > 0 => Some(Player::Alice),
            MatchEnd::Game(End::Score(score)) if score < 0 => Some(Player::Bob),
            MatchEnd::Resigned(player) => Some(player.other()),
            MatchEnd::Game(_) | MatchEnd::Limit | MatchEnd::NoBids => None,
        }
    }
}

/// A turn, finished or in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchTurn {
    /// The position before it, in the game's notation.
    pub position: String,
    /// Alice's and Bob's holdings before it.
    pub hands: ByPlayer<Holding>,
    /// The bids; `None` without an allowed bid, and for both if one player moves without a bid.
    pub bids: ByPlayer<Option<u32>>,
    /// In a tie where the star's owner could or had to use it: whether they did.
    pub star_used: Option<bool>,
    /// The winner of the bid; the mover if there was none.
    pub winner: Player,
    /// The player who moved, or was to move.
    pub mover: Player,
    /// The move; `None` if the game ended because the mover had none.
    pub played: Option<String>,
}

impl MatchTurn {
    /// Whether the players bid.
    pub fn has_bids(&self) -> bool {
        has_bids(self.bids)
    }
}

fn has_bids(bids: ByPlayer<Option<u32>>) -> bool {
    bids != ByPlayer::both(None)
}

/// A turn in progress, after both bids are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunTurn {
    /// The bids; `None` without an allowed bid.
    pub bids: ByPlayer<Option<u32>>,
    /// In a tie where the star's owner could or had to use it: whether they did.
    pub star_used: Option<bool>,
    /// The winner of the bid and the mover; `None` while a tie is undecided.
    pub won: Option<[Player; 2]>,
}

/// The stage of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnStage {
    /// Bids are due. Shows only public facts: who has bid, and the first of two open bids.
    Bids {
        /// Whose bids are in.
        given: ByPlayer<bool>,
        /// A bid that the other player must answer.
        named: Option<u32>,
    },
    /// The bids are known and equal; the star's owner decides.
    Tie {
        /// Both players' bid.
        bid: u32,
    },
    /// The bid is won and paid; a move is due.
    Moving {
        /// Both bids.
        bids: ByPlayer<Option<u32>>,
        /// The winner of the bid.
        winner: Player,
        /// The player to move.
        mover: Player,
    },
    /// A player moves without a bid.
    MovingAlone(Player),
    /// The match is over.
    Over(MatchEnd),
}

/// The view of one player, or of a spectator (`None`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The position in the game's notation.
    pub position: String,
    /// Alice's and Bob's current holdings.
    pub hands: ByPlayer<Holding>,
    /// The stage, without sealed bids.
    pub stage: TurnStage,
    /// The viewer's own sealed bid.
    pub own_bid: Option<u32>,
    /// The viewer's pending decision.
    pub decision: Option<Decision>,
    /// The viewer's allowed bids as ascending ranges, if a bid is due.
    pub bids: Vec<[u32; 2]>,
    /// The viewer's moves, if a move is due.
    pub moves: Vec<String>,
}

/// The secret and transient part of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    Bids(ByPlayer<Option<u32>>),
    Tie(u32),
    Moving { bids: ByPlayer<Option<u32>>, star_used: Option<bool>, winner: Player, mover: Player, may_let: bool },
}

/// A match in progress.
#[derive(Clone)]
pub struct Match {
    rules: MatchRules,
    walk: Box<dyn Walk>,
    hands: ByPlayer<Holding>,
    /// Chips that went to the bank.
    bank: u64,
    /// The phase of the turn; after a resignation, of the unfinished turn.
    phase: Phase,
    closed: Option<MatchEnd>,
    /// The position and holdings at the start of this turn.
    before: (String, ByPlayer<Holding>),
    turns: Vec<MatchTurn>,
    /// How often a move was made from each priority.
    pub(crate) priorities: BTreeMap<u32, u32>,
    /// The sum of the weights before the match.
    pub(crate) weights_before: i64,
    /// The position from which the match started.
    from: Option<String>,
}

richman_core::debug_by_name!(Match { rules, hands, turns, closed });

impl Match {
    /// A match from the position of `walk`.
    ///
    /// # Errors
    /// [`Illegal::Hands`] unless exactly one player holds the star, or nobody with ties `alice` and
    /// `bob`; [`Illegal::Endless`] for a game that need not end, unless it has a limit;
    /// [`Illegal::ByChance`] if chance moves too.
    pub fn new(walk: Box<dyn Walk>, rules: MatchRules) -> Result<Match, Illegal> {
        let facts = walk.aim().facts();
        if facts.has_chance {
            return Err(Illegal::ByChance);
        }
        if facts.need_not_end && rules.limit.unwrap_or(0) == 0 {
            return Err(Illegal::Endless);
        }
        let ByPlayer { alice, bob } = rules.start;
        let hands = richman_analysis::chips::HoldingsQuery { alice, bob, trace: false };
        hands.total(&rules.mechanism).map_err(|error| Illegal::Hands(error.to_string()))?;
        let before = (walk.notation(), rules.start);
        let weights_before = walk.weights();
        let from = Some(walk.notation()).filter(|from| *from != walk.start());
        let mut game = Match {
            hands: rules.start,
            rules,
            walk,
            bank: 0,
            phase: Phase::Bids(ByPlayer::both(None)),
            closed: None,
            before,
            turns: Vec::new(),
            priorities: BTreeMap::new(),
            weights_before,
            from,
        };
        game.begin_turn();
        Ok(game)
    }

    /// The rules of the match.
    pub fn rules(&self) -> &MatchRules {
        &self.rules
    }

    /// The current position.
    pub fn walk(&self) -> &dyn Walk {
        self.walk.as_ref()
    }

    /// Alice's and Bob's current holdings.
    pub fn hands(&self) -> ByPlayer<Holding> {
        self.hands
    }

    /// Alice's and Bob's holdings at the start of the current turn, or of the turn in which the
    /// match ended.
    pub fn hands_before(&self) -> ByPlayer<Holding> {
        self.before.1
    }

    /// Chips that went to the bank.
    pub fn bank(&self) -> u64 {
        self.bank
    }

    /// The finished turns.
    pub fn turns(&self) -> &[MatchTurn] {
        &self.turns
    }

    /// The starting position, unless the match began at the start of the game.
    pub fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }

    /// The turn in progress, or in which a player resigned, once both bids are known.
    pub fn begun(&self) -> Option<BegunTurn> {
        match self.phase {
            Phase::Moving { bids, .. } if !has_bids(bids) => None,
            Phase::Tie(bid) => Some(BegunTurn { bids: ByPlayer::both(Some(bid)), star_used: None, won: None }),
            Phase::Moving { bids, star_used, winner, mover, .. } => {
                Some(BegunTurn { bids, star_used, won: Some([winner, mover]) })
            }
            Phase::Bids(_) => None,
        }
    }

    /// The first of two open bids while it is unanswered; also if a player resigned instead of
    /// answering.
    pub fn named(&self) -> Option<(Player, u32)> {
        let first = self.rules.mechanism.bidding.first()?;
        match &self.phase {
            Phase::Bids(given) => given[first].map(|bid| (first, bid)),
            _ => None,
        }
    }

    /// How the match ended, if it did.
    pub fn closed(&self) -> Option<MatchEnd> {
        self.closed
    }

    /// The player who holds the star, or wins ties without one.
    pub fn tie_holder(&self) -> Player {
        self.rules.mechanism.ties.holder(self.star_holder())
    }

    fn star_holder(&self) -> Player {
        if self.hands.alice.has_star() { Player::Alice } else { Player::Bob }
    }

    /// The pending decision of `player`.
    pub fn decision(&self, player: Player) -> Option<Decision> {
        if self.closed.is_some() {
            return None;
        }
        match &self.phase {
            Phase::Bids(given) => {
                let waits = given[player].is_none() && self.can_bid(player);
                let first = self.rules.mechanism.bidding.first().unwrap_or(player);
                let in_turn = first == player || given[first].is_some() || !self.can_bid(first);
                (waits && in_turn).then_some(Decision::Bid)
            }
            &Phase::Tie(bid) => (player == self.tie_holder()).then_some(Decision::Star { bid }),
            &Phase::Moving { mover, may_let, .. } => (player == mover).then_some(Decision::Move { may_let }),
        }
    }

    /// The view of a player, or of a spectator.
    pub fn view(&self, viewer: Option<Player>) -> View {
        let decision = viewer.and_then(|player| self.decision(player));
        let stage = match (self.closed, &self.phase) {
            (Some(closed), _) => TurnStage::Over(closed),
            (None, Phase::Bids(given)) => {
                let open = self.rules.mechanism.bidding.first().is_some();
                TurnStage::Bids {
                    given: given.map(|bid| bid.is_some()),
                    named: given.alice.or(given.bob).filter(|_| open),
                }
            }
            (None, &Phase::Tie(bid)) => TurnStage::Tie { bid },
            (None, &Phase::Moving { bids, mover, .. }) if !has_bids(bids) => TurnStage::MovingAlone(mover),
            (None, &Phase::Moving { bids, winner, mover, .. }) => TurnStage::Moving { bids, winner, mover },
        };
        let own_bid = match (&self.phase, viewer) {
            (Phase::Bids(given), Some(player)) if self.closed.is_none() => given[player],
            _ => None,
        };
        View {
            position: self.walk.notation(),
            hands: self.hands,
            stage,
            own_bid,
            decision,
            bids: match (decision, viewer) {
                (Some(Decision::Bid), Some(player)) => self.allowed_bids(player),
                _ => Vec::new(),
            },
            moves: match (decision, viewer) {
                (Some(Decision::Move { .. }), Some(player)) => self.walk.moves(player),
                _ => Vec::new(),
            },
        }
    }

    /// The bids that `player` may make, as ascending ranges.
    pub fn allowed_bids(&self, player: Player) -> Vec<[u32; 2]> {
        let chips = self.hands[player].chips();
        match &self.rules.mechanism.bids {
            Bids::All => vec![[0, chips]],
            Bids::Only(_) => ranges(self.rules.mechanism.bids.up_to(chips)),
        }
    }

    /// The least bid of `player` that the other player cannot beat, as far as both holdings and a
    /// named bid tell; `None` if there is none. With it the player is certain to win the bid, in a
    /// tie by using the star if that is a choice.
    pub fn sure_bid(&self, player: Player) -> Option<u32> {
        let most = match self.named() {
            Some((first, bid)) if first != player => Some(bid),
            _ => self.allowed_bids(player.other()).last().map(|range| range[1]),
        };
        sure_bid(&self.allowed_bids(player), most, self.tie_holder() == player)
    }

    /// Takes one action of `player`.
    ///
    /// # Errors
    /// [`Illegal`] gives the reason; the match stays as it was.
    pub fn act(&mut self, player: Player, action: &Action) -> Result<(), Illegal> {
        if self.closed().is_some() {
            return Err(Illegal::Over);
        }
        if *action == Action::Resign {
            self.closed = Some(MatchEnd::Resigned(player));
            return Ok(());
        }
        match (self.decision(player), action) {
            (Some(Decision::Bid), &Action::Bid(bid)) => self.bid(player, bid),
            (Some(Decision::Star { bid }), &Action::UseStar(used)) => {
                self.won(ByPlayer::both(Some(bid)), Some(StarUse::of(used)));
                Ok(())
            }
            (Some(Decision::Move { may_let: true }), Action::Let) => {
                if let Phase::Moving { mover, may_let, .. } = &mut self.phase {
                    *mover = mover.other();
                    *may_let = false;
                }
                self.end_if_stuck();
                Ok(())
            }
            (Some(Decision::Move { .. }), Action::Move(name)) => self.make_move(player, name),
            (Some(Decision::Move { .. }), Action::Stay) => self.stay(player).ok_or(Illegal::NotNow(player)),
            _ => Err(Illegal::NotNow(player)),
        }
    }

    fn can_bid(&self, player: Player) -> bool {
        self.rules.mechanism.bids.least() <= self.hands[player].chips()
    }

    fn begin_turn(&mut self) {
        self.before = (self.walk.notation(), self.hands);
        let is_last = self.rules.limit.is_some_and(|limit| self.turns.len() as u64 >= u64::from(limit));
        self.closed = match self.walk.end() {
            Some(end) => Some(MatchEnd::Game(end)),
            None if is_last => Some(MatchEnd::Limit),
            None => None,
        };
        match self.walk.owner() {
            _ if self.closed.is_some() => {}
            Some(mover) => {
                let bids = ByPlayer::both(None);
                self.phase = Phase::Moving { bids, star_used: None, winner: mover, mover, may_let: false };
            }
            None if Player::BOTH.into_iter().any(|player| self.can_bid(player)) => {}
            None => self.closed = Some(MatchEnd::NoBids),
        }
    }

    fn bid(&mut self, player: Player, bid: u32) -> Result<(), Illegal> {
        let chips = self.hands[player].chips();
        if bid > chips {
            return Err(Illegal::TooMuch { player, chips, bid });
        }
        let allowed = &self.rules.mechanism.bids;
        if let Bids::Only(amounts) = allowed
            && !amounts.contains(&bid)
        {
            return Err(Illegal::NotAllowed { bid, allowed: allowed.clone() });
        }
        let Phase::Bids(given) = &mut self.phase else { return Err(Illegal::NotNow(player)) };
        given[player] = Some(bid);
        let bids = *given;
        let in_or_impossible = |player: Player| bids[player].is_some() || !self.can_bid(player);
        if !Player::BOTH.into_iter().all(in_or_impossible) {
            return Ok(());
        }
        match (higher_bid(bids), self.rules.mechanism.ties.uses()) {
            (Some(_), _) => self.won(bids, None),
            (None, &[used]) => self.won(bids, used),
            (None, _) => self.phase = Phase::Tie(bid),
        }
        Ok(())
    }

    /// The bid is won: the winner pays, the star passes by the rule, and the mover is determined.
    fn won(&mut self, bids: ByPlayer<Option<u32>>, used: Option<StarUse>) {
        let resolved = self.rules.mechanism.ties.resolve(higher_bid(bids), self.star_holder(), used);
        let winner = resolved.winner;
        self.pay(resolved, bids[winner].unwrap_or(0));
        let chooses = self.rules.mechanism.right.may_let();
        let (mover, may_let) = self.only_mover().map_or((winner, chooses), |mover| (mover, false));
        let star_used = used.map(StarUse::is_used);
        self.phase = Phase::Moving { bids, star_used, winner, mover, may_let };
        self.end_if_stuck();
    }

    /// The winner pays `bid`, and the star passes by the rule.
    fn pay(&mut self, ResolvedBid { winner, star }: ResolvedBid, bid: u32) {
        let paid = self.rules.mechanism.payment.to_loser(bid);
        self.bank += u64::from(bid - paid);
        let has_star = self.rules.mechanism.has_star();
        self.hands = ByPlayer::from_fn(|player| {
            let chips = self.hands[player].chips();
            let chips = if player == winner { chips - bid } else { chips + paid };
            Holding::from_half_steps(2 * chips + u32::from(has_star && player == star))
        });
    }

    /// In a win-lose game: the only player with a move, who moves whoever wins the bid.
    fn only_mover(&self) -> Option<Player> {
        let can_move = |player: &Player| !self.walk.moves(*player).is_empty();
        let mut movers =
            Player::BOTH.into_iter().filter(|player| self.walk.aim().facts().counts_points || can_move(player));
        movers.next().filter(|_| movers.next().is_none())
    }

    /// Ends a scoring game if the mover cannot move and may not let the other player move.
    fn end_if_stuck(&mut self) {
        if let Phase::Moving { mover, may_let: false, .. } = self.phase {
            self.stay(mover);
        }
    }

    fn stay(&mut self, mover: Player) -> Option<()> {
        let end = self.walk.stuck(mover)?;
        self.finish_turn(None);
        self.closed = Some(MatchEnd::Game(end));
        Some(())
    }

    fn make_move(&mut self, player: Player, name: &str) -> Result<(), Illegal> {
        let priority = self.walk.priority();
        self.walk.play(player, name)?;
        if let Some(Priority(priority)) = priority {
            *self.priorities.entry(priority).or_default() += 1;
        }
        self.finish_turn(Some(name.to_string()));
        self.begin_turn();
        Ok(())
    }

    fn finish_turn(&mut self, played: Option<String>) {
        let phase = std::mem::replace(&mut self.phase, Phase::Bids(ByPlayer::both(None)));
        let Phase::Moving { bids, star_used, winner, mover, .. } = phase else { return };
        let (position, hands) = self.before.clone();
        self.turns.push(MatchTurn { position, hands, bids, star_used, winner, mover, played });
    }
}
