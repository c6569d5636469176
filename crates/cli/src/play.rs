//! A match with at least one person: prompts, tells what happened, and takes turns back. The
//! terminal is behind [`screen::Screen`], the wording in [`words`].

pub mod board;
pub mod screen;
pub mod typed;
pub mod words;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use richman_analysis::Subject;
use richman_core::{ByPlayer, Effort, Player, StarUse, Unwatched};
use richman_formats::Record;
use richman_play::players::{Computer, Seat};
use richman_play::{Action, Decision, MOST_POSITIONS, Match, MatchEnd, TurnStage, record, review};
use richman_render::events::events;
use richman_render::hint::{self, Hints};
use richman_render::reports::Printed;
use richman_render::words::{has_bid, result};

use crate::{CliError, TerminalWatch, output};
use screen::{Screen, ScreenInput};
use typed::{MatchCommand, TypedLine};

/// The time a computer player may take for an action.
const THINKING: Duration = Duration::from_secs(10);

pub enum Controller {
    /// A person who types.
    Person,
    /// A program, with its name.
    Computer(Box<dyn Computer>, String),
}

impl Controller {
    fn is_person(&self) -> bool {
        matches!(self, Controller::Person)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayEnd {
    /// The player left, or the input ended.
    Quietly,
    /// Ctrl-C.
    Stopped,
}

/// How playing ended, if it has.
type TurnResult = Result<Option<PlayEnd>, CliError>;

/// The game of a match, and how it is shown.
pub struct MatchSetting {
    pub subject: Arc<Subject>,
    /// The start, if not that of the game.
    pub position: Option<String>,
    /// The path of the game file.
    pub file: Option<String>,
    /// The most memory in bytes, besides that of the computer player.
    pub memory: u64,
    pub figures: bool,
}

pub struct Session<'a> {
    screen: &'a mut dyn Screen,
    sides: ByPlayer<Controller>,
    setting: MatchSetting,
    /// Computed at the first hint.
    hints: Option<Hints>,
    game: Match,
    /// The match at the start of every turn, the current one last.
    starts: Vec<Match>,
    turn: TurnInput,
}

/// What happened since the turn began.
#[derive(Default)]
struct TurnInput {
    acted: bool,
    /// Who typed a bid with the star, to be used in a tie.
    star_meant: ByPlayer<bool>,
    /// Whether the board, or its line, was shown.
    shown: bool,
    told_end: bool,
}

impl<'a> Session<'a> {
    pub fn new(
        game: Match,
        sides: ByPlayer<Controller>,
        setting: MatchSetting,
        screen: &'a mut dyn Screen,
    ) -> Session<'a> {
        let starts = vec![game.clone()];
        Session { screen, sides, setting, hints: None, game, starts, turn: TurnInput::default() }
    }

    /// Plays until everybody leaves.
    ///
    /// # Errors
    /// [`CliError`] if input or output fails, or a computer player cannot go on.
    pub fn play(&mut self) -> Result<PlayEnd, CliError> {
        let info = self.setting.subject.info();
        self.screen.say(&words::welcome(&self.game, info.as_ref(), &self.sides))?;
        loop {
            if !self.turn.shown {
                self.show()?;
                self.turn.shown = true;
            }
            let left = match (self.game.closed(), self.next()) {
                (None, Some((player, decision))) => self.decide(player, decision)?,
                (closed, _) => self.after(closed)?,
            };
            if let Some(left) = left {
                return Ok(left);
            }
        }
    }

    /// The next decision: people before computers.
    fn next(&self) -> Option<(Player, Decision)> {
        let waits = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        let people = Player::BOTH.into_iter().filter(|player| self.sides[*player].is_person());
        people.chain(Player::BOTH).find_map(waits)
    }

    /// Whether only one person plays.
    fn alone(&self) -> bool {
        !self.sides.iter().all(Controller::is_person)
    }

    fn show(&mut self) -> Result<(), CliError> {
        if !self.screen.is_drawn() {
            return self.screen.say(&words::status_line(&self.game));
        }
        let drawing = board::drawing(self.game.walk(), self.setting.figures);
        let chips = words::chips(&self.game, &self.sides);
        let head = if self.game.closed().is_some() { String::new() } else { words::turn(&self.game) + "\n" };
        self.screen.say(&format!("\n{head}{drawing}\n{chips}"))
    }

