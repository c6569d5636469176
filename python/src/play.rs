//! Matches, computer players, and advice at any position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use richman::analysis::advice::{Advice, advise};
use richman::analysis::chips::HoldingsQuery;
use richman::analysis::{Insight, QuestionDocument, Scope, Subject, Wanted};
use richman::core::{ByPlayer, Effort, End, Holding, Mechanism, Player, Purses, Total, Unfolding};
use richman::play::players::{Computer, Knowledge, Seat, Strength};
use richman::play::{Action, Match, MatchEnd, MatchRules, PlaySoFar, TurnStage, record};
use richman::render::board;
use serde_json::{Value, json};

use crate::error::{Error, Fault};
use crate::game::{Game, player};
use crate::options::Options;
use crate::work;

/// The time for solving a game before a match.
const SOLVING: Duration = Duration::from_secs(60);

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The rules of a match: holdings as given, or an equal split, with an odd chip for Bob, who has no
/// star.
fn rules(subject: &Subject, options: &Options) -> Result<MatchRules, Fault> {
    let mechanism = options.mechanism();
    let QuestionDocument { chips, alice, bob, .. } = options.question;
    let given = HoldingsQuery::given(&mechanism, chips, ByPlayer::new(alice, bob))?;
    let start = match given {
        Some(hands) => ByPlayer::new(hands.alice, hands.bob),
        None => MatchRules::equal(mechanism.clone(), chips.map_or_else(|| subject.usual_total(), Ok)?).start,
    };
    Ok(MatchRules { mechanism, start, limit: options.limit })
}

fn hand(holding: Holding) -> Value {
    if holding.has_star() { json!(holding.to_string()) } else { json!(holding.chips()) }
}

fn hands(hands: ByPlayer<Holding>) -> Value {
    json!({ "alice": hand(hands.alice), "bob": hand(hands.bob) })
}

fn word(player: Player) -> &'static str {
    player.either("alice", "bob")
}

fn closed(end: MatchEnd, so_far: Option<PlaySoFar>) -> Value {
    let how = match end {
        MatchEnd::Game(_) => "game",
        MatchEnd::Resigned(_) => "resigned",
        MatchEnd::Limit => "limit",
        MatchEnd::NoBids => "no bids",
    };
    let score = match end {
        MatchEnd::Game(End::Score(score)) => Some(score),
        _ => None,
    };
    let average = so_far.and_then(|so_far| so_far.average).map(|average| average.to_string());
    json!({ "how": how, "winner": end.winner().map(word), "score": score, "average": average })
}

/// A match in progress.
#[pyclass(frozen, name = "Match", module = "richman._richman")]
pub struct PlayedMatch {
    game: Mutex<Match>,
    subject: Arc<Subject>,
}

#[pymethods]
impl PlayedMatch {
    #[new]
    fn new(game: &Game, options: &str) -> PyResult<PlayedMatch> {
        let options = Options::read(options, Wanted::Worth)?;
        let subject = game.subject.clone();
        let walk = subject.walk(options.position()).map_err(Fault::from)?;
        let game = Match::new(walk, rules(&subject, &options)?).map_err(Fault::because)?;
        Ok(PlayedMatch { game: Mutex::new(game), subject })
    }

    /// Another match in the same state.
    fn copy(&self) -> PlayedMatch {
        PlayedMatch { game: Mutex::new(locked(&self.game).clone()), subject: self.subject.clone() }
    }

    /// Takes an action, written as JSON.
    fn act(&self, who: &str, action: &str) -> PyResult<()> {
        let action: Action = serde_json::from_str(action).map_err(Fault::from)?;
        Ok(locked(&self.game).act(player(who)?, &action).map_err(Fault::because)?)
    }

    /// What a player sees, or with None a spectator, as JSON.
    fn view(&self, viewer: Option<&str>) -> PyResult<String> {
        let viewer = viewer.map(player).transpose()?;
        let game = locked(&self.game);
        let view = game.view(viewer);
        let (stage, bid, named, winner, mover, bids, over) = match view.stage {
            TurnStage::Bids { named, .. } => ("bids", None, named, None, None, None, None),
            TurnStage::Tie { bid } => ("tie", Some(bid), None, None, None, None, None),
            TurnStage::Moving { bids, winner, mover } => {
                ("moving", None, None, Some(word(winner)), Some(word(mover)), Some(bids), None)
            }
            TurnStage::MovingAlone(mover) => ("moving", None, None, None, Some(word(mover)), None, None),
            TurnStage::Over(end) => ("over", None, None, None, None, None, Some(closed(end, game.so_far()))),
        };
        let due: Vec<&str> =
            Player::BOTH.into_iter().filter(|&player| game.decision(player).is_some()).map(word).collect();
        Ok(json!({
            "position": view.position,
            "alice": hand(view.hands.alice),
            "bob": hand(view.hands.bob),
            "bank": game.bank(),
            "stage": stage,
            "due": due,
            "tied_bid": bid,
            "named": named,
            "bids": bids.map(|bids| json!({ "alice": bids.alice, "bob": bids.bob })),
            "winner": winner,
            "mover": mover,
            "own_bid": view.own_bid,
            "allowed_bids": view.bids,
            "moves": view.moves,
            "star": word(game.tie_holder()),
            "over": over,
        })
        .to_string())
    }

