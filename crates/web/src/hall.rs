//! The hall: every match, who may see and do what in it, and who is told of changes.
//!
//! A match is its [`Setup`] and the list of accepted actions, both in the [store](crate::store); what is kept in memory can be thrown
//! away and played again from there. An action is answered when it is on the disk.

mod matches;
mod place;
mod records;
mod rematch;
mod shelf;
mod state;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use moka::future::Cache;
use richman_core::{Holding, Player};
use richman_formats::Record;
use richman_play::{Begun, Closed, Decision, Match, Rules, Turn, View};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::computer::Computers;
use crate::setup::{Setup, Sitter};
use crate::store::Store;
use crate::token::{GameId, Token};
pub(crate) use matches::live;
pub(crate) use place::{Live, Place};
use shelf::Shelf;
pub(crate) use state::State;

/// As whom a match is looked at; but for spectators, whom a seat is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// One player.
    Player(Player),
    /// Both players at one screen: acts for both, sees no sealed bid.
    Both,
    /// Anybody else.
    Spectator,
}

/// How much the hall takes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most matches that are kept.
    pub matches: u64,
    /// The most bytes of the database with which new matches are set up; those that were begun go on.
    pub bytes: u64,
    /// The most listeners of all matches together.
    pub listeners: usize,
    /// The most listeners of one match.
    pub listeners_of_one: usize,
    /// About how many bytes matches take in memory. Those in use are there in any case.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { matches: 1_000_000, bytes: 8 << 30, listeners: 8192, listeners_of_one: 256, memory: 256 << 20 }
    }
}

/// Every match.
#[derive(Clone)]
pub struct Hall {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    limits: Limits,
    shelf: Mutex<Shelf>,
    /// Where the tokens that were used last have a seat, as it was: a return match may have followed.
    seats: Cache<[u8; 32], (GameId, Viewer)>,
    listeners: Arc<Semaphore>,
    /// Matches are set up and loaded a few at a time.
    builders: Arc<Semaphore>,
    computers: Computers,
}

/// What setting up a match gives.
#[derive(Debug)]
pub struct Created {
    /// The public name, for spectators.
    pub id: GameId,
    /// The secret of whoever set it up, per side that is theirs; with one screen both are the same.
    pub tokens: [Option<Token>; 2],
    /// The secret by which a friend takes the other seat.
    pub invitation: Option<Token>,
}

/// A match as one viewer sees it. Sealed bids of others cannot be had from it.
pub struct Sight {
    game: Arc<Match>,
    viewer: Viewer,
    /// The public name.
    pub id: GameId,
    /// What was set up.
    pub setup: Arc<Setup>,
    /// Grows with everything that happens in the match, seen or not.
    pub version: u64,
    /// Actions accepted from Alice and Bob so far: an action has to name the number of its player, so that none is taken twice.
    pub steps: [u32; 2],
    /// The invitation, as long as nobody has taken the other seat; only for whoever set the match up.
    pub invitation: Option<Token>,
    /// Who asked for a return match.
    pub rematch: [bool; 2],
    /// The return match.
    pub next: Option<GameId>,
    /// What went wrong with a computer player, if it cannot go on.
    pub trouble: Option<String>,
}

impl Sight {
    /// As whom the match is looked at.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The match with everything that is sealed, for those who know how to look at it.
    pub(crate) fn game(&self) -> &Arc<Match> {
        &self.game
    }

