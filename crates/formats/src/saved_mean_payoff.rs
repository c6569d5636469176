//! The parts of a saved solution with the long-run averages of a game and the potentials that prove
//! them.

use std::io::{self, Write};
use std::str::FromStr;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{ByPlayer, MAX_TOTAL, PayoffBounds, Share, ShareBounds, Total};
use serde::Deserialize;

use crate::FormatError;
use crate::json::{JsonReader, JsonText};
use crate::saved::{HEAD, HeldClaim, json, of_claim, write_lines};
use crate::saved_reader::share;

/// A long-run average with real money, and the potential of every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeanPayoffClaim {
    /// Alice's share of the money.
    pub share: Share,
    /// The average, or bounds on it.
    pub average: PayoffBounds,
    /// The denominator of all potentials.
    pub denominator: UBig,
    /// The numerator of the potential of each position, by its notation.
    pub positions: Vec<(String, IBig)>,
}

impl HeldClaim for (String, IBig) {
    fn bytes(&self) -> u64 {
        of_claim::<(String, IBig)>(&self.0, HEAD + self.1.bit_len() / 8)
    }
}

pub(crate) fn write(out: &mut dyn Write, claim: &MeanPayoffClaim) -> io::Result<()> {
    let MeanPayoffClaim { share, average, denominator, positions } = claim;
    write!(out, ",\n  \"mean_payoff\": {{\n    \"share\": \"{share}\",\n    \"average\": \"{average}\",\n")?;
    write!(out, "    \"denominator\": \"{denominator}\",\n    \"positions\": ")?;
    write_lines(out, "    ", positions, |out, (position, potential)| {
        json(out, position)?;
        write!(out, ": \"{potential}\"")
    })?;
    write!(out, "\n  }}")
}

pub(crate) fn read(json: &mut JsonReader) -> Result<MeanPayoffClaim, FormatError> {
    let average = PayoffBounds { low: RBig::ZERO, high: RBig::ZERO };
    let mut claim = MeanPayoffClaim { share: Share::ZERO, average, denominator: UBig::ONE, positions: Vec::new() };
    let keys = ["share", "average", "denominator", "positions"];
    json.object("the claim for a long-run average", &keys, keys.len(), |json, key| {
        match key {
            "share" => {
                let share = |text: &str| text.parse().map_err(|error: richman_core::Error| error.to_string());
                claim.share = json.text(&"a share as text", share)?;
            }
            "average" => {
                let average = |text: &str| text.parse().map_err(|error: richman_core::Error| error.to_string());
                claim.average = json.text(&"an average as text", average)?;
            }
            "denominator" => {
                let read = UBig::try_from(json.text(&"a whole number as text", whole)?).ok();
                claim.denominator = read
                    .filter(|denominator| *denominator != UBig::ZERO)
                    .ok_or_else(|| json.bad_value("the denominator of the potentials is below 1"))?;
            }
            _ => {
                claim.positions =
                    json.claims(|json, position| Ok((position, json.text(&"a whole number as text", whole)?)))?;
            }
        }
        Ok(())
    })?;
    Ok(claim)
}

/// What Alice needs with real money for a long-run average, and what proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffSharesClaim {
    /// The average that Alice wants.
    pub least: RBig,
    /// Her share at the start, or bounds on it.
    pub needs: ShareBounds,
    /// The claims at every position.
    pub positions: Vec<PayoffShareValue>,
}

/// What Alice needs at one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffShareValue {
    /// The position in the game's notation.
    pub position: String,
    /// Her share, or bounds on it.
    pub needs: ShareBounds,
    /// Both players' potentials.
    pub potentials: ByPlayer<RBig>,
}

impl HeldClaim for PayoffShareValue {
    fn bytes(&self) -> u64 {
        let digits = |of: &RBig| 2 * HEAD + (of.numerator().bit_len() + of.denominator().bit_len()) / 8;
        let potentials = self.potentials.iter().map(digits).sum();
        of_claim::<PayoffShareValue>(&self.position, potentials) + self.needs.heap_bytes()
    }
}

pub(crate) fn write_shares(out: &mut dyn Write, claim: &PayoffSharesClaim) -> io::Result<()> {
    let PayoffSharesClaim { least, needs, positions } = claim;
    write!(out, ",\n  \"mean_payoff_shares\": {{\n    \"least\": \"{least}\",\n    \"needs\": \"{needs}\",\n")?;
    write!(out, "    \"positions\": ")?;
    write_lines(out, "    ", positions, |out, PayoffShareValue { position, needs, potentials }| {
        json(out, position)?;
        write!(out, ": [\"{needs}\",\"{}\",\"{}\"]", potentials.alice, potentials.bob)
    })?;
    write!(out, "\n  }}")
}

pub(crate) fn read_shares(json: &mut JsonReader) -> Result<PayoffSharesClaim, FormatError> {
    let needs = ShareBounds::exact(Share::ZERO);
    let mut claim = PayoffSharesClaim { least: RBig::ZERO, needs, positions: Vec::new() };
    let keys = ["least", "needs", "positions"];
    json.object("the claim for shares", &keys, keys.len(), |json, key| {
        match key {
            "least" => claim.least = json.text(&"an average as text", number)?,
            "needs" => claim.needs = json.text(&"a share as text", share)?,
            _ => claim.positions = json.claims(share_value)?,
        }
        Ok(())
    })?;
    Ok(claim)
}

