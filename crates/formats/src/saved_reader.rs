//! Reads saved solutions, strictly and in one pass.

use std::collections::HashSet;

use richman_core::{Effort, MAX_TOTAL, Mechanism, Share, ShareBounds, Threshold, Total};
use serde::Deserialize;

use crate::json::{JsonReader, JsonText, ReadGame};
use crate::names::check_name;
use crate::reading::Reading;
use crate::saved::{FORMAT, VERSION};
use crate::{
    AnyGraph, ChipClaim, FileLocation, FormatError, MAX_SAVED_BYTES, MoneyValue, SavedGame, SavedSolution,
    SolutionClaim, saved_mean_payoff, saved_parity, saved_purses, saved_rules, saved_sides,
};

/// Positions are as long as boards are large.
const ANY_LENGTH: usize = usize::MAX;

/// Reads a saved solution from the bytes of a file; `source` is the file name for messages.
///
/// It does not check whether the claims are true, complete and about positions of the game. An
/// embedded game file is checked like a separate one. Time and memory are linear in the length of
/// the text.
///
/// # Errors
/// A [`FormatError`] with the file, the position if any, and the reason.
pub fn read(source: &str, text: &[u8]) -> Result<SavedSolution, FormatError> {
    read_within(source, text, &Effort { memory: u64::MAX, ..Effort::default() })
}

/// [`read`] within the memory and the time of `effort`; the text counts as memory.
///
/// # Errors
/// The errors of [`read`]; [`FormatError::Stopped`] above a limit or if the watch
/// says stop.
pub fn read_within(source: &str, text: &[u8], effort: &Effort) -> Result<SavedSolution, FormatError> {
    if text.len() as u64 > MAX_SAVED_BYTES {
        return Err(FormatError::too_large(source, MAX_SAVED_BYTES));
    }
    let (mut nothing, reading) = (std::io::empty(), Reading::within(*effort));
    let mut json = JsonReader::new(source, "reading the saved solution", &mut nothing, &reading).over(text)?;
    // The text counts twice: long shares and lists of stages take no more memory than their text.
    json.hold(text.len() as u64)?;
    let solution = solution(&mut json)?;
    json.end()?;
    match &solution.claim {
        SolutionClaim::Money { positions, .. } => {
            check_distinct(source, positions.iter().map(|value| &value.position))?
        }
        SolutionClaim::Parity { totals } => {
            check_totals(source, totals.iter().map(|claim| claim.total))?;
            for claim in totals {
                check_distinct(source, claim.positions.iter().map(|value| &value.position))?;
            }
        }
        SolutionClaim::ParityMoney { positions, .. } => {
            check_distinct(source, positions.iter().map(|value| &value.position))?
        }
        SolutionClaim::MeanPayoff(claim) => {
            check_distinct(source, claim.positions.iter().map(|(position, _)| position))?
        }
        SolutionClaim::PayoffShares(claim) => {
            check_distinct(source, claim.positions.iter().map(|value| &value.position))?
        }
        SolutionClaim::ChipAverages(claim) => check_distinct(source, claim.positions.iter().map(|one| &one.position))?,
        SolutionClaim::Rules(claim) => check_distinct(source, claim.positions.iter().map(|value| &value.position))?,
        SolutionClaim::Chips { totals } => {
            check_totals(source, totals.iter().map(|claim| claim.total))?;
            for claim in totals {
                check_distinct(source, claim.positions.iter().map(|value| &value.position))?;
                check_ranges(source, claim)?;
            }
        }
        SolutionClaim::Purses { ranges } => {
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
    let place = Box::new(FileLocation { file: source.to_string(), line: None, position: position.cloned() });
    FormatError::BadValue { place, reason }
}

fn check_distinct<'a>(source: &str, positions: impl Iterator<Item = &'a String>) -> Result<(), FormatError> {
    let mut seen = HashSet::with_capacity(positions.size_hint().0);
    for position in positions {
        if !seen.insert(position.as_str()) {
            return Err(bad_value(source, Some(position), "the position is given twice: give it once".to_string()));
        }
    }
    Ok(())
}

fn check_totals(source: &str, mut totals: impl Iterator<Item = Total>) -> Result<(), FormatError> {
    let mut seen = HashSet::new();
    match totals.find(|total| !seen.insert(*total)) {
        Some(total) => Err(bad_value(source, None, format!("the total {total} is given twice: give it once"))),
        None => Ok(()),
    }
}

/// Checks that no threshold exceeds total + 1. It runs after reading, because the total may follow
/// the positions.
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
        let what = ["a threshold of Alice", "a threshold of Bob", "a threshold to draw", "a threshold to draw"];
        for (stages, what) in value.sides().zip(what) {
            stages.iter().try_for_each(|stage| check(Some(&value.position), what, stage.threshold))?;
        }
    }
    Ok(())
}

