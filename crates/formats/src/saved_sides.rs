//! The part of a saved solution with chips that says what both players need at a position, as more moves are allowed.

use std::fmt;
use std::io::{self, Write};

use richman_core::{PurseSide, PurseStage, Stage, Threshold};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::json::{Context, Exactly, Fields, List, Whole};
use crate::saved::json;

/// A stage of one cell: with or without the star, and against so many chips of the other player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellStage {
    /// Whether the player holds the star.
    pub star: bool,
    /// The other player's chips.
    pub other: u32,
    /// From how many moves on which chips suffice.
    pub stage: PurseStage,
}

/// What each player can force at one position, in that player's own chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionClaim<S> {
    /// The position in the game's notation.
    pub position: String,
    /// How what Alice needs for a forced win falls as more moves are allowed.
    pub alice: Vec<S>,
    /// The same for Bob.
    pub bob: Vec<S>,
    /// What Alice and Bob need to force at least a draw, which rises; only where play may be undetermined.
    pub guards: Option<[Vec<S>; 2]>,
}

/// With one total of chips.
pub type ChipValue = PositionClaim<Stage>;

/// With a range of purses. Stages are ordered by the star (without it first), the other player's chips and the number of moves.
pub type PurseValue = PositionClaim<CellStage>;

/// Claims by the positions that they are about.
pub(crate) fn named<S>(claims: Vec<(String, PositionClaim<S>)>) -> Vec<PositionClaim<S>> {
    claims.into_iter().map(|(position, claim)| PositionClaim { position, ..claim }).collect()
}

/// A stage that is written as a list of numbers.
pub(crate) trait Staged: Copy {
    fn write(self, out: &mut dyn Write) -> io::Result<()>;

    /// Reads the stages of a player, in order: `rises` says whether their needs rise.
    fn read<'de, A: MapAccess<'de>>(context: &Context<'_>, rises: bool, map: &mut A) -> Result<Vec<Self>, A::Error>;
}

pub(crate) fn write<S: Staged>(out: &mut dyn Write, claim: &PositionClaim<S>) -> io::Result<()> {
    json(out, &claim.position)?;
    write!(out, ": {{\"alice\":")?;
    write_stages(out, &claim.alice)?;
    write!(out, ",\"bob\":")?;
    write_stages(out, &claim.bob)?;
    if let Some([alice, bob]) = &claim.guards {
        write!(out, ",\"alice_holds\":")?;
        write_stages(out, alice)?;
        write!(out, ",\"bob_holds\":")?;
        write_stages(out, bob)?;
    }
    write!(out, "}}")
}

fn write_stages<S: Staged>(out: &mut dyn Write, stages: &[S]) -> io::Result<()> {
    write!(out, "[")?;
    for (at, stage) in stages.iter().enumerate() {
        if at > 0 {
            write!(out, ",")?;
        }
        stage.write(out)?;
    }
    write!(out, "]")
}

pub(crate) struct SidesFields<S> {
    alice: Option<Vec<S>>,
    bob: Option<Vec<S>>,
    alice_holds: Option<Vec<S>>,
    bob_holds: Option<Vec<S>>,
}

impl<S> Default for SidesFields<S> {
    fn default() -> Self {
        SidesFields { alice: None, bob: None, alice_holds: None, bob_holds: None }
    }
}

impl<'de, S: Staged> Fields<'de> for SidesFields<S> {
    type Value = PositionClaim<S>;
    const OBJECT: &'static str = "the claim for a position";
    const KEYS: &'static [&'static str] = &["alice", "bob", "alice_holds", "bob_holds"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "alice" => self.alice = Some(S::read(context, false, map)?),
            "bob" => self.bob = Some(S::read(context, false, map)?),
            "alice_holds" => self.alice_holds = Some(S::read(context, true, map)?),
            _ => self.bob_holds = Some(S::read(context, true, map)?),
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<PositionClaim<S>, E> {
        let guards = if self.alice_holds.is_none() && self.bob_holds.is_none() {
            None
        } else {
            let alice = context.required(self.alice_holds, Self::OBJECT, "alice_holds")?;
            Some([alice, context.required(self.bob_holds, Self::OBJECT, "bob_holds")?])
        };
        Ok(PositionClaim {
            position: String::new(),
            alice: context.required(self.alice, Self::OBJECT, "alice")?,
            bob: context.required(self.bob, Self::OBJECT, "bob")?,
            guards,
        })
    }
}

impl Staged for Stage {
    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let Threshold { plain, star } = self.threshold;
        write!(out, "[{},{plain},{star}]", self.within)
    }

