//! What pages need of the program that shows them, a server or a browser tab: matches, time to
//! compute, and room for answers.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{Created, MatchView, ShownRecord};
use richman_play::Action;
use richman_render::hint::Hint;

use crate::desk::Deadline;
use crate::finished::FinishedPage;

/// What is known later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A result that is known later, or the reason why there is none.
pub type Answered<'a, T> = Later<'a, Result<T, Refusal>>;

/// Every match, and every kept record.
pub trait PageHall: Send + Sync {
    /// Sets up a match.
    fn create(&self, setup: MatchSetup) -> Answered<'_, Created>;
    /// The match of a token's seat, as that player sees it.
    fn seat<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView>;
    /// A match as a spectator sees it.
    fn watch<'a>(&'a self, id: &'a GameId) -> Answered<'a, MatchView>;
    /// The match of an invitation as a spectator sees it, and the free seat.
    fn invited<'a>(&'a self, invitation: &'a Token) -> Answered<'a, (MatchView, Player)>;
    /// The match of an invitation that somebody has used.
    fn used_invitation<'a>(&'a self, invitation: &'a Token) -> Answered<'a, GameId>;
    /// Takes the seat of an invitation, which is then void.
    fn accept<'a>(&'a self, invitation: &'a Token) -> Answered<'a, Token>;
    /// Takes an action of the player in the seat, whose earlier actions are `step` in number. At
    /// one screen, `player` says whose action it is.
    fn act<'a>(
        &'a self,
        token: &'a Token,
        player: Option<Player>,
        step: u32,
        action: Action,
    ) -> Answered<'a, MatchView>;
    /// Waits until the match no longer waits for the computer, at most so long.
    fn computer_acted<'a>(&'a self, viewed: &'a MatchView, most: Duration) -> Later<'a, ()>;
    /// Asks for a return match with sides exchanged.
    fn rematch<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView>;
    /// The best choice for the player in the seat.
    fn hint<'a>(&'a self, token: &'a Token) -> Answered<'a, Hint>;
    /// Keeps a record with its game file.
    fn keep_record(&self, text: String, file: Option<String>) -> Answered<'_, GameId>;
    /// Keeps a game file with a record of no turns.
    fn keep_game(&self, game: ShownRecord) -> Answered<'_, GameId>;
    /// The record of a match so far, or a kept record, and whether the match still goes on.
    fn shown<'a>(&'a self, id: &'a GameId) -> Answered<'a, (ShownRecord, bool)>;
    /// Refuses a decision by a form that comes too soon after the seat's last one.
    ///
    /// # Errors
    /// [`Refusal::TooSoon`].
    fn check_pace(&self, seat: &Token) -> Result<(), Refusal>;
    /// Notes that the seat has decided.
    fn note_pace(&self, seat: &Token);
}

/// A job with a time limit, which may be tried several times.
pub type TimedJob = Box<dyn Fn(&Deadline) -> Result<(), Refusal> + Send + Sync>;

/// Who does a job without a time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clerk {
    /// Writes pages, without solving.
    Writes,
    /// Reads long bodies.
    Reads,
    /// Builds matches and reads records.
    Builds,
}

/// Time to compute.
pub trait PageDesk: Send + Sync {
    /// Bytes that one job may hold.
    fn memory(&self) -> u64;
    /// Runs a job that may take `time`.
    fn run(&self, time: Duration, job: TimedJob) -> Answered<'_, ()>;
    /// Runs a job without a time limit.
    fn clerk(&self, clerk: Clerk, job: Box<dyn FnOnce() + Send>) -> Answered<'_, ()>;
}

/// What answers are about. Each kind has room of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerKind {
    /// Pages and files of explore.
    Explore,
    /// Pages and files of reviews.
    Review,
    /// Answers about matches.
    Match,
}

/// What answers share. Each kind has room of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// A report of explore.
    Report,
    /// A chip table of explore.
    Table,
    /// A tree of explore.
    Tree,
    /// A reviewed match.
    Review,
}

/// A part of answers, of the type of its kind.
pub type AnyPart = Arc<dyn Any + Send + Sync>;

/// Room for answers that may be asked for again.
pub trait PageAnswers: Send + Sync {
    /// An answer by all that it depends on, if it is kept.
    fn cached(&self, kind: AnswerKind, key: &str) -> Option<Arc<FinishedPage>>;
    /// The answer, kept or made.
    fn answer<'a>(
        &'a self,
        kind: AnswerKind,
        key: String,
        make: Answered<'a, Arc<FinishedPage>>,
    ) -> Answered<'a, Arc<FinishedPage>>;
    /// A part of answers, kept or made within a job; `make` finds it with its approximate bytes.
    ///
    /// # Errors
    /// The refusals of `make`.
    fn part(
        &self,
        kind: PartKind,
        key: String,
        deadline: &Deadline,
        make: &mut dyn FnMut() -> Result<(AnyPart, u64), Refusal>,
    ) -> Result<AnyPart, Refusal>;
}

impl dyn PageAnswers {
    /// [`PageAnswers::part`] of its type.
    pub(crate) fn part_of<T: Send + Sync + 'static>(
        &self,
        kind: PartKind,
        key: String,
        deadline: &Deadline,
        bytes: impl Fn(&T) -> u64,
        find: impl Fn() -> Result<T, Refusal>,
    ) -> Result<Arc<T>, Refusal> {
        let mut make = || {
            let found = find()?;
            let bytes = bytes(&found);
            Ok((Arc::new(found) as AnyPart, bytes))
        };
        let found = self.part(kind, key, deadline, &mut make)?;
        found.downcast().map_err(|_| Refusal::internal(std::io::Error::other("a part of another type")))
    }
}
