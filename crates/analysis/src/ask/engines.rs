//! Who can answer a question about a game that is won or lost: the list of engines, what each offers, and trying them in the
//! order of [`pick`].

use std::time::{Duration, Instant};

use richman_core::{Error as CoreError, Until, Walk, Watch};
use richman_engine::{Cost, Grade, Offer, Room, first_part, pick};
use richman_solvers::hex::small::MOST_CELLS;
use richman_solvers::layers::Stake as Lanes;
use richman_solvers::{Exactness, Options};
use serde::Serialize;

use super::{Answer, AnswersByEngine, Effort, Known, Opened, Question, Report, Stake, solved};
use crate::boards::{self, Deepen};
use crate::{Error, Subject, chess, endgames, hex, money, sources};

/// A question, and what it may cost.
pub(super) struct Asked<'a> {
    pub subject: &'a Subject,
    pub walk: &'a dyn Walk,
    pub question: &'a Question,
    pub effort: &'a Effort,
    pub watch: &'a dyn Watch,
}

impl Asked<'_> {
    fn options(&self) -> Options<'_> {
        self.effort.options(self.question.within, 0, self.watch)
    }

    fn is_exact(&self) -> bool {
        self.effort.exactness == Exactness::Required
    }

    /// Why no engine but an arena serves the question.
    fn needs_arena(&self) -> Result<(), String> {
        match self.question {
            Question { all: true, .. } => Err("it answers for one position".to_string()),
            Question { within: Some(_), .. } => Err("it does not limit the number of moves".to_string()),
            _ => Ok(()),
        }
    }

    fn is_money(&self) -> Result<(), String> {
        self.needs_arena()?;
        let is_money = matches!(self.question.stake, Stake::Money);
        if is_money { Ok(()) } else { Err("only real money".to_string()) }
    }

    fn has_no_file(&self) -> Result<(), String> {
        let has_none = self.question.bounds.is_none();
        if has_none { Ok(()) } else { Err("it keeps no bounds in a file".to_string()) }
    }
}

/// Answers questions in one way.
trait Answers: Sync {
    /// How it finds the answer, in a few words.
    fn name(&self) -> &'static str;

    /// What it would do, or why it does not serve the question. It says so at once.
    fn offer(&self, asked: &Asked) -> Result<Offer, String>;

    /// The answer; `None` where it turns out that it has none.
    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error>;
}

/// Where the arena is in the list.
const ARENA: usize = 1;

/// All engines; of equally good offers that take no time the first is taken.
const ENGINES: [&dyn Answers; 8] =
    [&CountedFillings, &Arena, &DecidingCells, &Classes, &Layers, &BoundingLayers, &SampledFillings, &Search];

/// What an engine says of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Considered {
    /// How it would find the answer.
    pub engine: &'static str,
    /// How good the answer would be; null where it does not serve the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// About how many seconds it would take; null where that is not known, or more than there could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// About how many bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Why it does not serve the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// When it is tried: 1 first; null where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

/// Every engine with its offer, and in which order they are tried.
fn offers(asked: &Asked) -> (Vec<Result<Offer, String>>, Vec<usize>) {
    let offers: Vec<Result<Offer, String>> = ENGINES.iter().map(|engine| engine.offer(asked)).collect();
    let offering: Vec<usize> = (0..offers.len()).filter(|&engine| offers[engine].is_ok()).collect();
    let room = Room {
        // Whoever has all the time of the world still does not want to wait for ever.
        time: Some(asked.options().time_left().unwrap_or(Duration::from_secs(Effort::MONEY_SECONDS))),
        memory: asked.effort.memory,
        exact: asked.is_exact(),
    };
    let made: Vec<Offer> = offers.iter().flatten().cloned().collect();
    let order = pick(&made, &room).into_iter().map(|offer| offering[offer]).collect();
    (offers, order)
}

