//! The claim for totals of chips.

use std::io::{self, Write};

use richman_core::{MAX_TOTAL, Mechanism, Threshold, Total};
use richman_formats::saved::{
    BadClaim, Claim, check_distinct, check_totals, held, listed_claims, write_claims, write_lines,
};
use richman_formats::{FormatError, JsonReader};

use super::sides::{self, ChipValue};

/// What players need of totals of chips. In JSON a list with, for each total, `{"total": 8, "win":
/// {"plain": 5, "star": 4}, "draw": {...}, "positions": {"...": {"alice": [[within, plain, star],
/// ...], "bob": [...]}}}`.
///
/// If play may be undetermined, a position also has `"alice_holds"` and `"bob_holds"`: what each
/// player needs to force at least a draw, in the same form. These rise from nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipClaims {
    /// One claim for each total: at least one, with distinct totals.
    pub totals: Vec<ChipClaim>,
}

/// The claim for one total of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// Alice's win threshold at the solved position, in chips.
    pub win: Threshold,
    /// Her draw threshold there, in chips.
    pub draw: Threshold,
    /// The claims at every position.
    pub positions: Vec<ChipValue>,
}

impl Claim for ChipClaims {
    const KEY: &'static str = "chips";

    fn read(json: &mut JsonReader) -> Result<ChipClaims, FormatError> {
        Ok(ChipClaims { totals: listed_claims(json, Self::KEY, chips)? })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_claims(out, &self.totals, |out, claim| {
            write!(out, "\"total\": {}", claim.total)?;
            for (key, Threshold { plain, star }) in [("win", claim.win), ("draw", claim.draw)] {
                write!(out, ",\n      \"{key}\": {{\"plain\":{plain},\"star\":{star}}}")?;
            }
            write!(out, ",\n      \"positions\": ")?;
            write_lines(out, "      ", &claim.positions, sides::write)
        })
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_totals(self.totals.iter().map(|claim| claim.total))?;
        self.totals.iter().try_for_each(|claim| {
            check_distinct(&claim.positions)?;
            check_ranges(claim)
        })
    }

    fn bytes(&self) -> u64 {
        self.totals.iter().map(|claim| held(&claim.positions)).sum()
    }
}

/// Checks that no threshold exceeds total + 1.
fn check_ranges(claim: &ChipClaim) -> Result<(), BadClaim> {
    let most = claim.total.chips() + 1;
    let check = |position: Option<&String>, what: &str, threshold: Threshold| {
        let largest = threshold.plain.max(threshold.star);
        if largest <= most {
            return Ok(());
        }
        let total = claim.total;
        let reason = format!("{what} of {largest} is out of range for {total} chips: it must be from 0 to {most}");
        Err(BadClaim { position: position.cloned(), reason })
    };
    check(None, "a win threshold", claim.win)?;
    check(None, "a draw threshold", claim.draw)?;
    for value in &claim.positions {
        let what = ["a threshold of Alice", "a threshold of Bob", "a threshold to draw", "a threshold to draw"];
        for (stages, what) in value.sides().zip(what) {
            stages.iter().try_for_each(|stage| check(Some(&value.position), what, stage.threshold))?;
        }
    }
    Ok(())
}

fn chips(json: &mut JsonReader) -> Result<ChipClaim, FormatError> {
    let mut total = 0;
    let [mut win, mut draw] = [Threshold::NOTHING; 2];
    let mut positions = Vec::new();
    json.object("the claim for a total of chips", &["total", "win", "draw", "positions"], 4, |json, key| {
        match key {
            "total" => total = json.whole(&"the total", MAX_TOTAL)?,
            "win" => win = threshold(json)?,
            "draw" => draw = threshold(json)?,
            _ => positions = json.claims(sides::read)?,
        }
        Ok(())
    })?;
    let total = Total::new(total).map_err(|error| json.bad_value(error.to_string()))?;
    Ok(ChipClaim { total, win, draw, positions })
}

fn threshold(json: &mut JsonReader) -> Result<Threshold, FormatError> {
    let [plain, star] = json.numbers("a threshold", ["plain", "star"], MAX_TOTAL + 1)?;
    Ok(Threshold { plain, star })
}
