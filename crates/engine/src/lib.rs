//! What an engine is. An [`Engine`] opens a [`Source`] for a game, and the source says what the positions that follow are
//! worth, here and after every move: a [`Sight`]. Players and reviews use sources and know nothing beneath them.

pub mod bidding;
mod offer;

use std::path::Path;
use std::sync::Arc;

use richman_core::{
    Aim, ChipSolution, Effort, Error, Exactness, Mechanism, Player, Share, ShareBounds, Threshold, Thresholds, Total,
    Unfolding, Walk, Watch,
};

pub use offer::{Cost, Grade, Offer, Room, first_part, pick};

/// What Alice needs at a position.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Exactly, with chips.
    Chips {
        /// To force a win.
        win: Threshold,
        /// So that Bob cannot.
        draw: Threshold,
        /// All the chips.
        total: Total,
    },
    /// As a share of all the money, between proved bounds.
    Money {
        /// To force a win.
        win: ShareBounds,
        /// So that Bob cannot.
        draw: ShareBounds,
    },
    /// As a share of all the money, with [`CONFIDENCE`] between bounds.
    Sampled(ShareBounds),
    /// As a share of all the money. Nothing of it is proved.
    Estimate(f64),
}

/// How sure it is of each interval from random plays that it holds the truth.
pub const CONFIDENCE: &str = "99%";

impl Value {
    /// A real-money threshold that is known exactly, of a game without draws.
    pub fn share(share: Share) -> Value {
        let win = ShareBounds::exact(share);
        Value::Money { draw: win.clone(), win }
    }

    /// A threshold with chips, of a game without draws.
    pub fn chips(half_steps: u32, total: Total) -> Value {
        let win = Threshold::at(half_steps);
        Value::Chips { draw: win, win, total }
    }

    /// Whether it is what the rules say, and no estimate or bounds.
    pub fn is_exact(&self) -> bool {
        match self {
            Value::Chips { .. } => true,
            Value::Money { win, draw } => win.as_exact().is_some() && draw.as_exact().is_some(),
            Value::Sampled(_) | Value::Estimate(_) => false,
        }
    }

    /// As one share of all the money: the middle of what is between all bounds, on average of winning and not losing.
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

/// A move, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct After {
    /// Its name.
    pub name: String,
    /// What Alice needs after it; `None` where the source only knows that it is not one of the best.
    pub value: Option<Value>,
    /// Moves that lead to the same position have the same number; the others, or those that were not compared, have none.
    pub place: Option<u32>,
    /// Where play can come back: whether a player who keeps to such moves comes nearer to the win that the position allows.
    pub leads_on: Option<bool>,
    /// How often the move decides who wins, where all other moves are left to chance.
    pub decides: Option<ShareBounds>,
    /// Whether it wins the game at once.
    pub wins: bool,
    /// Whether it threatens to: who makes it, and wins the next bid too, has won.
    pub threatens: bool,
}

impl After {
    /// A move of which nothing is known but what Alice needs after it.
    pub fn new(name: String, value: Value) -> After {
        After { value: Some(value), ..After::unknown(name) }
    }

    /// A move of which nothing is known.
    pub fn unknown(name: String) -> After {
        After { name, value: None, place: None, leads_on: None, decides: None, wins: false, threatens: false }
    }

    /// Of moves that are worth the same the better has more of it.
    pub fn weight(&self) -> f64 {
        self.decides.as_ref().map_or(0.0, |often| (often.low.to_f64() + often.high.to_f64()) / 2.0)
    }
}

/// What a source says about a position at which the game goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// What Alice needs at it.
    pub here: Value,
    /// The moves of Alice and those of Bob.
    pub after: [Vec<After>; 2],
    /// How that was found out.
    pub origin: Origin,
}

/// How it was found out what a position is worth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// What was done, and why no more.
    pub how: String,
    /// How many positions were looked at, where they were counted.
    pub positions: Option<u64>,
    /// Of how many of them it is known exactly what they are worth.
    pub exact_positions: Option<u64>,
    /// How many moves were looked ahead, where that is not to the end.
    pub depth: Option<f64>,
}

impl Origin {
    /// Of what is known exactly of all positions.
    pub fn exact(how: String, positions: u64) -> Origin {
        Origin { how, positions: Some(positions), exact_positions: Some(positions), depth: None }
    }
}

