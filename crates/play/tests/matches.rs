//! Random matches of every game under every mechanism: chips are conserved, illegal actions change
//! nothing, sealed bids stay sealed, bids are won and paid as in the oracle, and records are exact.

use fastrand::Rng;
use richman_analysis::{Games, Subject};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{
    Arena, ArenaBuilder, Bidding, Bids, ByPlayer, Effort, End, Holding, Mechanism, Payment, Player, Right, StarUse,
    Terminal, Ties,
};
use richman_formats::Record;
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules, MatchTurn, TurnStage, record};

const MATCHES: u64 = 10_000;

const GAMES: [&str; 13] = [
    "tic-tac-toe",
    "tic-tac-toe:rows=2,cols=4,line=2",
    "connect:rows=3,cols=3,line=3",
    "connect:rows=4,cols=5,line=3",
    "tug-of-war",
    "tug-of-war:length=3,at=1",
    "ultimatum",
    "ultimatum:degree=2",
    "expr:(A & B^2) & B",
    "expr:~(E & (B & A^3))",
    "subtraction",
    "subtraction:heap=12,set=1+3+4",
    "subtraction:heap=5,set=2+3",
];

/// A game with cycles, awkward names of positions, and moves that only wait.
const GRAPH: &str = r#"{"name": "loops [\"x\"]", "start": "a b", "positions": {
    "a b": {"both": ["a b", "{c}"], "bob": ["stuck"]}, "{c}": {"alice": ["1.", "a b"], "bob": ["Bob", "a b"]},
    "1.": {"both": ["\"won\"", "a b"]}, "Bob": {"alice": ["\\", "Alice"], "bob": ["a b", "]"]},
    "stuck": {"both": ["Bob"]}, "\"won\"": {"winner": "alice"}, "]": {"winner": "bob"},
    "\\": {"winner": "none"}, "Alice": {"winner": "alice"} } }"#;

/// A scoring game in which either player can be stuck.
const SCORES: &str = r#"{"name": "scores", "start": "s", "positions": {
    "s": {"both": [{"to": "t", "weight": 2}, {"to": "u", "weight": -1}]},
    "t": {"alice": ["u"], "stuck": {"bob": 5}}, "u": {"bob": [{"to": "v", "weight": -3}], "stuck": {"alice": -2}},
    "v": {"stuck": {"alice": 1, "bob": 4}} } }"#;

fn pick<T: Clone>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())].clone()
}

pub fn random_mechanism(random: &mut Rng) -> Mechanism {
    let rate = |numerator, denominator| Payment::Taxman { numerator, denominator };
    let sets = [vec![0, 1], vec![0, 2, 3], vec![1, 2, 3], vec![2], vec![0, 5], vec![3, 4, 9]];
    Mechanism {
        payment: pick(
            random,
            &[Payment::Richman, Payment::Richman, Payment::Poorman, rate(1, 2), rate(2, 3), rate(0, 1)],
        ),
        ties: pick(random, &[&[Ties::Advantage][..], &Ties::ALL].concat()),
        bidding: pick(random, &[Bidding::Sealed, Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]),
        right: pick(random, &[Right::Chooses, Right::Moves]),
        bids: if random.bool() { Bids::All } else { Bids::Only(pick(random, &sets)) },
    }
}

/// A game, and the name of its file, if any.
fn random_game(random: &mut Rng) -> (Subject, Option<&'static str>) {
    match random.usize(..GAMES.len() + 3) {
        k if k < GAMES.len() => (Subject::named(GAMES[k]).unwrap(), None),
        k => {
            let file = if k == GAMES.len() { SCORES } else { GRAPH };
            (Subject::from_file("g.json", file.as_bytes(), &Effort::default()).unwrap(), Some(file))
        }
    }
}

fn random_match(random: &mut Rng) -> (Match, Option<&'static str>) {
    let (subject, file) = random_game(random);
    let mut walk = subject.walk(None).unwrap();
    if random.u32(..4) == 0 {
        for _ in 0..random.u32(..4) {
            let player = pick(random, &Player::BOTH);
            if walk.end().is_none()
                && let moves @ [_, ..] = walk.moves(player).as_slice()
            {
                walk.play(player, &pick(random, moves)).unwrap();
            }
        }
        walk = subject.walk(Some(&walk.notation())).unwrap(); // nothing is scored before the match
    }
    let mechanism = random_mechanism(random);
    let star = mechanism.has_star().then(|| pick(random, &Player::BOTH));
    let start = Player::BOTH.map(|player| Holding::new(random.u32(..9), star == Some(player)).unwrap());
    let limit = (random.u32(..4) > 0).then(|| random.u32(..40)).or(Some(60));
    (Match::new(walk, MatchRules { mechanism, start: start.into(), limit }).unwrap(), file)
}

