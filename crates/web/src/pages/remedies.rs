//! Remedies in the words of the pages: the fields of their forms.

use richman_core::{AskedQuestion, Choice, Player, Remedy, with_remedies};

use crate::refused::Refusal;

/// The problem, and the fields that help.
pub fn worded(refused: &Refusal) -> String {
    with_remedies(refused, refused.remedies().iter().filter_map(words))
}

/// A remedy as an instruction; `None` if no form has such a field. Limits of time and memory are
/// the server's.
fn words(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::AskForLess => "ask for less".to_string(),
        Remedy::AskForMoney => "leave out the chips for the value in real money".to_string(),
        Remedy::LaterPosition => "start from a later position".to_string(),
        Remedy::SmallerGame => "take a game small enough for exact values".to_string(),
        Remedy::LeaveOut(choice) => format!("leave out \u{201c}{}\u{201d}", field(*choice)?),
        Remedy::Give(choice) => format!("fill in \u{201c}{}\u{201d}", field(*choice)?),
        Remedy::Change(Choice::Holdings) => "correct a holding".to_string(),
        Remedy::Change(choice) => format!("change \u{201c}{}\u{201d}", field(*choice)?),
        Remedy::Take(Choice::Right, value) if value == "chooses" => {
            "let the winner of a bid choose who moves".to_string()
        }
        Remedy::Take(Choice::Payment, value) if value == "richman" => {
            "let the winner of a bid pay the other player".to_string()
        }
        Remedy::Ask(AskedQuestion::Worth | AskedQuestion::Scores) => "explore the game".to_string(),
        _ => return None,
    })
}

/// The label of a choice in the form of Explore.
fn field(choice: Choice) -> Option<&'static str> {
    Some(match choice {
        Choice::Share => "Or Alice's share of the money",
        Choice::AtLeast => "Alice wants an average of",
        Choice::Within => "A draw after this many moves",
        Choice::Chips => "Or chips in all",
        Choice::Holding(Player::Alice) => "Alice holds",
        Choice::Holding(Player::Bob) => "Bob holds",
        Choice::Holdings => "Alice holds\u{201d} and \u{201c}Bob holds",
        Choice::Payment => "The winner of a bid pays",
        Choice::Right => "The winner of a bid",
        _ => return None,
    })
}
