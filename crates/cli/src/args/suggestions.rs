//! What was meant by arguments that are refused.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use richman_analysis::{GameError, Games};
use richman_core::nearest;

use super::Cli;

/// The error with the nearest of the words that are possible, which are found like all others that
/// messages name.
pub fn suggested(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let (given, meant) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        ErrorKind::InvalidValue => (ContextKind::InvalidValue, ContextKind::SuggestedValue),
        _ => return error,
    };
    let Some(ContextValue::String(text)) = error.get(given).cloned() else { return error };
    let known = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => subcommands(args),
    };
    if let Some(word) = nearest(&text, known.iter().map(String::as_str)) {
        let is_value = meant == ContextKind::SuggestedValue;
        let word = word.to_string();
        error.insert(meant, if is_value { ContextValue::String(word) } else { ContextValue::Strings(vec![word]) });
    }
    error
}

/// The commands that can stand where `args` has one that does not exist.
fn subcommands(args: &[OsString]) -> Vec<String> {
    let mut command = Cli::command();
    for word in
        args.iter().skip(1).filter_map(|arg| arg.to_str()).filter(|word| *word != "help" && !word.starts_with('-'))
    {
        match command.find_subcommand(word) {
            Some(sub) => command = sub.clone(),
            None => break,
        }
    }
    command.get_subcommands().map(|sub| sub.get_name().to_string()).collect()
}

/// Parameters of a game that are arguments of their own, where they belong after a colon.
pub fn without_colon(args: &[OsString], games: &Games) -> Option<GameError> {
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let is_pair = |word: &&str| {
        let key = word.split_once('=').map_or("", |(key, _)| key);
        let is_key = !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_alphabetic());
        is_key && !Path::new(word).exists()
    };
    let at = (1..words.len()).find(|&at| is_pair(&words[at]) && games.info(words[at - 1]).is_some())?;
    let (game, pairs) = (words[at - 1], words[at..].iter().take_while(|word| is_pair(word)));
    let joint = if game.contains(':') { "," } else { ":" };
    let pairs: Vec<&str> = pairs.copied().collect();
    Some(GameError::NoColon { written: richman_core::excerpt(&format!("{game}{joint}{}", pairs.join(","))) })
}