/// All that is visible of a match.
fn seen(game: &Match) -> String {
    let views = [None, Some(Player::Alice), Some(Player::Bob)].map(|viewer| game.view(viewer));
    format!("{views:?} {:?} {:?} {} {:?} {:?}", game.turns(), game.hands(), game.bank(), game.begun(), game.closed())
}

fn random_action(random: &mut Rng, game: &Match) -> Action {
    match random.u32(..12) {
        0..4 => Action::Bid(random.u32(..11)),
        4 | 5 => Action::UseStar(random.bool()),
        6 => Action::Let,
        7 => Action::Stay,
        8 => Action::Move(pick(random, &["", "a1", "b2", "stuck", "3", "nowhere"].map(str::to_string))),
        _ => match game.walk().moves(pick(random, &Player::BOTH)).as_slice() {
            [] => Action::Move("z99".to_string()),
            moves => Action::Move(pick(random, moves)),
        },
    }
}

/// The decision that the rules require of a player, from public facts.
fn expected_decision(game: &Match, player: Player) -> Option<Decision> {
    let Mechanism { ties, bidding, right, bids, .. } = &game.rules().mechanism;
    let hands = game.view(None).hands;
    let can_bid = |player: Player| bids.least() <= hands[player].chips();
    match game.view(None).stage {
        TurnStage::Bids { given, .. } => {
            let first = match bidding {
                Bidding::Sealed => None,
                Bidding::AliceFirst => Some(Player::Alice),
                Bidding::BobFirst => Some(Player::Bob),
            };
            let waits_for = first.filter(|&first| first != player && can_bid(first) && !given[first]);
            (can_bid(player) && !given[player] && waits_for.is_none()).then_some(Decision::Bid)
        }
        TurnStage::Tie { bid } => {
            assert_eq!(*ties, Ties::Advantage);
            hands[player].has_star().then_some(Decision::Star { bid })
        }
        TurnStage::Moving { winner, mover, .. } => {
            let may_let = *right == Right::Chooses && mover == winner;
            (player == mover).then_some(Decision::Move { may_let })
        }
        TurnStage::MovingAlone(_) | TurnStage::Over(_) => None,
    }
}

/// Whether the rules allow an action that is not a resignation.
fn is_legal(game: &Match, player: Player, action: &Action) -> bool {
    let decision = expected_decision(game, player);
    assert_eq!(game.decision(player), decision);
    match (decision, action) {
        (Some(Decision::Bid), Action::Bid(bid)) => {
            let bids = &game.rules().mechanism.bids;
            let allowed = if let Bids::Only(amounts) = bids { amounts.contains(bid) } else { true };
            *bid <= game.hands()[player].chips() && allowed
        }
        (Some(Decision::Star { .. }), Action::UseStar(_)) => true,
        (Some(Decision::Move { .. }), Action::Move(name)) => game.walk().moves(player).contains(name),
        (Some(Decision::Move { may_let }), Action::Let) => may_let,
        (Some(Decision::Move { .. }), Action::Stay) => game.walk().moves(player).is_empty(),
        _ => false,
    }
}

/// A random action of `player`, if one is due.
fn random_decision(random: &mut Rng, game: &Match, player: Player) -> Option<Action> {
    let view = game.view(Some(player));
    match view.decision? {
        Decision::Bid => {
            let [low, high] = pick(random, &view.bids);
            Some(Action::Bid(random.u32(low..=high)))
        }
        Decision::Star { .. } => Some(Action::UseStar(random.bool())),
        Decision::Move { may_let: true } if random.u32(..4) == 0 => Some(Action::Let),
        Decision::Move { .. } if view.moves.is_empty() => Some(Action::Stay),
        Decision::Move { .. } => Some(Action::Move(pick(random, &view.moves))),
    }
}

/// Checks that two sealed bids of `player` look the same to everybody else.
fn check_sealed(game: &Match, player: Player) -> bool {
    let bids: Vec<u32> = game.allowed_bids(player).into_iter().flat_map(|[low, high]| low..=high).collect();
    let last = game.decision(player.other()) != Some(Decision::Bid);
    let ([low, .., high], false) = (bids.as_slice(), last) else { return false };
    let after = [*low, *high].map(|bid| {
        let mut game = game.clone();
        game.act(player, &Action::Bid(bid)).unwrap();
        assert!(matches!(game.view(None).stage, TurnStage::Bids { named: None, .. }));
        game
    });
    for viewer in [None, Some(player.other())] {
        let [first, second] = [&after[0], &after[1]].map(|game| format!("{:?}", game.view(viewer)));
        assert_eq!(first, second, "{viewer:?} sees the bid of {player}");
    }
    assert_eq!([&after[0], &after[1]].map(|game| game.view(Some(player)).own_bid), [Some(*low), Some(*high)]);
    true
}

