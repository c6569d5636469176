//! Matches of games that need not end: moves without a bid, the limit on turns, records, and the
//! perfect player against random play.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::mean_payoff::AveragesInsight;
use richman_analysis::parity::ParityInsight;
use richman_analysis::{EndlessInsight, Insight, Subject};
use richman_core::{
    Aim, Bidding, Bids, ByPlayer, Effort, End, Holding, Mechanism, Node, PlayedAverage, Player, Right, Ties, Total,
};
use richman_formats::{Record, RecordResult};
use richman_play::duel::{Duel, DuelReport, divisions};
use richman_play::players::{EndlessChoice, EndlessWorth, Knowledge, Seat, Strength};
use richman_play::{Action, Decision, Illegal, Match, MatchEnd, MatchRules, TurnStage, record};
use serde_json::{Value, json};

/// A random game file, with positions of all kinds, and ends in a parity game.
fn random_file(rng: &mut Rng, aim: Aim) -> String {
    let positions = rng.usize(2..=7);
    let mut all = serde_json::Map::new();
    let name = |at: usize| format!("p{at}");
    for at in 0..positions {
        let kind = *rng.choice(&["bid", "bid", "alice", "bob"]).unwrap();
        let mut position = json!({ "kind": kind });
        if aim == Aim::Parity {
            position["priority"] = json!(rng.u32(0..=4));
        }
        for player in ["alice", "bob"].into_iter().filter(|player| kind == "bid" || kind == *player) {
            let mut moves: Vec<usize> = (0..positions).filter(|_| rng.u8(..3) == 0).collect();
            moves.push(rng.usize(..positions));
            moves.sort_unstable();
            moves.dedup();
            let weight = |rng: &mut Rng| if aim == Aim::MeanPayoff { rng.i64(-3..=3) } else { 0 };
            let moves: Vec<Value> =
                moves.into_iter().map(|to| json!({ "to": name(to), "weight": weight(rng) })).collect();
            position[player] = json!(moves);
        }
        all.insert(name(at), position);
    }
    if aim == Aim::Parity && rng.bool() {
        let winner = rng.choice(["alice", "bob"]).unwrap();
        all.insert(name(rng.usize(1..positions)), json!({ "winner": winner }));
    }
    let objective = if aim == Aim::Parity { "parity" } else { "mean-payoff" };
    // The objective stands before the positions.
    format!("{{\"name\": \"g\", \"start\": \"p0\", \"objective\": \"{objective}\", \"positions\": {}}}", json!(all))
}

