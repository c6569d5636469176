//! The engines that can answer a question, their offers, and the attempts in the order of [`pick`].

use std::time::Duration;

use richman_core::{Choice, Effort, Error as CoreError, Exactness, Walk};
use richman_engine::{self as engine, Cost, CostLimit, Grade, Offer, SolvedPosition, Way, first_part, pick};
use schemars::JsonSchema;
use serde::Serialize;

use super::arena_cost::arena_cost;
use super::{Answer, AnswersByEngine, Question, Report, Stake};
use crate::chips::{ChipsReport, HoldingsQuery, SolvedChips, solved_report};
use crate::kinds::kind_of;
use crate::sources::engines;
use crate::{Error, Request, Subject, money};

pub(crate) struct CostedQuestion<'a> {
    pub subject: &'a Subject,
    pub walk: &'a dyn Walk,
    pub question: &'a Question,
    pub effort: &'a Effort<'a>,
}

impl<'a> CostedQuestion<'a> {
    fn is_exact(&self) -> bool {
        self.effort.exactness == Exactness::Required
    }

    pub(super) fn of_position(&self) -> Result<engine::EngineRequest<'a>, Error> {
        let &CostedQuestion { walk, question, effort, .. } = self;
        let total = question.stake.total(&question.mechanism)?;
        let asked = engine::EngineRequest::new(walk, &question.mechanism, total, *effort);
        Ok(engine::EngineRequest {
            bounds: question.bounds.as_deref(),
            database: question.database.as_deref(),
            ..asked
        })
    }
}

#[derive(Clone, Copy)]
pub(super) enum Responder {
    /// The unfolded arena.
    Arena,
    /// An engine with one of its methods.
    Engine(&'static dyn Way),
}

impl Responder {
    /// All responders. Among equally good and immediate offers the first is taken.
    pub(super) fn all(&CostedQuestion { walk, question, .. }: &CostedQuestion) -> Vec<Responder> {
        let ways = engines(walk).flat_map(|engine| engine.ways().iter().copied());
        let (first, others): (Vec<&dyn Way>, Vec<&dyn Way>) =
            ways.filter(|way| question.database.is_some() || !way.looks_up()).partition(|way| way.says_more());
        let first = first.into_iter().map(Responder::Engine).chain([Responder::Arena]);
        first.chain(others.into_iter().map(Responder::Engine)).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Responder::Arena => "the arena: every position that can follow",
            Responder::Engine(way) => way.name(),
        }
    }

    fn is(self, so: impl Fn(&dyn Way) -> bool) -> bool {
        matches!(self, Responder::Engine(way) if so(way))
    }

    /// The offer, or the reason for refusing the question. Returns at once.
    fn offer(self, asked: &CostedQuestion) -> Result<Offer, String> {
        let question = asked.question;
        let refused = match (self, question) {
            (Responder::Engine(way), _) if !way.is_for(question.aim) => match question.aim.facts().counts_points {
                true => "it does not count points",
                false => "it follows play to its end, and this play need not end",
            },
            (Responder::Engine(_), Question { all: true, .. }) => "it answers for one position",
            (Responder::Engine(_), Question { within: Some(_), .. }) => "it does not limit the number of moves",
            (Responder::Engine(_), Question { stake: Stake::Hands(HoldingsQuery { trace: true, .. }), .. }) => {
                "it gives no line of play"
            }
            (_, Question { database: Some(_), .. }) if !self.is(|way| way.looks_up()) => "it uses no database",
            (_, Question { bounds: Some(_), .. }) if !self.is(|way| way.resumes()) => "it keeps no bounds in a file",
            _ => "",
        };
        kind_of(question).and_then(|kind| kind.check(question)).map_err(|error| error.to_string())?;
        match self {
            _ if !refused.is_empty() => Err(refused.to_string()),
            Responder::Arena => Ok(Offer { grade: Grade::Exact, cost: arena_cost(asked.walk, question, asked.effort) }),
            Responder::Engine(way) => way.offer(&asked.of_position().map_err(|error| error.to_string())?),
        }
    }

    fn answer(self, asked: &CostedQuestion) -> Result<Option<Answer>, Error> {
        match self {
            Responder::Arena => kind_of(asked.question)?.answer(asked).map(Some),
            Responder::Engine(way) => {
                let of_position = asked.of_position()?;
                if let Some(found) = way.solved(&of_position)? {
                    return solved_here(asked, found).map(Some);
                }
                Ok(Answer::seen(asked.walk, asked.question, way.see(&of_position)?))
            }
        }
    }
}

