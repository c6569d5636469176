//! The document of a question. Each door (command, interface over HTTP, pages, Python) fills it in
//! from its own words; the checks across its fields, the defaults and the limits are here.

mod text;

use std::path::PathBuf;
use std::time::Duration;

use richman_core::{
    Aim, ByPlayer, Choice, Effort, Exactness, Holding, Instant, Mechanism, MechanismChoices, Share, Total, Watch,
};
use serde::{Deserialize, Serialize};

use crate::chips::HoldingsQuery;
use crate::tree::{TreeGoal, TreeOptions, TreeReport};
use crate::{AnyTable, Error, NumberJson, Opened, Stake, Subject, TableRows, TableSource, open_table};

/// What is asked about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// What a position is worth: scores in a scoring game, thresholds or an average in others.
    #[default]
    Worth,
    /// The same, but a scoring game is refused.
    Solution,
    /// The scores of a scoring game.
    Scores,
    /// A table of chips.
    Table,
    /// The tree of optimal moves.
    Tree,
    /// The order of two games.
    Comparison,
}

/// A question as it is asked, without its game. Keys and values are those of the command line; what
/// is not given is absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QuestionDocument {
    /// What is asked.
    pub wanted: Wanted,
    /// The position in the game's notation; the start if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The preset, and the choices in place of its own.
    #[serde(flatten, with = "text::MechanismWords")]
    pub mechanism: MechanismChoices,
    /// The number of moves after which a play is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// The total of chips.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub chips: Option<Total>,
    /// Alice's holding.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub alice: Option<Holding>,
    /// Bob's holding.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub bob: Option<Holding>,
    /// The rows of a table; the usual ones if absent.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub rows: Option<TableRows>,
    /// Alice's share of the money, for a long-run average.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
    /// The long-run average with which Alice wins.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub at_least: Option<NumberJson>,
    /// Whether to find the least credits.
    #[serde(skip_serializing_if = "is_false")]
    pub credits: bool,
    /// Whether to follow best play from the holdings.
    #[serde(skip_serializing_if = "is_false")]
    pub trace: bool,
    /// Whether to list every position; in a tree, every equally good move.
    #[serde(skip_serializing_if = "is_false")]
    pub all: bool,
    /// Whether to add the results of all pairs of bids to scores.
    #[serde(skip_serializing_if = "is_false")]
    pub bids_table: bool,
    /// Whether to find the totals for which a table is unstable.
    #[serde(skip_serializing_if = "is_false")]
    pub stability: bool,
    /// The file of bounds to resume from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<PathBuf>,
    /// The database to look the position up in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub db: Option<PathBuf>,
    /// Whether a tree is that of the draw threshold.
    #[serde(skip_serializing_if = "is_false")]
    pub draw: bool,
    /// Whether a tree has the positions that are won at once.
    #[serde(skip_serializing_if = "is_false")]
    pub full: bool,
    /// Whether a tree leaves out what equals A^n, B^n or E.
    #[serde(skip_serializing_if = "is_false")]
    pub short: bool,
    /// The number of moves after which a tree is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether the solution is saved.
    #[serde(skip_serializing_if = "is_false")]
    pub save: bool,
    /// Whether a certificate for all totals is saved.
    #[serde(skip_serializing_if = "is_false")]
    pub certificate: bool,
    /// Whether a picture is drawn.
    #[serde(skip_serializing_if = "is_false")]
    pub svg: bool,
    /// Whether only exact thresholds will do.
    #[serde(skip_serializing_if = "is_false")]
    pub exact: bool,
    /// The width of bounds to aim at, as a share of all the money.
    #[serde(deserialize_with = "text::width", skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// The time to take, in seconds.
    #[serde(with = "text::seconds", skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
    /// The most bytes to hold.
    #[serde(deserialize_with = "text::bytes", skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The most positions to unfold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A checked question about a position, whatever the way to the answer.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The position in the game's notation; `None` for the start.
    pub position: Option<String>,
    /// The bidding mechanism.
    pub mechanism: Mechanism,
    /// The aim; a game with another aim is refused.
    pub aim: Aim,
    /// Real money, chips or holdings.
    pub stake: Stake,
    /// Alice's share of the money, for a long-run average; half of it unless given.
    pub share: Option<Share>,
    /// The long-run average with which Alice wins; `None` for the average itself.
    pub at_least: Option<NumberJson>,
    /// Whether to find the least credits of a mean-payoff game with chips.
    pub credits: bool,
    /// The limit of moves to a win.
    pub within: Option<u32>,
    /// Whether to keep the values of all positions that can follow, to list or save them.
    pub all: bool,
    /// Whether to report the matrix of bids of a scoring game.
    pub bids_table: bool,
    /// Whether to report all positions of a scoring game as the cells of a picture.
    pub map: bool,
    /// The file of bounds on a large board to resume from and to update.
    pub bounds: Option<PathBuf>,
    /// The folder of the database to look up the answer in.
    pub database: Option<PathBuf>,
}

