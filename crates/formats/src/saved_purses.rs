//! The part of a saved solution with claims for every purse.

use std::io::{self, Write};

use richman_core::{MAX_TOTAL, Mechanism, Player, PurseSide, Purses, Total};

use crate::FormatError;
use crate::json::JsonReader;
use crate::saved::write_lines;
use crate::saved_sides::{self, CellStage, PurseValue};

/// The claims for a range of purses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseClaim {
    /// The purses.
    pub purses: Purses,
    /// The claims at every position.
    pub positions: Vec<PurseValue>,
}

pub(crate) fn write(out: &mut dyn Write, claims: &[PurseClaim]) -> io::Result<()> {
    write!(out, ",\n  \"purses\": [")?;
    for (at, claim) in claims.iter().enumerate() {
        write!(out, "{}\n    {{\n      \"purses\": ", if at == 0 { "" } else { "," })?;
        match claim.purses {
            Purses::UpTo { alice, bob } => write!(out, "{{\"alice\":{alice},\"bob\":{bob}}}")?,
            Purses::Together(total) => write!(out, "{{\"together\":{total}}}")?,
            Purses::Exactly(total) => write!(out, "{{\"exactly\":{total}}}")?,
        }
        write!(out, ",\n      \"positions\": ")?;
        write_lines(out, "      ", &claim.positions, saved_sides::write)?;
        write!(out, "\n    }}")?;
    }
    write!(out, "\n  ]")
}

/// Checks that all stages are within the purses, and none has a star under ties without one. It
/// runs after reading, because the purses may follow the positions. The error is the position and
/// the reason.
pub(crate) fn check_ranges<'a>(mechanism: &Mechanism, claim: &'a PurseClaim) -> Result<(), (&'a String, String)> {
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
                return Err((&value.position, reason));
            }
        }
    }
    Ok(())
}

pub(crate) fn read(json: &mut JsonReader) -> Result<PurseClaim, FormatError> {
    let (mut purses, mut positions) = (Purses::Together(0), Vec::new());
    json.object("the claim for purses", &["purses", "positions"], 2, |json, key| {
        match key {
            "purses" => purses = range(json)?,
            _ => positions = json.claims(saved_sides::read)?,
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
            Total::new(u64::from(alice) + u64::from(bob)).map_err(|error| json.bad_value(error.to_string()))?;
            Ok(Purses::UpTo { alice, bob })
        }
        [("together", total)] => Ok(Purses::Together(total)),
        [("exactly", total)] => Ok(Purses::Exactly(total)),
        _ => Err(json.bad_value(
            "the purses are {\"alice\":a,\"bob\":b} for at most so many each, {\"together\":t} or {\"exactly\":t}",
        )),
    }
}