/// The answer from a solved small game: the position and its moves.
fn solved_here(asked: &CostedQuestion, found: SolvedPosition) -> Result<Answer, Error> {
    let SolvedPosition { unfolding, solution, origin } = found;
    let (question, total) = (asked.question, solution.total);
    let hands = if let Stake::Hands(hands) = question.stake { Some(hands) } else { None };
    let (mechanism, effort) = (&question.mechanism, *asked.effort);
    let request = Request { unfolding: unfolding.as_ref(), mechanism, effort };
    let report = solved_report(&request, &SolvedChips::Total(solution), total, hands)?;
    let positions = origin.positions.map_or(0, |positions| usize::try_from(positions).unwrap_or(usize::MAX));
    let report = ChipsReport { positions, stop: origin.how, ..report };
    Ok(Answer::alone(Report::Chips(Box::new(report)), asked.walk.picture()))
}

/// The offers of the engines for a question.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EngineOffers {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The offer of each engine.
    pub engines: Vec<ConsideredEngine>,
}

/// The offer of an engine. Keys that do not apply are absent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConsideredEngine {
    /// The engine's method.
    pub engine: &'static str,
    /// The quality of the answer; absent if the engine refuses the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The cost of the answer; absent if the engine refuses the question.
    #[serde(flatten)]
    pub cost: Option<ConsideredCost>,
    /// Why the engine refuses the question; absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Its place in the order of attempts, from 1; absent if it is not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

/// The cost of an answer: the key `cost` gives the kind, the other keys the amounts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "cost", rename_all = "kebab-case")]
pub enum ConsideredCost {
    /// About the given amounts.
    About {
        /// Seconds on two cores.
        seconds: f64,
        /// Peak bytes; absent if unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        memory: Option<u64>,
    },
    /// All the available time, and little memory.
    Anytime,
    /// Unknown before the attempt.
    Unknown,
    /// More than the limits allow.
    TooMuch {
        /// The limit of positions.
        positions: u64,
    },
}

impl From<Cost> for ConsideredCost {
    fn from(cost: Cost) -> ConsideredCost {
        match cost {
            Cost::About { time, memory } => ConsideredCost::About { seconds: time.as_secs_f64(), memory },
            Cost::Anytime => ConsideredCost::Anytime,
            Cost::Unknown => ConsideredCost::Unknown,
            Cost::TooMuch { positions } => ConsideredCost::TooMuch { positions },
        }
    }
}

type WithOffer = (Responder, Result<Offer, String>);

pub(super) fn room(effort: &Effort) -> CostLimit {
    CostLimit {
        // Even without a deadline, nobody wants to wait forever.
        time: Some(effort.time_left().unwrap_or(Duration::from_secs(Effort::MONEY_SECONDS))),
        memory: effort.memory_left(),
        exact: effort.exactness == Exactness::Required,
    }
}

fn offers(asked: &CostedQuestion) -> (Vec<WithOffer>, Vec<usize>) {
    let offers: Vec<_> = Responder::all(asked).into_iter().map(|who| (who, who.offer(asked))).collect();
    let offering: Vec<usize> = (0..offers.len()).filter(|&number| offers[number].1.is_ok()).collect();
    let made: Vec<Offer> = offers.iter().filter_map(|(_, offer)| offer.clone().ok()).collect();
    let order = pick(&made, &room(asked.effort)).into_iter().map(|offer| offering[offer]).collect();
    (offers, order)
}

/// The answers of all engines that offer one, by name.
pub(super) fn all_answers(asked: &CostedQuestion) -> AnswersByEngine {
    let offering = Responder::all(asked).into_iter().filter(|who| who.offer(asked).is_ok());
    offering.map(|who| (who.name(), who.answer(asked))).collect()
}

pub(super) fn considered(asked: &CostedQuestion) -> EngineOffers {
    let (offers, order) = offers(asked);
    let one = |(number, (who, offer)): (usize, WithOffer)| {
        let (offer, refused) = match offer {
            Ok(offer) => (Some(offer), None),
            Err(why) => (None, Some(why)),
        };
        ConsideredEngine {
            engine: who.name(),
            answer: offer.as_ref().map(|offer| offer.grade.to_string()),
            cost: offer.map(|offer| offer.cost.into()),
            refused,
            turn: order.iter().position(|&tried| tried == number).map(|at| at + 1),
        }
    };
    let engines = offers.into_iter().enumerate().map(one).collect();
    EngineOffers { game: asked.walk.game(), position: asked.walk.notation(), engines }
}