fn solution(json: &mut JsonReader) -> Result<SavedSolution, FormatError> {
    let keys = [
        "format",
        "version",
        "game",
        "position",
        "mechanism",
        "money",
        "chips",
        "rules",
        "purses",
        "parity",
        "parity_money",
        "mean_payoff",
        "mean_payoff_shares",
        "mean_payoff_chips",
    ];
    let mut game = SavedGame::Named(String::new());
    let (mut position, mut mechanism, mut claims) = (String::new(), Mechanism::default(), Vec::new());
    json.object("the solution", &keys, 5, |json, key| {
        match key {
            "format" => {
                if json.name("the format", ANY_LENGTH)? != FORMAT {
                    return Err(json.bad_value(format!("this is not a saved solution: its format is not {FORMAT}")));
                }
            }
            "version" => match json.whole(&"the version", u32::MAX)? {
                VERSION => {}
                0 => return Err(json.bad_value("the version is 0: the first is 1")),
                found => {
                    let (found, newest) = (found.into(), VERSION.into());
                    return Err(FormatError::NewerVersion { place: json.here(), found, newest });
                }
            },
            "game" => game = saved_game(json)?,
            "position" => position = json.name("the position", ANY_LENGTH)?,
            "mechanism" => {
                json.object("the mechanism", &Mechanism::CHOICES, Mechanism::CHOICES.len(), |json, key| {
                    json.text(&format_args!("{key} as text"), |word| {
                        mechanism.choose(key, word).map_err(|error| error.to_string())
                    })
                })?;
            }
            "money" => claims.push(money(json)?),
            "rules" => claims.push(SolutionClaim::Rules(saved_rules::read(json)?)),
            "purses" => claims.push(SolutionClaim::Purses { ranges: some(json, key, saved_purses::read)? }),
            "parity" => claims.push(SolutionClaim::Parity { totals: some(json, key, saved_parity::read)? }),
            "parity_money" => claims.push(saved_parity::read_money(json)?),
            "mean_payoff" => claims.push(SolutionClaim::MeanPayoff(saved_mean_payoff::read(json)?)),
            "mean_payoff_shares" => claims.push(SolutionClaim::PayoffShares(saved_mean_payoff::read_shares(json)?)),
            "mean_payoff_chips" => claims.push(SolutionClaim::ChipAverages(saved_mean_payoff::read_chips(json)?)),
            _ => claims.push(SolutionClaim::Chips { totals: some(json, key, chips)? }),
        }
        Ok(())
    })?;
    let [claim] = <[SolutionClaim; 1]>::try_from(claims)
        .map_err(|_| json.bad_value(format!("the solution must have exactly one of {}", listed(&keys[5..]))))?;
    Ok(SavedSolution { game, position, mechanism, claim })
}

/// Keys in quotes with commas and an "and" between them.
fn listed(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
    let (last, others) = quoted.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
    format!("{} and {last}", others.join(", "))
}

/// A nonempty list of claims.
fn some<T>(
    json: &mut JsonReader,
    key: &str,
    read: impl FnMut(&mut JsonReader) -> Result<T, FormatError>,
) -> Result<Vec<T>, FormatError> {
    let claims = json.list(&format_args!("a list of claims for {key}"), read)?;
    if claims.is_empty() {
        return Err(json.bad_value(format!("the list {key:?} is empty: give at least one claim")));
    }
    Ok(claims)
}

fn saved_game(json: &mut JsonReader) -> Result<SavedGame, FormatError> {
    if json.peek()? != Some(b'{') {
        let check = |name: &str| check_name("the name of the game", usize::MAX, name).map(|()| name.to_string());
        return Ok(SavedGame::Named(json.text(&"a game: its name, or {\"file\": game file}", check)?));
    }
    let mut game = None;
    json.object("the embedded game", &["file"], 0, |json, _| {
        let graph = ReadGame::read(json)?.graph(json.file, json.reading)?;
        game = Some(SavedGame::File(match graph {
            AnyGraph::Parity(_) | AnyGraph::MeanPayoff(_) => graph,
            other => AnyGraph::Win(other.played_for(json.file)?),
        }));
        Ok(())
    })?;
    game.ok_or_else(|| json.missing("the embedded game", "file"))
}

pub(crate) fn share(text: &str) -> Result<ShareBounds, String> {
    text.parse().map_err(|error: richman_core::Error| error.to_string())
}

fn money(json: &mut JsonReader) -> Result<SolutionClaim, FormatError> {
    let [mut win, mut draw] = [Share::ZERO, Share::ZERO].map(ShareBounds::exact);
    let mut positions = Vec::new();
    json.object("the claim for money", &["win", "draw", "positions"], 3, |json, key| {
        match key {
            "win" => win = json.text(&"a share as text", share)?,
            "draw" => draw = json.text(&"a share as text", share)?,
            _ => positions = json.claims(money_value)?,
        }
        Ok(())
    })?;
    Ok(SolutionClaim::Money { win, draw, positions })
}

fn money_value(json: &mut JsonReader, position: String) -> Result<MoneyValue, FormatError> {
    let shares = json.value(&"the list [win, draw] of 2 shares as text", |json| {
        let [win, draw] = <[JsonText; 2]>::deserialize(json)?;
        // Equal shares, which are common, are parsed only once.
        let twice = (win.0 == draw.0).then(|| share(&win.0).map(|both| [both.clone(), both]));
        Ok(twice.unwrap_or_else(|| Ok([share(&win.0)?, share(&draw.0)?])))
    })?;
    let [win, draw] = shares.map_err(|reason| json.bad_value(reason))?;
    Ok(MoneyValue { position, win, draw })
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
            _ => positions = json.claims(saved_sides::read)?,
        }
        Ok(())
    })?;
    let total = Total::new(total.into()).map_err(|error| json.bad_value(error.to_string()))?;
    Ok(ChipClaim { total, win, draw, positions })
}

fn threshold(json: &mut JsonReader) -> Result<Threshold, FormatError> {
    let [plain, star] = json.numbers("a threshold", ["plain", "star"], MAX_TOTAL + 1)?;
    Ok(Threshold { plain, star })
}