    /// The finished turns, as JSON.
    fn turns(&self) -> String {
        let turns = locked(&self.game);
        let turns = turns.turns().iter().map(|turn| {
            json!({
                "position": turn.position,
                "hands": hands(turn.hands),
                "bids": { "alice": turn.bids.alice, "bob": turn.bids.bob },
                "star_used": turn.star_used,
                "winner": turn.has_bids().then(|| word(turn.winner)),
                "mover": word(turn.mover),
                "move": turn.played,
            })
        });
        Value::from(turns.collect::<Vec<Value>>()).to_string()
    }

    /// The record of the match.
    fn record(&self, tags: Vec<(String, String)>) -> String {
        record::to_record(&locked(&self.game), tags).to_string()
    }

    /// The position as an SVG document.
    fn svg(&self) -> String {
        board::standalone_svg(locked(&self.game).walk(), &board::BoardOptions::default())
    }
}

/// A computer player of a match.
#[pyclass(frozen, module = "richman._richman")]
pub struct Bot {
    /// None while it thinks.
    computer: Mutex<Option<Box<dyn Computer>>>,
}

#[pymethods]
impl Bot {
    /// A player of this strength for matches of these options.
    #[new]
    fn new(
        py: Python<'_>,
        game: &Game,
        options: &str,
        level: &str,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bot> {
        let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
        let level = level.parse::<Strength>().map_err(Fault::from)?;
        let computer = work::done(py, None, progress, move |worker| {
            let rules = rules(&subject, &options)?;
            let time = options.question.time.unwrap_or(SOLVING);
            let effort = options.untimed(worker).within_time(time);
            let total = Total::new(rules.start.map(Holding::chips).into_iter().sum())?;
            let position = options.position();
            let knowledge = Knowledge::of(&subject, position, &rules.mechanism, total, &[level], &effort)?;
            Ok(level.computer(&knowledge, seed)?)
        })?;
        Ok(Bot { computer: Mutex::new(Some(computer)) })
    }

    /// The player's action for the pending decision, as JSON.
    #[pyo3(signature = (game, who, time=None))]
    fn act(&self, py: Python<'_>, game: &PlayedMatch, who: &str, time: Option<f64>) -> PyResult<String> {
        let (who, game) = (player(who)?, locked(&game.game).clone());
        let Some(mut computer) = locked(&self.computer).take() else {
            return Err(Error::new_err("this player is thinking, or was stopped: let it finish, or make another"));
        };
        let time = time.map(Duration::try_from_secs_f64).transpose().map_err(Fault::because);
        let (computer, action) = work::done(py, None, None, move |worker| {
            let effort = Effort::watched(worker);
            let effort = time?.map_or(effort, |time| effort.within_time(time));
            let action = computer.act(&Seat::new(&game, who), &effort);
            Ok((computer, action.map_err(Fault::from)))
        })?;
        *locked(&self.computer) = Some(computer);
        Ok(serde_json::to_string(&action?).map_err(Fault::from)?)
    }
}

/// A game solved for every division of a number of chips.
#[pyclass(frozen, module = "richman._richman")]
pub struct Policy {
    insight: Insight,
}

#[pymethods]
impl Policy {
    /// Solves a game; None if its positions are judged one by one instead.
    #[staticmethod]
    fn solved(
        py: Python<'_>,
        game: &Game,
        options: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Policy>> {
        let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
        work::done(py, options.question.time, progress, move |worker| {
            let mechanism: Mechanism = options.mechanism();
            let total = options.question.chips;
            let Some(total) = total.filter(|_| !mechanism.has_bank() && options.question.within.is_none()) else {
                return Ok(None);
            };
            let position = options.position();
            let purses = Purses::Together(total.chips());
            let scope = Scope { subject: &subject, position, mechanism: &mechanism, total, purses };
            let insight = scope.open(&options.untimed(worker))?;
            Ok(matches!(insight, Insight::Chips(..)).then_some(Policy { insight }))
        })
    }

    /// The advice for a player, as JSON; None if the game is over.
    fn advice(&self, position: &str, who: &str, alice: &str, bob: &str) -> PyResult<Option<String>> {
        let who = player(who)?;
        let [alice, bob] = [alice, bob].map(|text| text.parse::<Holding>().map_err(Fault::from));
        let hands = ByPlayer::new(alice?, bob?);
        Ok(self.of(position, who, hands)?.map(|advice| json!(advice).to_string()))
    }
}

impl Policy {
    fn of(&self, position: &str, who: Player, hands: ByPlayer<Holding>) -> Result<Option<Advice>, Fault> {
        let Insight::Chips(unfolding, solved) = &self.insight else { return Ok(None) };
        let unfolding: &dyn Unfolding = unfolding.as_ref();
        Ok(advise(unfolding, solved.forces(), position, who, hands[who], hands[who.other()], None)?)
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PlayedMatch>()?;
    module.add_class::<Bot>()?;
    module.add_class::<Policy>()
}
