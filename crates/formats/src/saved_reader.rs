//! Reading saved solutions, strictly and in one pass.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use richman_core::{MAX_TOTAL, Mechanism, ShareBounds, Stage, Threshold, Total};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::game_reader::{AnyGraph, GameFields};
use crate::json::{Context, Exactly, Fields, FromText, List, Object, Positions, Whole, bad_word, name, parse, word};
use crate::mechanism::MechanismFields;
use crate::saved::{FORMAT, VERSION};
use crate::saved_purses::{self, PurseFields};
use crate::saved_rules::RulesFields;
use crate::saved_sides::{self, SidesFields};
use crate::{
    ChipClaim, ChipValue, Claim, FormatError, GameFile, MAX_SAVED_BYTES, MoneyValue, Place, PurseClaim, SavedGame,
    SavedSolution,
};

/// Positions of games with names are as long as their boards are large.
const ANY_LENGTH: usize = usize::MAX;

/// Reads a saved solution from the bytes of a file; `source` is the name of the file in messages.
///
/// Whether the claims are true, complete and about positions of the game is not asked here. A game file within the
/// solution is checked like one on its own. Time and memory grow with the length of the text.
///
/// # Errors
/// A [`FormatError`] that names the file, the position where there is one, and the reason.
pub fn read(source: &str, text: &[u8]) -> Result<SavedSolution, FormatError> {
    read_within(source, text, u64::MAX)
}

/// The same with at most `memory` bytes, those of the text included.
///
/// # Errors
/// Those of [`read`], and [`richman_core::Error::TooMuchMemory`] as [`FormatError::Stopped`].
pub fn read_within(source: &str, text: &[u8], memory: u64) -> Result<SavedSolution, FormatError> {
    let context = Context::new(source).within(memory);
    let solution = parse(&context, text, MAX_SAVED_BYTES, Object::<SolutionFields>::new(&context))?;
    match &solution.claim {
        Claim::Money { positions, .. } => check_distinct(source, positions.iter().map(|value| &value.position))?,
        Claim::Rules(claim) => check_distinct(source, claim.positions.iter().map(|value| &value.position))?,
        Claim::Chips { totals } => {
            let mut seen = HashSet::new();
            if let Some(twice) = totals.iter().find(|claim| !seen.insert(claim.total)) {
                return Err(bad_value(source, None, format!("the total {} is given twice: give it once", twice.total)));
            }
            for claim in totals {
                check_distinct(source, claim.positions.iter().map(|value| &value.position))?;
                check_ranges(source, claim)?;
            }
        }
        Claim::Purses { ranges } => {
            let mut seen = HashSet::new();
            if ranges.iter().any(|claim| !seen.insert(claim.purses)) {
                return Err(bad_value(source, None, "the same purses are given twice: give them once".to_string()));
            }
            for claim in ranges {
                check_distinct(source, claim.positions.iter().map(|value| &value.position))?;
                saved_purses::check_ranges(&solution.mechanism, claim)
                    .map_err(|(position, reason)| bad_value(source, Some(position), reason))?;
            }
        }
    }
    Ok(solution)
}

fn bad_value(source: &str, position: Option<&String>, reason: String) -> FormatError {
    FormatError::BadValue { place: whole_file(source, position), reason }
}

fn whole_file(source: &str, position: Option<&String>) -> Box<Place> {
    Box::new(Place { file: source.to_string(), line: None, position: position.cloned() })
}

fn check_distinct<'a>(source: &str, positions: impl Iterator<Item = &'a String>) -> Result<(), FormatError> {
    let mut seen = HashSet::with_capacity(positions.size_hint().0);
    for position in positions {
        if !seen.insert(position.as_str()) {
            return Err(FormatError::DuplicatePosition { place: whole_file(source, Some(position)) });
        }
    }
    Ok(())
}