/// Checks that the sure bid of `player` is the least that wins against all answers.
fn check_sure_bid(game: &Match, player: Player) -> bool {
    let other = player.other();
    let amounts = |player: Player| game.allowed_bids(player).into_iter().flat_map(|[low, high]| low..=high);
    let has_bid = matches!(game.view(None).stage, TurnStage::Bids { given, named: None } if given[other]);
    if game.decision(player) != Some(Decision::Bid) || has_bid {
        return false;
    }
    let wins = |bid: u32, answer: Option<u32>| {
        let mut game = game.clone();
        game.act(player, &Action::Bid(bid)).unwrap();
        if let Some(answer) = answer {
            game.act(other, &Action::Bid(answer)).unwrap();
        }
        if let TurnStage::Tie { .. } = game.view(None).stage {
            return game.tie_holder() == player;
        }
        let turn = game.begun().and_then(|turn| turn.won).map(|[winner, _]| winner);
        turn.or_else(|| game.turns().last().map(|turn| turn.winner)) == Some(player)
    };
    let answers: Vec<Option<u32>> = match game.named() {
        Some((first, _)) if first == other => vec![None],
        _ if amounts(other).next().is_none() => vec![None],
        _ => amounts(other).map(Some).collect(),
    };
    let sure = amounts(player).find(|bid| answers.iter().all(|answer| wins(*bid, *answer)));
    assert_eq!(game.sure_bid(player), sure, "{player} in {}", seen(game));
    true
}

/// Checks a completed turn against the definition: the winner of the bid, and both holdings after
/// it.
fn check_turn(arena: &Arena, mechanism: &Mechanism, turn: &MatchTurn, after: ByPlayer<Holding>) {
    let ByPlayer { alice, bob } = turn.hands.map(Holding::chips);
    let star = match mechanism.ties {
        Ties::Alice => Player::Alice,
        Ties::Bob => Player::Bob,
        _ if turn.hands.alice.has_star() => Player::Alice,
        _ => Player::Bob,
    };
    let decided = match (turn.bids, mechanism.ties) {
        (ByPlayer { alice: Some(a), bob: Some(b) }, Ties::Advantage) if a == b => {
            turn.star_used.map(|used| (if used { star } else { star.other() }, used))
        }
        (ByPlayer { alice: Some(a), bob: Some(b) }, Ties::Marker) if a == b => {
            turn.star_used.filter(|&used| used).map(|_| (star, true))
        }
        _ if turn.star_used.is_some() => None,
        (ByPlayer { alice: Some(a), bob: Some(b) }, _) if a == b => Some((star, false)),
        (ByPlayer { alice: Some(a), bob: Some(b) }, _) => {
            Some((if a > b { Player::Alice } else { Player::Bob }, false))
        }
        (ByPlayer { alice: Some(_), bob: None }, _) => Some((Player::Alice, false)),
        (ByPlayer { alice: None, bob: Some(_) }, _) => Some((Player::Bob, false)),
        (ByPlayer { alice: None, bob: None }, _) => None,
    };
    let Some((winner, used)) = decided else { panic!("{mechanism}: {turn:?}") };
    assert_eq!(turn.winner, winner, "{mechanism}: {turn:?}");
    assert!(turn.mover == winner || mechanism.right == Right::Chooses);
    let oracle = Oracle::new(arena, mechanism, alice + bob, Some(0));
    for (player, chips) in Player::BOTH.into_iter().zip([alice, bob]) {
        let state = OracleState { node: 0, alice, bob, star };
        let bids = oracle.bids(player, state);
        assert!(turn.bids[player].map_or(bids.is_empty(), |bid| bids.contains(&bid)), "{chips}: {turn:?}");
    }
    let bid = turn.bids[winner].unwrap();
    let expected = oracle.after_bid(OracleState { node: 0, alice, bob, star }, winner, bid, StarUse::of(used));
    let expected = Player::BOTH.map(|player| oracle.holding(player, expected).unwrap());
    assert_eq!(after, expected.into(), "{mechanism}: {turn:?}");
}

