//! The part of a saved solution with the long-run average of a game and the potentials that prove
//! it.

use std::io::{self, Write};

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{PayoffBounds, Share};

use crate::FormatError;
use crate::json::JsonReader;
use crate::saved::{json, write_lines};

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

impl MeanPayoffClaim {
    /// About how many bytes are held besides the claim.
    pub(crate) fn bytes(&self) -> u64 {
        /// The allocator's overhead for a name and a number.
        const HEADS: usize = 32;
        let value = |(position, potential): &(String, IBig)| {
            (size_of::<(String, IBig)>() + HEADS + position.len()) as u64 + potential.bit_len() as u64 / 8
        };
        self.positions.iter().map(value).sum()
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

fn whole(text: &str) -> Result<IBig, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole =
        !digits.is_empty() && digits.len() <= Share::MAX_TEXT && digits.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_whole { text.parse().ok() } else { None };
    read.ok_or_else(|| format!("{:?} is not a whole number", crate::error::excerpt(text)))
}
