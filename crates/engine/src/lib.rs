//! What an engine is. An [`Engine`] opens a [`Source`] for a game, and the source says what the positions that follow are
//! worth, here and after every move: a [`Sight`]. Players and reviews use sources and know nothing beneath them.

mod offer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use richman_core::{Error, Mechanism, Player, Share, ShareBounds, Threshold, Total, Until, Walk, Watch};

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
    /// As a share of all the money. Nothing of it is proved.
    Estimate(f64),
}

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
            Value::Estimate(_) => false,
        }
    }

    /// As one share of all the money: the middle of what is between all bounds, on average of winning and not losing.
    pub fn middle(&self) -> f64 {
        let middle = |low: f64, high: f64| (low + high) / 2.0;
        match self {
            Value::Chips { win, draw, total } => {
                let half_steps = |need: &Threshold| f64::from(need.plain + need.star);
                middle(half_steps(win), half_steps(draw)) / f64::from(total.unreachable())
            }
            Value::Money { win, draw } => {
                let of = |bounds: &ShareBounds| middle(bounds.low.to_f64(), bounds.high.to_f64());
                middle(of(win), of(draw))
            }
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
    /// Of moves that are worth the same, the greater the better.
    pub weight: f64,
    /// Whether it wins the game at once.
    pub wins: bool,
    /// Whether it threatens to: who makes it, and wins the next bid too, has won.
    pub threatens: bool,
}

impl After {
    /// A move of which nothing is known but what Alice needs after it.
    pub fn new(name: String, value: Value) -> After {
        After { name, value: Some(value), weight: 0.0, wins: false, threatens: false }
    }
}

/// What a source says about a position at which the game goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// What Alice needs at it.
    pub here: Value,
    /// The moves of Alice and those of Bob.
    pub after: [Vec<After>; 2],
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
}

/// How much one look at a position is worth.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// How well to look, where there is time. The same care gives the same answer.
    pub care: Care,
    /// Look at no more positions than this.
    pub positions: u64,
    /// When to say what is known by then.
    pub deadline: Option<Instant>,
    /// What chance is drawn from, where a source needs it.
    pub seed: u64,
    /// May cancel.
    pub watch: &'a dyn Watch,
}

impl<'a> Look<'a> {
    /// As long as it takes.
    pub fn new(care: Care, watch: &'a dyn Watch) -> Look<'a> {
        Look { care, positions: u64::MAX, deadline: None, seed: 0, watch }
    }

    /// What stops the look: the watch, or the deadline.
    pub fn until(&self) -> Until<'a> {
        Until { watch: self.watch, deadline: self.deadline }
    }

    /// How long the look may take from now on.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// What a source is opened for.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The game, at the position where it starts.
    pub walk: &'a dyn Walk,
    /// How bids are made, won and paid.
    pub mechanism: &'a Mechanism,
    /// The chips that both hold together; `None` for real money.
    pub total: Option<Total>,
    /// Whether every answer must be exact with chips. It may then take long to open the source.
    pub exact: bool,
    /// Most bytes.
    pub memory: u64,
    /// May cancel.
    pub watch: &'a dyn Watch,
}

/// Says what positions of one game are worth, under one mechanism.
pub trait Source: Send + Sync {
    /// What a position is worth where the game goes on; `None` where nothing is known of it, or not in so short a time.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the watch says so; [`Error::TooMuchMemory`].
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Sight>, Error>;

    /// Whether every look was asked to be exact with chips, and is.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether what was last said of that position is exact with chips.
    fn knows_exactly(&self, walk: &dyn Walk) -> bool {
        let _ = walk;
        self.is_exact()
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
    /// How it finds out what positions are worth, in a word.
    fn method(&self) -> Method;

    /// Whether it opens sources for positions like this one. It says so at once.
    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool;

    /// About how many positions an arena of what follows on such a position has, counted up to `most`. It says so at once.
    fn about_positions(&self, walk: &dyn Walk, most: u64) -> u64;

    /// Whether an arena of what follows on such a position probably has more positions than that.
    fn is_larger(&self, walk: &dyn Walk, positions: u64) -> bool {
        self.about_positions(walk, positions.saturating_add(1)) > positions
    }

    /// Opens a source; `None` where the engine does not serve what is asked.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::TooMuchMemory`].
    fn open(&self, asked: &Asked) -> Result<Option<Arc<dyn Source>>, Error>;
}

/// How an engine finds out what positions are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Layer by layer: exactly with chips where that is soon done, else by bounds.
    Layers,
    /// By counting how the open cells can be filled.
    Fillings,
    /// By searching some moves ahead.
    Search,
}

/// A player's best move by what is needed after it: the value of one of the best moves.
pub fn best(after: &[After], player: Player, need: impl Fn(&Value) -> f64) -> Option<f64> {
    let needs = after.iter().filter_map(|after| after.value.as_ref()).map(need);
    if player == Player::Alice { needs.reduce(f64::min) } else { needs.reduce(f64::max) }
}