    fn decide(&mut self, player: Player, decision: Decision) -> TurnResult {
        if let Controller::Computer(computer, _) = &mut self.sides[player] {
            let watch = TerminalWatch::new();
            let action = computer.act(&Seat::new(&self.game, player), &Effort::watched(&watch).at_most(THINKING));
            drop(watch);
            self.act(player, &action?)?.map_err(CliError::Usage)?;
            return Ok(None);
        }
        if let (Decision::Star { .. }, true) = (decision, self.turn.star_meant[player]) {
            self.turn.star_meant[player] = false;
            self.act(player, &Action::UseStar(true))?.map_err(CliError::Usage)?;
            return Ok(None);
        }
        let hidden =
            decision == Decision::Bid && !self.alone() && self.game.rules().mechanism.bidding.first().is_none();
        let prompt = words::prompt(&self.game, player, decision, self.alone(), hidden);
        let asked = if hidden { self.screen.ask_hidden(&prompt) } else { self.screen.ask(&prompt) };
        let line = match asked? {
            ScreenInput::Line(line) => line,
            ScreenInput::End => return self.leave(words::INPUT_ENDED, PlayEnd::Quietly),
            ScreenInput::Stop => return self.leave(words::STOPPED, PlayEnd::Stopped),
        };
        let moves = match decision {
            Decision::Move { .. } => self.game.walk().moves(player),
            Decision::Bid | Decision::Star { .. } => Vec::new(),
        };
        match typed::understand(&line.to_string_lossy(), Some((player, decision)), &moves) {
            Err(message) => self.again(&message),
            Ok(TypedLine::Command(command)) => self.command(command, &line, Some((player, decision))),
            Ok(TypedLine::Action(action)) => self.person_acts(player, &action, StarUse::Kept, hidden),
            Ok(TypedLine::StarredBid(bid)) => self.person_acts(player, &Action::Bid(bid), StarUse::Used, hidden),
        }
    }

    fn person_acts(&mut self, player: Player, action: &Action, star: StarUse, hidden: bool) -> TurnResult {
        let ties = self.game.rules().mechanism.ties;
        if star.is_used() && !(ties.holder_decides() && self.game.tie_holder() == player) {
            return self.again(&words::no_star_to_bid(player));
        }
        // Set before the action, which may end the turn and begin another.
        let before = (self.turn.acted, self.turn.star_meant);
        self.turn.acted = true;
        if matches!(action, Action::Bid(_)) {
            self.turn.star_meant[player] = star.is_used();
        }
        if let Err(message) = self.act(player, action)? {
            (self.turn.acted, self.turn.star_meant) = before;
            return self.again(&message);
        }
        let waits = matches!(self.game.view(None).stage, TurnStage::Bids { given, .. } if given[player]);
        if hidden && waits {
            self.screen.say(&has_bid(player))?;
        }
        Ok(None)
    }

    fn again(&mut self, message: &str) -> TurnResult {
        self.screen.say(message)?;
        Ok(None)
    }

    fn leave(&mut self, message: &str, left: PlayEnd) -> TurnResult {
        if self.game.closed().is_none() || left == PlayEnd::Stopped {
            self.screen.say(message)?;
        }
        Ok(Some(left))
    }

    /// Takes an action and prints the events. The inner error says why it is illegal.
    fn act(&mut self, player: Player, action: &Action) -> Result<Result<(), String>, CliError> {
        let before = self.game.clone();
        if let Err(illegal) = self.game.act(player, action) {
            return Ok(Err(illegal.to_string()));
        }
        for event in events(&before, &self.game, player, action) {
            self.screen.say(&event)?;
        }
        if self.game.turns().len() > before.turns().len() || self.game.closed().is_some() {
            self.turn.shown = *action == Action::Resign; // the position has not changed
            if self.game.closed().is_none() {
                self.starts.push(self.game.clone());
                self.turn = TurnInput { shown: self.turn.shown, ..TurnInput::default() };
            }
        }
        Ok(Ok(()))
    }

    /// Announces the end and runs the next command.
    fn after(&mut self, closed: Option<MatchEnd>) -> TurnResult {
        if !self.turn.told_end {
            self.turn.told_end = true;
            if let Some(closed) = closed {
                self.screen.say(&result(closed, self.game.so_far().as_ref()))?;
            }
            if self.screen.is_drawn() {
                self.screen.say(words::AFTER)?;
            }
        }
        let line = match self.screen.ask(words::AFTER_PROMPT)? {
            ScreenInput::Line(line) => line,
            ScreenInput::End => return Ok(Some(PlayEnd::Quietly)),
            ScreenInput::Stop => return Ok(Some(PlayEnd::Stopped)),
        };
        let text = line.to_string_lossy();
        if text.trim().is_empty() {
            return Ok(self.screen.is_drawn().then_some(PlayEnd::Quietly));
        }
        match typed::understand(&text, None, &[]) {
            Err(message) => self.again(&message),
            Ok(TypedLine::Command(command)) => self.command(command, &line, None),
            Ok(TypedLine::Action(_) | TypedLine::StarredBid(_)) => self.again(words::IS_OVER),
        }
    }

