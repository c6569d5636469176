//! What is saved of a mean-payoff game: averages or thresholds, and the potentials that prove them.

use std::io::{self, Write};
use std::str::FromStr;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{ByPlayer, MAX_TOTAL, Mechanism, PayoffBounds, Share, ShareBounds, Total, excerpt};
use richman_formats::saved::{BadClaim, Claim, HEAD, HeldClaim, check_distinct, held, share, write_json, write_lines};
use richman_formats::{FormatError, JsonReader, JsonText};
use serde::Deserialize;

/// A long-run average with real money, and the potential of every position. In JSON `{"share":
/// "1/2", "average": "1/3", "denominator": "3", "positions": {"...": "-2"}}`: Alice's share, the
/// average or bounds on it as `"0..1/3"`, and the numerator of each position's potential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeanPayoffClaim {
    /// Alice's share of the money.
    pub share: Share,
    /// The average, or bounds on it.
    pub average: PayoffBounds,
    /// The denominator of all potentials.
    pub denominator: UBig,
    /// The potential of each position.
    pub positions: Vec<PotentialValue>,
}

/// The potential of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PotentialValue {
    /// The position in the game's notation.
    pub position: String,
    /// The numerator of its potential.
    pub numerator: IBig,
}

impl HeldClaim for PotentialValue {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        (HEAD + self.numerator.bit_len() / 8) as u64
    }
}

impl Claim for MeanPayoffClaim {
    const KEY: &'static str = "mean_payoff";

    fn read(json: &mut JsonReader) -> Result<MeanPayoffClaim, FormatError> {
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
                    claim.positions = json.claims(|json, position| {
                        let numerator = json.text(&"a whole number as text", whole)?;
                        Ok(PotentialValue { position, numerator })
                    })?;
                }
            }
            Ok(())
        })?;
        Ok(claim)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let MeanPayoffClaim { share, average, denominator, positions } = self;
        write!(out, "{{\n    \"share\": \"{share}\",\n    \"average\": \"{average}\",\n")?;
        write!(out, "    \"denominator\": \"{denominator}\",\n    \"positions\": ")?;
        write_lines(out, "    ", positions, |out, PotentialValue { position, numerator }| {
            write_json(out, position)?;
            write!(out, ": \"{numerator}\"")
        })?;
        write!(out, "\n  }}")
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
}

/// What Alice needs with real money for a long-run average, and what proves it. In JSON `{"least":
/// "3/2", "needs": "1/2", "positions": {"...": ["1/2", alice, bob]}}`: the average, her share or
/// bounds on it, and the potentials of both players, which count where play cannot leave.
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
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        let digits = |of: &RBig| 2 * HEAD + (of.numerator().bit_len() + of.denominator().bit_len()) / 8;
        self.potentials.iter().map(digits).sum::<usize>() as u64 + self.needs.heap_bytes()
    }
}

impl Claim for PayoffSharesClaim {
    const KEY: &'static str = "mean_payoff_shares";

    fn read(json: &mut JsonReader) -> Result<PayoffSharesClaim, FormatError> {
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

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let PayoffSharesClaim { least, needs, positions } = self;
        write!(out, "{{\n    \"least\": \"{least}\",\n    \"needs\": \"{needs}\",\n    \"positions\": ")?;
        write_lines(out, "    ", positions, |out, PayoffShareValue { position, needs, potentials }| {
            write_json(out, position)?;
            write!(out, ": [\"{needs}\",\"{}\",\"{}\"]", potentials.alice, potentials.bob)
        })?;
        write!(out, "\n  }}")
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
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
    let excerpt = || excerpt(text);
    let other = |_| richman_core::Error::NotANumber { text: excerpt() }.to_string();
    let read: PayoffBounds = text.parse().map_err(other)?;
    read.as_exact().cloned().ok_or_else(|| format!("{:?} is not one number", excerpt()))
}

fn whole(text: &str) -> Result<IBig, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole =
        !digits.is_empty() && digits.len() <= Share::MAX_TEXT && digits.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_whole { text.parse().ok() } else { None };
    read.ok_or_else(|| format!("{:?} is not a whole number", excerpt(text)))
}

/// The long-run averages for every holding with one total of chips. In JSON `{"total": 2,
/// "averages": ["0", "1/4"], "positions": {"...": [averages, alice, bob]}}`. Each list is a text of
/// whole numbers, one for each holding of Alice, without the star from 0 chips on and then with it:
/// which of the averages it is worth, and the potentials of both players.
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
    /// The lists as they are written.
    fn texts(&self) -> Vec<String> {
        vec![listed(&self.ranks), listed(&self.potentials.alice), listed(&self.potentials.bob)]
    }

    /// Bytes of the lists.
    fn lists(&self) -> usize {
        let potentials = self.potentials.iter().map(|of| HEAD + size_of_val(&of[..])).sum::<usize>();
        HEAD + size_of_val(&self.ranks[..]) + potentials
    }
}

impl HeldClaim for AverageClaim {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        self.lists() as u64
    }
}

impl Claim for ChipAveragesClaim {
    const KEY: &'static str = "mean_payoff_chips";