/// Checks that the record of a match survives printing and parsing, and replays to the same match.
fn check_record(game: &Match, file: Option<&str>) {
    let mut written = record::to_record(game, vec![("Event".to_string(), "a \"test\"".to_string())]);
    written.file = file.map(|_| "g.json".to_string());
    let text = written.to_string();
    let read = Record::parse("a.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, written);
    assert_eq!(read.to_string(), text);
    let walk = record::walk(&Games::default(), &read, file.map(str::as_bytes), &Effort::default()).unwrap();
    let again = record::replay(walk, &read).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.turns(), game.turns(), "{text}");
    assert_eq!((again.hands(), again.bank(), again.begun()), (game.hands(), game.bank(), game.begun()), "{text}");
    assert_eq!(again.walk().notation(), game.walk().notation(), "{text}");
    let undecided = matches!(game.view(None).stage, TurnStage::Bids { .. }); // a single bid is not recorded
    if !undecided {
        assert_eq!(seen(&again), seen(game), "{text}");
    }
}

#[derive(Debug, Default)]
struct Seen {
    wins: u32,
    draws: u32,
    scores: u32,
    resigned: u32,
    limits: u32,
    no_bids: u32,
    refused: u32,
    sealed: u32,
    sure: u32,
    stuck: u32,
    let_move: u32,
    kept: u32,
    without_bid: u32,
}

#[test]
fn ten_thousand_random_matches() {
    let mut random = Rng::with_seed(7);
    let mut count = Seen::default();
    let arena = {
        let mut builder = ArenaBuilder::new();
        let end = builder.terminal(Terminal::Draw);
        builder.build(end).unwrap()
    };
    for _ in 0..MATCHES {
        let (mut game, file) = random_match(&mut random);
        let chips = |game: &Match| game.hands().iter().map(|hand| u64::from(hand.chips())).sum::<u64>() + game.bank();
        let total = chips(&game);
        let mut turns = 0;
        while game.closed().is_none() {
            let before = seen(&game);
            for _ in 0..3 {
                let (player, action) = (pick(&mut random, &Player::BOTH), random_action(&mut random, &game));
                if !is_legal(&game, player, &action) {
                    assert!(game.act(player, &action).is_err(), "{player} {action:?}: {before}");
                    assert_eq!(seen(&game), before, "{player} {action:?}");
                    count.refused += 1;
                }
            }
            let mut players = Player::BOTH;
            random.shuffle(&mut players);
            let waited =
                players.into_iter().find_map(|player| Some((player, random_decision(&mut random, &game, player)?)));
            let (player, action) = waited.unwrap_or_else(|| panic!("nothing is waited for: {before}"));
            if matches!(action, Action::Bid(_))
                && game.rules().mechanism.bidding == Bidding::Sealed
                && random.u32(..4) == 0
            {
                count.sealed += u32::from(check_sealed(&game, player));
            }
            if matches!(action, Action::Bid(_)) && random.u32(..8) == 0 {
                count.sure += u32::from(check_sure_bid(&game, player));
            }
            if random.u32(..40) == 0 {
                check_record(&game, file);
            }
            if random.u32(..100) == 0 {
                game.act(pick(&mut random, &Player::BOTH), &Action::Resign).unwrap();
            } else {
                assert!(is_legal(&game, player, &action));
                game.act(player, &action).unwrap();
            }
            assert_eq!(chips(&game), total);
            if game.turns().len() > turns {
                turns += 1;
                assert_eq!(game.turns().len(), turns);
                let turn = &game.turns()[turns - 1];
                check_turn(&arena, &game.rules().mechanism, turn, game.hands());
                count.stuck += u32::from(turn.played.is_none());
                count.let_move += u32::from(turn.mover != turn.winner);
                count.kept += u32::from(turn.star_used == Some(false));
                count.without_bid += u32::from(turn.bids.iter().any(Option::is_none));
            }
        }
        let over = seen(&game);
        for player in Player::BOTH {
            assert_eq!(game.decision(player), None);
            assert!(game.act(player, &Action::Resign).is_err() && game.act(player, &Action::Bid(0)).is_err());
        }
        assert_eq!(seen(&game), over);
        check_record(&game, file);
        match game.closed().unwrap() {
            MatchEnd::Game(End::Win(_)) => count.wins += 1,
            MatchEnd::Game(End::Draw) => count.draws += 1,
            MatchEnd::Game(End::Score(_)) => count.scores += 1,
            MatchEnd::Resigned(_) => count.resigned += 1,
            MatchEnd::Limit => count.limits += 1,
            MatchEnd::NoBids => count.no_bids += 1,
        }
    }
    println!("{count:?}");
    let Seen { wins, draws, scores, resigned, limits, no_bids, refused, sealed, sure, .. } = count;
    let Seen { stuck, let_move, kept, without_bid, .. } = count;
    let rare =
        [wins, draws, scores, resigned, limits, no_bids, refused, sealed, sure, stuck, let_move, kept, without_bid];
    assert!(rare.iter().all(|&times| times > 50), "{rare:?}");
}