    fn command(&mut self, command: MatchCommand, line: &OsStr, pending: Option<(Player, Decision)>) -> TurnResult {
        match command {
            MatchCommand::Help => self.again(&words::help(&self.game.rules().mechanism)),
            MatchCommand::Rules => {
                self.again(&words::rules(&self.game.rules().mechanism, self.game.walk().aim()).join("\n"))
            }
            MatchCommand::Board => self.show().map(|()| None),
            MatchCommand::Moves => {
                let lines = Player::BOTH.map(|player| words::moves(player, &self.game.walk().moves(player)));
                self.again(&lines.join("\n"))
            }
            MatchCommand::Hint => self.hint(pending),
            MatchCommand::Undo => self.undo(),
            MatchCommand::Save => self.save(Path::new(&typed::argument(line))),
            MatchCommand::Quit => self.leave(words::LEFT, PlayEnd::Quietly),
            MatchCommand::Review | MatchCommand::Again if self.game.closed().is_none() => self.again(words::NOT_OVER),
            MatchCommand::Review => {
                let told = self.review().or_else(no_stop)?;
                self.again(told.trim_end())
            }
            MatchCommand::Again => {
                self.game = self.starts[0].clone();
                self.starts.truncate(1);
                self.turn = TurnInput::default();
                Ok(None)
            }
        }
    }

    fn hint(&mut self, pending: Option<(Player, Decision)>) -> TurnResult {
        let Some((player, decision)) = pending else { return self.again(words::IS_OVER) };
        let told = self.advice(player, decision);
        let told = told.or_else(|error| no_stop(error).map(|reason| words::no_hint(&reason)))?;
        self.again(&told)
    }

    fn advice(&mut self, player: Player, decision: Decision) -> Result<String, CliError> {
        let watch = TerminalWatch::new();
        let MatchSetting { subject, position, memory, .. } = &self.setting;
        let hints = match &mut self.hints {
            Some(hints) => hints,
            unsolved => {
                let effort = Effort { positions: hint::MOST_POSITIONS, memory: *memory, ..Effort::watched(&watch) };
                unsolved.insert(Hints::solve(subject, position.as_deref(), self.game.rules(), &effort)?)
            }
        };
        Ok(hints.hint(&self.game, player, decision, &watch)?.text)
    }

    fn review(&self) -> Result<String, CliError> {
        let watch = TerminalWatch::new();
        let effort = Effort { memory: self.setting.memory, positions: MOST_POSITIONS, ..Effort::watched(&watch) };
        Ok(review::review(&self.setting.subject, &self.game, &effort)?.text(output::layout()))
    }

    fn undo(&mut self) -> TurnResult {
        if !self.alone() {
            return self.again(words::NO_UNDO);
        }
        let over = self.game.closed().is_some() && self.starts.last().is_some_and(|start| start.closed().is_none());
        if !(self.turn.acted || over) {
            if self.starts.len() < 2 {
                return self.again(words::NOTHING_TO_UNDO);
            }
            self.starts.pop();
        }
        if let Some(start) = self.starts.last() {
            self.game = start.clone();
        }
        self.turn = TurnInput::default();
        self.again(words::UNDONE)
    }

    fn save(&mut self, path: &Path) -> TurnResult {
        if path.as_os_str().is_empty() {
            return self.again(words::SAVE_WHERE);
        }
        if path.is_file() {
            let question = words::replaces(path);
            if !self.screen.is_drawn() {
                self.screen.say(&question)?;
            }
            let is_sure = match self.screen.ask(&question)? {
                ScreenInput::Line(answer) => typed::is_yes(&answer.to_string_lossy()),
                ScreenInput::End => false,
                ScreenInput::Stop => return self.leave(words::STOPPED, PlayEnd::Stopped),
            };
            if !is_sure {
                return self.again(words::NOT_SAVED);
            }
        }
        let computer = |player: Player| match &self.sides[player] {
            Controller::Computer(_, name) => Some((format!("{player}Computer"), name.clone())),
            Controller::Person => None,
        };
        let tags = Player::BOTH.into_iter().filter_map(computer).collect();
        let record = Record { file: self.setting.file.clone(), ..record::to_record(&self.game, tags) };
        let written = output::file(path, &Unwatched, |out| write!(out, "{record}"));
        self.again(&written.map_or_else(|error| error.to_string(), |()| words::saved(path)))
    }
}

/// The error as a message, unless it is a stop.
fn no_stop(error: CliError) -> Result<String, CliError> {
    if error.status() == 130 { Err(error) } else { Ok(error.to_string()) }
}

#[cfg(test)]
mod tests;