impl Question {
    /// A question about the start of a win-lose game in real money.
    pub fn new(mechanism: Mechanism) -> Question {
        Question { mechanism, ..Question::default() }
    }

    /// The same question about the game with this total of chips.
    #[must_use]
    pub fn with_total(self, total: Total) -> Question {
        Question { stake: Stake::Total(total), ..self }
    }

    /// The same question about the game from these holdings, for which the report has advice too.
    #[must_use]
    pub fn with_holdings(self, alice: Holding, bob: Holding) -> Question {
        Question { stake: Stake::Hands(HoldingsQuery { alice, bob, trace: false }), ..self }
    }

    /// The same question about a scoring game.
    #[must_use]
    pub fn about_scores(self) -> Question {
        Question { aim: Aim::Score, ..self }
    }

    /// The choices made that not every kind of solution takes, in the order of their refusals.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> {
        let has_trace = matches!(self.stake, Stake::Hands(hands) if hands.trace);
        let made = [
            (Choice::AT_LEAST, self.at_least.is_some()),
            (Choice::WITHIN, self.within.is_some()),
            (Choice::SHARE, self.share.is_some()),
            (Choice::TRACE, has_trace),
            (Choice::CREDITS, self.credits),
        ];
        made.into_iter().filter(|(_, is_made)| *is_made).map(|(choice, _)| choice)
    }
}

/// Pairs of choices that exclude each other in a question about a position.
const EXCLUDED: [(Choice, Choice); 14] = [
    (Choice::ALL, Choice::PICTURE),
    (Choice::ALL, Choice::BOUNDS),
    (Choice::ALL, Choice::DATABASE),
    (Choice::ALL, Choice::TRACE),
    (Choice::BOUNDS, Choice::CHIPS),
    (Choice::BOUNDS, Choice::HOLDINGS),
    (Choice::BOUNDS, Choice::EXACTNESS),
    (Choice::BOUNDS, Choice::SAVE),
    (Choice::DATABASE, Choice::TRACE),
    (Choice::DATABASE, Choice::SAVE),
    (Choice::DATABASE, Choice::PICTURE),
    (Choice::EXACTNESS, Choice::WIDTH),
    (Choice::PICTURE, Choice::CHIPS),
    (Choice::PICTURE, Choice::HOLDINGS),
];

impl QuestionDocument {
    /// Checks what can be checked without the game: choices that exclude or need each other.
    ///
    /// # Errors
    /// [`Error::Excluded`], [`Error::HoldingsNeeded`], [`Error::WholeGame`], [`Error::NoTotals`] or
    /// [`Error::TotalsNeeded`].
    pub fn check(&self) -> Result<(), Error> {
        let whole = [Choice::SAVE, Choice::CERTIFICATE].into_iter().find(|&file| self.has(file));
        if let (Some(choice), Some(_)) = (whole, self.within) {
            return Err(Error::WholeGame { choice });
        }
        match self.wanted {
            Wanted::Worth | Wanted::Solution => {
                let excluded = EXCLUDED.into_iter().find(|&(one, other)| self.has(one) && self.has(other));
                if let Some((one, other)) = excluded {
                    return Err(Error::Excluded { one, other });
                }
                self.check_holdings(Choice::TRACE)
            }
            Wanted::Scores if self.all && self.bids_table => {
                Err(Error::Excluded { one: Choice::ALL, other: Choice::BIDS_TABLE })
            }
            Wanted::Scores => self.check_holdings(Choice::BIDS_TABLE),
            Wanted::Table => self.check_rows(),
            Wanted::Tree | Wanted::Comparison => Ok(()),
        }
    }

