//! A game and an engine defined only here: questions, hints, players and reviews use the engine all
//! the same.

use std::sync::Arc;
use std::time::Duration;

use richman_analysis::{Question, Report, Stake, Subject, ask, ask_all, consider};
use richman_core::{
    ByPlayer, Effort, Error, Game, Holding, Mechanism, Player, Share, Structure, Terminal, Total, Unwatched, Walk,
};
use richman_engine::{
    Cost, Engine, EngineRequest, EvaluatedMove, Evaluation, Grade, Look, Method, Offer, Origin, OwnEngine, Source,
    Value, Way, from_folder,
};
use richman_play::players::{Knowledge, Strength};
use richman_play::review::review;
use richman_play::{Action, Match, MatchRules};
use richman_render::hint::Hints;

/// A heap of counters; each move takes one or two, and whoever takes the last one wins.
#[derive(Clone)]
struct LastCounter {
    heap: u32,
}

impl Game for LastCounter {
    /// The counters, and who took the last one.
    type Position = (u32, Option<Player>);

    fn name(&self) -> String {
        format!("last-counter:heap={}", self.heap)
    }

    fn start(&self) -> Self::Position {
        (self.heap, None)
    }

    fn terminal(&self, &(_, winner): &Self::Position) -> Option<Terminal> {
        winner.map(Terminal::Win)
    }

    fn moves(&self, &(heap, _): &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
        into.extend((1..=heap.min(2)).map(|taken| (heap - taken, (heap == taken).then_some(player))));
    }

    fn notation(&self, (heap, winner): &Self::Position) -> String {
        winner.map_or_else(|| heap.to_string(), |winner| winner.to_string())
    }

    fn parse(&self, notation: &str) -> Result<Self::Position, Error> {
        match Player::BOTH.into_iter().find(|player| player.to_string() == notation) {
            Some(winner) => Ok((0, Some(winner))),
            None => notation.parse().map(|heap| (heap, None)).map_err(|_| Error::BadPosition {
                game: self.name(),
                text: notation.to_string(),
                reason: "not a number of counters".to_string(),
            }),
        }
    }

    fn structure(&self, _: &Self::Position) -> Option<Structure> {
        Some(Structure::new(OwnEngine(&Halves)))
    }
}

/// In real money every heap is worth a half: whoever moves wins heaps of one and two, and from a
/// larger heap every move leads to a value of a half, by induction.
struct Halves;

fn half() -> Share {
    Share::dyadic(1, 1)
}

const METHOD: Method = Method {
    name: "halves",
    rests_on: "a proof by induction",
    summary: "By induction",
    has_chips: false,
    unproved: None,
};

fn see(walk: &dyn Walk) -> Option<Evaluation> {
    walk.end().is_none().then(|| {
        let after = |player: Player| {
            let seen = |name: String| {
                let mut next = walk.boxed();
                next.play(player, &name).unwrap();
                let after = match next.end() {
                    Some(_) => {
                        if player == Player::Alice {
                            Share::ZERO
                        } else {
                            Share::ONE
                        }
                    }
                    None => half(),
                };
                EvaluatedMove { wins: next.end().is_some(), ..EvaluatedMove::new(name, Value::share(after)) }
            };
            walk.moves(player).into_iter().map(seen).collect()
        };
        let origin = Origin::exact("by induction".to_string(), 0);
        Evaluation { here: Value::share(half()), after: ByPlayer::from_fn(after), origin }
    })
}

impl Engine for Halves {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn serves(&self, _: &dyn Walk, mechanism: &Mechanism) -> bool {
        mechanism.is_develin_payne_in_money()
    }

    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error> {
        Ok(self.serves(asked.walk, asked.mechanism).then(|| Arc::new(Halves) as Arc<dyn Source>))
    }

    fn ways(&self) -> &'static [&'static dyn Way] {
        &[&Halves, &Kept]
    }
}

impl Source for Halves {
    fn see(&self, walk: &dyn Walk, _: &Look) -> Result<Option<Evaluation>, Error> {
        Ok(see(walk))
    }

    fn bytes(&self) -> u64 {
        0
    }
}

impl Way for Halves {
    fn name(&self) -> &'static str {
        "halves"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time: Duration::ZERO, memory: Some(0) } })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        Ok(see(asked.walk))
    }
}

/// Looks heaps up in a folder with a file for each.
struct Kept;

