//! Random games and matches, judged by the definition of the game.

use std::fmt::Write;

use fastrand::Rng;
use richman_analysis::Subject;
use richman_check::arenas::{self, ArenaShape};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{
    Arena, Bidding, Bids, ByPlayer, Effort, Holding, Mechanism, Payment, Player, Right, StarUse, Terminal, Ties,
};
use richman_play::review::MistakeKind;
use richman_play::{Action, Decision, Match, MatchRules, MatchTurn};

/// A random game as a file, and as an arena; position i is called `pi`.
pub fn random_game(rng: &mut Rng) -> (Subject, Arena) {
    let arena = arenas::random(ArenaShape::small(rng), rng).unwrap();
    let mut text = format!("{{\"name\": \"random\", \"start\": \"p{}\", \"positions\": {{", arena.start());
    let names = |nodes: &[u32]| nodes.iter().map(|node| format!("\"p{node}\"")).collect::<Vec<_>>().join(", ");
    for node in arena.nodes() {
        let comma = if node == 0 { "" } else { ", " };
        let content = match arena.terminal(node) {
            Some(Terminal::Win(Player::Alice)) => "\"winner\": \"alice\"".to_string(),
            Some(Terminal::Win(Player::Bob)) => "\"winner\": \"bob\"".to_string(),
            Some(Terminal::Draw) => "\"winner\": \"none\"".to_string(),
            None => {
                let [alice, bob] = Player::BOTH.map(|player| names(arena.moves(node, player)));
                let kind = arena.owner(node).map_or("bid", |owner| owner.either("alice", "bob"));
                format!("\"kind\": \"{kind}\", \"alice\": [{alice}], \"bob\": [{bob}]")
            }
        };
        let _ = write!(text, "{comma}\"p{node}\": {{{content}}}");
    }
    text += "}}";
    (Subject::from_file("random.json", text.as_bytes(), &Effort::default()).unwrap(), arena)
}

