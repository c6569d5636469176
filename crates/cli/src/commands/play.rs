//! `richman play`

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use richman_analysis::chips::HoldingsQuery;
use richman_analysis::{Games, Scope, Subject};
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Player, Purses, Total};
use richman_play::players::{Computer, Strength, USUAL_LEVEL};
use richman_play::{Match, MatchRules};

use crate::args::{MechanismArgs, bytes, side, total, whole};
use crate::play::screen::{PipeScreen, Screen, TerminalScreen};
use crate::play::{Controller, MatchSetting, PlayEnd, Session};
use crate::watch::STOPPED;
use crate::{CliError, Done, TerminalWatch, input};

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, or the path of a game file
    pub game: OsString,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the
    /// top: A.B/.A./...; for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Your side: alice or bob
    #[arg(long = "as", value_name = "PLAYER", default_value = "alice", value_parser = side, conflicts_with = "two")]
    pub side: Player,
    /// Two people at this keyboard: bids are typed unseen
    #[arg(long)]
    pub two: bool,
    /// The strength of the computer, from one that errs every other time to one that never does:
    /// beginner, intermediate, advanced, perfect, best (perfect if the game can be solved),
    /// rounding, greedy or random; optionally with a chance to err, such as best:errs=1/5
    #[arg(long, default_value = USUAL_LEVEL, conflicts_with = "two")]
    pub level: Strength,
    /// A saved solution of a game that need not end: the computer plays by it, once it is proved,
    /// and solves nothing
    #[arg(long, value_name = "FILE", conflicts_with = "two")]
    pub solution: Option<PathBuf>,
    /// Draw chess with figures instead of letters, such as ♔ for K
    #[arg(long)]
    pub figures: bool,
    /// The seed of the computer's choices: the same seed and input give the same match
    #[arg(long, value_name = "NUMBER")]
    #[arg(value_parser = whole(0..=u64::MAX), conflicts_with = "two", allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// A match without a win is a draw after this many turns; play that need not end is cut off, by
    /// default after 100
    #[arg(long, value_name = "TURNS", value_parser = whole(0..=u32::MAX), allow_hyphen_values = true)]
    pub limit: Option<u32>,
    /// The most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    /// The total number of chips: half for each player, and Alice begins with the star if there is
    /// one [default: what suits the game: 200 for connect, hex and chess, 100 for y, 40 for race,
    /// else 16]
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", value_parser = total, allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// Alice's holding at the start, such as 4*. With --chips Bob has the rest
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// Bob's holding at the start. With --chips Alice has the rest; if there is a star, exactly one
    /// of the two holds it
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    #[command(flatten)]
    pub mechanism: MechanismArgs,
}

/// The turns of a match that need not end, by default.
const ENDLESS_TURNS: u32 = 100;
/// The time for solving the game before a match.
const SOLVING: Duration = Duration::from_secs(60);

pub fn run(args: &PlayArgs, games: &Games) -> Done {
    if input::is_standard(Path::new(&args.game)) {
        let reason = "standard input is for what you type: give the path of the game file";
        return Err(CliError::Usage(reason.to_string()));
    }
    let watch = TerminalWatch::new();
    let subject = Arc::new(super::subject(games, &args.game, super::reading(args.memory, None, &watch), &watch)?);
    let mechanism = args.mechanism.mechanism();
    let start = hands(args, &subject, &mechanism)?;
    let walk = subject.walk(args.position.as_deref())?;
    let limit = args.limit.or(walk.aim().facts().need_not_end.then_some(ENDLESS_TURNS));
    let rules = MatchRules { mechanism, start, limit };
    let game = Match::new(walk, rules.clone())?;
    let mut sides = ByPlayer::new(Controller::Person, Controller::Person);
    let mut memory = args.memory;
    if !args.two {
        let (player, held) = computer(args, &subject, &rules)?;
        memory = memory.saturating_sub(held);
        sides[args.side.other()] = Controller::Computer(player, args.level.to_string());
    }
    let file =
        super::game_file(games, &args.game).map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
    let file = file.map(|path| path.display().to_string());
    let setting = MatchSetting { subject, position: args.position.clone(), file, memory, figures: args.figures };
    let mut screen: Box<dyn Screen> = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        Box::new(TerminalScreen::new()?)
    } else {
        Box::new(PipeScreen::new(io::stdin().lock(), io::stdout()))
    };
    Ok(match Session::new(game, sides, setting, screen.as_mut()).play()? {
        PlayEnd::Quietly => ExitCode::SUCCESS,
        PlayEnd::Stopped => ExitCode::from(STOPPED),
    })
}

/// The holdings at the start: as given, or an equal split, with an odd chip for Bob, who has no
/// star.
fn hands(args: &PlayArgs, subject: &Subject, mechanism: &Mechanism) -> Result<ByPlayer<Holding>, CliError> {
    if let Some(hands) = HoldingsQuery::given(mechanism, args.chips, ByPlayer::new(args.alice, args.bob))? {
        return Ok(ByPlayer::new(hands.alice, hands.bob));
    }
    let total = args.chips.map_or_else(|| subject.usual_total(), Ok)?;
    Ok(MatchRules::equal(mechanism.clone(), total).start)
}

/// The computer player of the level, and the bytes of its knowledge.
fn computer(args: &PlayArgs, subject: &Subject, rules: &MatchRules) -> Result<(Box<dyn Computer>, u64), CliError> {
    let watch = TerminalWatch::new();
    let effort = Effort { memory: args.memory, ..Effort::watched(&watch) }.within_time(SOLVING);
    let total = Total::new(rules.start.map(Holding::chips).into_iter().sum())?;
    let position = args.position.as_deref();
    let (mechanism, purses) = (&rules.mechanism, Purses::Together(total.chips()));
    let scope = Scope { subject, position, mechanism, total, purses };
    let knowledge = super::knowledge(args.solution.as_deref(), &scope, &[args.level], &effort, &watch)?;
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    Ok((args.level.computer(&knowledge, seed)?, knowledge.bytes()))
}