impl Way for Kept {
    fn name(&self) -> &'static str {
        "a database of heaps"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        Way::offer(&Halves, asked)
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        let folder = asked.database.expect("ways that look up are asked with a database");
        let file = folder.join(asked.walk.notation());
        let kept = std::fs::read_to_string(&file).map_err(|error| Error::Storage { what: error.to_string() })?;
        let origin = Origin::exact(from_folder(folder), 1);
        Ok(see(asked.walk).map(|evaluation| Evaluation {
            here: Value::share(kept.parse().unwrap()),
            origin,
            ..evaluation
        }))
    }

    fn looks_up(&self) -> bool {
        true
    }
}

/// A database of a family unknown elsewhere is looked up, and nothing else answers for it.
#[test]
fn a_game_brings_its_database() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("7"), "1/3").unwrap();
    let usual = Question { database: Some(folder.path().to_path_buf()), ..Question::new(Mechanism::default()) };
    let ask = |heap: u32| ask(&Subject::own(LastCounter { heap }), &usual, &Effort::default());
    let answer = ask(7).unwrap();
    let Report::Money(report) = &answer.report else { panic!("real money") };
    assert_eq!(report.stop, from_folder(folder.path()));
    assert!(money(&answer.report).starts_with("[\"1/3\""), "{}", money(&answer.report));
    assert!(ask(8).is_err(), "it is not in the folder");
}

fn money(report: &Report) -> String {
    let Report::Money(report) = report else { panic!("no other question was asked") };
    serde_json::to_string(&(&report.win, &report.draw, &report.bid, &report.moves)).unwrap()
}

#[test]
fn a_game_brings_its_engine_to_all_doors() {
    let (mechanism, effort) = (Mechanism::default(), Effort { positions: 100_000, ..Effort::default() });
    let question = Question::new(mechanism.clone());
    for heap in 1..40 {
        let small = Subject::own(LastCounter { heap });
        let answers = ask_all(&small, &question, &effort).unwrap();
        let [one, other] = answers.as_slice() else { panic!("the arena and the engine") };
        let [one, other] = [one, other].map(|(_, answer)| money(&answer.as_ref().unwrap().as_ref().unwrap().report));
        assert_eq!(one, other, "{heap}");
    }
    let large = Arc::new(Subject::own(LastCounter { heap: 4_000_000_000 }));
    let offers = consider(&large, &question, &effort).unwrap();
    let offers = serde_json::to_value(&offers).unwrap();
    assert!(offers.to_string().contains("\"halves\""), "{offers}");
    let answer = ask(&large, &question, &effort).unwrap();
    let Report::Money(report) = &answer.report else { panic!("real money") };
    assert!(report.exact && report.stop == "by induction", "{report:?}");
    let chips = Question { stake: Stake::Total(Total::new(8).unwrap()), ..question };
    assert!(ask(&large, &chips, &effort).is_err(), "the engine knows real money alone");

    let start: ByPlayer<Holding> = ["8*", "8"].map(|hand| hand.parse().unwrap()).into();
    let rules = MatchRules { mechanism: mechanism.clone(), start, limit: None };
    let mut game = Match::new(large.walk(Some("9000000")).unwrap(), rules.clone()).unwrap();
    let hints = Hints::solve(&large, Some("9000000"), &rules, &effort).unwrap();
    let hint = hints.hint(&game, Player::Alice, game.decision(Player::Alice).unwrap(), &Unwatched).unwrap();
    assert!(hint.text.contains("bid 0"), "{}", hint.text);

    let strength: Strength = "rounding".parse().unwrap();
    let total = Total::new(16).unwrap();
    let effort = Effort::default();
    let known = Knowledge::of(&large, Some("9000000"), &mechanism, total, &[strength], &effort).unwrap();
    let mut computer = strength.computer(&known, 1).unwrap();
    let thinking = Effort::watched(&Unwatched);
    let bid = computer.act(&richman_play::players::Seat::new(&game, Player::Alice), &thinking).unwrap();
    game.act(Player::Alice, &bid).unwrap();
    game.act(Player::Bob, &Action::Bid(3)).unwrap();
    assert_eq!(bid, Action::Bid(0), "every move is as good");

    let few = Effort { positions: 1000, ..Effort::default() };
    let found = review(&large, &game, &few).unwrap();
    assert_eq!(found.rests_on.to_string(), METHOD.rests_on);
    assert!(found.summary.starts_with(METHOD.summary), "{}", found.summary);
}
