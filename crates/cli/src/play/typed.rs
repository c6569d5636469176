//! Parses what a person typed: a command, a bid or a move. Anything else is explained in one line.

use std::ffi::{OsStr, OsString};

use clap::ValueEnum;
use richman_core::{Player, did_you_mean, shortened};
use richman_play::{Action, Decision};

use super::words;

/// A command outside the game, by its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MatchCommand {
    /// The list of commands.
    #[value(alias = "?")]
    Help,
    /// The rules of bidding.
    Rules,
    /// The position again.
    #[value(alias = "show")]
    Board,
    /// All moves of both players.
    Moves,
    /// Advice.
    Hint,
    /// Back to the start of the last turn.
    #[value(alias = "back")]
    Undo,
    /// A record of the match.
    Save,
    /// Leave.
    #[value(aliases = ["exit", "q", "leave"])]
    Quit,
    Review,
    /// Another match.
    #[value(aliases = ["new", "rematch"])]
    Again,
}

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedLine {
    /// A command; [`argument`] reads what follows it.
    Command(MatchCommand),
    /// An action.
    Action(Action),
    /// A bid with the star, to be used in a tie.
    StarredBid(u32),
}

/// The most characters of a line to quote.
const SHOWN: usize = 40;

/// The meaning of `line` when a player has a decision to make, with these moves. After the end of
/// the match, `pending` is `None`.
///
/// # Errors
/// A line that tells the person why theirs is not understood.
pub fn understand(line: &str, pending: Option<(Player, Decision)>, moves: &[String]) -> Result<TypedLine, String> {
    let text = line.trim();
    let (marked, text) = match text.strip_prefix('/') {
        Some(rest) if !moves.iter().any(|name| name == text) => (true, rest.trim_start()),
        _ => (false, text),
    };
    let Some(word) = text.split_whitespace().next() else { return Err(words::EMPTY.to_string()) };
    let at_move = matches!(pending, Some((_, Decision::Move { .. })));
    if at_move
        && !marked
        && let Some(name) = same(text, moves)
    {
        return Ok(TypedLine::Action(Action::Move(name)));
    }
    let rest = text[word.len()..].trim();
    let lower = word.to_lowercase();
    match MatchCommand::from_str(&lower, false) {
        // Only save takes an argument.
        Ok(command) if rest.is_empty() || command == MatchCommand::Save => {
            return Ok(TypedLine::Command(command));
        }
        _ => {}
    }
    if lower == "resign" && rest.is_empty() && pending.is_some() {
        return Ok(TypedLine::Action(Action::Resign));
    }
    let understood = match pending {
        Some((_, Decision::Bid)) => bid(text),
        Some((_, Decision::Star { .. })) => star(&lower).ok_or_else(|| words::STAR_ANSWERS.to_string()),
        Some((player, Decision::Move { may_let })) => moved(text, player, may_let, moves),
        None => Err(words::IS_OVER.to_string()),
    };
    let commands = || MatchCommand::value_variants().iter().filter_map(MatchCommand::to_possible_value);
    let names: Vec<String> = commands().map(|command| command.get_name().to_string()).collect();
    let meant = || did_you_mean(&lower, names.iter().map(String::as_str).chain(["resign"]));
    understood.map_err(|message| message + &meant())
}

/// What follows the first word of a line: a path, which may be no text.
pub fn argument(line: &OsStr) -> OsString {
    let rest = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix('/').unwrap_or(text).trim_start();
        OsString::from(text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start()))
    };
    match line.to_str() {
        Some(text) => rest(text),
        None => argument_of_bytes(line).unwrap_or_else(|| rest(&line.to_string_lossy())),
    }
}

#[cfg(unix)]
fn argument_of_bytes(line: &OsStr) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    let text = line.as_bytes().trim_ascii();
    let text = text.strip_prefix(b"/").unwrap_or(text).trim_ascii_start();
    let word = text.iter().position(u8::is_ascii_whitespace)?;
    Some(OsStr::from_bytes(text[word..].trim_ascii_start()).to_os_string())
}

#[cfg(not(unix))]
fn argument_of_bytes(_: &OsStr) -> Option<OsString> {
    None
}

/// A number, optionally with spaces, the word "bid", or the star.
fn bid(text: &str) -> Result<TypedLine, String> {
    let lower = text.to_lowercase();
    let number: String = lower.strip_prefix("bid").unwrap_or(&lower).chars().filter(|c| !c.is_whitespace()).collect();
    let number = number.strip_suffix("chips").unwrap_or(&number);
    let (digits, star) = match number.strip_suffix('*') {
        Some(digits) => (digits, true),
        None => (number, false),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(words::not_a_bid(&shortened(text, SHOWN)));
    }
    // A number above 32 bits exceeds any holding, and is refused for that.
    let bid = digits.parse().unwrap_or(u32::MAX);
    Ok(if star { TypedLine::StarredBid(bid) } else { TypedLine::Action(Action::Bid(bid)) })
}

