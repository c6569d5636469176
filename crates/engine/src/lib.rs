//! The interface of engines. An [`Engine`] opens a [`Source`] for a game, which gives an
//! [`Evaluation`] of a position and its moves. Computer players and reviews use only sources.

pub mod bidding;
mod offer;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use richman_core::{
    Aim, ByPlayer, ChipSolution, Effort, Error, Exactness, Mechanism, Player, Share, ShareBounds, Threshold,
    Thresholds, Total, Unfolding, Walk, Watch,
};

pub use offer::{Cost, CostLimit, Grade, Offer, first_part, pick};

/// Alice's need at a position.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Exact, in chips.
    Chips {
        /// To force a win.
        win: Threshold,
        /// To prevent a win of Bob's.
        draw: Threshold,
        /// All the chips.
        total: Total,
    },
    /// Shares of all the money, between proved bounds.
    Money {
        /// To force a win.
        win: ShareBounds,
        /// To prevent a win of Bob's.
        draw: ShareBounds,
    },
    /// A share of all the money, between these bounds with [`CONFIDENCE`].
    Sampled(ShareBounds),
    /// An unproved estimate of a share of all the money.
    Estimate(f64),
}

/// The confidence of each interval from random plays.
pub const CONFIDENCE: &str = "99%";

impl Value {
    /// An exact real-money threshold of a game without draws.
    pub fn share(share: Share) -> Value {
        let win = ShareBounds::exact(share);
        Value::Money { draw: win.clone(), win }
    }

    /// A chip threshold of a game without draws.
    pub fn chips(half_steps: u32, total: Total) -> Value {
        let win = Threshold::at(half_steps);
        Value::Chips { draw: win, win, total }
    }

    /// Whether the value is exact rather than bounds or an estimate.
    pub fn is_exact(&self) -> bool {
        match self {
            Value::Chips { .. } => true,
            Value::Money { win, draw } => win.as_exact().is_some() && draw.as_exact().is_some(),
            Value::Sampled(_) | Value::Estimate(_) => false,
        }
    }

    /// The value as one share of all the money: the middle of the bounds, averaged over win and
    /// draw.
    pub fn middle(&self) -> f64 {
        let middle = |low: f64, high: f64| (low + high) / 2.0;
        let of = |bounds: &ShareBounds| middle(bounds.low.to_f64(), bounds.high.to_f64());
        match self {
            Value::Chips { win, draw, total } => {
                let half_steps = |need: &Threshold| f64::from(need.plain + need.star);
                middle(half_steps(win), half_steps(draw)) / f64::from(total.unreachable())
            }
            Value::Money { win, draw } => middle(of(win), of(draw)),
            Value::Sampled(share) => of(share),
            Value::Estimate(share) => *share,
        }
    }
}

/// A move and its evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedMove {
    /// Its name.
    pub name: String,
    /// Alice's need after it; `None` if it is only known not to be among the best.
    pub value: Option<Value>,
    /// Equal numbers mark moves to the same position; other moves have none.
    pub target: Option<u32>,
    /// If play can return to a position: whether keeping to such moves comes nearer to the win that
    /// the position allows.
    pub leads_on: Option<bool>,
    /// How often the move decides who wins if all other moves are random.
    pub decides: Option<ShareBounds>,
    /// Whether it wins the game at once.
    pub wins: bool,
    /// Whether its player then wins the game by winning the next bid too.
    pub threatens: bool,
}

impl EvaluatedMove {
    /// A move with only Alice's need after it.
    pub fn new(name: String, value: Value) -> EvaluatedMove {
        EvaluatedMove { value: Some(value), ..EvaluatedMove::unknown(name) }
    }

    /// A move without an evaluation.
    pub fn unknown(name: String) -> EvaluatedMove {
        EvaluatedMove { name, value: None, target: None, leads_on: None, decides: None, wins: false, threatens: false }
    }

    /// Breaks ties between moves of equal value: higher is better.
    pub fn weight(&self) -> f64 {
        self.decides.as_ref().map_or(0.0, |often| (often.low.to_f64() + often.high.to_f64()) / 2.0)
    }
}

/// A source's evaluation of a position where the game goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Alice's need at the position.
    pub here: Value,
    /// Alice's moves and Bob's.
    pub after: ByPlayer<Vec<EvaluatedMove>>,
    /// How the evaluation was found.
    pub origin: Origin,
}

/// How an evaluation was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// The method, and why it stopped.
    pub how: String,
    /// The number of positions examined, if counted.
    pub positions: Option<u64>,
    /// The number of these with exact values.
    pub exact_positions: Option<u64>,
    /// The number of moves looked ahead, unless to the end.
    pub depth: Option<f64>,
}

impl Origin {
    /// The origin if the values of all positions are exact.
    pub fn exact(how: String, positions: u64) -> Origin {
        Origin { how, positions: Some(positions), exact_positions: Some(positions), depth: None }
    }
}