/// Mechanisms under which play that never ends is solved, in a parity game with plans.
fn random_mechanism(rng: &mut Rng, aim: Aim) -> Mechanism {
    loop {
        let mechanism = Mechanism {
            ties: rng.choice(Ties::ALL).unwrap(),
            bidding: rng.choice([Bidding::Sealed, Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
            right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
            bids: rng.choice([Bids::All, Bids::All, Bids::Only(vec![0, 2]), Bids::Only(vec![0, 1, 3])]).unwrap(),
            ..Mechanism::default()
        };
        let sealed = Mechanism { bidding: Bidding::Sealed, ..mechanism.clone() };
        if mechanism.is_determined() && (aim == Aim::MeanPayoff || sealed.is_determined()) {
            return mechanism;
        }
    }
}

fn random_action(game: &Match, player: Player, rng: &mut Rng) -> Action {
    let view = game.view(Some(player));
    match view.decision.unwrap() {
        Decision::Bid => {
            let bids: Vec<u32> = view.bids.iter().flat_map(|range| range[0]..=range[1]).collect();
            Action::Bid(*rng.choice(&bids).unwrap())
        }
        Decision::Star { .. } => Action::UseStar(rng.bool()),
        Decision::Move { may_let: true } if rng.u8(..4) == 0 => Action::Let,
        Decision::Move { .. } => Action::Move(rng.choice(&view.moves).unwrap().clone()),
    }
}

struct Setting {
    subject: Subject,
    mechanism: Mechanism,
    start: ByPlayer<Holding>,
    total: Total,
}

impl Setting {
    fn random(rng: &mut Rng, aim: Aim) -> Setting {
        let file = random_file(rng, aim);
        let subject = Subject::from_file("g", file.as_bytes(), &Effort::default())
            .unwrap_or_else(|error| panic!("{error}: {file}"));
        let mechanism = if rng.bool() { Mechanism::default() } else { random_mechanism(rng, aim) };
        let total = Total::new(rng.u32(0..=6)).unwrap();
        let start = *rng.choice(&divisions(&mechanism, total).unwrap()).unwrap();
        Setting { subject, mechanism, start, total }
    }

    fn game(&self, turns: u32) -> Match {
        let rules = MatchRules { mechanism: self.mechanism.clone(), start: self.start, limit: Some(turns) };
        Match::new(self.subject.walk(None).unwrap(), rules).unwrap()
    }

    /// What a perfect player knows.
    fn knowledge(&self) -> Arc<Knowledge> {
        let perfect: Strength = "perfect".parse().unwrap();
        Knowledge::of(&self.subject, None, &self.mechanism, self.total, &[perfect], &Effort::default()).unwrap()
    }
}

/// Plays one turn by random actions, and looks at it from all sides.
fn random_turn(game: &mut Match, rng: &mut Rng) {
    let (turns, before) = (game.turns().len(), game.hands());
    let owner = game.walk().owner();
    let alone = matches!(game.view(None).stage, TurnStage::MovingAlone(_));
    assert_eq!(
        (game.view(None).stage == TurnStage::MovingAlone(Player::Alice), alone),
        match owner {
            None => (false, false),
            Some(player) => (player == Player::Alice, true),
        }
    );
    if let Some(owner) = owner {
        let view = game.view(Some(owner));
        assert_eq!(view.decision, Some(Decision::Move { may_let: false }));
        assert_eq!((view.bids.len(), view.own_bid), (0, None));
        assert_eq!(game.decision(owner.other()), None);
        assert_eq!(game.begun(), None);
        for action in [Action::Bid(0), Action::Let, Action::Stay, Action::UseStar(true)] {
            for player in Player::BOTH {
                assert_eq!(game.clone().act(player, &action), Err(Illegal::NotNow(player)), "{action:?}");
            }
        }
    }
    while game.turns().len() == turns && game.closed().is_none() {
        let waits: Vec<Player> = Player::BOTH.into_iter().filter(|player| game.decision(*player).is_some()).collect();
        let player = *rng.choice(&waits).unwrap();
        game.act(player, &random_action(game, player, rng)).unwrap();
    }
    if let Some(owner) = owner {
        let turn = game.turns().last().unwrap();
        assert!(!turn.has_bids());
        assert_eq!((turn.winner, turn.mover, turn.star_used), (owner, owner, None));
        assert_eq!(game.hands(), before, "nothing is paid");
    }
}

#[test]
fn records_of_random_matches_read_back_and_replay() {
    let (mut cut_off, mut won, mut averages, mut alone) = (0, 0, 0, 0);
    for seed in 0..2_000 {
        let mut rng = Rng::with_seed(seed);
        let aim = if rng.bool() { Aim::Parity } else { Aim::MeanPayoff };
        let setting = Setting::random(&mut rng, aim);
        let mut game = setting.game(rng.u32(1..=30));
        let stop = if rng.bool() { usize::MAX } else { rng.usize(..20) };
        let mut weights = 0;
        let mut priorities: BTreeMap<u32, u32> = BTreeMap::new();
        while game.closed().is_none() && game.turns().len() < stop {
            let before = game.walk().weights();
            if let Some(priority) = game.walk().priority() {
                *priorities.entry(priority.0).or_default() += 1;
            }
            random_turn(&mut game, &mut rng);
            weights += game.walk().weights() - before;
        }
        alone += game.turns().iter().filter(|turn| !turn.has_bids()).count();
        let turns = game.turns().len() as u32;
        let so_far = game.so_far().unwrap();
        match aim {
            Aim::Parity => assert_eq!(so_far.priorities, Some(priorities)),
            _ => assert_eq!((so_far.priorities, so_far.average), (None, PlayedAverage::new(weights, turns))),
        }
        let text = record::to_record(&game, Vec::new()).to_string();
        let read = Record::parse("a.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read.to_string(), text);
        match (game.closed(), read.result) {
            (None, Some(RecordResult::Unfinished)) => {}
            (Some(MatchEnd::Limit), Some(RecordResult::CutOff)) => cut_off += 1,
            (Some(MatchEnd::Limit), Some(RecordResult::Average(average))) => {
                assert_eq!(Some(average), PlayedAverage::new(weights, turns));
                averages += 1;
            }
            (Some(MatchEnd::Game(End::Win(winner))), Some(RecordResult::Win(said))) if winner == said => won += 1,
            other => panic!("{other:?}: {text}"),
        }
        let again =
            record::replay(setting.subject.walk(None).unwrap(), &read).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!((again.turns(), again.closed(), again.so_far()), (game.turns(), game.closed(), game.so_far()));
        assert_eq!(again.view(None), game.view(None));
    }
    assert!([cut_off, won, averages].iter().all(|&count| count > 100) && alone > 1_000);
}

/// Alice moves alone at the left end, Bob at the right one, and both bid in the middle.
fn path(objective: &str) -> Subject {
    let file = format!(
        r#"{{"name": "path", "start": "left", "objective": "{objective}", "positions": {{
            "left": {{"kind": "alice", "alice": ["left", "middle"], "priority": 1}},
            "middle": {{"both": ["left", "right"], "priority": 3, "weight": 1}},
            "right": {{"kind": "bob", "bob": ["middle", "top"], "priority": 2}},
            "top": {{"both": ["top"], "priority": 4, "weight": 5}} }} }}"#
    );
    Subject::from_file("path", file.as_bytes(), &Effort::default()).unwrap()
}