pub fn random_mechanism(rng: &mut Rng) -> Mechanism {
    Mechanism {
        payment: rng
            .choice([
                Payment::Richman,
                Payment::Richman,
                Payment::Poorman,
                Payment::Taxman { numerator: 1, denominator: 2 },
            ])
            .unwrap(),
        ties: rng.choice(Ties::ALL).unwrap(),
        bidding: rng.choice([Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
        right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
        bids: rng.choice([Bids::All, Bids::All, Bids::Only(vec![0, 2]), Bids::Only(vec![1, 2, 3])]).unwrap(),
    }
}

/// A match of some random turns; with `resigns` a player may resign at any moment.
pub fn random_match(game: &Subject, mechanism: &Mechanism, total: u32, resigns: bool, rng: &mut Rng) -> Match {
    let alice = rng.u32(0..=total);
    let star = mechanism.has_star().then(|| rng.bool());
    let start =
        [Holding::new(alice, star == Some(true)).unwrap(), Holding::new(total - alice, star == Some(false)).unwrap()];
    let rules = MatchRules { mechanism: mechanism.clone(), start: start.into(), limit: None };
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    let length = rng.usize(1..12);
    while played.closed().is_none() && played.turns().len() < length {
        for player in Player::BOTH {
            let view = played.view(Some(player));
            let action = match view.decision {
                _ if resigns && played.closed().is_none() && rng.u8(0..24) == 0 => Action::Resign,
                None => continue,
                Some(Decision::Bid) => {
                    let [low, high] = rng.choice(view.bids).unwrap();
                    Action::Bid(rng.u32(low..=high))
                }
                Some(Decision::Star { .. }) => Action::UseStar(rng.bool()),
                Some(Decision::Move { may_let: true }) if rng.u8(0..3) == 0 => Action::Let,
                Some(Decision::Move { .. }) => Action::Move(rng.choice(view.moves).unwrap()),
            };
            played.act(player, &action).unwrap();
            if action == Action::Resign {
                break;
            }
        }
    }
    played
}

/// Turns judged by the definition of the game.
pub struct Judge<'a> {
    pub oracle: &'a Oracle<'a>,
    pub arena: &'a Arena,
    pub mechanism: &'a Mechanism,
}

pub fn node(name: &str) -> u32 {
    name[1..].parse().unwrap()
}

impl Judge<'_> {
    pub fn state(&self, position: &str, hands: ByPlayer<Holding>) -> OracleState {
        let star = match self.mechanism.ties {
            Ties::Alice => Player::Alice,
            Ties::Bob => Player::Bob,
            _ if hands.alice.has_star() => Player::Alice,
            _ => Player::Bob,
        };
        OracleState { node: node(position), alice: hands.alice.chips(), bob: hands.bob.chips(), star }
    }

    pub fn level(&self, player: Player, state: OracleState) -> i64 {
        if self.oracle.rank(player, state).is_some() { 2 } else { i64::from(self.oracle.can_draw(player, state)) }
    }

    /// The greatest level that `forces` a state of at least that level.
    fn most(&self, player: Player, forces: impl Fn(&dyn Fn(OracleState) -> bool) -> bool) -> i64 {
        (1..=2).rev().find(|&level| forces(&|state| self.level(player, state) >= level)).unwrap_or(0)
    }

    pub fn by(&self, player: Player, mover: Player, state: OracleState, good: &dyn Fn(OracleState) -> bool) -> bool {
        let mut after = self.arena.moves(state.node, mover).iter().map(|&node| good(OracleState { node, ..state }));
        if mover == player { after.any(|good| good) } else { after.all(|good| good) }
    }

    pub fn moved(
        &self,
        player: Player,
        winner: Player,
        state: OracleState,
        good: &dyn Fn(OracleState) -> bool,
    ) -> bool {
        let [own, other] = [player, player.other()].map(|mover| self.by(player, mover, state, good));
        match (self.mechanism.right, winner == player) {
            (Right::Moves, true) => own,
            (Right::Moves, false) => other,
            (Right::Chooses, true) => own || other,
            (Right::Chooses, false) => own && other,
        }
    }

    /// A turn's decisions: part of the turn, player, level before, level after.
    pub fn decisions(&self, turn: &MatchTurn) -> Vec<(&'static str, Player, i64, i64)> {
        let mut found = Vec::new();
        let state = self.state(&turn.position, turn.hands);
        for player in Player::BOTH {
            let Some(bid) = turn.bids[player] else { continue };
            let answers = matches!(
                (self.mechanism.bidding, player),
                (Bidding::AliceFirst, Player::Bob) | (Bidding::BobFirst, Player::Alice)
            );
            let named = turn.bids[player.other()].filter(|_| answers);
            let (before, after) = match named {
                Some(named) => {
                    let answer = |bid, good: &dyn Fn(OracleState) -> bool| {
                        self.oracle.resolved(player, state, Some(bid), Some(named), good)
                    };
                    let bids = self.oracle.bids(player, state);
                    (
                        self.most(player, |good| bids.iter().any(|&bid| answer(bid, good))),
                        self.most(player, |good| answer(bid, good)),
                    )
                }
                None => (
                    self.level(player, state),
                    self.most(player, |good| self.oracle.bid_forces(player, state, bid, good)),
                ),
            };
            found.push(("bid", player, before, after));
        }
        if let (Ties::Advantage, Some(used), Some(bid)) = (self.mechanism.ties, turn.star_used, turn.bids.alice) {
            let player = state.star;
            let level = |used: bool| {
                let winner = if used { player } else { player.other() };
                let after = self.oracle.after_bid(state, winner, bid, StarUse::of(used));
                self.most(player, |good| self.moved(player, winner, after, good))
            };
            found.push(("star", player, level(true).max(level(false)), level(used)));
        }
        let (winner, mover) = (turn.winner, turn.mover);
        let Some(bid) = turn.bids[winner] else {
            assert_eq!(self.arena.owner(state.node), Some(mover));
            let to = OracleState { node: node(turn.played.as_ref().unwrap()), ..state };
            return vec![("move", mover, self.level(mover, state), self.level(mover, to))];
        };
        let after = self.oracle.after_bid(state, winner, bid, turn.star_used.map_or(StarUse::Kept, StarUse::of));
        let right = |player| self.most(player, |good| self.moved(player, winner, after, good));
        let by = |player, mover| self.most(player, |good| self.by(player, mover, after, good));
        let to = OracleState { node: node(turn.played.as_ref().unwrap()), ..after };
        if winner != mover {
            found.push(("let", winner, right(winner), by(winner, mover)));
            found.push(("move", mover, by(mover, mover), self.level(mover, to)));
        } else {
            found.push(("move", mover, right(mover), self.level(mover, to)));
        }
        found
    }
}

pub fn part(kind: MistakeKind) -> &'static str {
    match kind {
        MistakeKind::BidTooLow | MistakeKind::BidTooHigh | MistakeKind::WrongBid => "bid",
        MistakeKind::UsedStar | MistakeKind::KeptStar => "star",
        MistakeKind::ShouldHaveMoved => "let",
        MistakeKind::WrongMove | MistakeKind::ShouldHaveLet | MistakeKind::Resigned => "move",
    }
}
