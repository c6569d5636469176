//! Remedies in the words of the command: its flags and its commands.

use richman_core::{AskedQuestion, BuildStep, Choice, DatabaseRecipe, RecipeStake, Remedy, with_remedies};

/// What is wrong, and the flags and commands that help.
pub fn worded(error: &richman_analysis::Error) -> String {
    with_remedies(error, error.remedies().iter().map(words))
}

/// A remedy as an instruction.
pub fn words(remedy: &Remedy) -> String {
    match remedy {
        Remedy::MoreMemory => "raise --memory".to_string(),
        Remedy::MoreDisk => "raise --disk".to_string(),
        Remedy::MoreTime => "raise --time".to_string(),
        Remedy::AskForLess => "ask for less".to_string(),
        Remedy::AskForMoney => "ask only for the value in real money".to_string(),
        Remedy::LaterPosition => "start from a later position".to_string(),
        Remedy::SmallerGame => "take a game small enough for exact values".to_string(),
        Remedy::LeaveOut(Choice::EXACTNESS) => "leave out --exact for bounds".to_string(),
        Remedy::LeaveOut(Choice::KEPT_LAYERS) => "build it without --keep".to_string(),
        Remedy::LeaveOut(choice) => format!("leave out {}", flags(*choice)),
        Remedy::Give(choice) => given(*choice),
        Remedy::Change(Choice::HOLDINGS) => "correct a holding".to_string(),
        Remedy::Change(Choice::CHIPS) => "take a smaller total".to_string(),
        Remedy::Change(choice) => format!("take another {}", flags(*choice)),
        Remedy::Take(choice, value) => format!("use {} {value}", flags(*choice)),
        Remedy::TableByChips => {
            "`richman table` with --bob 0..20 prints what Alice needs against Bob's chips, and with \
                                 --alice 0..20 what Bob needs"
                .to_string()
        }
        Remedy::Ask(AskedQuestion::RandomTurn) => "ask for the chance with richman random-turn".to_string(),
        Remedy::Ask(question) => format!("use richman {}", command(*question)),
        Remedy::Build(step, recipe) => built(*step, recipe),
        Remedy::Compile(feature) => format!("build it with `--features {feature}`"),
        _ => "ask for less".to_string(),
    }
}

/// How a missing choice is given.
fn given(choice: Choice) -> String {
    match choice {
        Choice::AT_LEAST => "say with --at-least which average Alice wants".to_string(),
        Choice::DEPTH => "show only the first moves with --depth".to_string(),
        Choice::SHORT => "leave out what is known with --short".to_string(),
        Choice::TARGET => "name the one where Alice wins with --target, which `richman convert` takes".to_string(),
        Choice::LABELS => "add --labels FILE.lab to `richman convert`, which makes one game file of them".to_string(),
        choice => format!("add {}", flags(choice)),
    }
}

/// The flags of a choice.
fn flags(choice: Choice) -> String {
    match choice {
        Choice::HOLDINGS => "--alice and --bob".to_string(),
        choice => format!("--{}", choice.key().replace('_', "-")),
    }
}

/// The command that answers a question.
fn command(question: AskedQuestion) -> &'static str {
    match question {
        AskedQuestion::Table => "table",
        AskedQuestion::Scores => "scores",
        _ => "solve",
    }
}

/// What a command of `richman build` does for a database.
fn built(step: BuildStep, DatabaseRecipe { game, stake }: &DatabaseRecipe) -> String {
    let stake = match stake {
        RecipeStake::Money => String::new(),
        RecipeStake::Chips(None) => " --chips TOTALS".to_string(),
        RecipeStake::Chips(Some(total)) => format!(" --chips {total}"),
        RecipeStake::Bounds(stones) => format!(" --leaves {stones}"),
    };
    let build = format!("`richman build {} --out FOLDER{stake}`", game.as_deref().unwrap_or("GAME"));
    match step {
        BuildStep::Begin => format!("{build} makes one"),
        BuildStep::Complete => format!("{build} makes it"),
        BuildStep::Resume => format!("{build} resumes the build"),
        BuildStep::Replace => format!("delete it, and {build} makes it again"),
    }
}
