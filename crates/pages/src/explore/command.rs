//! The command lines that give the same numbers, ready for a shell.

use richman_analysis::{QuestionDocument, Stake};
use richman_core::AskedQuestion;

use super::asked::ExploreFields;
use super::question::Inquiry;

/// `richman solve`, or `richman scores`.
pub fn solve(question: &Inquiry) -> String {
    let command = match question.of.aim.facts().questions.first() {
        Some(AskedQuestion::Scores) => "scores",
        Some(AskedQuestion::RandomTurn) => "random-turn",
        _ => "solve",
    };
    match question.of.stake {
        Stake::Money => line(command, question, &[]),
        Stake::Total(total) => line(command, question, &[("chips", total.to_string())]),
        Stake::Hands(hands) => {
            line(command, question, &[("alice", hands.alice.to_string()), ("bob", hands.bob.to_string())])
        }
    }
}

/// `richman table` up to `end`.
pub fn table(question: &Inquiry, end: u32) -> String {
    line("table", question, &[(if question.is_bank() { "bob" } else { "chips" }, format!("0..{end}"))])
}

/// `richman tree`.
pub fn tree(question: &Inquiry, &QuestionDocument { chips, depth, draw, .. }: &QuestionDocument) -> String {
    let chips = chips.map_or_else(String::new, |total| total.to_string());
    let depth = depth.map_or_else(String::new, |depth| depth.to_string());
    line("tree", question, &[("chips", chips)]) + if draw { " --draw" } else { "" } + &flag("depth", &depth)
}

/// The command with the game, the position, the mechanism and `more` flags.
fn line(command: &str, question: &Inquiry, more: &[(&str, String)]) -> String {
    let ExploreFields { position, within, share, at_least, .. } = &question.asked;
    let asked = [("position", position.as_str()), ("within", within), ("share", share), ("at-least", at_least)]
        .into_iter()
        .chain(question.asked.mechanism_flags());
    let more = more.iter().map(|(name, value)| (*name, value.as_str()));
    let flags = asked.chain(more).map(|(name, value)| flag(name, value));
    format!("richman {command} {}", quoted(&question.source.name)) + &flags.collect::<String>()
}

/// A flag, or nothing if its value is empty.
fn flag(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" --{name} {}", quoted(value)) }
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=+,@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("connect:rows=3,cols=3"), "connect:rows=3,cols=3");
        assert_eq!(quoted("4*"), "'4*'");
        assert_eq!(quoted("it's; rm -rf"), r"'it'\''s; rm -rf'");
        assert_eq!(quoted(""), "''");
    }
}
