//! The hall: every match, what each viewer may see and do, and notification of changes.
//!
//! A match is its [`MatchSetup`] and the list of accepted actions, both in the
//! [store](crate::store). The copy in memory can be dropped and replayed from there. An action is
//! confirmed once it is on the disk.

mod hinted;
mod matches;
mod pace;
mod records;
mod rematch;
mod room;
mod shelf;
mod slot;
mod state;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use moka::future::Cache;
use parking_lot::Mutex;
use richman_analysis::{GameInfo, Games, Subject};
use richman_core::{ByPlayer, Holding, Player, Unwatched};
use richman_formats::Record;
use richman_play::{BegunTurn, Decision, Match, MatchEnd, MatchRules, MatchTurn, PlaySoFar, View};
use tokio::sync::watch;

use crate::computer::Computers;
use crate::fair::FairTicket;
use crate::file_text::{FileText, SharedTexts};
use crate::quotas::{Quotas, Shares};
use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::store::Store;
use crate::token::{GameId, Token};
use crate::turns::TurnQueue;
pub(crate) use hinted::CoachedTurn;
pub(crate) use matches::live;
pub(crate) use pace::FormPace;
use shelf::MatchShelf;
pub(crate) use slot::{LiveMatch, MatchSlot};
pub(crate) use state::MatchState;
pub use state::Pace;

/// The role of a viewer. All but spectators hold a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// One player.
    Player(Player),
    /// Both players at one screen: acts for both, sees no sealed bid.
    Both,
    /// Anybody else.
    Spectator,
}

/// Limits of the hall.
#[derive(Debug, Clone, Copy)]
pub struct HallLimits {
    /// The most matches kept. Beyond them a new match replaces another: the longest untouched match
    /// without actions, else unfinished, else finished; one touched within an hour only as a last
    /// resort.
    pub matches: u64,
    /// The most bytes of matches, game files and records kept. Beyond them matches go in the same
    /// order, and records after those without actions.
    pub bytes: u64,
    /// The most listening spectators of one match.
    pub spectators_of_one: usize,
    /// The quotas of one client.
    pub quotas: Quotas,
    /// The approximate bytes of matches in memory. Matches in use stay regardless.
    pub memory: usize,
    /// The least time between two decisions of a seat by forms of pages.
    pub form_pause: Duration,
}

impl Default for HallLimits {
    fn default() -> HallLimits {
        HallLimits {
            matches: 1_000_000,
            bytes: 8 << 30,
            spectators_of_one: 1024,
            quotas: Quotas::default(),
            memory: 256 << 20,
            form_pause: Duration::from_millis(500),
        }
    }
}

/// Every match.
#[derive(Clone)]
pub struct Hall {
    inner: Arc<HallInner>,
}

richman_core::debug_by_name!(Hall {});

struct HallInner {
    store: Store,
    limits: HallLimits,
    /// The game files of matches in memory.
    texts: Arc<SharedTexts>,
    /// Whether a task is making room.
    is_sweeping: AtomicBool,
    shelf: Mutex<MatchShelf>,
    /// The seats of recently used tokens. A return match may have followed since.
    seats: Cache<[u8; 32], (GameId, Viewer)>,
    pace: FormPace,
    shares: Arc<Shares>,
    /// One slot for setting up a match.
    beginnings: TurnQueue<()>,
    /// One slot for long writes to the store.
    large_writes: TurnQueue<()>,
    computers: Computers,
}

/// The result of setting up a match.
#[derive(Debug)]
pub struct Created {
    /// The public name, for spectators.
    pub id: GameId,
    /// The creator's secret for each of their sides; with one screen both are the same.
    pub tokens: [Option<Token>; 2],
    /// The secret with which a friend takes the other seat.
    pub invitation: Option<Token>,
    /// The bytes that the match adds to the store, with its game file even if others have it too.
    pub bytes: u64,
}

/// A match as one viewer sees it. It does not expose others' sealed bids.
pub struct MatchView {
    game: Arc<Match>,
    viewer: Viewer,
    /// The public name.
    pub id: GameId,
    /// The setup.
    pub setup: Arc<MatchSetup>,
    games: Games,
    /// Grows with every event in the match, visible or not.
    pub version: u64,
    /// Distinguishes this view from all earlier ones, of any match.
    pub(crate) serial: u64,
    /// The number of accepted actions of each player. An action names it, so that no action is
    /// taken twice.
    pub steps: ByPlayer<u32>,
    /// The invitation while the other seat is free, for the match's creator alone.
    pub invitation: Option<Token>,
    /// Whether each player has asked for a return match.
    pub rematch: ByPlayer<bool>,
    /// The return match.
    pub next: Option<GameId>,
    /// With it, a page listens as a player of the match, without the secret of a seat; `None` for
    /// spectators.
    pub listening_key: Option<Token>,
    /// The reason why a computer player cannot go on.
    pub trouble: Option<String>,
    /// How much thought the computer gives to the match.
    pub pace: Pace,
}

