//! The claim for two purses.

use std::collections::HashSet;
use std::io::{self, Write};

use richman_core::{MAX_TOTAL, Mechanism, Player, PurseSide, Purses, Total};
use richman_formats::saved::{BadClaim, Claim, check_distinct, held, listed_claims, write_claims, write_lines};
use richman_formats::{FormatError, JsonReader};

use super::sides::{self, CellStage, PurseValue};

/// The claims for a range of purses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseClaim {
    /// The purses.
    pub purses: Purses,
    /// The claims at every position.
    pub positions: Vec<PurseValue>,
}

/// What players need, purse by purse. In JSON a list of `{"purses": {"alice": 8, "bob": 8},
/// "positions": {"...": {"alice": [[star, other, within, least], ...], "bob": [...]}}}`. With the
/// star (1) or without (0), against `other` chips of the opponent, the player needs `least` chips
/// to win within `within` moves. Purses are at most `{"alice": a, "bob": b}`, or `{"together": 8}`,
/// or `{"exactly": 8}`.
///
/// If play may be undetermined, a position with chips also has `"alice_holds"` and `"bob_holds"`:
/// what each player needs to force at least a draw, in the same form. These rise from nothing, and
/// `null` means never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseClaims {
    /// One claim for each range of purses: at least one, with distinct ranges.
    pub ranges: Vec<PurseClaim>,
}

impl Claim for PurseClaims {
    const KEY: &'static str = "purses";

    fn read(json: &mut JsonReader) -> Result<PurseClaims, FormatError> {
        Ok(PurseClaims { ranges: listed_claims(json, Self::KEY, read)? })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_claims(out, &self.ranges, |out, claim| {
            write!(out, "\"purses\": ")?;
            match claim.purses {
                Purses::UpTo { alice, bob } => write!(out, "{{\"alice\":{alice},\"bob\":{bob}}}")?,
                Purses::Together(total) => write!(out, "{{\"together\":{total}}}")?,
                Purses::Exactly(total) => write!(out, "{{\"exactly\":{total}}}")?,
            }
            write!(out, ",\n      \"positions\": ")?;
            write_lines(out, "      ", &claim.positions, sides::write)
        })
    }

    fn check(&self, mechanism: &Mechanism) -> Result<(), BadClaim> {
        let mut seen = HashSet::new();
        if self.ranges.iter().any(|claim| !seen.insert(claim.purses)) {
            return Err(BadClaim::new("the same purses are given twice: give them once".to_string()));
        }
        self.ranges.iter().try_for_each(|claim| {
            check_distinct(&claim.positions)?;
            check_ranges(mechanism, claim)
        })
    }

    fn bytes(&self) -> u64 {
        self.ranges.iter().map(|claim| held(&claim.positions)).sum()
    }
}

/// Checks that all stages are within the purses, and none has a star under ties without one.
fn check_ranges(mechanism: &Mechanism, claim: &PurseClaim) -> Result<(), BadClaim> {
    for value in &claim.positions {
        for (player, stages) in Player::BOTH.into_iter().cycle().zip(value.sides()) {
            for CellStage { star, other, stage } in stages {
                let most = claim.purses.most(player.other());
                let reason = if *star && !mechanism.has_star() {
                    format!("a stage of {player} with the star, but with ties {} there is none", mechanism.ties)
                } else if *other > most {
                    format!("a stage of {player} against {other} chips is out of range: it must be from 0 to {most}")
                } else {
                    let most = *claim.purses.against(player, *other).end();
                    if stage.least <= most || stage.least == PurseSide::NEVER {
                        continue;
                    }
                    let least = stage.least;
                    format!(
                        "a stage of {player} of {least} against {other} chips is out of range: \
                         it must be from 0 to {most}"
                    )
                };
                return Err(BadClaim::at(&value.position, reason));
            }
        }
    }
    Ok(())
}

fn read(json: &mut JsonReader) -> Result<PurseClaim, FormatError> {
    let (mut purses, mut positions) = (Purses::Together(0), Vec::new());
    json.object("the claim for purses", &["purses", "positions"], 2, |json, key| {
        match key {
            "purses" => purses = range(json)?,
            _ => positions = json.claims(sides::read)?,
        }
        Ok(())
    })?;
    Ok(PurseClaim { purses, positions })
}

fn range(json: &mut JsonReader) -> Result<Purses, FormatError> {
    let mut given = Vec::new();
    json.object("the purses", &["alice", "bob", "together", "exactly"], 0, |json, key| {
        given.push((key, json.whole(&"a number of chips", MAX_TOTAL)?));
        Ok(())
    })?;
    match given[..] {
        [("alice", alice), ("bob", bob)] | [("bob", bob), ("alice", alice)] => {
            Total::new(alice.saturating_add(bob)).map_err(|error| json.bad_value(error.to_string()))?;
            Ok(Purses::UpTo { alice, bob })
        }
        [("together", total)] => Ok(Purses::Together(total)),
        [("exactly", total)] => Ok(Purses::Exactly(total)),
        _ => Err(json.bad_value(
            "the purses are {\"alice\":a,\"bob\":b} for at most so many each, {\"together\":t} or {\"exactly\":t}",
        )),
    }
}
