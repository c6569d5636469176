//! One module for each command.

pub mod build;
pub mod compare;
pub mod duel;
pub mod help;
pub mod list;
pub mod play;
pub mod random_turn;
pub mod reproduce;
pub mod review;
pub mod scores;
pub mod serve;
pub mod solve;
pub mod table;
pub mod tree;
pub mod unitary;
pub mod verify;

use std::path::Path;
use std::time::{Duration, Instant};

use richman_analysis::chips::Hands;
use richman_analysis::{Effort, Opened, Question, Reading, Subject};
use richman_core::{Holding, Mechanism, Total};

use crate::args::GameArgs;
use crate::error::CliError;
use crate::input::{self, Input};
use crate::watch::Terminal;

/// What is asked about the game of the arguments.
fn question(args: &GameArgs) -> Question {
    let mechanism = args.mechanism.mechanism();
    Question { position: args.position.clone(), within: args.within, ..Question::new(mechanism) }
}

/// The game of the arguments, and the same unfolded for reports that are done by the deadline.
fn opened(args: &GameArgs, deadline: Option<Instant>, watch: &Terminal) -> Result<(Subject, Opened), CliError> {
    let subject = subject(&args.game, args.memory.0, watch)?;
    let effort = Effort { deadline, memory: args.memory.0, ..Effort::default() };
    let opened = Opened::new(&subject, &question(args), &effort, watch)?;
    Ok((subject, opened))
}

/// What both players hold, where one holding is given: the other one from the total, with the star if there is one
/// and the first lacks it.
fn hands(
    chips: Option<Total>,
    alice: Option<Holding>,
    bob: Option<Holding>,
    mechanism: &Mechanism,
) -> Result<Option<[Holding; 2]>, CliError> {
    let rest = |flag: &str, own: Holding| -> Result<Holding, CliError> {
        let Some(total) = chips else {
            let other = if flag == "--alice" { "--bob" } else { "--alice" };
            return Err(CliError::Usage(format!(
                "{flag} {own} leaves open what the other player holds: add {other}, or the total with --chips"
            )));
        };
        let rest = total.rest(own)?;
        Ok(Holding::new(rest.chips(), rest.has_star() && mechanism.has_star())?)
    };
    let hands = match (alice, bob) {
        (None, None) => return Ok(None),
        (Some(alice), None) => [alice, rest("--alice", alice)?],
        (None, Some(bob)) => [rest("--bob", bob)?, bob],
        (Some(alice), Some(bob)) => [alice, bob],
    };
    let [alice, bob] = hands;
    let total = Hands { alice, bob, trace: false }.total(mechanism)?;
    match chips {
        Some(chips) if chips != total => Err(CliError::Usage(format!(
            "--alice {alice} and --bob {bob} make {total} chips, not {chips}: leave out --chips, or correct a holding"
        ))),
        _ => Ok(Some(hands)),
    }
}

/// When proofs end that `seconds`, or `usual`, were given for since the start. With `seconds` the whole command ends a little later.
fn deadline(seconds: Option<u64>, usual: u64, watch: &Terminal) -> Option<Instant> {
    const TO_FINISH: Duration = Duration::from_secs(1);
    let time = Duration::from_secs(seconds.unwrap_or(usual));
    if seconds.is_some() {
        watch.limit(time.saturating_add(TO_FINISH));
        watch.limit_waiting(time);
    }
    watch.after(time)
}

/// The path of the game file that the text names; `None` where it names a game.
fn game_file(spec: &str) -> Option<&Path> {
    let known = |name: &str| richman_analysis::list().iter().any(|game| game.name.eq_ignore_ascii_case(name));
    let name = spec.split(':').next().unwrap_or(spec);
    let path = Path::new(spec);
    let is_file = input::is_standard(path)
        || path.extension().is_some_and(|end| end == "json")
        || spec.contains('/')
        || path.exists();
    (is_file && !known(name)).then_some(path)
}

/// A game by name, or from a file where the text is the path of one.
fn subject(spec: &str, memory: u64, watch: &Terminal) -> Result<Subject, CliError> {
    let Some(path) = game_file(spec) else { return Ok(Subject::named(spec)?) };
    game_from(Input::open(path, watch)?, memory, watch)
}

fn game_from(mut input: Input, memory: u64, watch: &Terminal) -> Result<Subject, CliError> {
    let reading = Reading { memory, size: input.size(), watch };
    let name = input.name().to_string();
    Ok(Subject::read(&name, &mut input, &reading)?)
}