richman_core::debug_by_name!(MatchView {});

impl MatchView {
    /// The viewer's role.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The game of the match.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if a game file can no longer be read.
    pub fn subject(&self) -> Result<Subject, Refusal> {
        self.setup.subject(&self.games, &Unwatched)
    }

    /// The game's entry in the list of games; `None` for a game file.
    pub fn info(&self) -> Option<GameInfo> {
        self.games.info(&self.setup.game).filter(|_| self.setup.file.is_none())
    }

    /// Whether it is quick to show.
    pub(crate) fn is_small(&self) -> bool {
        is_small(&self.setup, &self.game)
    }

    /// The match including sealed bids, for careful callers.
    pub(crate) fn game(&self) -> &Arc<Match> {
        &self.game
    }

    /// The players whose decision is due. Who has bid is public; the bids are not.
    pub fn waiting_for(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|player| self.game.decision(*player).is_some())
    }

    /// The viewer's pending decision; at one screen Alice's before Bob's.
    pub fn deciding(&self) -> Option<(Player, Decision)> {
        let of = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        match self.viewer {
            Viewer::Player(player) => of(player),
            Viewer::Both => Player::BOTH.into_iter().find_map(of),
            Viewer::Spectator => None,
        }
    }

    /// The visible part. At one screen: a spectator's view and the options of the player who
    /// decides.
    pub fn view(&self) -> View {
        match (self.viewer, self.deciding()) {
            (Viewer::Player(player), _) | (Viewer::Both, Some((player, _))) => self.game.view(Some(player)),
            (Viewer::Both, None) | (Viewer::Spectator, _) => self.game.view(None),
        }
    }

    /// The rules of the match.
    pub fn rules(&self) -> &MatchRules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &dyn richman_core::Walk {
        self.game.walk()
    }

    /// The finished turns.
    pub fn turns(&self) -> &[MatchTurn] {
        self.game.turns()
    }

    /// The current turn, once both bids are known.
    pub fn begun(&self) -> Option<BegunTurn> {
        self.game.begun()
    }

    /// How the match ended, if it did.
    pub fn closed(&self) -> Option<MatchEnd> {
        self.game.closed()
    }

    /// The result so far, in a game that need not end.
    pub fn so_far(&self) -> Option<PlaySoFar> {
        self.game.so_far()
    }

    /// The holdings of Alice and Bob at the start of the current turn.
    pub fn hands_before(&self) -> ByPlayer<Holding> {
        self.game.hands_before()
    }

    /// Chips that went to the bank.
    pub fn bank(&self) -> u64 {
        self.game.bank()
    }

    /// The least bid that the other player cannot beat, by public knowledge.
    pub fn sure_bid(&self, player: Player) -> Option<u32> {
        self.game.sure_bid(player)
    }

    /// The player who holds the star, or wins ties without one.
    pub fn tie_holder(&self) -> Player {
        self.game.tie_holder()
    }

    /// The match as a record, without sealed bids.
    pub fn record(&self) -> Record {
        let tags = Player::BOTH.into_iter().filter_map(|player| match &self.setup.seats[player] {
            SeatChoice::Computer(strength) => Some((format!("{player}Computer"), strength.clone())),
            SeatChoice::Person | SeatChoice::Invited => None,
        });
        let record = richman_play::record::to_record(&self.game, tags.collect());
        Record { file: self.setup.file.as_ref().map(|_| self.setup.game.clone()), ..record }
    }

    /// The match itself once it is over, for a review.
    pub fn finished(&self) -> Option<&Match> {
        self.game.closed().is_some().then_some(self.game.as_ref())
    }
}

/// Whether a match is quick to show and to act in: it has few turns and a small board. Game files
/// may have many moves and long names.
fn is_small(setup: &MatchSetup, game: &Match) -> bool {
    const TURNS: usize = 60;
    /// Bytes of a position: a board of Connect Four or chess has fewer.
    const POSITION: usize = 100;
    setup.file.is_none() && game.turns().len() <= TURNS && game.walk().notation().len() <= POSITION
}