fn replayed(objective: &str, text: &str) -> Result<Match, String> {
    let head = "[Game \"path\"]\n[Alice \"2*\"]\n[Bob \"2\"]\n";
    let read = Record::parse("a.txt", format!("{head}{text}").as_bytes()).map_err(|error| error.to_string())?;
    record::replay(path(objective).walk(None).unwrap(), &read).map_err(|error| error.to_string())
}

#[test]
fn turns_without_bids_are_written_without_bids_and_checked() {
    let text = "[Limit \"4\"]\n1. Alice left\n2. Alice middle\n3. 1-0 Alice right\n4. Bob top\n";
    let game = replayed("parity", text).unwrap();
    assert_eq!(game.closed(), Some(MatchEnd::Limit));
    assert_eq!(game.hands().map(|hand| hand.to_string()), ByPlayer::new("1*".to_string(), "3".to_string()));
    assert_eq!(game.so_far().unwrap().priorities, Some([(1, 2), (2, 1), (3, 1)].into()));
    let written = record::to_record(&game, Vec::new()).to_string();
    assert!(
        written.ends_with("[Result \"cut off\"]\n\n1. Alice left\n2. Alice middle\n3. 1-0 Alice right\n4. Bob top\n")
    );
    let game = replayed("mean-payoff", &format!("[Result \"average 1/4\"]{text}")).unwrap();
    assert_eq!(game.so_far().unwrap().average, "1/4".parse().ok());
    let cases = [
        (text.replace("[Limit \"4\"]", ""), "before turn 1: a match of this game might never end: give it a limit"),
        (text.replace("\"4\"", "\"0\""), "before turn 1: a match of this game might never end: give it a limit"),
        (
            text.replace("1. Alice left", "1. Bob left"),
            "turn 1: Alice moves without a bid here: write 1. Alice and the",
        ),
        (text.replace("1. Alice left", "1. 1-0 Alice left"), "turn 1: Alice moves without a bid here"),
        (text.replace("4. Bob top", "4. Alice lets Bob top"), "turn 4: Bob moves without a bid here"),
        (text.replace("4. Bob top", "4. Bob stuck"), "turn 4: Bob is not stuck: write the move"),
        (text.replace("3. 1-0 Alice right", "3. Alice right"), "turn 3: the players bid here: write both bids before"),
        (text.replace("2. Alice middle", "2. Alice right"), "turn 2: \"right\" is not a move of Alice here"),
        (format!("{text}5. 0-0 Bob top"), "turn 5: the match was over before: leave this turn out"),
        (format!("[Result \"draw\"]{text}"), "after turn 4: the result is cut off, not draw: correct the tag Result"),
        (format!("[Result \"average 1/4\"]{text}"), "after turn 4: the result is cut off, not average 1/4"),
    ];
    for (text, expected) in cases {
        let error = replayed("parity", &text).err().unwrap_or_else(|| panic!("{text} was not refused"));
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

fn duelled(subject: &Subject, opening: u32, turns: u32) -> DuelReport {
    let (mechanism, total) = (Mechanism::default(), Total::new(4).unwrap());
    let players = ["best", "random"].map(|name| name.parse::<Strength>().unwrap());
    let knowledge = Knowledge::of(subject, None, &mechanism, total, &players, &Effort::default()).unwrap();
    let (walk, starts) = (subject.walk(None).unwrap(), divisions(&mechanism, total).unwrap());
    let limit = Some(turns);
    let duel = Duel {
        walk: walk.as_ref(),
        mechanism,
        starts,
        limit,
        games: 40,
        exchange: true,
        opening,
        timed: false,
        seed: 5,
    };
    duel.run(players, &knowledge, &richman_core::Unwatched).unwrap()
}

#[test]
fn duels_say_what_play_came_to() {
    let report = duelled(&path("parity"), 2, 30);
    let endless = report.endless.unwrap();
    for (tally, of) in [(&endless.alice, report.as_alice), (&endless.bob, report.as_bob)] {
        assert_eq!((tally.games, tally.cut_off, of.draws, tally.averages), (20, 20, 20, None));
        assert_eq!(tally.priorities.iter().map(|(_, times)| times).sum::<u64>(), 20 * 30);
    }
    // Every move weighs 1, also those of the opening, which do not count.
    let file = r#"{"name": "ones", "start": "a", "objective": "mean-payoff", "positions": {
        "a": {"kind": "alice", "alice": ["a", "b"], "weight": 1}, "b": {"both": ["a", "b"], "weight": 1} }}"#;
    let report = duelled(&Subject::from_file("ones", file.as_bytes(), &Effort::default()).unwrap(), 3, 7);
    let endless = report.endless.unwrap();
    assert_eq!([endless.alice.averages, endless.bob.averages], [Some([1.0; 3]); 2]);
    assert_eq!((report.average, report.turns), (Some(0.0), 7.0));
}

