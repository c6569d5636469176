//! `richman play`

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use richman_analysis::Subject;
use richman_core::{Effort, Holding, Mechanism, Player, Total};
use richman_formats::Record;
use richman_play::players::{Computer, Knowledge, PlayerError, Seat, Thinking};
use richman_play::{Action, Decision, MOST_POSITIONS, Match, Rules, record, review};
use richman_render::hint::{self, Hints};

use crate::args::PlayArgs;
use crate::error::CliError;
use crate::input;
use crate::play::screen::{Console, Pipe, Screen};
use crate::play::{Helper, Left, Opponent, Session, Side};
use crate::render;
use crate::watch::Terminal;

/// How long the computer solves the game before a match, if its level can do without.
const SOLVING: Duration = Duration::from_secs(60);
/// How long it thinks about an action.
const THINKING: Duration = Duration::from_secs(10);

/// Plays a match with whoever types.
pub fn run(args: &PlayArgs) -> Result<ExitCode, CliError> {
    if input::is_standard(Path::new(&args.game)) {
        let reason = "what is typed is read from standard input: give the path of the game file";
        return Err(CliError::Usage(reason.to_string()));
    }
    let subject = Arc::new(super::subject(&args.game, args.memory.0, &Terminal::new())?);
    let mechanism = args.mechanism.mechanism();
    let start = hands(args, &subject, &mechanism)?;
    let walk = subject.walk(args.position.as_deref())?;
    let rules = Rules { mechanism, start, limit: args.limit };
    let game = Match::new(walk, rules.clone()).map_err(|error| CliError::Usage(error.to_string()))?;
    let mut sides = [Side::Person, Side::Person];
    let mut memory = args.memory.0;
    if !args.two {
        let (computer, held) = computer(args, &subject, &rules)?;
        memory = memory.saturating_sub(held);
        sides[args.side.0.other() as usize] = Side::Computer(computer);
    }
    let file = super::game_file(&args.game).map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
    let tags = Player::BOTH.into_iter().filter_map(|player| match &sides[player as usize] {
        Side::Computer(computer) => Some((format!("{player}Computer"), computer.name())),
        Side::Person => None,
    });
    let mut helper = Solution {
        hints: None,
        subject: Arc::clone(&subject),
        position: args.position.clone(),
        file: file.map(|path| path.display().to_string()),
        tags: tags.collect(),
        memory,
    };
    let info = subject.info();
    let mut screen: Box<dyn Screen> = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        Box::new(Console::new()?)
    } else {
        Box::new(Pipe::new(io::stdin().lock(), io::stdout()))
    };
    let mut session = Session::new(game, sides, info, screen.as_mut(), &mut helper).with_figures(args.figures);
    let left = session.play()?;
    Ok(match left {
        Left::Quietly => ExitCode::SUCCESS,
        Left::Stopped => ExitCode::from(130),
    })
}

/// What both hold at the start: as given, or an equal split of which an odd chip goes to who lacks the star.
fn hands(args: &PlayArgs, subject: &Subject, mechanism: &Mechanism) -> Result<[Holding; 2], CliError> {
    if let Some(hands) = richman_analysis::chips::Hands::given(mechanism, args.chips, [args.alice, args.bob])? {
        return Ok([hands.alice, hands.bob]);
    }
    let total = args.chips.map_or(2 * subject.usual_chips(), Total::chips);
    Ok([Holding::new(total / 2, mechanism.has_star())?, Holding::new(total - total / 2, false)?])
}

/// What the solution of the game, and the match so far, say.
struct Solution {
    /// Solved when the first hint is asked for.
    hints: Option<Hints>,
    subject: Arc<Subject>,
    position: Option<String>,
    /// The game file, where the game came from one.
    file: Option<String>,
    /// Who played, as tags of a record.
    tags: Vec<(String, String)>,
    /// Bytes that may be held beside what the computer player knows.
    memory: u64,
}

impl Solution {
    fn solved(&mut self, rules: &Rules, watch: &Terminal) -> Result<&Hints, richman_analysis::Error> {
        if let Some(hints) = self.hints.take() {
            return Ok(self.hints.insert(hints));
        }
        let effort = Effort { positions: hint::MOST_POSITIONS, memory: self.memory, ..Effort::watched(watch) };
        let hints = Hints::solve(&self.subject, self.position.as_deref(), rules, &effort)?;
        Ok(self.hints.insert(hints))
    }
}

impl Helper for Solution {
    fn hint(&mut self, game: &Match, player: Player, decision: Decision) -> Result<String, CliError> {
        let watch = Terminal::new();
        let hint = self.solved(game.rules(), &watch).and_then(|hints| hints.hint(game, player, decision, &watch));
        watch.finish();
        Ok(hint?.text)
    }

    fn record(&self, game: &Match) -> Result<String, CliError> {
        let record = Record { file: self.file.clone(), ..record::to_record(game, self.tags.clone()) };
        Ok(record.to_string())
    }

    fn review(&mut self, game: &Match) -> Result<String, CliError> {
        let watch = Terminal::new();
        let effort = Effort { memory: self.memory, positions: MOST_POSITIONS, ..Effort::watched(&watch) };
        let report = review::review(&self.subject, game, &effort);
        watch.finish();
        Ok(render::review::text(&report?))
    }
}

/// A computer player, and how long it may think.
struct Program {
    player: Box<dyn Computer>,
    name: String,
}

impl Opponent for Program {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn act(&mut self, game: &Match, player: Player) -> Result<Action, CliError> {
        let watch = Terminal::new();
        let action = self.player.act(&Seat::new(game, player), &Thinking::within(THINKING, &watch));
        watch.finish();
        action.map_err(not_played)
    }
}

/// The computer player that is asked for, with what it has to know of the game, and how many bytes it holds.
fn computer(args: &PlayArgs, subject: &Subject, rules: &Rules) -> Result<(Box<dyn Opponent>, u64), CliError> {
    let strength = args.level;
    let [alice, bob] = rules.start.map(|hand| u64::from(hand.chips()));
    let watch = Terminal::new();
    let effort = Effort { memory: args.memory.0, ..Effort::watched(&watch) }.within_time(SOLVING);
    let total = Total::new(alice + bob)?;
    let position = args.position.as_deref();
    let knowledge = Knowledge::of(subject, position, &rules.mechanism, total, &[strength], &effort);
    watch.finish();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    let knowledge = knowledge.map_err(not_played)?;
    let player = strength.computer(&knowledge, seed).map_err(not_played)?;
    Ok((Box::new(Program { player, name: strength.to_string() }), knowledge.bytes()))
}

fn not_played(error: PlayerError) -> CliError {
    match error {
        PlayerError::Analysis(error) => CliError::Analysis(error),
        other => CliError::Usage(other.to_string()),
    }
}