/// What every engine answers that offers to, by name.
pub(super) fn all_answers(asked: &Asked) -> AnswersByEngine {
    let offering = ENGINES.iter().filter(|engine| engine.offer(asked).is_ok());
    offering.map(|engine| (engine.name(), engine.answer(asked))).collect()
}

/// What every engine says of a question.
pub(super) fn considered(asked: &Asked) -> Vec<Considered> {
    let (offers, order) = offers(asked);
    let is_counted = |cost: &Cost| cost.time < Duration::MAX;
    let one = |(number, offer): (usize, Result<Offer, String>)| {
        let cost = offer.as_ref().ok().and_then(|offer| offer.cost);
        Considered {
            engine: ENGINES[number].name(),
            answer: offer.as_ref().ok().map(|offer| offer.grade.to_string()),
            seconds: cost.filter(is_counted).map(|cost| cost.time.as_secs_f64()),
            memory: cost.filter(is_counted).map(|cost| cost.memory),
            refused: offer.err(),
            turn: order.iter().position(|&engine| engine == number).map(|at| at + 1),
        }
    };
    offers.into_iter().enumerate().map(one).collect()
}

/// The answer of the first engine that has one.
pub(super) fn answer(asked: &Asked) -> Result<Answer, Error> {
    let (_, order) = offers(asked);
    let last = order.len().saturating_sub(1);
    let mut gave_up: Vec<String> = Vec::new();
    for (number, &engine) in order.iter().enumerate() {
        let now = Instant::now();
        let part = |deadline: Instant| now + first_part(deadline.saturating_duration_since(now));
        let deadline = asked.effort.deadline.map(|deadline| if number < last { part(deadline) } else { deadline });
        let effort = Effort { deadline, ..*asked.effort };
        let until = Until { watch: asked.watch, deadline };
        let reason = match ENGINES[engine].answer(&Asked { effort: &effort, ..*asked }) {
            Ok(Some(mut answer)) => {
                answer.report.add_to_stop(&gave_up);
                return Ok(answer);
            }
            Ok(None) => continue,
            Err(Error::Core(CoreError::Cancelled)) if until.is_over() && !asked.watch.cancelled() => "time",
            Err(Error::Core(CoreError::OutOfTime { .. })) if number < last => "time",
            Err(Error::Core(CoreError::TooMuchMemory { .. })) if number < last => "memory",
            Err(Error::HexTooLarge { .. } | Error::Core(CoreError::TooManyPositions { .. })) if number < last => {
                "room for the positions"
            }
            Err(error) => return Err(error),
        };
        gave_up.push(format!("there was not enough {reason} for another engine ({})", ENGINES[engine].name()));
    }
    if asked.question.bounds.is_some() {
        return Err(asked.question.not_served("--bounds"));
    }
    if gave_up.is_empty()
        && !order.contains(&ARENA)
        && let Some(answer) = ENGINES[ARENA].answer(asked)?
    {
        return Ok(answer); // who serves every game knows best what is missing
    }
    unknown(asked)
}

/// What is known where the time was up for all engines.
fn unknown(asked: &Asked) -> Result<Answer, Error> {
    let Asked { walk, question, .. } = *asked;
    if !matches!(question.stake, Stake::Money) {
        return Err(CoreError::OutOfTime { what: "this" }.into());
    }
    if question.all || asked.is_exact() {
        return Err(CoreError::OutOfTime { what: "an exact answer" }.into());
    }
    let report = money::unknown(walk, &question.mechanism, question.within);
    Ok(Answer::alone(Report::Money(Box::new(report)), walk.picture()))
}

/// Hex in real money: all fillings of the open cells, counted.
struct CountedFillings;

impl Answers for CountedFillings {
    fn name(&self) -> &'static str {
        "all fillings, counted"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        asked.has_no_file()?;
        let board = hex::board(asked.walk, &asked.question.mechanism).ok_or(HEX_ONLY)?;
        let time = hex::counting_time(&board).ok_or("the board is too wide")?;
        Ok(Offer { grade: Grade::Exact, cost: Some(Cost { time, memory: 0 }) })
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let options = asked.options();
        let until = options.until();
        let options = Options { watch: &until, ..options };
        let report = hex::counted_report(asked.walk, &asked.question.mechanism, &options)?;
        Ok(Some(Answer::alone(Report::Hex(Box::new(report)), asked.walk.picture())))
    }
}

