//! `richman play`

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use richman_analysis::Subject;
use richman_core::{Holding, Mechanism, Player, Total};
use richman_play::{Action, Decision, Match, Rules};

use crate::args::PlayArgs;
use crate::error::CliError;
use crate::play::hint::Hints;
use crate::play::screen::{Console, Pipe, Screen};
use crate::play::{Helper, Left, Opponent, Session, Side};

/// Chips in the game where none are given.
const USUAL_CHIPS: u32 = 16;

/// Plays a match with whoever types.
pub fn run(args: &PlayArgs) -> Result<ExitCode, CliError> {
    let mechanism = args.mechanism.mechanism();
    let start = hands(args, &mechanism)?;
    let subject = super::subject(&args.game)?;
    let walk = subject.walk(args.position.as_deref())?;
    let rules = Rules { mechanism, start, limit: args.limit };
    let game = Match::new(walk, rules).map_err(|error| CliError::Usage(error.to_string()))?;
    let mut helper =
        Solution { hints: Hints::new(&subject, args.position.as_deref(), args.memory.0), subject: &subject };
    let sides = Player::BOTH
        .map(|player| if args.two || player == args.side.0 { Side::Person } else { Side::Computer(computer(args)) });
    let name = subject.name();
    let name = name.split(':').next().unwrap_or(&name);
    let description = richman_analysis::list().into_iter().find(|known| known.name == name);
    let mut screen: Box<dyn Screen> = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        Box::new(Console::new()?)
    } else {
        Box::new(Pipe::new(io::stdin().lock(), io::stdout()))
    };
    let description = description.map(|known| known.description);
    let left = Session::new(game, sides, description, screen.as_mut(), &mut helper).play()?;
    Ok(match left {
        Left::Quietly => ExitCode::SUCCESS,
        Left::Stopped => ExitCode::from(130),
    })
}

/// What both hold at the start: as given, or an equal split of which an odd chip goes to who lacks the star.
fn hands(args: &PlayArgs, mechanism: &Mechanism) -> Result<[Holding; 2], CliError> {
    if let (Some(alice), Some(bob)) = (args.alice, args.bob) {
        return Ok([alice, bob]);
    }
    let total = args.chips.map_or(USUAL_CHIPS, Total::chips);
    Ok([Holding::new(total / 2, mechanism.has_star())?, Holding::new(total - total / 2, false)?])
}

/// What the solution of the game, and the match so far, say.
struct Solution<'a> {
    hints: Hints<'a>,
    subject: &'a Subject,
}

impl Helper for Solution<'_> {
    fn hint(&mut self, game: &Match, player: Player, decision: Decision) -> Result<String, CliError> {
        self.hints.hint(game, player, decision)
    }

    fn record(&self, game: &Match) -> Result<String, CliError> {
        Err(CliError::Usage(format!("no records of {}", game.walk().game())))
    }

    fn review(&mut self, _: &Match) -> Result<String, CliError> {
        Err(CliError::Usage(format!("no review of {}", self.subject.name())))
    }
}

struct Stand(fastrand::Rng);

impl Opponent for Stand {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn act(&mut self, game: &Match, player: Player) -> Result<Action, CliError> {
        Ok(match game.decision(player) {
            Some(Decision::Bid) => {
                let [low, high] = game.allowed_bids(player)[0];
                Action::Bid(self.0.u32(low..=high.min(2)))
            }
            Some(Decision::Star { .. }) => Action::UseStar(self.0.bool()),
            Some(Decision::Move { .. }) => match self.0.choice(game.walk().moves(player)) {
                Some(name) => Action::Move(name),
                None => Action::Stay,
            },
            None => Action::Resign,
        })
    }
}

fn computer(args: &PlayArgs) -> Box<dyn Opponent> {
    Box::new(Stand(args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed)))
}