/// The first answer, and the responders that gave up before it, each with the missing resource and
/// its error.
type InTurn<W, T> = (Option<T>, Vec<(W, &'static str, Error)>);

/// Asks in turn until there is an answer. Each but the last gets a part of the time left.
pub(super) fn in_turn<W: Copy, T>(
    order: &[W],
    effort: &Effort,
    answer: impl Fn(W, &Effort) -> Result<Option<T>, Error>,
) -> Result<InTurn<W, T>, Error> {
    let last = order.len().saturating_sub(1);
    let mut gave_up = Vec::new();
    for (number, &who) in order.iter().enumerate() {
        let part = effort.time_left().filter(|_| number < last).map(first_part);
        let effort = part.map_or(*effort, |part| effort.within_time(part));
        let (watch, until) = (effort.watch, effort.until());
        let error = match answer(who, &effort) {
            Ok(Some(answer)) => return Ok((Some(answer), gave_up)),
            Ok(None) => continue,
            Err(Error::Core(CoreError::Cancelled)) if until.is_over() && !watch.cancelled() => {
                gave_up.push((who, "time", CoreError::OutOfTime { what: "this" }.into()));
                continue;
            }
            Err(error) => error,
        };
        let reason = match &error {
            Error::Core(CoreError::OutOfTime { .. }) => "time",
            Error::Core(CoreError::TooMuchMemory { .. }) => "memory",
            Error::TooLarge { .. } | Error::Core(CoreError::TooManyPositions { .. }) => "room for the positions",
            _ => return Err(error),
        };
        if number == last {
            return Err(error);
        }
        gave_up.push((who, reason, error));
    }
    Ok((None, gave_up))
}

pub(super) fn answer(asked: &CostedQuestion) -> Result<Answer, Error> {
    let is_looked_up = asked.question.database.is_some();
    if is_looked_up {
        asked.of_position()?; // fails for holdings that make no total
    } else {
        kind_of(asked.question)?.check(asked.question)?;
    }
    let (offers, order) = offers(asked);
    let order: Vec<Responder> = order.into_iter().map(|number| offers[number].0).collect();
    let (answer, gave_up) =
        in_turn(&order, asked.effort, |who, effort| who.answer(&CostedQuestion { effort, ..*asked }))?;
    if let Some(mut answer) = answer {
        for (who, reason, _) in gave_up {
            let what = format!("there was not enough {reason} for another engine ({})", who.name());
            answer.report.add_to_stop(&what);
        }
        answer.report.add_missed_width(asked.effort.width);
        return Ok(answer);
    }
    if is_looked_up {
        return Err(not_served(asked, Choice::DATABASE, |way| way.looks_up()));
    }
    if asked.question.bounds.is_some() {
        return Err(not_served(asked, Choice::BOUNDS, |way| way.resumes()));
    }
    let is_tried = order.iter().any(|who| matches!(who, Responder::Arena));
    if gave_up.is_empty() && !is_tried {
        // The arena serves every game, so its error says best what is missing.
        return kind_of(asked.question)?.answer(asked);
    }
    unknown(asked)
}

/// The error for an unused database or file, with the reasons of the engines that could use it.
fn not_served(asked: &CostedQuestion, choice: Choice, uses: fn(&'static dyn Way) -> bool) -> Error {
    let uses = |who: &Responder| matches!(who, Responder::Engine(way) if uses(*way));
    let refusal = |who: Responder| {
        let refused = who.offer(asked).err();
        format!("{}: {}", who.name(), refused.as_deref().unwrap_or("only positions that are not over"))
    };
    let refusals: Vec<String> = Responder::all(asked).into_iter().filter(uses).map(refusal).collect();
    Error::NotServed { choice, refusals: refusals.join("; ") }
}

/// The report if the time ran out for all engines.
fn unknown(asked: &CostedQuestion) -> Result<Answer, Error> {
    let CostedQuestion { walk, question, .. } = *asked;
    if !matches!(question.stake, Stake::Money) {
        return Err(CoreError::OutOfTime { what: "this" }.into());
    }
    if question.all || asked.is_exact() {
        return Err(CoreError::OutOfTime { what: "an exact answer" }.into());
    }
    let report = money::unknown(walk, &question.mechanism, question.within);
    Ok(Answer::alone(Report::Money(Box::new(report)), walk.picture()))
}