    /// From whom something is waited for: who has bid is public, what was bid is not.
    pub fn waiting_for(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|player| self.game.decision(*player).is_some())
    }

    /// What is waited for from the viewer; at one screen Alice's decision before Bob's.
    pub fn deciding(&self) -> Option<(Player, Decision)> {
        let of = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        match self.viewer {
            Viewer::Player(player) => of(player),
            Viewer::Both => Player::BOTH.into_iter().find_map(of),
            Viewer::Spectator => None,
        }
    }

    /// What the viewer may see. At one screen what a spectator may, and the options of whoever decides.
    pub fn view(&self) -> View {
        match (self.viewer, self.deciding()) {
            (Viewer::Player(player), _) | (Viewer::Both, Some((player, _))) => self.game.view(Some(player)),
            (Viewer::Both, None) | (Viewer::Spectator, _) => self.game.view(None),
        }
    }

    /// What the match is played under.
    pub fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &dyn richman_core::Walk {
        self.game.walk()
    }

    /// The completed turns.
    pub fn turns(&self) -> &[Turn] {
        self.game.turns()
    }

    /// The turn that is being played, once both bids are known.
    pub fn begun(&self) -> Option<Begun> {
        self.game.begun()
    }

    /// How the match ended, if it did.
    pub fn closed(&self) -> Option<Closed> {
        self.game.closed()
    }

    /// What Alice and Bob held at the start of the turn that is being played.
    pub fn hands_before(&self) -> [Holding; 2] {
        self.game.hands_before()
    }

    /// Chips that went to the bank.
    pub fn bank(&self) -> u64 {
        self.game.bank()
    }

    /// Who holds the star, or wins ties without one.
    pub fn tie_holder(&self) -> Player {
        self.game.tie_holder()
    }

    /// The match as a record; what is sealed is not in it.
    pub fn record(&self) -> Record {
        let tags = Player::BOTH.into_iter().filter_map(|player| match &self.setup.seats[player as usize] {
            Sitter::Computer(strength) => Some((format!("{player}Computer"), strength.clone())),
            Sitter::Person | Sitter::Invited => None,
        });
        let record = richman_play::record::to_record(&self.game, tags.collect());
        Record { file: self.setup.file.as_ref().map(|_| self.setup.game.clone()), ..record }
    }

    /// The match itself once it is over, for a review.
    pub fn finished(&self) -> Option<&Match> {
        self.game.closed().is_some().then_some(self.game.as_ref())
    }
}

/// A record that somebody wants to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The record.
    pub text: String,
    /// The text of the game file, where the rules are in one.
    pub file: Option<String>,
}

/// Hears of every change of a match; while it is there, it counts among the listeners.
pub struct Listener {
    /// The version. It has no more changes when the server stops.
    pub version: watch::Receiver<u64>,
    /// Matches that are listened to stay in memory.
    _place: Arc<Place>,
    _permits: [OwnedSemaphorePermit; 2],
}

impl Hall {
    /// The hall of the matches in `store`.
    pub fn new(store: Store, limits: Limits, computers: Computers) -> Hall {
        const SEATS: u64 = 1 << 16;
        const BUILDERS: usize = 4;
        Hall {
            inner: Arc::new(Inner {
                shelf: Mutex::new(Shelf::new(limits.memory)),
                seats: Cache::new(SEATS),
                listeners: Arc::new(Semaphore::new(limits.listeners)),
                builders: Arc::new(Semaphore::new(BUILDERS)),
                computers,
                store,
                limits,
            }),
        }
    }

    /// Ends all listening, so that the server can stop.
    pub fn close(&self) {
        self.inner.shelf().close();
    }

    /// Ends all listening, waits until everything begun is done, and closes the database.
    pub async fn closed(self) {
        /// Programs that still think are not waited for longer: their actions are found again.
        const LONGEST: Duration = Duration::from_secs(5);
        const LOOK: Duration = Duration::from_millis(5);
        self.close();
        let until = Instant::now() + LONGEST;
        let mut inner = self.inner;
        while Instant::now() < until {
            inner = match Arc::try_unwrap(inner) {
                // The thread that writes is waited for.
                Ok(inner) => return drop(tokio::task::spawn_blocking(move || drop(inner)).await),
                Err(inner) => inner,
            };
            tokio::time::sleep(LOOK).await;
        }
    }

    pub(crate) fn computers(&self) -> &Computers {
        &self.inner.computers
    }

    /// How many listen now.
    pub fn listeners(&self) -> usize {
        self.inner.limits.listeners.saturating_sub(self.inner.listeners.available_permits())
    }
}

impl Inner {
    fn shelf(&self) -> std::sync::MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Viewer {
    /// The word for it, in JSON and in the database.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Viewer::Player(Player::Alice) => "alice",
            Viewer::Player(Player::Bob) => "bob",
            Viewer::Both => "both",
            Viewer::Spectator => "spectator",
        }
    }

    /// The viewer after the players' sides are exchanged.
    fn exchanged(self) -> Viewer {
        match self {
            Viewer::Player(player) => Viewer::Player(player.other()),
            other => other,
        }
    }

    /// The players whose part the viewer takes.
    pub(crate) fn players(self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(move |player| match self {
            Viewer::Player(own) => own == *player,
            Viewer::Both => true,
            Viewer::Spectator => false,
        })
    }
}

#[cfg(test)]
mod tests;