/// A record to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRecord {
    /// The record.
    pub text: String,
    /// The game file.
    pub file: Option<FileText>,
}

/// Receives every change of a match, and counts as a listener while it lives.
pub struct Listener {
    /// The version. The channel closes when the server stops.
    pub version: watch::Receiver<u64>,
    /// Keeps the match in memory.
    _slot: Arc<MatchSlot>,
    /// Its tickets among all listeners and, for a spectator, among those of the match.
    tickets: Vec<FairTicket>,
}

richman_core::debug_by_name!(Listener {});

impl Listener {
    /// The version once it differs from `seen`; `None` when the server stops, or another client
    /// takes the listener's ticket.
    pub async fn changed(&mut self, seen: Option<u64>) -> Option<u64> {
        tokio::select! {
            version = self.version.wait_for(|version| Some(*version) != seen) => version.ok().map(|version| *version),
            () = FairTicket::one_lost(&self.tickets) => None,
        }
    }
}

impl Hall {
    /// The hall of the matches in `store`.
    pub fn new(store: Store, limits: HallLimits, computers: Computers) -> Hall {
        const SEATS: u64 = 1 << 16;
        Hall {
            inner: Arc::new(HallInner {
                shelf: Mutex::new(MatchShelf::new(limits.memory)),
                seats: Cache::new(SEATS),
                pace: FormPace::new(limits.form_pause),
                shares: Arc::new(Shares::new(&limits.quotas)),
                beginnings: TurnQueue::new([vec![()]], limits.quotas.requests.one),
                large_writes: TurnQueue::new([vec![()]], limits.quotas.requests.one),
                texts: Arc::default(),
                is_sweeping: AtomicBool::new(false),
                computers,
                store,
                limits,
            }),
        }
    }

    /// The games that can be played.
    pub fn games(&self) -> &Games {
        &self.inner.computers.games
    }

    /// Closes all listeners, so that the server can stop.
    pub fn close(&self) {
        self.inner.shelf.lock().close();
    }

    /// Closes all listeners, waits for all work in progress, and closes the database.
    pub async fn closed(self) {
        /// Programs that think longer are abandoned, and think again after a restart.
        const LONGEST: Duration = Duration::from_secs(5);
        const LOOK: Duration = Duration::from_millis(5);
        self.close();
        let until = Instant::now() + LONGEST;
        let mut inner = self.inner;
        while Instant::now() < until {
            inner = match Arc::try_unwrap(inner) {
                // Waits for the writer thread.
                Ok(inner) => return drop(tokio::task::spawn_blocking(move || drop(inner)).await),
                Err(inner) => inner,
            };
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The pace of decisions by forms.
    pub(crate) fn pace(&self) -> &FormPace {
        &self.inner.pace
    }

    pub(crate) fn computers(&self) -> &Computers {
        &self.inner.computers
    }

    pub(crate) fn shares(&self) -> &Arc<Shares> {
        &self.inner.shares
    }

    /// The reason why the store takes no writes, or not soon.
    pub(crate) async fn trouble(&self) -> Option<String> {
        const SOON: Duration = Duration::from_secs(5);
        match tokio::time::timeout(SOON, self.check_store()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::error!(cause = %error, "the store cannot be written");
                Some(error.in_public())
            }
            Err(_) => Some(format!("a write takes longer than {} s", SOON.as_secs())),
        }
    }

    /// The current number of listeners.
    pub fn listeners(&self) -> usize {
        self.inner.shares.players.taken() + self.inner.shares.spectators.taken()
    }
}

impl Viewer {
    /// The viewer named by a word.
    pub(crate) fn read(word: &str) -> Option<Viewer> {
        let [alice, bob] = Player::BOTH.map(Viewer::Player);
        [alice, bob, Viewer::Both, Viewer::Spectator].into_iter().find(|viewer| viewer.word() == word)
    }

    /// The word in JSON, in the database and in addresses.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Viewer::Player(Player::Alice) => "alice",
            Viewer::Player(Player::Bob) => "bob",
            Viewer::Both => "both",
            Viewer::Spectator => "spectator",
        }
    }

    /// The viewer after the players exchange sides.
    fn exchanged(self) -> Viewer {
        match self {
            Viewer::Player(player) => Viewer::Player(player.other()),
            other => other,
        }
    }

    /// The players for whom the viewer acts.
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
