//! The values that shells offer for arguments, by their types, and for the names of games.

use std::any::TypeId;
use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, Command};
use clap_complete::engine::ValueCompleter;
use clap_complete::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter};
use richman_analysis::{GameInfo, Games};
use richman_core::{Bidding, Bids, Payment, Player, Preset, Right, Ties};
use richman_formats::{GameForm, StatedObjective};
use richman_play::players::{STRENGTHS, Strength};

/// The command with the values of its arguments.
pub fn completed(command: Command, games: &Games) -> Command {
    let list = games.list();
    let with_values = |arg: Arg| match words(&arg) {
        Some(words) => arg.add(ArgValueCandidates::new(move || {
            words.iter().map(|(word, help)| CompletionCandidate::new(word).help(help.map(Into::into))).collect()
        })),
        None if ["game", "other", "more"].contains(&arg.get_id().as_str()) => {
            let list = list.clone();
            arg.add(ArgValueCompleter::new(move |begun: &OsStr| games_and_files(&list, begun)))
        }
        None => arg,
    };
    command.mut_args(with_values).mut_subcommands(|sub| completed(sub, games))
}

/// A word that is offered, perhaps with a line about it.
type Offered = (String, Option<&'static str>);

/// The words for an argument, by the type of its values; `None` if they are no words.
fn words(arg: &Arg) -> Option<Vec<Offered>> {
    let plain = |words: &[&str]| Some(words.iter().map(|word| (word.to_string(), None)).collect());
    let of = arg.get_value_parser().type_id();
    match () {
        () if of == TypeId::of::<Payment>() => plain(&["richman", "poorman", "taxman:1/2"]),
        () if of == TypeId::of::<Ties>() => plain(Ties::WORDS),
        () if of == TypeId::of::<Bidding>() => plain(Bidding::WORDS),
        () if of == TypeId::of::<Right>() => plain(Right::WORDS),
        () if of == TypeId::of::<Bids>() => plain(&["all"]),
        () if of == TypeId::of::<Preset>() => plain(Preset::WORDS),
        () if of == TypeId::of::<Player>() => plain(&["alice", "bob"]),
        () if of == TypeId::of::<Strength>() => {
            Some(STRENGTHS.iter().map(|level| (level.name.to_string(), Some(level.description))).collect())
        }
        () if of == TypeId::of::<StatedObjective>() => {
            let words: Vec<&str> = StatedObjective::ALL.iter().map(|(word, _)| *word).chain(["energy:10"]).collect();
            plain(&words)
        }
        () if arg.get_id() == "key" => plain(&richman_catalog::KEYS),
        () => None,
    }
}

/// The games and their parameters that begin so, and game files.
fn games_and_files(games: &[GameInfo], begun: &OsStr) -> Vec<CompletionCandidate> {
    let names = begun.to_str().map(|text| names(games, text)).unwrap_or_default();
    let is_offered = |path: &Path| path.is_dir() || GameForm::of(path).is_some();
    let files = PathCompleter::any().filter(is_offered).complete(begun);
    names.into_iter().chain(files).collect()
}

/// The names of games, and after a colon their parameters.
fn names(games: &[GameInfo], begun: &str) -> Vec<CompletionCandidate> {
    let Some((name, rest)) = begun.split_once(':') else {
        let begin = games.iter().filter(|game| game.name.starts_with(begun));
        return begin.map(|game| CompletionCandidate::new(game.name).help(Some(game.summary().into()))).collect();
    };
    let (given, last) = rest.rsplit_once(',').map_or(("", rest), |(given, last)| (given, last));
    let is_given = |key: &str| given.split(',').any(|pair| pair.split('=').next() == Some(key));
    let comma = if given.is_empty() { "" } else { "," };
    let pairs = games.iter().filter(|game| game.name == name).flat_map(|game| game.parameters.split(','));
    pairs
        .filter_map(|pair| {
            let (key, usual) = pair.split_once('=').filter(|(key, _)| !is_given(key))?;
            let offered = if last.contains('=') { pair.to_string() } else { format!("{key}=") };
            let help = format!("{usual} unless given");
            let candidate = || CompletionCandidate::new(format!("{name}:{given}{comma}{offered}"));
            offered.starts_with(last).then(|| candidate().help(Some(help.into())))
        })
        .collect()
}