impl Sight {
    /// Whether somebody wins at once by winning the next bid.
    pub fn is_decisive(&self) -> bool {
        self.after.iter().flatten().any(|after| after.wins)
    }
}

/// How well a source should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// In some tenths of a second at most: for one of many positions.
    Quick,
    /// As for a turn in a match: in some seconds at most.
    Usual,
    /// Until the answer is exact with chips, whatever the deadline, of a source that was opened for that.
    Exact,
}

/// How much one look at a position is worth.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// How well to look, where there is time. The same care gives the same answer.
    pub care: Care,
    /// What chance is drawn from, where a source needs it.
    pub seed: u64,
    /// How many positions to look at, and when to say what is known by then.
    pub effort: Effort<'a>,
}

impl<'a> Look<'a> {
    /// As long as it takes.
    pub fn new(care: Care, watch: &'a dyn Watch) -> Look<'a> {
        Look { care, seed: 0, effort: Effort { positions: u64::MAX, ..Effort::watched(watch) } }
    }
}

/// What is asked of an engine: to open a source, or to answer about one position.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The game, at the position that is asked about, or where the play starts.
    pub walk: &'a dyn Walk,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// The chips that both hold together; `None` for real money.
    pub total: Option<Total>,
    /// A file of bounds to resume from, where what is found is kept.
    pub bounds: Option<&'a Path>,
    /// The folder of a database in which the answer is looked up.
    pub database: Option<&'a Path>,
    /// All limits. A source for which exactness is required, with chips, may take long to open.
    pub effort: Effort<'a>,
}

impl<'a> Asked<'a> {
    /// For a source of a game with so many chips.
    pub fn new(walk: &'a dyn Walk, mechanism: &'a Mechanism, total: Option<Total>, effort: Effort<'a>) -> Asked<'a> {
        Asked { walk, mechanism, total, bounds: None, database: None, effort }
    }

    /// Whether only exact answers do.
    pub fn is_exact(&self) -> bool {
        self.effort.exactness == Exactness::Required
    }

    /// Refuses where the question is not about real money.
    ///
    /// # Errors
    /// Why.
    pub fn is_money(&self) -> Result<(), String> {
        if self.total.is_none() { Ok(()) } else { Err("only real money".to_string()) }
    }

    /// The total of chips.
    ///
    /// # Errors
    /// Why there is none.
    pub fn chips(&self) -> Result<Total, String> {
        self.total.ok_or_else(|| "only chips".to_string())
    }
}

/// Says what positions of one game are worth, under one mechanism.
pub trait Source: Send + Sync {
    /// What a position is worth where the game goes on; `None` where nothing is known of it, or not in so short a time.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the watch says so; [`Error::TooMuchMemory`].
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Sight>, Error>;

    /// Whether it was opened for answers that are exact with chips.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether a look without a deadline ends soon all the same.
    fn ends(&self) -> bool {
        true
    }

    /// A source of its own for one player, where what this one has seen for one would help another.
    fn for_one_player(&self) -> Option<Arc<dyn Source>> {
        None
    }

    /// About how many bytes are held.
    fn bytes(&self) -> u64;
}

/// Opens sources for games of one kind.
pub trait Engine: Send + Sync {
    /// How it finds out what positions are worth.
    fn method(&self) -> &'static Method;

    /// Whether it opens sources for positions like this one. It says so at once.
    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool;

    /// Opens a source; `None` where the engine does not serve what is asked.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::TooMuchMemory`].
    fn open(&self, asked: &Asked) -> Result<Option<Arc<dyn Source>>, Error>;

    /// The ways in which it answers a question about one position.
    fn ways(&self) -> &'static [&'static dyn Way];

    /// Whether it plays at random in a faster way than move by move.
    fn has_random_plays(&self) -> bool {
        false
    }

    /// About so many random plays from a position, or some more, in which a coin decides who makes a random move; `None` where it
    /// has no faster way.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    fn random_plays(&self, walk: &dyn Walk, plays: u64, look: &Look) -> Result<Option<RandomPlays>, Error> {
        let _ = (walk, plays, look);
        Ok(None)
    }
}

/// What random plays came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomPlays {
    /// How many there were.
    pub plays: u64,
    /// How many of them Alice won.
    pub alice: u64,
    /// Every move by its name, and in how many plays the loser had made it.
    pub losing: Vec<(String, u64)>,
}

