//! Moves without a bid in games that are won or lost at an end, under every mechanism.

use fastrand::Rng;
use richman_core::{ByPlayer, Effort, End, Error, Game, Holding, Mechanism, Player, PositionKind, Terminal, Walker};
use richman_formats::Record;
use richman_play::players::{Certain, Computer, Greedy, Random, Seat};
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules, TurnStage, record};

use crate::matches::random_mechanism;

/// The kind of a position and both players' moves.
type Open = (PositionKind, ByPlayer<Vec<u8>>);

/// At each position an end, or what is open there.
#[derive(Debug, Clone)]
struct Table(Vec<Result<Terminal, Open>>);

impl Table {
    fn random(rng: &mut Rng) -> Table {
        let positions = rng.u8(4..=9);
        let drawn = |at: u8, rng: &mut Rng| {
            if at + 2 >= positions {
                return Ok(Terminal::Win(if at + 1 == positions { Player::Alice } else { Player::Bob }));
            }
            let kind = match rng.u8(..4) {
                0 => PositionKind::Owned(Player::Alice),
                1 => PositionKind::Owned(Player::Bob),
                _ => PositionKind::Bid,
            };
            let mut moves = |player: Player| match kind.owner() {
                Some(owner) if owner != player => Vec::new(),
                _ => (0..rng.usize(1..=3)).map(|_| rng.u8(..positions)).collect(),
            };
            Err((kind, ByPlayer::new(moves(Player::Alice), moves(Player::Bob))))
        };
        Table((0..positions).map(|at| drawn(at, rng)).collect())
    }
}

impl Game for Table {
    type Position = u8;

    fn name(&self) -> String {
        "table".to_string()
    }

    fn start(&self) -> u8 {
        0
    }

    fn terminal(&self, at: &u8) -> Option<Terminal> {
        self.0[usize::from(*at)].as_ref().ok().copied()
    }

    fn moves(&self, at: &u8, player: Player, into: &mut Vec<u8>) {
        if let Err((_, moves)) = &self.0[usize::from(*at)] {
            into.extend(&moves[player]);
        }
    }

    fn label(&self, at: &u8) -> PositionKind {
        self.0[usize::from(*at)].as_ref().err().map_or(PositionKind::Bid, |(kind, _)| *kind)
    }

    fn notation(&self, at: &u8) -> String {
        at.to_string()
    }

    fn parse(&self, text: &str) -> Result<u8, Error> {
        let bad = || Error::bad_position(text, self.name(), "write a number");
        text.parse().ok().filter(|at| usize::from(*at) < self.0.len()).ok_or_else(bad)
    }
}

/// All chips and how the bank is paid stay as they are in a turn without bids; nobody else acts in
/// it; computer players take it; and the record is that match again.
#[test]
fn a_player_moves_without_a_bid_and_pays_nothing() {
    let (mut alone, mut won, mut no_bids, mut limits) = (0, 0, 0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::with_seed(seed ^ 0x0E);
        let table = Table::random(&mut rng);
        let mechanism: Mechanism = random_mechanism(&mut rng);
        let has_star = mechanism.has_star();
        let hand = |chips: u32, star: bool| Holding::new(chips, star && has_star).unwrap();
        let start = ByPlayer::new(hand(rng.u32(..=5), true), hand(rng.u32(..=5), false));
        let rules = MatchRules { mechanism, start, limit: rng.bool().then_some(12).or(Some(60)) };
        let walk = || Box::new(Walker::new(table.clone(), 0));
        let mut game = Match::new(walk(), rules).unwrap();
        let certain = |seed| Certain { player: Box::new(Greedy::new(seed)) };
        let mut players: [Box<dyn Computer>; 2] = [Box::new(certain(seed)), Box::new(Random::new(seed))];
        if rng.bool() {
            players.swap(0, 1);
        }
        while game.closed().is_none() {
            let (owner, before, bank, turns) = (game.walk().owner(), game.hands(), game.bank(), game.turns().len());
            let stage = game.view(None).stage;
            assert_eq!(matches!(stage, TurnStage::MovingAlone(_)), owner.is_some());
            if let Some(owner) = owner {
                assert_eq!(stage, TurnStage::MovingAlone(owner));
                assert_eq!(game.decision(owner), Some(Decision::Move { may_let: false }));
                assert_eq!(game.decision(owner.other()), None);
                assert!(game.clone().act(owner, &Action::Let).is_err());
            }
            while game.closed().is_none() && game.turns().len() == turns {
                let player = Player::BOTH.into_iter().find(|player| game.decision(*player).is_some()).unwrap();
                let at = usize::from(player == Player::Bob);
                let action = players[at].act(&Seat::new(&game, player), &Effort::default()).unwrap();
                game.act(player, &action).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            }
            if let Some(owner) = owner {
                let turn = &game.turns()[turns];
                assert_eq!((turn.mover, turn.has_bids()), (owner, false));
                assert_eq!((game.hands(), game.bank()), (before, bank), "seed {seed}");
                alone += 1;
            }
        }
        match game.closed().unwrap() {
            MatchEnd::Game(End::Win(_)) => won += 1,
            MatchEnd::NoBids => no_bids += 1,
            MatchEnd::Limit => limits += 1,
            other => panic!("{other:?}"),
        }
        let text = record::to_record(&game, Vec::new()).to_string();
        let read = Record::parse("a.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        let again = record::replay(walk(), &read).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!((again.turns(), again.closed(), again.bank()), (game.turns(), game.closed(), game.bank()));
    }
    assert!([alone, won, no_bids, limits].iter().all(|&count| count > 50), "{alone} {won} {no_bids} {limits}");
}