impl Evaluation {
    /// Whether a player can win at once by winning the next bid.
    pub fn is_decisive(&self) -> bool {
        self.after.iter().flatten().any(|after| after.wins)
    }
}

/// How carefully a source should evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// For one of many positions: in tenths of a second.
    Quick,
    /// For a turn in a match: within a few seconds.
    Usual,
    /// Until the answer is exact in chips, ignoring the deadline; only for sources opened for exact
    /// answers.
    Exact,
}

/// The parameters of one evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// How carefully to evaluate, time permitting. Equal care gives equal answers.
    pub care: Care,
    /// The seed for random choices.
    pub seed: u64,
    /// How many positions to examine, and until when.
    pub effort: Effort<'a>,
}

impl<'a> Look<'a> {
    /// An evaluation without a deadline.
    pub fn new(care: Care, watch: &'a dyn Watch) -> Look<'a> {
        Look { care, seed: 0, effort: Effort { positions: u64::MAX, ..Effort::watched(watch) } }
    }
}

/// A question to an engine: for a source, or about one position.
#[derive(Clone, Copy)]
pub struct EngineRequest<'a> {
    /// The game, at the position in question or the start of the play.
    pub walk: &'a dyn Walk,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// Both players' chips together; `None` for real money.
    pub total: Option<Total>,
    /// A file of bounds to resume from, in which new results are stored.
    pub bounds: Option<&'a Path>,
    /// The folder of the database to look up.
    pub database: Option<&'a Path>,
    /// All limits. With exactness required, in chips, opening a source may take long.
    pub effort: Effort<'a>,
}

richman_core::debug_by_name!(EngineRequest<'_> {});

impl<'a> EngineRequest<'a> {
    /// A question without a file of bounds and a database.
    pub fn new(
        walk: &'a dyn Walk,
        mechanism: &'a Mechanism,
        total: Option<Total>,
        effort: Effort<'a>,
    ) -> EngineRequest<'a> {
        EngineRequest { walk, mechanism, total, bounds: None, database: None, effort }
    }

    /// Whether only exact answers will do.
    pub fn is_exact(&self) -> bool {
        self.effort.exactness == Exactness::Required
    }

    /// Checks that the question is about real money.
    ///
    /// # Errors
    /// The reason, if it is not.
    pub fn is_money(&self) -> Result<(), String> {
        if self.total.is_none() { Ok(()) } else { Err("only real money".to_string()) }
    }

    /// The total of chips.
    ///
    /// # Errors
    /// The reason, if the question is about real money.
    pub fn chips(&self) -> Result<Total, String> {
        self.total.ok_or_else(|| "only chips".to_string())
    }
}

/// Evaluates the positions of one game under one mechanism.
pub trait Source: Send + Sync {
    /// Evaluates a position where the game goes on; `None` if nothing is found in time.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop; [`Error::TooMuchMemory`] above the limit.
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Evaluation>, Error>;

    /// Whether the source was opened for exact answers in chips.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether an evaluation ends soon even without a deadline.
    fn ends(&self) -> bool {
        true
    }

    /// A source of one player's own, if a shared one would leak evaluations to the other player.
    fn for_one_player(&self) -> Option<Arc<dyn Source>> {
        None
    }

    /// About how many bytes the source holds.
    fn bytes(&self) -> u64;
}

/// Opens sources for games of one kind.
pub trait Engine: Send + Sync {
    /// The engine's method, as reviews describe it.
    fn method(&self) -> &'static Method;

    /// Whether the engine opens sources for such positions. Answers at once.
    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool;

    /// Opens a source; `None` if the engine does not support the question.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop; [`Error::TooMuchMemory`] above the limit.
    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error>;

    /// The engine's methods for a question about one position.
    fn ways(&self) -> &'static [&'static dyn Way];

    /// Whether the engine has [`Engine::random_plays`].
    fn has_random_plays(&self) -> bool {
        false
    }

    /// At least about `plays` random plays from a position, where a coin decides who makes each
    /// random move; `None` if there is no fast way.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop.
    fn random_plays(&self, walk: &dyn Walk, plays: u64, look: &Look) -> Result<Option<RandomPlays>, Error> {
        let _ = (walk, plays, look);
        Ok(None)
    }
}

/// The results of random plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomPlays {
    /// The number of plays.
    pub plays: u64,
    /// The number that Alice won.
    pub alice: u64,
    /// Each move by name, and the number of plays in which the loser made it.
    pub losing: Vec<(String, u64)>,
}

