//! One module for each command: its flags and its work.

pub mod build;
pub mod compare;
pub mod convert;
pub mod duel;
pub mod export;
pub mod help;
pub mod list;
pub mod play;
pub mod random_turn;
pub mod reproduce;
pub mod review;
pub mod scores;
pub mod serve;
pub mod site;
pub mod solve;
pub mod store;
pub mod table;
pub mod tree;
pub mod unitary;
pub mod verify;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use richman_analysis::saved::SavedSolution;
use richman_analysis::{Games, Insight, Reading, Scope, Subject};
use richman_core::Effort;
use richman_formats::{FileKind, GameForm, MAX_SAVED_BYTES, StatedObjective};
use richman_play::players::{Base, Knowledge, Strength};

use crate::args::GameArgs;
use crate::input::{self, Input};
use crate::{CliError, TerminalWatch};

/// What a command says that needs the web application and was built without it.
#[cfg(not(feature = "web"))]
const WITHOUT_WEB: &str = "this command was built without the web application, so that it is built sooner: \
    add `--features web` where cargo runs or installs it; a program with games of its own needs the feature `web` of \
    the crate richman";

/// What reading a game may take: the memory, and the time up to this many seconds after the start,
/// if there is a limit.
fn reading(memory: u64, seconds: Option<u64>, watch: &TerminalWatch) -> Effort<'_> {
    let deadline = seconds.and_then(|seconds| watch.after(Duration::from_secs(seconds)));
    Effort { memory, deadline, ..Effort::watched(watch) }
}

/// The path of the game file that `spec` names; `None` if it names a game, which is always text.
fn game_file<'s>(games: &Games, spec: &'s OsStr) -> Option<&'s Path> {
    let path = Path::new(spec);
    let Some(name) = spec.to_str() else { return Some(path) };
    let is_file = input::is_standard(path) || GameForm::of(path).is_some() || name.contains('/') || path.exists();
    (is_file && games.info(name).is_none()).then_some(path)
}

/// The saved solution in a file, and the name of the file for messages.
fn saved(path: &Path, effort: &Effort, watch: &TerminalWatch) -> Result<(String, SavedSolution), CliError> {
    let mut input = Input::open(path, watch)?;
    let bytes = input.bytes(MAX_SAVED_BYTES.min(effort.memory / 4))?;
    let solution = richman_formats::read_within(&input.name, &bytes, effort)
        .map_err(|error| input.explained(error.into(), FileKind::Solution))?;
    Ok((input.name.clone(), solution))
}

/// What computer players know of a game: what the saved solution says, once it is proved, or else
/// what they find.
fn knowledge(
    solution: Option<&Path>,
    scope: &Scope,
    players: &[Strength],
    effort: &Effort,
    watch: &TerminalWatch,
) -> Result<Arc<Knowledge>, CliError> {
    let Scope { subject, position, mechanism, total, .. } = *scope;
    let Some(path) = solution else {
        return Ok(Knowledge::of(subject, position, mechanism, total, players, effort)?);
    };
    if !players.iter().any(|player| matches!(player.base, Base::Perfect | Base::Best)) {
        return Err(CliError::Usage("only the players perfect and best play by a solution".to_string()));
    }
    let (source, saved) = saved(path, effort, watch)?;
    let insight = Insight::proved(scope, saved, effort).map_err(|error| CliError::in_file(source, error))?;
    Ok(Knowledge::given(scope, insight)?)
}

/// The game with this name, or from the file with this path.
fn subject(games: &Games, spec: &OsStr, effort: Effort, watch: &TerminalWatch) -> Result<Subject, CliError> {
    subject_for(None, games, spec, effort, watch)
}

/// The same, where a game file is played for `objective`.
fn subject_for(
    objective: Option<StatedObjective>,
    games: &Games,
    spec: &OsStr,
    effort: Effort,
    watch: &TerminalWatch,
) -> Result<Subject, CliError> {
    match (game_file(games, spec), objective) {
        (Some(path), objective) => game_from(Input::open(path, watch)?, objective, effort),
        (None, None) => Ok(Subject::among(games, &spec.to_string_lossy())?),
        (None, Some(_)) => {
            let name = richman_core::excerpt(&spec.to_string_lossy());
            let reason = "has its own aim: --objective is for game files";
            Err(CliError::Usage(format!("{name} {reason} (richman export {name} > game.json makes one)")))
        }
    }
}

/// The game of a command, read within its memory, and its time if that is given.
fn subject_of(
    args: &GameArgs,
    seconds: Option<u64>,
    games: &Games,
    watch: &TerminalWatch,
) -> Result<Subject, CliError> {
    subject_for(args.objective, games, &args.game, reading(args.memory, seconds, watch), watch)
}

fn game_from(mut input: Input, objective: Option<StatedObjective>, effort: Effort) -> Result<Subject, CliError> {
    let reading = Reading { size: input.size, objective, ..Reading::within(effort) };
    let name = input.name.clone();
    Subject::read(&name, &mut input, &reading).map_err(|error| input.explained(error.into(), FileKind::Game))
}