    /// Refuses a choice that is about given holdings, without them.
    fn check_holdings(&self, choice: Choice) -> Result<(), Error> {
        if self.has(choice) && !self.has(Choice::HOLDINGS) { Err(Error::HoldingsNeeded { choice }) } else { Ok(()) }
    }

    /// Refuses what is about totals in a table that has none.
    fn check_rows(&self) -> Result<(), Error> {
        let mechanism = self.mechanism(Aim::default());
        let of = self.rows.as_ref().and_then(|rows| rows.of);
        let needing = [Choice::TOTALS, Choice::STABILITY, Choice::SAVE, Choice::CERTIFICATE, Choice::PICTURE];
        match (needing.into_iter().find(|&choice| self.has(choice)), of) {
            (Some(choice), _) if mechanism.has_bank() => Err(Error::NoTotals { payment: mechanism.payment, choice }),
            (Some(choice), Some(_)) if choice != Choice::CERTIFICATE => Err(Error::TotalsNeeded { choice }),
            _ => Ok(()),
        }
    }

    /// Whether the document makes a choice.
    fn has(&self, choice: Choice) -> bool {
        match choice {
            Choice::ALL => self.all,
            Choice::BIDS_TABLE => self.bids_table,
            Choice::BOUNDS => self.bounds.is_some(),
            Choice::CERTIFICATE => self.certificate,
            Choice::CHIPS => self.chips.is_some(),
            Choice::DATABASE => self.db.is_some(),
            Choice::EXACTNESS => self.exact,
            Choice::HOLDINGS => self.alice.is_some() || self.bob.is_some(),
            Choice::PICTURE => self.svg,
            Choice::SAVE => self.save,
            Choice::STABILITY => self.stability,
            Choice::TOTALS => self.rows.as_ref().is_some_and(|rows| rows.of.is_none()),
            Choice::TRACE => self.trace,
            Choice::WIDTH => self.width.is_some(),
            _ => false,
        }
    }

    /// The question about a game with the objective `aim`.
    ///
    /// # Errors
    /// The first contradiction; `OneHolding`, `NotTheTotal`, `HoldingAboveTotal`, `StarCount`,
    /// `NoStar` or `TotalTooLarge`; [`Error::NoTotal`] for a total alone if chips leave the game.
    pub fn question(&self, aim: Aim) -> Result<Question, Error> {
        self.check()?;
        let aim = match self.wanted {
            Wanted::Worth => aim,
            Wanted::Scores => Aim::Score,
            _ => aim.of_thresholds(),
        };
        let mechanism = self.mechanism(aim);
        let stake = match self.wanted {
            Wanted::Table | Wanted::Comparison => Stake::Money,
            Wanted::Tree => self.chips.map_or(Stake::Money, Stake::Total),
            _ => Stake::given(&mechanism, aim, self.chips, ByPlayer::new(self.alice, self.bob))?,
        };
        Ok(Question {
            position: self.position.clone(),
            mechanism,
            aim,
            stake: if self.trace { stake.traced() } else { stake },
            share: self.share.clone(),
            at_least: self.at_least.clone(),
            credits: self.credits,
            within: self.within,
            all: self.wanted != Wanted::Tree && self.all || self.save,
            bids_table: self.bids_table,
            map: self.wanted == Wanted::Scores && self.svg,
            bounds: self.bounds.clone(),
            database: self.db.clone(),
        })
    }

    /// The mechanism; a game with the objective `aim` has its usual preset.
    pub fn mechanism(&self, aim: Aim) -> Mechanism {
        self.mechanism.clone().mechanism_or(aim.facts().preset)
    }

    /// The rows of a table: the given ones, or the usual ones.
    pub fn rows(&self) -> TableRows {
        self.rows.clone().unwrap_or_else(|| TableRows::usual(&self.mechanism(Aim::default())))
    }

