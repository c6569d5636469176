//! Remedies in the words of the pages: the fields of their forms.

use richman_core::{AskedQuestion, Choice, Remedy, with_remedies};
use richman_hall::refused::Refusal;

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
        Remedy::Change(Choice::HOLDINGS) => "correct a holding".to_string(),
        Remedy::Change(choice) => format!("change \u{201c}{}\u{201d}", field(*choice)?),
        Remedy::Take(Choice::RIGHT, value) if value == "chooses" => {
            "let the winner of a bid choose who moves".to_string()
        }
        Remedy::Take(Choice::PAYMENT, value) if value == "richman" => {
            "let the winner of a bid pay the other player".to_string()
        }
        Remedy::Ask(AskedQuestion::Worth | AskedQuestion::Scores) => "explore the game".to_string(),
        _ => return None,
    })
}

/// The label of a choice in the form of Explore.
fn field(choice: Choice) -> Option<&'static str> {
    Some(match choice {
        Choice::SHARE => "Or Alice's share of the money",
        Choice::AT_LEAST => "Alice wants an average of",
        Choice::WITHIN => "A draw after this many moves",
        Choice::CHIPS => "Or chips in all",
        Choice::ALICE => "Alice holds",
        Choice::BOB => "Bob holds",
        Choice::HOLDINGS => "Alice holds\u{201d} and \u{201c}Bob holds",
        Choice::PAYMENT => "The winner of a bid pays",
        Choice::RIGHT => "The winner of a bid",
        _ => return None,
    })
}