fn share_value(json: &mut JsonReader, position: String) -> Result<PayoffShareValue, FormatError> {
    let expected = "the list [needs, alice, bob] of a share and two potentials as text";
    let made = json.value(&expected, |json| {
        let [needs, alice, bob] = <[JsonText; 3]>::deserialize(json)?;
        let potentials = number(&alice.0).and_then(|alice| Ok(ByPlayer::new(alice, number(&bob.0)?)));
        Ok(share(&needs.0).and_then(|needs| Ok((needs, potentials?))))
    })?;
    let (needs, potentials) = made.map_err(|reason| json.bad_value(reason))?;
    Ok(PayoffShareValue { position, needs, potentials })
}

/// One average or potential.
fn number(text: &str) -> Result<RBig, String> {
    let excerpt = || crate::excerpt::excerpt(text);
    let other = |_| richman_core::Error::NotANumber { text: excerpt() }.to_string();
    let read: PayoffBounds = text.parse().map_err(other)?;
    read.as_exact().cloned().ok_or_else(|| format!("{:?} is not one number", excerpt()))
}

fn whole(text: &str) -> Result<IBig, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole =
        !digits.is_empty() && digits.len() <= Share::MAX_TEXT && digits.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_whole { text.parse().ok() } else { None };
    read.ok_or_else(|| format!("{:?} is not a whole number", crate::excerpt::excerpt(text)))
}

/// The long-run averages for every holding with one total of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipAveragesClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// The averages that occur.
    pub averages: Vec<RBig>,
    /// The claims at every position.
    pub positions: Vec<AverageClaim>,
}

/// What a position is worth, for each of Alice's holdings: without the star by her chips from 0,
/// and then with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AverageClaim {
    /// The position in the game's notation.
    pub position: String,
    /// The number of the average in the list, from 0.
    pub ranks: Vec<u32>,
    /// Each player's potentials.
    pub potentials: ByPlayer<Vec<i128>>,
}

impl AverageClaim {
    /// Bytes of the lists.
    fn lists(&self) -> usize {
        let potentials = self.potentials.iter().map(|of| HEAD + size_of_val(&of[..])).sum::<usize>();
        HEAD + size_of_val(&self.ranks[..]) + potentials
    }
}

impl HeldClaim for AverageClaim {
    fn bytes(&self) -> u64 {
        of_claim::<AverageClaim>(&self.position, self.lists())
    }
}

pub(crate) fn write_chips(out: &mut dyn Write, claim: &ChipAveragesClaim) -> io::Result<()> {
    let ChipAveragesClaim { total, averages, positions } = claim;
    let averages: Vec<String> = averages.iter().map(RBig::to_string).collect();
    write!(out, ",\n  \"mean_payoff_chips\": {{\n    \"total\": {total},\n    \"averages\": ")?;
    json(out, &averages)?;
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", positions, |out, AverageClaim { position, ranks, potentials }| {
        json(out, position)?;
        write!(out, ": [\"{}\",\"{}\",\"{}\"]", listed(ranks), listed(&potentials.alice), listed(&potentials.bob))
    })?;
    write!(out, "\n  }}")
}

/// Numbers with spaces between them.
fn listed(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// At most as many numbers as the greatest total has holdings.
fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    const MOST: usize = 2 * (MAX_TOTAL as usize + 1);
    if text.bytes().filter(|byte| *byte == b' ').count() >= MOST {
        return None;
    }
    text.split(' ').map(|word| word.parse().ok()).collect()
}

pub(crate) fn read_chips(json: &mut JsonReader) -> Result<ChipAveragesClaim, FormatError> {
    let (mut total, mut averages, mut positions) = (0, Vec::new(), Vec::new());
    json.object("the claim for averages with chips", &["total", "averages", "positions"], 3, |json, key| {
        match key {
            "total" => total = json.whole(&"the total", MAX_TOTAL)?,
            "averages" => {
                averages = json.list(&"a list of averages as text", |json| json.text(&"an average as text", number))?;
            }
            _ => positions = json.claims(average_claim)?,
        }
        Ok(())
    })?;
    let total = Total::new(total.into()).map_err(|error| json.bad_value(error.to_string()))?;
    Ok(ChipAveragesClaim { total, averages, positions })
}

fn average_claim(json: &mut JsonReader, position: String) -> Result<AverageClaim, FormatError> {
    let expected = "the list [averages, alice, bob] of three texts, each whole numbers with spaces between them";
    let read = json.value(&expected, |json| {
        let [ranks, alice, bob] = <[JsonText; 3]>::deserialize(json)?;
        let potentials = numbers(&alice.0).zip(numbers(&bob.0));
        Ok(numbers(&ranks.0).zip(potentials))
    })?;
    let (ranks, (alice, bob)) =
        read.ok_or_else(|| json.bad_value("a list of whole numbers has something else in it"))?;
    let claim = AverageClaim { position, ranks, potentials: ByPlayer::new(alice, bob) };
    json.hold(json.held.saturating_add(claim.lists() as u64))?;
    Ok(claim)
}
