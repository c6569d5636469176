//! A match with people in it: asks them, tells what happened, keeps what can be taken back. It knows no terminal ([`screen::Screen`]) and
//! no wording ([`words`]).

pub mod board;
pub mod screen;
pub mod typed;
pub mod words;

use std::path::Path;

use richman_analysis::GameInfo;
use richman_core::{Player, Unwatched};
use richman_play::{Action, Closed, Decision, Match, Stage};
use richman_render::events::events;
use richman_render::words::{has_bid, result};

use crate::error::CliError;
use crate::output;
use screen::{Heard, Screen};
use typed::{Command, Typed};

/// Who plays for Alice, or for Bob.
pub enum Side {
    /// Somebody who types.
    Person,
    /// A program.
    Computer(Box<dyn Opponent>),
}

impl Side {
    fn is_person(&self) -> bool {
        matches!(self, Side::Person)
    }
}

/// A program that plays.
pub trait Opponent {
    /// What it is called.
    fn name(&self) -> String;
    /// What it does for `player`, from whom something is waited for.
    fn act(&mut self, game: &Match, player: Player) -> Result<Action, CliError>;
}

/// What is known about a match beyond its rules.
pub trait Helper {
    /// What is best now.
    fn hint(&mut self, game: &Match, player: Player, decision: Decision) -> Result<String, CliError>;
    /// The match as a record.
    fn record(&self, game: &Match) -> Result<String, CliError>;
    /// What was decided where.
    fn review(&mut self, game: &Match) -> Result<String, CliError>;
}

/// How playing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The player left, or the input ended.
    Quietly,
    /// Ctrl-C.
    Stopped,
}

/// What a line led to.
enum Then {
    /// The match goes on, perhaps elsewhere.
    On,
    /// The same is asked again.
    Ask,
    /// Playing has ended.
    Leave(Left),
}

/// A match being played.
pub struct Session<'a> {
    screen: &'a mut dyn Screen,
    helper: &'a mut dyn Helper,
    sides: [Side; 2],
    info: Option<GameInfo>,
    game: Match,
    /// The match at the start of every turn, the current one last.
    starts: Vec<Match>,
    /// Whether a person did something in this turn.
    acted: bool,
    /// Who typed a bid with the star.
    star_meant: [bool; 2],
    /// Whether the board, or the line in place of it, was shown in this turn.
    shown: bool,
    /// Whether the end was told.
    told_end: bool,
    /// Whether chess is drawn with figures.
    figures: bool,
}

