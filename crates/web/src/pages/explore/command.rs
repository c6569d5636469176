//! The command lines that give the same numbers, to be copied into a shell.

use richman_analysis::Stake;
use richman_core::Aim;

use super::asked::Asked;
use super::question::Inquiry;

/// `richman solve`, or `richman scores`.
pub fn solve(question: &Inquiry) -> String {
    let command = match question.of.aim {
        Aim::Win => "solve",
        Aim::Score => "scores",
    };
    let mut line = Line::new(command, question);
    match question.of.stake {
        Stake::Money => {}
        Stake::Total(total) => line.flag("chips", &total.to_string()),
        Stake::Hands(hands) => {
            line.flag("alice", &hands.alice.to_string());
            line.flag("bob", &hands.bob.to_string());
        }
    }
    line.text
}

/// `richman table` up to `end`.
pub fn table(question: &Inquiry, end: u32) -> String {
    let mut line = Line::new("table", question);
    line.flag(if question.is_bank() { "bob" } else { "chips" }, &format!("0..{end}"));
    line.text
}

/// `richman tree`.
pub fn tree(question: &Inquiry, choices: &richman_analysis::tree::Choices) -> String {
    let mut line = Line::new("tree", question);
    if let Some(total) = choices.chips {
        line.flag("chips", &total.to_string());
    }
    if choices.goal == richman_analysis::tree::Goal::Draw {
        line.text.push_str(" --draw");
    }
    if let Some(depth) = choices.depth {
        line.flag("depth", &depth.to_string());
    }
    line.text
}

struct Line {
    text: String,
}

impl Line {
    /// The command with the game, the position and the mechanism.
    fn new(command: &str, question: &Inquiry) -> Line {
        let mut line = Line { text: format!("richman {command} {}", quoted(&question.source.name)) };
        let Asked { position, within, .. } = &question.asked;
        line.given("position", position);
        line.given("within", within);
        for (flag, value) in question.asked.mechanism_flags() {
            line.given(flag, value);
        }
        line
    }

    fn given(&mut self, flag: &str, value: &str) {
        if !value.is_empty() {
            self.flag(flag, value);
        }
    }

    fn flag(&mut self, flag: &str, value: &str) {
        self.text.push_str(&format!(" --{flag} {}", quoted(value)));
    }
}

/// A word as a shell reads it back.
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
