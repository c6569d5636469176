//! The part of a saved solution that claims what suffices with every purse: written and read.

use std::io::{self, Write};

use richman_core::{MAX_TOTAL, Mechanism, Player, PurseSide, Purses, Total};
use serde::de::{Error, MapAccess};

use crate::json::{Context, Fields, Object, Positions, Whole, bad_word};
use crate::saved::write_lines;
use crate::saved_sides::{self, CellStage, PurseValue, SidesFields};

/// What is claimed for every purse of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseClaim {
    /// The purses.
    pub purses: Purses,
    /// What is claimed at every position.
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

/// No number of a stage may be outside the purses, and no star where there is none. What it is about may stand after the positions,
/// so this waits until all is read. The error is the position and the reason.
pub(crate) fn check_ranges<'a>(mechanism: &Mechanism, claim: &'a PurseClaim) -> Result<(), (&'a String, String)> {
    for value in &claim.positions {
        let wins = [(Player::Alice, &value.alice), (Player::Bob, &value.bob)];
        let guards = value.guards.iter().flat_map(|guards| Player::BOTH.into_iter().zip(guards));
        for (player, stages) in wins.into_iter().chain(guards) {
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
                        "a stage of {player} of {least} against {other} chips is out of range: it must be from 0 to {most}"
                    )
                };
                return Err((&value.position, reason));
            }
        }
    }
    Ok(())
}

#[derive(Default)]
pub(crate) struct PurseFields {
    purses: Option<Purses>,
    positions: Option<Vec<(String, PurseValue)>>,
}

impl<'de> Fields<'de> for PurseFields {
    type Value = PurseClaim;
    const OBJECT: &'static str = "the claim for purses";
    const KEYS: &'static [&'static str] = &["purses", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "purses" => self.purses = Some(map.next_value_seed(Object::<RangeFields>::new(context))?),
            _ => {
                let value = Object::<SidesFields<CellStage>>::new(context);
                self.positions = Some(map.next_value_seed(Positions { context, longest: usize::MAX, value })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<PurseClaim, E> {
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        Ok(PurseClaim {
            purses: context.required(self.purses, Self::OBJECT, "purses")?,
            positions: saved_sides::named(positions),
        })
    }
}

#[derive(Default)]
struct RangeFields {
    alice: Option<u32>,
    bob: Option<u32>,
    together: Option<u32>,
    exactly: Option<u32>,
}

impl<'de> Fields<'de> for RangeFields {
    type Value = Purses;
    const OBJECT: &'static str = "the purses";
    const KEYS: &'static [&'static str] = &["alice", "bob", "together", "exactly"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let chips = Some(map.next_value_seed(Whole { context, what: "a number of chips", most: MAX_TOTAL })?);
        match key {
            "alice" => self.alice = chips,
            "bob" => self.bob = chips,
            "together" => self.together = chips,
            _ => self.exactly = chips,
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Purses, E> {
        match (self.alice, self.bob, self.together, self.exactly) {
            (Some(alice), Some(bob), None, None) => {
                Total::new(u64::from(alice) + u64::from(bob)).map_err(|error| context.fail(bad_word(error)))?;
                Ok(Purses::UpTo { alice, bob })
            }
            (None, None, Some(total), None) => Ok(Purses::Together(total)),
            (None, None, None, Some(total)) => Ok(Purses::Exactly(total)),
            _ => Err(context.bad_value(
                "the purses are {\"alice\":a,\"bob\":b} for at most so many each, {\"together\":t} or {\"exactly\":t}",
            )),
        }
    }
}