const HEX_ONLY: &str = "only Hex where bids go to the other player";
const LINES_ONLY: &str = "only boards of lines with the default rules of bidding";

/// Hex in real money: random fillings.
struct SampledFillings;

impl Answers for SampledFillings {
    fn name(&self) -> &'static str {
        "random fillings"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        asked.has_no_file()?;
        hex::board(asked.walk, &asked.question.mechanism).ok_or(HEX_ONLY)?;
        Ok(Offer { grade: Grade::Sampled, cost: Some(Cost { time: Duration::ZERO, memory: 0 }) }) // it ends when told
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let report = hex::sampled_report(asked.walk, &asked.question.mechanism, &asked.options())?;
        Ok(Some(Answer::alone(Report::Hex(Box::new(report)), asked.walk.picture())))
    }
}

/// Hex with a total of chips: all positions of the cells that decide something.
struct DecidingCells;

impl Answers for DecidingCells {
    fn name(&self) -> &'static str {
        "all positions of the cells that decide something"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        /// What solving takes for each position.
        const EACH: f64 = 5e-8;
        asked.needs_arena()?;
        asked.has_no_file()?;
        let Stake::Total(_) = asked.question.stake else { return Err("only a total of chips".to_string()) };
        let board = hex::chips_board(asked.walk, &asked.question.mechanism)
            .ok_or("only Hex with the default rules of bidding")?;
        let counted = hex::counting_time(&board).ok_or("the board is too wide")?;
        let positions = 3_f64.powi(board.open().min(MOST_CELLS as u32) as i32);
        let time = counted + Duration::from_secs_f64(EACH * positions);
        Ok(Offer { grade: Grade::Exact, cost: Some(Cost { time, memory: positions as u64 }) })
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let Stake::Total(total) = asked.question.stake else { return Ok(None) };
        let report = hex::chips_report(asked.walk, &asked.question.mechanism, total, &asked.options())?;
        Ok(report.map(|report| Answer::alone(Report::Chips(Box::new(report)), asked.walk.picture())))
    }
}

/// Chess in real money: every position of a class of pieces, and of those it can become.
struct Classes;

impl Answers for Classes {
    fn name(&self) -> &'static str {
        "all positions of these pieces"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        asked.has_no_file()?;
        let (_, plan) = endgames::offer(asked.walk, &asked.question.mechanism)
            .ok_or("only endgames of chess with four or five pieces and the default rules of bidding")?;
        // Where best play comes to few positions the answer is exact; it says so where that was required and cannot be.
        let grade = if asked.is_exact() { Grade::Exact } else { Grade::Bounds };
        Ok(Offer { grade, cost: Some(Cost { time: Duration::from_secs(plan.seconds), memory: plan.memory }) })
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let report = endgames::solve(asked.walk, &asked.question.mechanism, &asked.options())?;
        Ok(report.map(|report| Answer::alone(Report::Money(Box::new(report)), asked.walk.picture())))
    }
}

/// Chess in real money: some moves ahead.
struct Search;

impl Answers for Search {
    fn name(&self) -> &'static str {
        "a search some moves ahead"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        asked.has_no_file()?;
        chess::board(asked.walk, &asked.question.mechanism)
            .ok_or("only chess with too many pieces to solve, where bids go to the other player")?;
        Ok(Offer { grade: Grade::Estimate, cost: Some(Cost { time: Duration::ZERO, memory: 0 }) }) // it ends when told
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let report = chess::report(asked.walk, &asked.question.mechanism, &asked.options());
        Ok(report.map(|report| Answer::alone(Report::Chess(Box::new(report)), asked.walk.picture())))
    }
}

/// Boards of lines that are too large to unfold: layer by layer.
struct Layers;

