//! What is asked besides the game: the flags of the commands, as a document.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use richman::analysis::databases::KeptUnits;
use richman::analysis::mean_payoff::NumberJson;
use richman::analysis::{Question, Stake, parse};
use richman::core::{Aim, ByPlayer, Effort, Exactness, Holding, Mechanism, MechanismChoices, Preset, Share, Total};
use serde::Deserialize;

use crate::error::Fault;
use crate::work::Worker;

/// The flags of every command; each takes those that it knows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub position: Option<String>,
    pub other_position: Option<String>,
    pub within: Option<u32>,
    pub preset: Option<String>,
    pub payment: Option<String>,
    pub ties: Option<String>,
    pub bidding: Option<String>,
    pub right: Option<String>,
    pub bids: Option<String>,
    pub memory: Option<Size>,
    pub positions: Option<u64>,
    pub time: Option<f64>,
    pub exact: bool,
    pub width: Option<String>,
    /// A total, or a range of totals.
    pub chips: Option<String>,
    /// Alice's share of the money.
    pub share: Option<String>,
    /// The long-run average with which Alice wins.
    pub at_least: Option<String>,
    /// Whether to find the least credits.
    pub credits: bool,
    /// A holding, a range of totals, or a player.
    pub alice: Option<String>,
    pub bob: Option<String>,
    pub trace: bool,
    pub all: bool,
    pub db: Option<PathBuf>,
    pub bounds: Option<PathBuf>,
    pub stability: bool,
    pub draw: bool,
    pub full: bool,
    pub short: bool,
    pub depth: Option<u32>,
    pub bids_table: bool,
    pub games: Option<u64>,
    pub seed: Option<u64>,
    pub holdings: Vec<String>,
    pub opening: u32,
    pub times: bool,
    pub no_exchange: bool,
    pub limit: Option<u32>,
    pub deep: bool,
    /// The most numbers of a unit.
    pub unit: Option<u64>,
    /// The stones after which lines give bounds.
    pub leaves: Option<u32>,
    /// Which units stay.
    pub keep: KeptUnits,
}

/// A number of bytes, or a size such as 500MB.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Size {
    Bytes(u64),
    Text(String),
}

/// The value of an option, if given.
pub fn parsed<T: FromStr>(text: Option<&String>) -> Result<Option<T>, Fault>
where
    T::Err: ToString,
{
    text.map(|text| text.parse()).transpose().map_err(|error: T::Err| Fault::because(error))
}

/// A range of totals, if given.
pub fn range(text: Option<&String>) -> Result<Option<std::ops::RangeInclusive<Total>>, Fault> {
    text.map(|text| parse::totals(text)).transpose().map_err(Fault::Refused)
}

impl Options {
    /// Reads a document.
    ///
    /// # Errors
    /// Names the value that cannot be read.
    pub fn read(document: &str) -> Result<Options, Fault> {
        Ok(serde_json::from_str(document)?)
    }

    /// The mechanism: the preset, by default `usual`, with the other choices in place of its own.
    ///
    /// # Errors
    /// Names the choice that does not exist.
    pub fn mechanism_or(&self, usual: Preset) -> Result<Mechanism, Fault> {
        let choices = MechanismChoices {
            preset: parsed(self.preset.as_ref())?,
            payment: parsed(self.payment.as_ref())?,
            ties: parsed(self.ties.as_ref())?,
            bidding: parsed(self.bidding.as_ref())?,
            right: parsed(self.right.as_ref())?,
            bids: parsed(self.bids.as_ref())?,
        };
        Ok(choices.mechanism_or(usual))
    }

    pub fn mechanism(&self) -> Result<Mechanism, Fault> {
        self.mechanism_or(Preset::default())
    }

    /// A total, if given.
    pub fn total(&self) -> Result<Option<Total>, Fault> {
        parsed(self.chips.as_ref())
    }

    /// Alice's share of the money, if given.
    pub fn share(&self) -> Result<Option<Share>, Fault> {
        parsed(self.share.as_ref())
    }

    /// The long-run average with which Alice wins, if given.
    pub fn at_least(&self) -> Result<Option<NumberJson>, Fault> {
        parsed(self.at_least.as_ref())
    }

    /// The holdings given.
    pub fn hands(&self) -> Result<ByPlayer<Option<Holding>>, Fault> {
        Ok(ByPlayer::new(parsed(self.alice.as_ref())?, parsed(self.bob.as_ref())?))
    }

    /// The stake of a game with this aim.
    pub fn stake(&self, mechanism: &Mechanism, aim: Aim) -> Result<Stake, Fault> {
        Ok(Stake::given(mechanism, aim, self.total()?, self.hands()?)?)
    }

    /// The question about a win-lose game, with real money.
    pub fn question(&self) -> Result<Question, Fault> {
        let mechanism = self.mechanism()?;
        Ok(Question { position: self.position.clone(), within: self.within, ..Question::new(mechanism) })
    }

    /// The most bytes to hold.
    pub fn memory(&self) -> Result<u64, Fault> {
        match &self.memory {
            None => Ok(Effort::default().memory),
            Some(Size::Bytes(bytes)) => Ok(*bytes),
            Some(Size::Text(text)) => parse::bytes(text).map_err(Fault::Refused),
        }
    }

    /// The seconds given.
    ///
    /// # Errors
    /// Refuses what is not a time.
    pub fn time(&self) -> Result<Option<Duration>, Fault> {
        let refused = |_| Fault::because("the time is a number of seconds from 0, such as 60");
        self.time.map(Duration::try_from_secs_f64).transpose().map_err(refused)
    }

    /// All limits, with a watch and a deadline.
    pub fn effort<'a>(&self, worker: &'a Worker, deadline: Option<Instant>) -> Result<Effort<'a>, Fault> {
        let usual = Effort::watched(worker);
        let width = self.width.as_ref().map(|width| parse::width(width)).transpose().map_err(Fault::Refused)?;
        Ok(Effort {
            deadline,
            memory: self.memory()?,
            positions: self.positions.unwrap_or(usual.positions),
            exactness: if self.exact { Exactness::Required } else { Exactness::Preferred },
            width: width.unwrap_or(usual.width),
            estimate_width: width.unwrap_or(if self.time.is_some() { 0.0 } else { usual.estimate_width }),
            ..usual
        })
    }

    /// The effort for proofs that end after the time given, or else after `usual` seconds.
    pub fn proofs<'a>(&self, worker: &'a Worker, usual: u64) -> Result<Effort<'a>, Fault> {
        let time = self.time()?.unwrap_or(Duration::from_secs(usual));
        self.effort(worker, worker.after(time))
    }

    /// When the whole question ends, if a time is given: a little after its proofs.
    pub fn end(&self) -> Result<Option<Duration>, Fault> {
        const TO_FINISH: Duration = Duration::from_secs(1);
        Ok(self.time()?.map(|time| time.saturating_add(TO_FINISH)))
    }
}
