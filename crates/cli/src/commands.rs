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

use richman_analysis::Subject;
use richman_core::{Limits, Mechanism, Unfolding};
use richman_solvers::Options;

use crate::args::GameArgs;
use crate::error::CliError;
use crate::input::{self, Input};
use crate::watch::Terminal;

/// A game that was found and unfolded, ready for reports.
struct Opened {
    subject: Subject,
    unfolding: Box<dyn Unfolding>,
    mechanism: Mechanism,
}

impl Opened {
    fn new(args: &GameArgs, watch: &Terminal) -> Result<Opened, CliError> {
        Opened::of(subject(&args.game)?, args, watch)
    }

    /// The same for a game that was found before.
    fn of(subject: Subject, args: &GameArgs, watch: &Terminal) -> Result<Opened, CliError> {
        let limits = Limits { memory: args.memory.0, ..Limits::default() };
        let unfolding = subject.unfold(args.position.as_deref(), &limits, watch)?;
        Ok(Opened { subject, unfolding, mechanism: args.mechanism.mechanism() })
    }

    fn request<'a>(&'a self, args: &GameArgs, watch: &'a Terminal) -> richman_analysis::Request<'a> {
        richman_analysis::Request {
            unfolding: self.unfolding.as_ref(),
            mechanism: &self.mechanism,
            options: Options {
                within: args.within,
                memory: args.memory.0,
                held: self.unfolding.bytes(),
                watch,
                ..Options::default()
            },
        }
    }
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
fn subject(spec: &str) -> Result<Subject, CliError> {
    let Some(path) = game_file(spec) else { return Ok(Subject::named(spec)?) };
    game_from(Input::open(path)?)
}

fn game_from(mut input: Input) -> Result<Subject, CliError> {
    let bytes = input.bytes(richman_formats::MAX_BYTES)?;
    Ok(Subject::from_file(input.name(), &bytes)?)
}
