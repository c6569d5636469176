//! The part of a saved chip solution with what each player needs at a position, by number of moves.

use std::io::{self, Write};

use richman_core::{ByPlayer, Goal, PurseSide, PurseStage, Stage, Threshold};
use richman_formats::saved::{HEAD, HeldClaim, write_json};
use richman_formats::{FormatError, JsonReader};
use serde::Deserialize;

/// A stage with or without the star, against a given number of the opponent's chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellStage {
    /// Whether the player holds the star.
    pub star: bool,
    /// The opponent's chips.
    pub other: u32,
    /// The number of moves, and the chips that suffice within it.
    pub stage: PurseStage,
}

/// What each player can force at one position, in that player's own chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionClaim<S> {
    /// The position in the game's notation.
    pub position: String,
    /// What each player needs to force a win, falling with the moves allowed.
    pub wins: ByPlayer<Vec<S>>,
    /// What each needs to force at least a draw, rising; only if play may be undetermined.
    pub guards: Option<ByPlayer<Vec<S>>>,
}

impl<S> PositionClaim<S> {
    /// The stages of both players, and the guards if any.
    pub fn sides(&self) -> impl Iterator<Item = &Vec<S>> {
        self.wins.iter().chain(self.guards.iter().flat_map(ByPlayer::iter))
    }
}

impl<S> HeldClaim for PositionClaim<S> {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        self.sides().map(|stages| (HEAD + size_of_val(&stages[..])) as u64).sum()
    }
}

/// The claim for one total of chips.
pub type ChipValue = PositionClaim<Stage>;

/// The claim for a range of purses. Stages are ordered by star (without first), the opponent's
/// chips, and moves.
pub type PurseValue = PositionClaim<CellStage>;

/// A stage written as a list of numbers.
pub(crate) trait Staged: Copy {
    fn write(self, out: &mut dyn Write) -> io::Result<()>;

    /// Reads a player's stages in order: their thresholds fall for a win and rise for a draw.
    fn read(json: &mut JsonReader, goal: Goal) -> Result<Vec<Self>, FormatError>;
}

pub(crate) fn write<S: Staged>(out: &mut dyn Write, claim: &PositionClaim<S>) -> io::Result<()> {
    write_json(out, &claim.position)?;
    write!(out, ": {{\"alice\":")?;
    write_stages(out, &claim.wins.alice)?;
    write!(out, ",\"bob\":")?;
    write_stages(out, &claim.wins.bob)?;
    if let Some(ByPlayer { alice, bob }) = &claim.guards {
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

pub(crate) fn read<S: Staged>(json: &mut JsonReader, position: String) -> Result<PositionClaim<S>, FormatError> {
    const WHAT: &str = "the claim for a position";
    let (mut wins, mut guards) = (ByPlayer::new(Vec::new(), Vec::new()), ByPlayer::new(None, None));
    json.object(WHAT, &["alice", "bob", "alice_holds", "bob_holds"], 2, |json, key| {
        match key {
            "alice" => wins.alice = S::read(json, Goal::Win)?,
            "bob" => wins.bob = S::read(json, Goal::Win)?,
            "alice_holds" => guards.alice = Some(S::read(json, Goal::Draw)?),
            _ => guards.bob = Some(S::read(json, Goal::Draw)?),
        }
        Ok(())
    })?;
    let guards = match guards {
        ByPlayer { alice: None, bob: None } => None,
        ByPlayer { alice: Some(alice), bob: Some(bob) } => Some(ByPlayer { alice, bob }),
        ByPlayer { alice: None, .. } => return Err(json.missing(WHAT, "alice_holds")),
        ByPlayer { bob: None, .. } => return Err(json.missing(WHAT, "bob_holds")),
    };
    Ok(PositionClaim { position, wins, guards })
}

impl Staged for Stage {
    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let Threshold { plain, star } = self.threshold;
        write!(out, "[{},{plain},{star}]", self.within)
    }

    fn read(json: &mut JsonReader, goal: Goal) -> Result<Vec<Stage>, FormatError> {
        let rises = goal == Goal::Draw;
        let expected = "a list of stages [within, plain, star], each of 3 whole numbers from 0 to 4294967295";
        let read = json.value(&expected, |json| <Vec<[u32; 3]>>::deserialize(json))?;
        // Rising needs begin with nothing.
        let mut before = rises.then_some(Threshold::NOTHING);
        let mut moves = None;
        let mut stages: Vec<Stage> = Vec::with_capacity(read.len());
        for [within, plain, star] in read {
            ascending(json, moves, within)?;
            let threshold = Threshold { plain, star };
            if let Some(before) = before {
                let (low, high) = if rises { (before, threshold) } else { (threshold, before) };
                if low.plain > high.plain || low.star > high.star || low == high {
                    let [change, never, one] =
                        if rises { ["raise", "fall", "rise"] } else { ["lower", "rise", "fall"] };
                    return Err(json.bad_value(format!(
                        "the stage within {within} does not {change} the threshold: neither number may {never}, and \
                         one must {one}"
                    )));
                }
            }
            (moves, before) = (Some(within), Some(threshold));
            stages.push(Stage { within, threshold });
        }
        Ok(stages)
    }
}

fn ascending(json: &JsonReader, before: Option<u32>, within: u32) -> Result<(), FormatError> {
    match before {
        Some(before) if within <= before => {
            Err(json.bad_value(format!("a stage within {within} follows one within {before}: they must ascend")))
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

    fn read(json: &mut JsonReader, goal: Goal) -> Result<Vec<CellStage>, FormatError> {
        let rises = goal == Goal::Draw;
        let expected = "a list of stages [star, other, within, least], each of 4 whole numbers from 0 to 4294967294, \
                        the last of which may be null";
        let read = json.value(&expected, |json| <Vec<(u32, u32, u32, Option<u32>)>>::deserialize(json))?;
        let mut stages: Vec<CellStage> = Vec::with_capacity(read.len());
        for (star, other, within, least) in read {
            // In memory, u32::MAX means never.
            if [star, other, within, least.unwrap_or(0)].contains(&PurseSide::NEVER) {
                return Err(json.bad_value("a number of a stage is 4294967295: it must be from 0 to 4294967294"));
            }
            if star > 1 {
                return Err(
                    json.bad_value(format!("the first number of a stage is {star}: write 1 for the star, 0 without"))
                );
            }
            let (star, least) = (star == 1, least.unwrap_or(PurseSide::NEVER));
            let before = stages.last().copied();
            if before.is_some_and(|before| (before.star, before.other) > (star, other)) {
                return Err(json.bad_value(format!(
                    "the stages against {other} chips come late: without the star first, \
                     then by the other player's chips"
                )));
            }
            let before =
                before.filter(|before| (before.star, before.other) == (star, other)).map(|before| before.stage);
            ascending(json, before.map(|before| before.within), within)?;
            let needed = before.map_or(if rises { 0 } else { PurseSide::NEVER }, |before| before.least);
            if if rises { least <= needed } else { least >= needed } {
                let change = if rises { "raise" } else { "lower" };
                return Err(json.bad_value(format!(
                    "the stage against {other} chips within {within} does not {change} what is needed"
                )));
            }
            stages.push(CellStage { star, other, stage: PurseStage { within, least } });
        }
        Ok(stages)
    }
}