#[test]
fn reviews_are_refused_and_players_that_need_an_end_too() {
    for objective in ["parity", "mean-payoff"] {
        let (subject, text) = (path(objective), "[Limit \"9\"]\n1. Alice left\n");
        let game = replayed(objective, text).unwrap();
        let error = richman_play::review::review(&subject, &game, &Effort::default()).unwrap_err().to_string();
        assert!(error.starts_with("reviews are of games that end"), "{error}");
        let walk = subject.walk(None).unwrap();
        for (name, suits) in
            [("random", true), ("greedy", true), ("best", true), ("perfect", true), ("rounding", false)]
        {
            let strength: Strength = name.parse().unwrap();
            assert_eq!(strength.suits(walk.as_ref(), &Mechanism::default()).is_ok(), suits, "{name}");
        }
        let poorman = Mechanism { payment: richman_core::Payment::Poorman, ..Mechanism::default() };
        let total = Total::new(4).unwrap();
        let of =
            |name: &str| Knowledge::of(&subject, None, &poorman, total, &[name.parse().unwrap()], &Effort::default());
        assert!(of("perfect").is_err());
        let unfit = "perfect".parse::<Strength>().unwrap().suits(walk.as_ref(), &poorman).unwrap_err().to_string();
        assert!(unfit.contains("payment poorman is not supported"), "{unfit}");
        let greedy = "best".parse::<Strength>().unwrap().computer(&of("best").unwrap(), 1).unwrap();
        drop(greedy);
    }
}