/// An engine that a game brings along, for games that are not among those of the list: it is asked first.
///
/// The game gives it as the structure of its positions, `Structure::new(OwnEngine(&Mine))`.
pub struct OwnEngine(pub &'static dyn Engine);

/// Whether an arena of what follows on a position has more positions than that, or perhaps.
pub fn is_larger(walk: &dyn Walk, positions: u64) -> bool {
    walk.about_arena(positions.saturating_add(1)).is_none_or(|arena| arena.positions > positions)
}

/// A way to answer a question about one position.
pub trait Way: Sync {
    /// How it finds the answer, in a few words.
    fn name(&self) -> &'static str;

    /// What it would do, or why it does not serve the question. It says so at once.
    ///
    /// # Errors
    /// Why it does not serve the question.
    fn offer(&self, asked: &Asked) -> Result<Offer, String>;

    /// The answer; `None` where it turns out that there is none.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::OutOfTime`], [`Error::TooMuchMemory`]; a file of bounds that cannot be used.
    fn see(&self, asked: &Asked) -> Result<Option<Sight>, Error>;

    /// With chips, where play can come back: the position and its moves, solved. `None` for ways that see it otherwise.
    ///
    /// # Errors
    /// Those of [`Way::see`].
    fn solved<'a>(&self, asked: &Asked<'a>) -> Result<Option<SolvedPosition<'a>>, Error> {
        let _ = asked;
        Ok(None)
    }

    /// Whether it answers for games that are played for that.
    fn is_for(&self, aim: Aim) -> bool {
        aim == Aim::Win
    }

    /// Whether it looks the answer up in a database.
    fn looks_up(&self) -> bool {
        false
    }

    /// What a table of the position would cost: as much as one answer for each total, where no pass finds them all. The
    /// question has the last of the totals.
    ///
    /// # Errors
    /// Why it does not serve the question.
    fn table_offer(&self, asked: &Asked, totals: &[Total]) -> Result<Offer, String> {
        asked.chips()?;
        let offer = self.offer(asked)?;
        Ok(Offer { cost: offer.cost.times(totals.len()), ..offer })
    }

    /// What Alice needs at the position for each total; `None` where it turns out that there is no answer.
    ///
    /// # Errors
    /// As for [`Way::see`].
    fn table(&self, asked: &Asked, totals: &[Total]) -> Result<Option<Vec<Thresholds>>, Error> {
        let row = |(number, &total): (usize, &Total)| {
            asked.effort.watch.progress("totals", number as u64, Some(totals.len() as u64));
            let sight = self.see(&Asked { total: Some(total), ..*asked })?;
            Ok(sight.and_then(|sight| match sight.here {
                Value::Chips { win, draw, .. } => Some(Thresholds { win, draw }),
                _ => None,
            }))
        };
        totals.iter().enumerate().map(row).collect()
    }

    /// Whether it resumes from a file of bounds.
    fn resumes(&self) -> bool {
        false
    }

    /// Whether its answer says more than that of an arena, so that it is asked first where both are there in a moment.
    fn says_more(&self) -> bool {
        false
    }
}

/// A position and what its moves lead to, as a small game that is solved with chips.
pub struct SolvedPosition<'a> {
    /// The small game. Only its moves are true to the game, and whether play can come back.
    pub unfolding: Box<dyn Unfolding + 'a>,
    /// What both players can force.
    pub solution: ChipSolution,
    /// How that was found out.
    pub origin: Origin,
}

/// How an answer was found that was looked up in a folder.
pub fn from_folder(folder: &Path) -> String {
    format!("from the database in {}", folder.display())
}

/// How an engine finds out what positions are worth, as reviews say it.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name for programs.
    pub name: &'static str,
    /// What a review by it rests on, in a few words.
    pub rests_on: &'static str,
    /// What a review's summary begins with.
    pub summary: &'static str,
    /// Whether reviews ask it about chips; else about real money, against which they count margins.
    pub has_chips: bool,
    /// Why it decides nothing, where nothing of what it says is proved.
    pub unproved: Option<&'static str>,
}

/// A player's best move by what is needed after it: the value of one of the best moves.
pub fn best(after: &[After], player: Player, need: impl Fn(&Value) -> f64) -> Option<f64> {
    let needs = after.iter().filter_map(|after| after.value.as_ref()).map(need);
    if player == Player::Alice { needs.reduce(f64::min) } else { needs.reduce(f64::max) }
}
