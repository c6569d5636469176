//! Reads saved solutions, strictly and in one pass.

use richman_core::{Effort, LabelledGraph, Mechanism, ShareBounds, WinLose};

use super::{AnyClaim, BadClaim, FORMAT, MAX_SAVED_BYTES, SavedGame, SolutionFile, VERSION};
use crate::json::{JsonReader, ReadGame};
use crate::names::check_name;
use crate::objectives::FileObjective;
use crate::reading::Reading;
use crate::{FileLocation, FormatError, of_any};

/// Positions of large boards are long.
const ANY_LENGTH: usize = usize::MAX;

/// Reads a saved solution from the bytes of a file; `source` is the file name for messages.
///
/// It does not check whether the claims are true, complete and about positions of the game. An
/// embedded game file is checked like a separate one. Time and memory are linear in the length of
/// the text.
///
/// # Errors
/// A [`FormatError`] with the file, the position if any, and the reason.
pub fn read<C: AnyClaim>(source: &str, text: &[u8]) -> Result<SolutionFile<C>, FormatError> {
    read_within(source, text, &Effort { memory: u64::MAX, ..Effort::default() })
}

/// [`read`] within the memory and the time of `effort`; the text counts as memory.
///
/// # Errors
/// The errors of [`read`]; [`FormatError::Stopped`] above a limit or if the watch
/// says stop.
pub fn read_within<C: AnyClaim>(source: &str, text: &[u8], effort: &Effort) -> Result<SolutionFile<C>, FormatError> {
    if text.len() as u64 > MAX_SAVED_BYTES {
        return Err(FormatError::too_large(source, MAX_SAVED_BYTES));
    }
    let (mut nothing, reading) = (std::io::empty(), Reading::within(*effort));
    let mut json = JsonReader::new(source, "reading the saved solution", &mut nothing, &reading).over(text)?;
    // The text counts twice: long shares and lists of stages take no more memory than their text.
    json.hold(text.len() as u64)?;
    let solution: SolutionFile<C> = solution(&mut json)?;
    json.end()?;
    solution.claim.check(&solution.mechanism).map_err(|BadClaim { position, reason }| {
        let place = Box::new(FileLocation { file: source.to_string(), line: None, position });
        FormatError::BadValue { place, reason }
    })?;
    Ok(solution)
}

fn solution<C: AnyClaim>(json: &mut JsonReader) -> Result<SolutionFile<C>, FormatError> {
    let head = ["format", "version", "game", "position", "mechanism"];
    let keys = [&head[..], C::KEYS].concat();
    let mut game = SavedGame::Named(String::new());
    let (mut position, mut mechanism, mut claims) = (String::new(), Mechanism::default(), Vec::new());
    json.object("the solution", &keys, head.len(), |json, key| {
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
            _ => claims.push(C::read(key, json)?),
        }
        Ok(())
    })?;
    let [claim] = <[C; 1]>::try_from(claims)
        .map_err(|_| json.bad_value(format!("the solution must have exactly one of {}", listed(C::KEYS))))?;
    Ok(SolutionFile { game, position, mechanism, claim })
}

/// Keys in quotes with commas and an "and" between them.
fn listed(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
    let (last, others) = quoted.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
    format!("{} and {last}", others.join(", "))
}

/// Reads the value of `key`, a nonempty list of claims.
///
/// # Errors
/// A [`FormatError`] with the place and the reason.
pub fn listed_claims<T>(
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

fn is_saved<L: FileObjective>(_: &LabelledGraph<L>) -> bool {
    L::IS_SAVED
}

fn saved_game(json: &mut JsonReader) -> Result<SavedGame, FormatError> {
    if json.peek()? != Some(b'{') {
        let check = |name: &str| check_name("the name of the game", usize::MAX, name).map(|()| name.to_string());
        return Ok(SavedGame::Named(json.text(&"a game: its name, or {\"file\": game file}", check)?));
    }
    let mut game = None;
    json.object("the embedded game", &["file"], 0, |json, _| {
        let graph = ReadGame::read(json)?.graph(json.file, json.reading)?;
        game = Some(SavedGame::File(match of_any!(&graph, graph => is_saved(graph)) {
            true => graph,
            false => graph.played_for::<WinLose>(json.file)?.into(),
        }));
        Ok(())
    })?;
    game.ok_or_else(|| json.missing("the embedded game", "file"))
}

/// Reads a share, or bounds on it, from text.
///
/// # Errors
/// What is wrong with it.
pub fn share(text: &str) -> Result<ShareBounds, String> {
    text.parse().map_err(|error: richman_core::Error| error.to_string())
}