/// A play of `turns` turns of a perfect player, who is asked by `watch` before every turn, against
/// random play.
fn perfect_play(setting: &Setting, player: Player, turns: u32, rng: &mut Rng, mut watch: impl FnMut(&Match)) -> Match {
    let knowledge = setting.knowledge();
    let strength: Strength = "perfect".parse().unwrap();
    let mut computer = strength.computer(&knowledge, rng.u64(..)).unwrap();
    let mut game = setting.game(turns);
    let mut seen = None;
    loop {
        if seen != Some(game.turns().len()) {
            seen = Some(game.turns().len());
            watch(&game);
        }
        let waits: Vec<Player> = Player::BOTH.into_iter().filter(|player| game.decision(*player).is_some()).collect();
        let Some(&who) = rng.choice(&waits) else { return game };
        let action = match who == player {
            true => computer.act(&Seat::new(&game, player), &Effort::default()).unwrap(),
            false => random_action(&game, who, rng),
        };
        game.act(who, &action).unwrap_or_else(|error| panic!("{error}: {action:?} {:?}", game.view(Some(who))));
    }
}

/// The solution of a game that need not end, in its own type.
fn endless<T: EndlessInsight>(insight: Option<&Insight>) -> &T {
    let Some(Insight::Endless(known)) = insight else { panic!("it has chips") };
    let known: &dyn std::any::Any = known.as_ref();
    known.downcast_ref().expect("the solution is of the objective's kind")
}

/// The perfect player keeps the threshold, what is more never shrinks, and whenever a state comes
/// back without more, the greatest priority since is the player's. So nobody could do better for
/// ever. A play that ends is won.
#[test]
fn the_perfect_player_never_loses_a_parity_game_from_the_threshold() {
    let counts: Vec<[u32; 3]> = (0..600u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0xE4D);
            let mut setting = Setting::random(&mut rng, Aim::Parity);
            let knowledge = setting.knowledge();
            let ParityInsight { unfolding, solution, .. } = endless(knowledge.solved());
            let start = unfolding.arena().start();
            let player = rng.choice(Player::BOTH).unwrap();
            let met = |start_hands: &ByPlayer<Holding>| solution.needed(player, start).is_met_by(start_hands[player]);
            let all = divisions(&setting.mechanism, setting.total).unwrap();
            let enough: Vec<ByPlayer<Holding>> = all.into_iter().filter(|hands| met(hands)).collect();
            let Some(hands) = rng.choice(&enough) else { return [0, 0, 1] };
            setting.start = *hands;
            // The last turn at which a state came, with what was beyond the threshold.
            let mut last: HashMap<(Node, bool), (usize, i64)> = HashMap::new();
            let mut greatest: Vec<u32> = Vec::new();
            let mut aside = i64::MIN;
            let mut repeated = 0;
            let game = perfect_play(&setting, player, 400, &mut rng, |game| {
                let node = unfolding.node(&game.walk().notation()).unwrap();
                let (hand, needed) = (game.hands()[player], solution.needed(player, node));
                assert!(needed.is_met_by(hand), "seed {seed}: {hand} at {}", game.walk().notation());
                let Some(priority) = game.walk().priority() else { return };
                let plain = if hand.has_star() { needed.star } else { needed.plain };
                let more = i64::from(hand.chips()) - i64::from(plain);
                assert!(more >= aside, "seed {seed}: what was kept aside is gone");
                aside = more;
                let now = greatest.len();
                greatest.push(priority.0);
                if let Some((before, kept)) = last.insert((node, hand.has_star()), (now, more))
                    && kept == more
                {
                    let highest = greatest[before..now].iter().max().unwrap();
                    assert_eq!(richman_core::Priority(*highest).winner(), player, "seed {seed}");
                    repeated += 1;
                }
            });
            if let Some(MatchEnd::Game(End::Win(winner))) = game.closed() {
                assert_eq!(winner, player, "seed {seed}");
                return [0, 1, 0];
            }
            assert_eq!(game.closed(), Some(MatchEnd::Limit));
            [u32::from(repeated > 0), 0, 0]
        })
        .collect();
    for at in 0..3 {
        assert!(counts.iter().map(|count| count[at]).sum::<u32>() > 20, "{at}");
    }
}