    /// Opens a game for a table: a file, a picture or a table against one player's chips needs its
    /// arena.
    ///
    /// # Errors
    /// As [`QuestionDocument::question`] and [`open_table`].
    pub fn open_table(&self, subject: &Subject, effort: &Effort) -> Result<TableSource, Error> {
        let needing = [Choice::STABILITY, Choice::SAVE, Choice::CERTIFICATE, Choice::PICTURE];
        let TableRows { of, chips } = self.rows();
        let totals = (of.is_none() && !needing.into_iter().any(|choice| self.has(choice))).then_some(chips);
        open_table(subject, &self.question(subject.aim())?, totals, effort)
    }

    /// The table of a game.
    ///
    /// # Errors
    /// As [`QuestionDocument::open_table`] and [`Opened::table`].
    pub fn table(&self, subject: &Subject, effort: &Effort) -> Result<AnyTable, Error> {
        let TableRows { of, chips } = self.rows();
        match self.open_table(subject, effort)? {
            TableSource::Arena(opened) => opened.table(of, chips, self.stability, effort.watch),
            TableSource::Report(report) => Ok(AnyTable::Totals(report)),
        }
    }

    /// The tree of a game, with the picture of its start.
    ///
    /// # Errors
    /// As [`QuestionDocument::question`] and [`Opened::with_tree`].
    pub fn tree(&self, subject: &Subject, effort: &Effort) -> Result<(String, TreeReport), Error> {
        Opened::with_tree(subject, &self.question(subject.aim())?, &self.tree_options(), effort)
    }

    /// The content of a tree.
    fn tree_options(&self) -> TreeOptions {
        TreeOptions {
            goal: if self.draw { TreeGoal::Draw } else { TreeGoal::Win },
            chips: self.chips,
            all: self.all,
            full: self.full,
            short: self.short,
            depth: self.depth,
        }
    }

    /// Whether chips are bid.
    pub fn has_chips(&self) -> bool {
        self.wanted == Wanted::Scores || self.has(Choice::CHIPS) || self.has(Choice::HOLDINGS)
    }

    /// The time after which everything stops, without an answer if there is none yet; `None` for no
    /// such limit. Real money has bounds when its time is up, proofs a moment to finish.
    pub fn end(&self) -> Option<Duration> {
        const TO_FINISH: Duration = Duration::from_millis(600);
        let time = self.time?;
        match self.wanted {
            Wanted::Table | Wanted::Tree | Wanted::Comparison => Some(time.saturating_add(TO_FINISH)),
            Wanted::Worth | Wanted::Solution | Wanted::Scores => self.has_chips().then_some(time),
        }
    }

    /// The time for exact values and proofs, unless another is given; `None` for no limit.
    fn usual_time(&self) -> Option<Duration> {
        let seconds = match self.wanted {
            Wanted::Worth | Wanted::Solution | Wanted::Scores if self.has_chips() => return None,
            Wanted::Worth | Wanted::Solution | Wanted::Scores => Effort::MONEY_SECONDS,
            Wanted::Table => Effort::TABLE_SECONDS,
            Wanted::Tree => Effort::TREE_SECONDS,
            Wanted::Comparison => Effort::COMPARE_SECONDS,
        };
        Some(Duration::from_secs(seconds))
    }

    /// All limits; `after` says when a time is over that began with the question.
    pub fn effort<'a>(&self, watch: &'a dyn Watch, after: impl Fn(Duration) -> Option<Instant>) -> Effort<'a> {
        let usual = Effort::watched(watch);
        // With a time, an estimate uses all of it.
        let estimate_width = if self.time.is_some() { 0.0 } else { usual.estimate_width };
        Effort {
            deadline: self.time.or_else(|| self.usual_time()).and_then(after),
            memory: self.memory.unwrap_or(usual.memory),
            positions: self.positions.unwrap_or(usual.positions),
            exactness: if self.exact { Exactness::Required } else { Exactness::Preferred },
            width: self.width.unwrap_or(usual.width),
            estimate_width: self.width.unwrap_or(estimate_width),
            ..usual
        }
    }
}