/// No threshold may exceed total + 1. The total may stand after the positions, so this waits until all is read.
fn check_ranges(source: &str, claim: &ChipClaim) -> Result<(), FormatError> {
    let most = claim.total.chips() + 1;
    let check = |position: Option<&String>, what: &str, threshold: Threshold| {
        let largest = threshold.plain.max(threshold.star);
        if largest <= most {
            return Ok(());
        }
        let total = claim.total;
        let reason = format!("{what} of {largest} is out of range for {total} chips: it must be from 0 to {most}");
        Err(bad_value(source, position, reason))
    };
    check(None, "a win threshold", claim.win)?;
    check(None, "a draw threshold", claim.draw)?;
    for value in &claim.positions {
        for stage in &value.alice {
            check(Some(&value.position), "a threshold of Alice", stage.threshold)?;
        }
        for stage in &value.bob {
            check(Some(&value.position), "a threshold of Bob", stage.threshold)?;
        }
        for stage in value.guards.iter().flatten().flatten() {
            check(Some(&value.position), "a threshold to draw", stage.threshold)?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct SolutionFields {
    format: bool,
    version: bool,
    game: Option<SavedGame>,
    position: Option<String>,
    mechanism: Option<Mechanism>,
    money: Option<Claim>,
    chips: Option<Claim>,
    rules: Option<Claim>,
    purses: Option<Claim>,
}

impl<'de> Fields<'de> for SolutionFields {
    type Value = SavedSolution;
    const OBJECT: &'static str = "the solution";
    const KEYS: &'static [&'static str] =
        &["format", "version", "game", "position", "mechanism", "money", "chips", "rules", "purses"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let text = |what| name(context, what, ANY_LENGTH);
        match key {
            "format" => {
                if map.next_value_seed(text("the format"))? != FORMAT {
                    return Err(context.bad_value(format!("this is not a saved solution: its format is not {FORMAT}")));
                }
                self.format = true;
            }
            "version" => {
                let found = map.next_value_seed(Whole { context, what: "the version", most: u32::MAX })?;
                if found > VERSION {
                    return Err(context.fail(move |place| FormatError::NewerVersion {
                        place,
                        found: found.into(),
                        newest: VERSION.into(),
                    }));
                }
                if found != VERSION {
                    return Err(context.bad_value(format!("the version is {found}: the first is 1")));
                }
                self.version = true;
            }
            "game" => self.game = Some(map.next_value_seed(GameSeed(context))?),
            "position" => self.position = Some(map.next_value_seed(text("the position"))?),
            "mechanism" => self.mechanism = Some(map.next_value_seed(Object::<MechanismFields>::new(context))?),
            "rules" => self.rules = Some(map.next_value_seed(Object::<RulesFields>::new(context))?),
            "money" => self.money = Some(map.next_value_seed(Object::<MoneyFields>::new(context))?),
            "purses" => {
                let item = Object::<PurseFields>::new(context);
                let ranges: Vec<PurseClaim> = map.next_value_seed(List { what: "claims for purses", item })?;
                if ranges.is_empty() {
                    return Err(context.bad_value("the list \"purses\" is empty: give at least one claim"));
                }
                self.purses = Some(Claim::Purses { ranges });
            }
            _ => {
                let item = Object::<ChipsFields>::new(context);
                let totals = map.next_value_seed(List { what: "totals", item })?;
                if totals.is_empty() {
                    return Err(context.bad_value("the list \"chips\" is empty: give at least one total"));
                }
                self.chips = Some(Claim::Chips { totals });
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<SavedSolution, E> {
        context.required(self.format.then_some(()), Self::OBJECT, "format")?;
        context.required(self.version.then_some(()), Self::OBJECT, "version")?;
        let game = context.required(self.game, Self::OBJECT, "game")?;
        let position = context.required(self.position, Self::OBJECT, "position")?;
        let mechanism = context.required(self.mechanism, Self::OBJECT, "mechanism")?;
        let mut claims = [self.money, self.chips, self.rules, self.purses].into_iter().flatten();
        let (Some(claim), None) = (claims.next(), claims.next()) else {
            return Err(context
                .bad_value("the solution must have exactly one of \"money\", \"chips\", \"rules\" and \"purses\""));
        };
        Ok(SavedSolution { game, position, mechanism, claim })
    }
}

struct GameSeed<'c, 'f>(&'c Context<'f>);

impl<'de> DeserializeSeed<'de> for GameSeed<'_, '_> {
    type Value = SavedGame;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<SavedGame, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for GameSeed<'_, '_> {
    type Value = SavedGame;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a game: its name, or {\"file\": game file}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SavedGame, E> {
        Ok(SavedGame::Named(name(self.0, "the name of the game", ANY_LENGTH).visit_str(text)?))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SavedGame, A::Error> {
        Ok(SavedGame::File(Object::<EmbeddedFields>::new(self.0).visit_map(map)?))
    }
}

#[derive(Default)]
struct EmbeddedFields {
    file: Option<GameFile>,
}

impl<'de> Fields<'de> for EmbeddedFields {
    type Value = GameFile;
    const OBJECT: &'static str = "the embedded game";
    const KEYS: &'static [&'static str] = &["file"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, _key: &str, map: &mut A) -> Result<(), A::Error> {
        match map.next_value_seed(Object::<GameFields>::new(context))?.graph(context.file()) {
            Ok(AnyGraph::Win(game)) => self.file = Some(GameFile::from(&game)),
            Ok(AnyGraph::Score(_)) => return Err(context.fail(|place| FormatError::Scoring { file: place.file })),
            Err(error) => return Err(context.fail(|_| error)),
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<GameFile, E> {
        context.required(self.file, Self::OBJECT, "file")
    }
}

#[derive(Default)]
struct MoneyFields {
    win: Option<ShareBounds>,
    draw: Option<ShareBounds>,
    positions: Option<Vec<(String, [ShareBounds; 2])>>,
}

impl<'de> Fields<'de> for MoneyFields {
    type Value = Claim;
    const OBJECT: &'static str = "the claim for money";
    const KEYS: &'static [&'static str] = &["win", "draw", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "win" => self.win = Some(map.next_value_seed(word(context, "a share"))?),
            "draw" => self.draw = Some(map.next_value_seed(word(context, "a share"))?),
            _ => {
                // A position's thresholds to win and to draw are often the same: long ones are read only once.
                let last: RefCell<Option<(String, ShareBounds)>> = RefCell::default();
                let read = |text: &str| {
                    if let Some((_, share)) = last.borrow().as_ref().filter(|(last, _)| last == text) {
                        return Ok(share.clone());
                    }
                    let share: ShareBounds = text.parse().map_err(bad_word)?;
                    *last.borrow_mut() = Some((text.to_string(), share.clone()));
                    Ok(share)
                };
                let item = FromText { context, what: "a share", read };
                let value = Exactly { context, what: "the list [win, draw]", item };
                self.positions = Some(map.next_value_seed(Positions { context, longest: ANY_LENGTH, value })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Claim, E> {
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        Ok(Claim::Money {
            win: context.required(self.win, Self::OBJECT, "win")?,
            draw: context.required(self.draw, Self::OBJECT, "draw")?,
            positions: positions
                .into_iter()
                .map(|(position, [win, draw])| MoneyValue { position, win, draw })
                .collect(),
        })
    }
}

#[derive(Default)]
struct ChipsFields {
    total: Option<u32>,
    win: Option<Threshold>,
    draw: Option<Threshold>,
    positions: Option<Vec<(String, ChipValue)>>,
}

impl<'de> Fields<'de> for ChipsFields {
    type Value = ChipClaim;
    const OBJECT: &'static str = "the claim for a total of chips";
    const KEYS: &'static [&'static str] = &["total", "win", "draw", "positions"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "total" => self.total = Some(map.next_value_seed(Whole { context, what: "the total", most: MAX_TOTAL })?),
            "win" => self.win = Some(map.next_value_seed(Object::<ThresholdFields>::new(context))?),
            "draw" => self.draw = Some(map.next_value_seed(Object::<ThresholdFields>::new(context))?),
            _ => {
                let value = Object::<SidesFields<Stage>>::new(context);
                self.positions = Some(map.next_value_seed(Positions { context, longest: ANY_LENGTH, value })?);
            }
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<ChipClaim, E> {
        let total = context.required(self.total, Self::OBJECT, "total")?;
        let total = Total::new(total.into()).map_err(|error| context.fail(bad_word(error)))?;
        let positions = context.required(self.positions, Self::OBJECT, "positions")?;
        Ok(ChipClaim {
            total,
            win: context.required(self.win, Self::OBJECT, "win")?,
            draw: context.required(self.draw, Self::OBJECT, "draw")?,
            positions: saved_sides::named(positions),
        })
    }
}

#[derive(Default)]
struct ThresholdFields {
    plain: Option<u32>,
    star: Option<u32>,
}

impl<'de> Fields<'de> for ThresholdFields {
    type Value = Threshold;
    const OBJECT: &'static str = "a threshold";
    const KEYS: &'static [&'static str] = &["plain", "star"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        let chips = |what| Whole { context, what, most: MAX_TOTAL + 1 };
        match key {
            "plain" => self.plain = Some(map.next_value_seed(chips("the threshold \"plain\""))?),
            _ => self.star = Some(map.next_value_seed(chips("the threshold \"star\""))?),
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Threshold, E> {
        Ok(Threshold {
            plain: context.required(self.plain, Self::OBJECT, "plain")?,
            star: context.required(self.star, Self::OBJECT, "star")?,
        })
    }
}