/// The average of the present position and holding never gets worse. While it stays the same, the
/// weights lack at most what the potentials differ by. So the average of many turns lacks at most
/// that, for each of the averages that occur, and one weight for each change, over the turns.
#[test]
fn the_perfect_player_keeps_to_the_average() {
    let better: Vec<bool> = (0..300u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0xA7E);
            let setting = Setting::random(&mut rng, Aim::MeanPayoff);
            let knowledge = setting.knowledge();
            let AveragesInsight { unfolding, solution } = endless(knowledge.solved());
            let player = rng.choice(Player::BOTH).unwrap();
            let sign = player.either(1.0, -1.0);
            let averages: Vec<f64> = solution.averages.iter().map(|average| average.to_f64().value()).collect();
            let denominators: Vec<f64> =
                solution.averages.iter().map(|average| average.denominator().to_f64().value()).collect();
            let rank = |game: &Match| {
                let node = unfolding.node(&game.walk().notation()).unwrap();
                let alice = game.hands().alice;
                solution.ranks[solution.configurations().index(node, alice.chips(), alice.has_star())] as usize
            };
            // What the weights may lack in all: for each average its potentials' spread, and the
            // move to the next one.
            let spread = |rank: usize| {
                let of: Vec<i128> = { solution.potentials[player].iter().zip(&solution.ranks) }
                    .filter(|(_, own)| **own as usize == rank)
                    .map(|(potential, _)| *potential)
                    .collect();
                (of.iter().max().unwrap_or(&0) - of.iter().min().unwrap_or(&0)) as f64 / denominators[rank] + 6.0
            };
            let most: f64 = (0..averages.len()).map(spread).sum();
            let mut first = None;
            let mut before = None;
            const TURNS: u32 = 1_000;
            let game = perfect_play(&setting, player, TURNS, &mut rng, |game| {
                let rank = rank(game);
                let first = *first.get_or_insert(rank);
                let is_worse = |before: usize| if player == Player::Alice { rank < before } else { rank > before };
                assert!(!before.replace(rank).is_some_and(is_worse), "seed {seed}");
                let lacks = sign * (averages[first] * game.turns().len() as f64 - game.walk().weights() as f64);
                assert!(lacks <= most + 1e-6, "seed {seed}: {lacks} of {most} after {}", game.turns().len());
            });
            let average = game.so_far().unwrap().average.unwrap();
            let gain = sign * (average.to_f64() - averages[first.unwrap()]);
            assert!(gain >= -most / f64::from(TURNS) - 1e-9, "seed {seed}");
            gain > 0.01
        })
        .collect();
    // Random play gives something away in many games.
    assert!(better.iter().filter(|better| **better).count() > 100);
}

/// Whoever has less than the threshold still plays by the rules, and hints say so.
#[test]
fn choices_say_what_is_sure() {
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed ^ 0x5A4E);
        let aim = if rng.bool() { Aim::Parity } else { Aim::MeanPayoff };
        let setting = Setting::random(&mut rng, aim);
        let knowledge = setting.knowledge();
        let insight = knowledge.solved().unwrap();
        let mut game = setting.game(40);
        loop {
            let waits = Player::BOTH.into_iter().filter(|player| game.decision(*player).is_some());
            let Some(player) = rng.choice(waits.collect::<Vec<Player>>()) else { break };
            let choice = EndlessChoice::of(insight, &Seat::new(&game, player)).unwrap().unwrap();
            match aim {
                Aim::Parity => {
                    let ParityInsight { unfolding, solution, .. } = endless(Some(insight));
                    let node = unfolding.node(&game.walk().notation()).unwrap();
                    let met = solution.needed(player, node).is_met_by(game.hands_before()[player]);
                    assert_eq!(choice.sure, if met { EndlessWorth::Win } else { EndlessWorth::Loss });
                }
                _ => assert!(matches!(choice.sure, EndlessWorth::Average(_))),
            }
            for option in &choice.options {
                let mut after = game.clone();
                after.act(player, option).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            }
            // Sometimes an error, after which the choices still serve.
            let action = match rng.u8(..4) {
                0 => random_action(&game, player, &mut rng),
                _ => rng.choice(&choice.options).unwrap().clone(),
            };
            game.act(player, &action).unwrap();
        }
    }
}