impl<'a> Session<'a> {
    /// A match about to begin.
    pub fn new(
        game: Match,
        sides: [Side; 2],
        info: Option<GameInfo>,
        screen: &'a mut dyn Screen,
        helper: &'a mut dyn Helper,
    ) -> Session<'a> {
        let starts = vec![game.clone()];
        Session {
            screen,
            helper,
            sides,
            info,
            game,
            starts,
            acted: false,
            star_meant: [false; 2],
            shown: false,
            told_end: false,
            figures: false,
        }
    }

    /// The same with chess drawn with figures in place of letters, or not.
    pub fn with_figures(self, figures: bool) -> Session<'a> {
        Session { figures, ..self }
    }

    /// Plays until everybody leaves.
    ///
    /// # Errors
    /// Input and output; a computer player that cannot go on.
    pub fn play(&mut self) -> Result<Left, CliError> {
        self.screen.say(&words::welcome(&self.game, self.info.as_ref(), &self.sides))?;
        loop {
            if !self.shown {
                self.show()?;
                self.shown = true;
            }
            let then = match (self.game.closed(), self.next()) {
                (None, Some((player, decision))) => self.decide(player, decision)?,
                (closed, _) => self.after(closed)?,
            };
            match then {
                Then::On | Then::Ask => {}
                Then::Leave(left) => return Ok(left),
            }
        }
    }

    /// Whose decision is asked for next: people before computers.
    fn next(&self) -> Option<(Player, Decision)> {
        let waits = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        let people = Player::BOTH.into_iter().filter(|player| self.sides[*player as usize].is_person());
        people.chain(Player::BOTH).find_map(waits)
    }

    /// Whether a single person plays.
    fn alone(&self) -> bool {
        !self.sides.iter().all(Side::is_person)
    }

    fn show(&mut self) -> Result<(), CliError> {
        if !self.screen.is_drawn() {
            return self.screen.say(&words::status_line(&self.game));
        }
        let drawing = board::drawing(self.game.walk(), self.figures);
        let chips = words::chips(&self.game, &self.sides);
        let head = if self.game.closed().is_some() { String::new() } else { words::turn(&self.game) + "\n" };
        self.screen.say(&format!("\n{head}{drawing}\n{chips}"))
    }

    fn decide(&mut self, player: Player, decision: Decision) -> Result<Then, CliError> {
        if let Side::Computer(computer) = &mut self.sides[player as usize] {
            let action = computer.act(&self.game, player)?;
            self.act(player, &action)?.map_err(CliError::Usage)?;
            return Ok(Then::On);
        }
        if let (Decision::Star { .. }, true) = (decision, self.star_meant[player as usize]) {
            self.star_meant[player as usize] = false;
            self.act(player, &Action::UseStar(true))?.map_err(CliError::Usage)?;
            return Ok(Then::On);
        }
        let hidden =
            decision == Decision::Bid && !self.alone() && self.game.rules().mechanism.bidding.first().is_none();
        let prompt = words::prompt(&self.game, player, decision, self.alone(), hidden);
        let line = match self.screen.ask(&prompt, hidden)? {
            Heard::Line(line) => line,
            Heard::End => return self.leave(words::INPUT_ENDED, Left::Quietly),
            Heard::Stop => return self.leave(words::STOPPED, Left::Stopped),
        };
        let moves = match decision {
            Decision::Move { .. } => self.game.walk().moves(player),
            Decision::Bid | Decision::Star { .. } => Vec::new(),
        };
        match typed::understand(&line, Some((player, decision)), &moves) {
            Err(message) => self.again(&message),
            Ok(Typed::Command(command, rest)) => self.command(command, &rest, Some((player, decision))),
            Ok(Typed::Action(action, star)) => self.person_acts(player, &action, star, hidden),
        }
    }

    fn person_acts(&mut self, player: Player, action: &Action, star: bool, hidden: bool) -> Result<Then, CliError> {
        let ties = self.game.rules().mechanism.ties;
        if star && !(ties.holder_decides() && self.game.tie_holder() == player) {
            return self.again(&words::no_star_to_bid(player));
        }
        // Before the action, which may end the turn and begin another.
        let before = (self.acted, self.star_meant);
        self.acted = true;
        if matches!(action, Action::Bid(_)) {
            self.star_meant[player as usize] = star;
        }
        if let Err(message) = self.act(player, action)? {
            (self.acted, self.star_meant) = before;
            return self.again(&message);
        }
        let waits = matches!(self.game.view(None).stage, Stage::Bids { given, .. } if given[player as usize]);
        if hidden && waits {
            self.screen.say(&has_bid(player))?;
        }
        Ok(Then::On)
    }

    fn again(&mut self, message: &str) -> Result<Then, CliError> {
        self.screen.say(message)?;
        Ok(Then::Ask)
    }

    fn leave(&mut self, message: &str, left: Left) -> Result<Then, CliError> {
        if self.game.closed().is_none() || left == Left::Stopped {
            self.screen.say(message)?;
        }
        Ok(Then::Leave(left))
    }

    /// Takes an action and tells what came of it; an illegal one is told by the inner error.
    fn act(&mut self, player: Player, action: &Action) -> Result<Result<(), String>, CliError> {
        let before = self.game.clone();
        if let Err(illegal) = self.game.act(player, action) {
            return Ok(Err(illegal.to_string()));
        }
        for event in events(&before, &self.game, player, action) {
            self.screen.say(&event)?;
        }
        if self.game.turns().len() > before.turns().len() || self.game.closed().is_some() {
            self.shown = *action == Action::Resign; // then the position is as it was
            if self.game.closed().is_none() {
                self.starts.push(self.game.clone());
                self.acted = false;
                self.star_meant = [false; 2];
            }
        }
        Ok(Ok(()))
    }

    /// The end is told, and what was typed then is done.
    fn after(&mut self, closed: Option<Closed>) -> Result<Then, CliError> {
        if !self.told_end {
            self.told_end = true;
            if let Some(closed) = closed {
                self.screen.say(&result(closed))?;
            }
            if self.screen.is_drawn() {
                self.screen.say(words::AFTER)?;
            }
        }
        let line = match self.screen.ask(words::AFTER_PROMPT, false)? {
            Heard::Line(line) => line,
            Heard::End => return Ok(Then::Leave(Left::Quietly)),
            Heard::Stop => return Ok(Then::Leave(Left::Stopped)),
        };
        if line.trim().is_empty() {
            let leaves = self.screen.is_drawn();
            return Ok(if leaves { Then::Leave(Left::Quietly) } else { Then::Ask });
        }
        match typed::understand(&line, None, &[]) {
            Err(message) => self.again(&message),
            Ok(Typed::Command(command, rest)) => self.command(command, &rest, None),
            Ok(Typed::Action(..)) => self.again(words::IS_OVER),
        }
    }

    fn command(&mut self, command: Command, rest: &str, pending: Option<(Player, Decision)>) -> Result<Then, CliError> {
        match command {
            Command::Help => self.again(&words::help(&self.game.rules().mechanism)),
            Command::Rules => {
                let lines = words::rules(&self.game.rules().mechanism, self.game.walk().aim());
                self.again(&lines.join("\n"))
            }
            Command::Board => {
                self.show()?;
                Ok(Then::Ask)
            }
            Command::Moves => {
                let lines = Player::BOTH.map(|player| words::moves(player, &self.game.walk().moves(player)));
                self.again(&lines.join("\n"))
            }
            Command::Hint => self.hint(pending),
            Command::Undo => self.undo(),
            Command::Save => self.save(rest),
            Command::Quit => self.leave(words::LEFT, Left::Quietly),
            Command::Review | Command::Again if self.game.closed().is_none() => self.again(words::NOT_OVER),
            Command::Review => {
                let told = match self.helper.review(&self.game) {
                    Ok(review) => review.trim_end().to_string(),
                    Err(error) => no_stop(error)?,
                };
                self.again(&told)
            }
            Command::Again => {
                self.game = self.starts[0].clone();
                self.starts.truncate(1);
                self.restart();
                Ok(Then::On)
            }
        }
    }

    fn restart(&mut self) {
        self.acted = false;
        self.star_meant = [false; 2];
        self.shown = false;
        self.told_end = false;
    }

    fn hint(&mut self, pending: Option<(Player, Decision)>) -> Result<Then, CliError> {
        let Some((player, decision)) = pending else { return self.again(words::IS_OVER) };
        let told = match self.helper.hint(&self.game, player, decision) {
            Ok(hint) => hint,
            Err(error) => words::no_hint(&no_stop(error)?),
        };
        self.again(&told)
    }

    fn undo(&mut self) -> Result<Then, CliError> {
        if !self.alone() {
            return self.again(words::NO_UNDO);
        }
        let over = self.game.closed().is_some() && self.starts.last().is_some_and(|start| start.closed().is_none());
        if !(self.acted || over) {
            if self.starts.len() < 2 {
                return self.again(words::NOTHING_TO_UNDO);
            }
            self.starts.pop();
        }
        if let Some(start) = self.starts.last() {
            self.game = start.clone();
        }
        self.restart();
        self.screen.say(words::UNDONE)?;
        Ok(Then::On)
    }

    fn save(&mut self, path: &str) -> Result<Then, CliError> {
        if path.is_empty() {
            return self.again(words::SAVE_WHERE);
        }
        let written = self.helper.record(&self.game).and_then(|record| {
            output::file(Path::new(path), &Unwatched, |out| std::io::Write::write_all(out, record.as_bytes()))
        });
        match written {
            Ok(()) => self.again(&words::saved(path)),
            Err(error) => self.again(&error.to_string()),
        }
    }
}

/// Why something is not to be had, unless somebody stopped it.
fn no_stop(error: CliError) -> Result<String, CliError> {
    if error.status() == 130 { Err(error) } else { Ok(error.to_string()) }
}

#[cfg(test)]
mod tests;
