//! Remedies in the words of the package: its functions and their arguments.

use std::fmt::Display;

use richman::analysis;
use richman::core::{AskedQuestion, BuildStep, Choice, Remedy, with_remedies};

/// What is wrong, and the arguments and functions that help.
pub fn worded(error: &analysis::Error) -> String {
    refused(error, &error.remedies())
}

/// What is wrong, and these remedies.
pub fn refused(what: impl Display, remedies: &[Remedy]) -> String {
    with_remedies(what, remedies.iter().filter_map(words))
}

/// A remedy as an instruction; `None` if the package has nothing like it.
fn words(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::MoreMemory => "raise memory".to_string(),
        Remedy::MoreDisk => "raise disk".to_string(),
        Remedy::MoreTime => "raise time".to_string(),
        Remedy::AskForLess => "ask for less".to_string(),
        Remedy::AskForMoney => "ask only for the value in real money".to_string(),
        Remedy::LaterPosition => "start from a later position".to_string(),
        Remedy::SmallerGame => "take a game small enough for exact values".to_string(),
        Remedy::LeaveOut(Choice::EXACTNESS) => "leave out exact=True for bounds".to_string(),
        Remedy::LeaveOut(Choice::KEPT_LAYERS) => "build it without keep".to_string(),
        Remedy::LeaveOut(choice) => format!("leave out {}", argument(*choice)?),
        Remedy::Give(Choice::SHORT) => "leave out what is known with short=True".to_string(),
        Remedy::Give(choice) => format!("give {}", argument(*choice)?),
        Remedy::Change(Choice::HOLDINGS) => "correct a holding".to_string(),
        Remedy::Change(choice) => format!("give another {}", argument(*choice)?),
        Remedy::Take(choice, value) => format!("give {}={value:?}", argument(*choice)?),
        Remedy::TableByChips => {
            "ask richman.table with bob=range(21) for what Alice needs against Bob's chips, or with \
                                 alice=range(21) for what Bob needs"
                .to_string()
        }
        Remedy::Ask(question) => format!("use richman.{}", function(*question)),
        Remedy::Build(BuildStep::Replace, _) => "delete it, and build the database again".to_string(),
        Remedy::Build(BuildStep::Resume, _) => "resume its build".to_string(),
        Remedy::Build(_, recipe) => match &recipe.game {
            Some(game) => format!("build a database of {game}"),
            None => "build one".to_string(),
        },
        Remedy::Compile(feature) => format!("build the package with the feature {feature}"),
        _ => return None,
    })
}

/// The argument of a choice; `None` if functions have no such argument.
fn argument(choice: Choice) -> Option<&'static str> {
    match choice {
        Choice::SAVE | Choice::CERTIFICATE | Choice::PICTURE | Choice::TARGET | Choice::LABELS => None,
        choice => Some(choice.key()),
    }
}

/// The function that answers a question.
fn function(question: AskedQuestion) -> &'static str {
    match question {
        AskedQuestion::Table => "table",
        AskedQuestion::Scores => "scores",
        AskedQuestion::RandomTurn => "random_turn",
        _ => "solve",
    }
}