/// Whether the answer to a question is yes.
pub fn is_yes(answer: &str) -> bool {
    ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

fn star(lower: &str) -> Option<TypedLine> {
    let used = match lower {
        "y" | "yes" | "star" | "use" | "*" => true,
        "n" | "no" | "keep" => false,
        _ => return None,
    };
    Some(TypedLine::Action(Action::UseStar(used)))
}

fn moved(text: &str, player: Player, may_let: bool, moves: &[String]) -> Result<TypedLine, String> {
    let lower = text.to_lowercase();
    if ["let", "pass", "let them move", "let bob move", "let alice move", "let bob", "let alice"].contains(&&*lower) {
        return if may_let { Ok(TypedLine::Action(Action::Let)) } else { Err(words::must_move(player)) };
    }
    if moves.is_empty() && ["end", "stay"].contains(&&*lower) {
        return Ok(TypedLine::Action(Action::Stay));
    }
    let name = ["move to ", "move ", "to "].iter().find_map(|verb| lower.strip_prefix(verb)).unwrap_or(&lower).trim();
    if let Some(name) = same(name, moves) {
        return Ok(TypedLine::Action(Action::Move(name)));
    }
    let begun: Vec<String> = moves.iter().filter(|known| known.to_lowercase().starts_with(name)).cloned().collect();
    match begun.as_slice() {
        [one] => Ok(TypedLine::Action(Action::Move(one.clone()))),
        [] => Err(words::not_a_move(&shortened(text, SHOWN), moves)),
        several => Err(words::ambiguous(&shortened(text, SHOWN), several)),
    }
}

/// The move of that name, or else the only one that differs in case alone. Castling may use zeros.
fn same(text: &str, moves: &[String]) -> Option<String> {
    let text = if text.starts_with("0-0") { &text.replace('0', "O") } else { text };
    if let Some(name) = moves.iter().find(|name| *name == text) {
        return Some(name.clone());
    }
    let lower = text.to_lowercase();
    let mut alike = moves.iter().filter(|name| name.to_lowercase() == lower);
    let first = alike.next()?;
    alike.next().is_none().then(|| first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: Option<(Player, Decision)> = Some((Player::Alice, Decision::Move { may_let: true }));
    const BID: Option<(Player, Decision)> = Some((Player::Alice, Decision::Bid));

    fn moves(names: &str) -> Vec<String> {
        names.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn bids_are_numbers_however_they_are_typed() {
        for text in ["3", "  3 "] {
            assert_eq!(understand(text, BID, &[]), Ok(TypedLine::Action(Action::Bid(3))), "{text}");
        }
        for text in ["3*", "3 *"] {
            assert_eq!(understand(text, BID, &[]), Ok(TypedLine::StarredBid(3)), "{text}");
        }
        for text in ["bid 12", "Bid12", "1 2", "12 chips", "12 CHIPS", "BID 12 Chips", "0012"] {
            assert_eq!(understand(text, BID, &[]), Ok(TypedLine::Action(Action::Bid(12))), "{text}");
        }
        assert!(understand("hnit", BID, &[]).unwrap_err().ends_with("(did you mean \"hint\"?)"));
        let huge = understand("99999999999999999999", BID, &[]);
        assert_eq!(huge, Ok(TypedLine::Action(Action::Bid(u32::MAX))));
        for text in ["-1", "1.5", "a1", "*", "bid", "two", "let", "é", "3**", &"9".repeat(5000).replace('9', "x")] {
            let message = understand(text, BID, &[]).unwrap_err();
            assert!(message.contains("is not a bid") && message.len() < 200 && !message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn moves_in_any_case_and_by_their_beginning() {
        let board = moves("a1 b1 b2 c3");
        for (text, name) in [("a1", "a1"), ("A1", "a1"), ("c", "c3"), ("move B2", "b2"), ("to b1 ", "b1")] {
            assert_eq!(understand(text, MOVE, &board), Ok(TypedLine::Action(Action::Move(name.into()))), "{text}");
        }
        assert_eq!(understand("b", MOVE, &board), Err(words::ambiguous("b", &moves("b1 b2"))));
        assert_eq!(understand("a2", MOVE, &board), Err(words::not_a_move("a2", &board)));
        assert_eq!(understand("LET", MOVE, &board), Ok(TypedLine::Action(Action::Let)));
        let must = Some((Player::Bob, Decision::Move { may_let: false }));
        assert_eq!(understand("let", must, &board), Err(words::must_move(Player::Bob)));
    }

    #[test]
    fn a_move_named_like_a_command_is_the_move_and_a_slash_the_command() {
        let named = moves("quit Hint hint let");
        for name in ["quit", "Hint", "let"] {
            assert_eq!(understand(name, MOVE, &named), Ok(TypedLine::Action(Action::Move(name.into()))));
        }
        let saves = [("save My File.txt", "My File.txt"), ("/ SAVE  a\u{e9} \n", "a\u{e9}"), (" save", "")];
        let saves = saves.map(|(line, rest)| (line, MatchCommand::Save, rest));
        for (line, command, rest) in
            [("/quit", MatchCommand::Quit, ""), ("HINT", MatchCommand::Hint, "")].into_iter().chain(saves)
        {
            assert_eq!(understand(line, MOVE, &named), Ok(TypedLine::Command(command)));
            assert_eq!(argument(OsStr::new(line)), rest);
        }
    }

    #[test]
    fn the_star_and_the_end() {
        let tie = Some((Player::Bob, Decision::Star { bid: 2 }));
        for (text, used) in [("y", true), ("YES", true), ("star", true), ("n", false), ("keep", false)] {
            assert_eq!(understand(text, tie, &[]), Ok(TypedLine::Action(Action::UseStar(used))));
        }
        assert_eq!(understand("perhaps", tie, &[]), Err(words::STAR_ANSWERS.to_string()));
        assert_eq!(understand("", tie, &[]), Err(words::EMPTY.to_string()));
        assert_eq!(understand("3", None, &[]), Err(words::IS_OVER.to_string()));
        assert_eq!(understand("resign", tie, &[]), Ok(TypedLine::Action(Action::Resign)));
        assert!(understand("resign", None, &[]).is_err());
        let stuck = Some((Player::Alice, Decision::Move { may_let: true }));
        assert_eq!(understand("end", stuck, &[]), Ok(TypedLine::Action(Action::Stay)));
    }
}