    fn read<'de, A: MapAccess<'de>>(context: &Context<'_>, rises: bool, map: &mut A) -> Result<Vec<Stage>, A::Error> {
        let number = Whole { context, what: "a number of a stage", most: u32::MAX };
        let item = Exactly::<3, _> { context, what: "a stage [within, plain, star]", item: number };
        let read = map.next_value_seed(List { what: "stages", item })?;
        // Needs that rise begin with nothing.
        let mut before = rises.then_some(Threshold::NOTHING);
        let mut moves = None;
        let mut stages: Vec<Stage> = Vec::with_capacity(read.len());
        for [within, plain, star] in read {
            ascending(context, moves, within)?;
            let threshold = Threshold { plain, star };
            if let Some(before) = before {
                let (low, high) = if rises { (before, threshold) } else { (threshold, before) };
                if low.plain > high.plain || low.star > high.star || low == high {
                    let reason = if rises {
                        format!(
                            "the stage within {within} does not raise the threshold: neither number may fall, and one \
                             must rise"
                        )
                    } else {
                        format!(
                            "the stage within {within} does not lower the threshold: neither number may rise, and one \
                             must fall"
                        )
                    };
                    return Err(context.bad_value(reason));
                }
            }
            (moves, before) = (Some(within), Some(threshold));
            stages.push(Stage { within, threshold });
        }
        Ok(stages)
    }
}

fn ascending<E: Error>(context: &Context<'_>, before: Option<u32>, within: u32) -> Result<(), E> {
    match before {
        Some(before) if within <= before => {
            Err(context.bad_value(format!("a stage within {within} follows one within {before}: they must ascend")))
        }
        _ => Ok(()),
    }
}

impl Staged for CellStage {
    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let CellStage { star, other, stage: PurseStage { within, least } } = self;
        write!(out, "[{},{other},{within},", u32::from(star))?;
        if least == PurseSide::NEVER { write!(out, "null]") } else { write!(out, "{least}]") }
    }

    fn read<'de, A: MapAccess<'de>>(
        context: &Context<'_>,
        rises: bool,
        map: &mut A,
    ) -> Result<Vec<CellStage>, A::Error> {
        let item = Exactly::<4, _> { context, what: "a stage [star, other, within, least]", item: OrNull { context } };
        let read = map.next_value_seed(List { what: "stages", item })?;
        let mut stages: Vec<CellStage> = Vec::with_capacity(read.len());
        for [star, other, within, least] in read {
            let number = |value: Option<u32>| {
                value.ok_or_else(|| context.bad_value("only the last number of a stage may be null"))
            };
            let star = match number(star)? {
                0 => false,
                1 => true,
                star => {
                    return Err(context
                        .bad_value(format!("the first number of a stage is {star}: write 1 for the star, 0 without")));
                }
            };
            let (other, within, least) = (number(other)?, number(within)?, least.unwrap_or(PurseSide::NEVER));
            let before = stages.last().copied();
            if before.is_some_and(|before| (before.star, before.other) > (star, other)) {
                return Err(context.bad_value(format!(
                    "the stages against {other} chips come late: without the star first, then by the other player's chips"
                )));
            }
            let before =
                before.filter(|before| (before.star, before.other) == (star, other)).map(|before| before.stage);
            ascending(context, before.map(|before| before.within), within)?;
            let needed = before.map_or(if rises { 0 } else { PurseSide::NEVER }, |before| before.least);
            if if rises { least <= needed } else { least >= needed } {
                let change = if rises { "raise" } else { "lower" };
                return Err(context.bad_value(format!(
                    "the stage against {other} chips within {within} does not {change} what is needed"
                )));
            }
            stages.push(CellStage { star, other, stage: PurseStage { within, least } });
        }
        Ok(stages)
    }
}

/// A whole number, or null.
#[derive(Clone, Copy)]
struct OrNull<'c, 'f> {
    context: &'c Context<'f>,
}

impl<'de> DeserializeSeed<'de> for OrNull<'_, '_> {
    type Value = Option<u32>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<u32>, D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for OrNull<'_, '_> {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or null for never")
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<u32>, E> {
        // u32::MAX stands for never in memory.
        let whole = Whole { context: self.context, what: "a number of a stage", most: u32::MAX - 1 };
        whole.visit_u64(number).map(Some)
    }
}