/// An engine supplied by the game itself; it is asked before the listed engines.
///
/// The game returns it as the structure of its positions, `Structure::new(OwnEngine(&Mine))`.
pub struct OwnEngine(pub &'static dyn Engine);

richman_core::debug_by_name!(OwnEngine {});

/// Whether the arena reachable from a position has, or may have, more than `positions` positions.
pub fn is_larger(walk: &dyn Walk, positions: u64) -> bool {
    walk.about_arena(positions.saturating_add(1)).is_none_or(|arena| arena.positions > positions)
}

/// A method for answering a question about one position.
pub trait Way: Sync {
    /// The method in a few words.
    fn name(&self) -> &'static str;

    /// The offer for a question. Answers at once.
    ///
    /// # Errors
    /// The reason why it does not support the question.
    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String>;

    /// The answer; `None` if none is found.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watch says stop; [`Error::OutOfTime`] or
    /// [`Error::TooMuchMemory`] above the limits; [`Error::Storage`] if a file of bounds cannot be
    /// used.
    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error>;

    /// The position and its moves as a solved small game, for chips where play can return; `None`
    /// for other methods.
    ///
    /// # Errors
    /// The errors of [`Way::see`].
    fn solved<'a>(&self, asked: &EngineRequest<'a>) -> Result<Option<SolvedPosition<'a>>, Error> {
        let _ = asked;
        Ok(None)
    }

    /// Whether it answers for games with this objective.
    fn is_for(&self, aim: Aim) -> bool {
        aim.facts().won_at_end
    }

    /// Whether it looks the answer up in a database.
    fn looks_up(&self) -> bool {
        false
    }

    /// The offer for a table of the position: one answer for each total, unless one pass finds them
    /// all. The question names the last total.
    ///
    /// # Errors
    /// The reason why it does not support the question.
    fn table_offer(&self, asked: &EngineRequest, totals: &[Total]) -> Result<Offer, String> {
        asked.chips()?;
        let offer = self.offer(asked)?;
        Ok(Offer { cost: offer.cost.times(totals.len()), ..offer })
    }

    /// Alice's needs at the position for each total; `None` if no answer is found.
    ///
    /// # Errors
    /// The errors of [`Way::see`].
    fn table(&self, asked: &EngineRequest, totals: &[Total]) -> Result<Option<Vec<Thresholds>>, Error> {
        let row = |(number, &total): (usize, &Total)| {
            asked.effort.watch.progress("totals", number as u64, Some(totals.len() as u64));
            let evaluation = self.see(&EngineRequest { total: Some(total), ..*asked })?;
            Ok(evaluation.and_then(|evaluation| match evaluation.here {
                Value::Chips { win, draw, .. } => Some(Thresholds { win, draw }),
                _ => None,
            }))
        };
        totals.iter().enumerate().map(row).collect()
    }

    /// Whether it can resume from a file of bounds.
    fn resumes(&self) -> bool {
        false
    }

    /// Proves the bounds in such a file anew, from the rules alone; `None` if the engine has none
    /// for this game.
    ///
    /// # Errors
    /// [`Error::Storage`] if the file is unusable or of another game or position;
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    fn prove_bounds(&self, walk: &dyn Walk, file: &Path, effort: &Effort) -> Result<Option<ProvedBounds>, Error> {
        let _ = (walk, file, effort);
        Ok(None)
    }

    /// Whether its answer has more details than an arena's, so that it is preferred if both are
    /// quick.
    fn says_more(&self) -> bool {
        false
    }
}

/// A position and the targets of its moves, as a small game solved with chips.
pub struct SolvedPosition<'a> {
    /// The small game. Only its moves, and whether play can return, agree with the real game.
    pub unfolding: Box<dyn Unfolding + 'a>,
    /// What both players can force.
    pub solution: ChipSolution,
    /// How the solution was found.
    pub origin: Origin,
}

richman_core::debug_by_name!(SolvedPosition<'_> {});

/// The proof of a file of bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedBounds {
    /// The number of positions proved: the position and those after every move.
    pub positions: usize,
    /// The number of these whose bounds are equal.
    pub exact_positions: usize,
    /// The first bound that was not proved.
    pub wrong: Option<String>,
}

/// Describes an answer from a folder.
pub fn from_folder(folder: &Path) -> String {
    unverified(format_args!("from the database in {}", folder.display()), folder)
}

/// Describes a result that rests on an unverified file or folder.
pub fn unverified(what: impl fmt::Display, place: &Path) -> String {
    format!("{what}, not verified: `richman verify {}` does that", place.display())
}

/// An engine's method, as reviews describe it.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name for programs.
    pub name: &'static str,
    /// The basis of its reviews, in a few words.
    pub rests_on: &'static str,
    /// The beginning of a review's summary.
    pub summary: &'static str,
    /// Whether reviews ask it about chips; otherwise they ask about real money and measure margins
    /// by that.
    pub has_chips: bool,
    /// Why it decides nothing, if its answers are unproved.
    pub unproved: Option<&'static str>,
}

/// The need after a player's best move: the least for Alice, the greatest for Bob.
pub fn best(after: &[EvaluatedMove], player: Player, need: impl Fn(&Value) -> f64) -> Option<f64> {
    let needs = after.iter().filter_map(|after| after.value.as_ref()).map(need);
    if player == Player::Alice { needs.reduce(f64::min) } else { needs.reduce(f64::max) }
}