impl Answers for Layers {
    fn name(&self) -> &'static str {
        "layer by layer"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.needs_arena()?;
        let lanes = match asked.question.stake {
            Stake::Money => Lanes::Money,
            Stake::Total(total) => Lanes::Chips(vec![total]),
            Stake::Hands(_) | Stake::Score(_) => return Err("only real money, or a total of chips".to_string()),
        };
        let with_chips = !matches!(lanes, Lanes::Money);
        let board = boards::board(asked.walk, &asked.question.mechanism, with_chips);
        let (board, stones) = board.ok_or(LINES_ONLY)?;
        let cost = boards::cost(&board, stones, lanes).ok_or("the game is over, or the board too large")?;
        Ok(Offer { grade: Grade::Exact, cost: Some(cost) })
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let (mechanism, options) = (&asked.question.mechanism, asked.options());
        let until = options.until();
        let options = Options { watch: &until, ..options };
        let report = match asked.question.stake {
            Stake::Total(total) => {
                boards::chips_report(asked.walk, mechanism, total, &options)?.map(|report| Report::Chips(report.into()))
            }
            _ => boards::report(asked.walk, mechanism, &options)?.map(|report| Report::Money(report.into())),
        };
        Ok(report.map(|report| Answer::alone(report, asked.walk.picture())))
    }
}

/// Boards of lines that are too large for that: as many layers as there is time for.
struct BoundingLayers;

impl Answers for BoundingLayers {
    fn name(&self) -> &'static str {
        "as many layers as there is time for"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        asked.is_money()?;
        let board = boards::board(asked.walk, &asked.question.mechanism, false).ok_or(LINES_ONLY)?;
        board.0.after(board.1).ok_or("the game is over")?;
        Ok(Offer { grade: Grade::Bounds, cost: Some(Cost { time: Duration::ZERO, memory: 0 }) }) // it ends when told
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let mechanism = &asked.question.mechanism;
        let Some((board, stones)) = boards::board(asked.walk, mechanism, false) else { return Ok(None) };
        let task = Deepen { width: asked.effort.width, file: asked.question.bounds.clone() };
        let found = boards::deepen(asked.walk, &board, stones, mechanism, &task, &asked.options())?;
        Ok(found.map(|found| Answer::alone(Report::Money(Box::new(found.report)), asked.walk.picture())))
    }
}

/// Every game: its arena, unfolded.
struct Arena;

impl Answers for Arena {
    fn name(&self) -> &'static str {
        "the arena: every position that can follow"
    }

    fn offer(&self, asked: &Asked) -> Result<Offer, String> {
        /// What a position takes.
        const EACH: Duration = Duration::from_micros(2);
        const BYTES: u64 = 100;
        asked.has_no_file()?;
        let engine = sources::engine(asked.walk, &asked.question.mechanism);
        let Some(engine) = engine else { return Ok(Offer { grade: Grade::Exact, cost: None }) };
        let most = asked.effort.positions.min(asked.effort.memory / BYTES).max(1);
        let positions = engine.about_positions(asked.walk, most.saturating_add(1));
        let cost = match positions > most {
            true => Cost { time: Duration::MAX, memory: u64::MAX },
            false => {
                let time = Duration::from_secs_f64(EACH.as_secs_f64() * positions as f64);
                Cost { time, memory: positions * BYTES }
            }
        };
        Ok(Offer { grade: Grade::Exact, cost: Some(cost) })
    }

    fn answer(&self, asked: &Asked) -> Result<Option<Answer>, Error> {
        let Asked { subject, question, effort, watch, .. } = *asked;
        let until = Until { watch, deadline: effort.deadline };
        let opened = Opened::new(subject, question, effort, &until)?;
        let (report, solution) = solved(&opened.request(watch), question)?;
        let picture = opened.unfolding.picture(opened.unfolding.arena().start());
        let known = solution.map(|solution| Known { opened, solution });
        Ok(Some(Answer { known, ..Answer::alone(report, picture) }))
    }
}