    fn read(json: &mut JsonReader) -> Result<ChipAveragesClaim, FormatError> {
        let (total, averages, positions) = read_averages(json, "the claim for averages with chips", average_claim)?;
        Ok(ChipAveragesClaim { total, averages, positions })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_averages(out, (self.total, &self.averages), &self.positions, AverageClaim::texts)
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
}

/// Reads a total, the averages that occur, and the claims at all positions.
fn read_averages<V>(
    json: &mut JsonReader,
    what: &str,
    claim: impl Fn(&mut JsonReader, String) -> Result<V, FormatError>,
) -> Result<(Total, Vec<RBig>, Vec<V>), FormatError> {
    let (mut total, mut averages, mut positions) = (0, Vec::new(), Vec::new());
    json.object(what, &["total", "averages", "positions"], 3, |json, key| {
        match key {
            "total" => total = json.whole(&"the total", MAX_TOTAL)?,
            "averages" => {
                averages = json.list(&"a list of averages as text", |json| json.text(&"an average as text", number))?;
            }
            _ => positions = json.claims(&claim)?,
        }
        Ok(())
    })?;
    let total = Total::new(total).map_err(|error| json.bad_value(error.to_string()))?;
    Ok((total, averages, positions))
}

/// Writes the same; `texts` are those of a position.
fn write_averages<V: HeldClaim>(
    out: &mut dyn Write,
    (total, averages): (Total, &[RBig]),
    positions: &[V],
    texts: impl Fn(&V) -> Vec<String>,
) -> io::Result<()> {
    let averages: Vec<String> = averages.iter().map(RBig::to_string).collect();
    write!(out, "{{\n    \"total\": {total},\n    \"averages\": ")?;
    write_json(out, &averages)?;
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", positions, |out, claim| {
        write_json(out, claim.position())?;
        write!(out, ": ")?;
        write_json(out, &texts(claim))
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
    json.hold_more(claim.lists() as u64)?;
    Ok(claim)
}

/// The least credits for every holding with one total of chips, and the averages. In JSON as the
/// averages alone, with two more lists for each position: the least credits, `-` where none
/// suffices, and the stages that prove that less does not suffice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditsClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// The averages that occur.
    pub averages: Vec<RBig>,
    /// The claims at every position.
    pub positions: Vec<CreditClaim>,
}

/// The least credits at a position, for each of Alice's holdings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditClaim {
    /// The position and its averages.
    pub average: AverageClaim,
    /// The least credits; `None` where none suffices.
    pub credits: Vec<Option<i64>>,
    /// What proves that less does not suffice.
    pub stages: Vec<u64>,
}

impl CreditClaim {
    fn texts(&self) -> Vec<String> {
        let credit = |credit: &Option<i64>| credit.map_or("-".to_string(), |credit| credit.to_string());
        let credits: Vec<String> = self.credits.iter().map(credit).collect();
        let mut texts = self.average.texts();
        texts.extend([listed(&credits), listed(&self.stages)]);
        texts
    }
}

impl HeldClaim for CreditClaim {
    fn position(&self) -> &str {
        &self.average.position
    }

    fn behind(&self) -> u64 {
        let lists = 2 * HEAD + size_of_val(&self.credits[..]) + size_of_val(&self.stages[..]);
        lists as u64 + self.average.behind()
    }
}

impl Claim for CreditsClaim {
    const KEY: &'static str = "mean_payoff_credits";

    fn read(json: &mut JsonReader) -> Result<CreditsClaim, FormatError> {
        let (total, averages, positions) = read_averages(json, "the claim for credits with chips", credit_claim)?;
        Ok(CreditsClaim { total, averages, positions })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_averages(out, (self.total, &self.averages), &self.positions, CreditClaim::texts)
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
}

/// A credit, or `-`.
struct CreditText(Option<i64>);

impl FromStr for CreditText {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<CreditText, Self::Err> {
        if text == "-" { Ok(CreditText(None)) } else { text.parse().map(|credit| CreditText(Some(credit))) }
    }
}

fn credit_claim(json: &mut JsonReader, position: String) -> Result<CreditClaim, FormatError> {
    let expected = "the list [averages, alice, bob, credits, stages] of five texts, each whole numbers with spaces \
                    between them";
    let read = json.value(&expected, |json| {
        let [ranks, alice, bob, credits, stages] = <[JsonText; 5]>::deserialize(json)?;
        let potentials = numbers(&alice.0).zip(numbers(&bob.0));
        let credits = numbers::<CreditText>(&credits.0).zip(numbers(&stages.0));
        Ok(numbers(&ranks.0).zip(potentials).zip(credits))
    })?;
    let ((ranks, (alice, bob)), (credits, stages)) =
        read.ok_or_else(|| json.bad_value("a list of whole numbers has something else in it"))?;
    let average = AverageClaim { position, ranks, potentials: ByPlayer::new(alice, bob) };
    let credits = credits.into_iter().map(|credit| credit.0).collect();
    let claim = CreditClaim { average, credits, stages };
    json.hold_more(claim.behind())?;
    Ok(claim)
}
