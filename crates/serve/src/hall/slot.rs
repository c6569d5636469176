//! A match in memory: its state, its writers, its listeners.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use richman_analysis::Games;
use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{MatchState, Pace};
use richman_play::players::Knowledge;
use tokio::sync::{OnceCell, OwnedMutexGuard, watch};
use tokio::time::Instant;

use super::HallInner;
use crate::client::Client;
use crate::fair::{FairPool, FairTicket};

/// The time for which the computer player of a match goes on while nobody watches.
pub(super) const UNWATCHED: Duration = Duration::from_secs(60);

/// The one slot of a match in memory, for all callers.
pub(crate) struct MatchSlot {
    pub(super) id: GameId,
    pub(super) live: OnceCell<LiveMatch>,
}

/// The knowledge of a game, and its room in memory.
struct PinnedKnowledge {
    known: Arc<Knowledge>,
    _room: FairTicket,
}

pub(crate) struct LiveMatch {
    /// The key in the database.
    pub(super) number: i64,
    pub(crate) setup: Arc<MatchSetup>,
    pub(super) games: Games,
    /// The key for listening as a player of the match, and for nothing else.
    pub(super) listening_key: Token,
    /// Held during a change, from reading the match until the change is on the disk.
    changing: Arc<tokio::sync::Mutex<()>>,
    now: RwLock<Arc<MatchState>>,
    /// Sends the version; removed when the server stops.
    version: Mutex<Option<watch::Sender<u64>>>,
    /// The tickets of its listening spectators.
    pub(super) spectators: FairPool,
    /// Whether a task is running for the computer player.
    pub(crate) thinking: AtomicBool,
    /// The time of a program's last trouble.
    trouble: Mutex<Option<Instant>>,
    /// The client that played last, charged for the work of the computer player.
    client: Mutex<Client>,
    /// The time of the last view of the match.
    seen: Mutex<Instant>,
    /// The computer player's knowledge of the game, while there is room for it.
    known: Mutex<Option<PinnedKnowledge>>,
    /// Whether the state on the disk is unknown; the match must then be loaded again.
    lost: AtomicBool,
}

impl LiveMatch {
    pub(super) fn new(hall: &HallInner, number: i64, setup: Arc<MatchSetup>, state: MatchState) -> LiveMatch {
        LiveMatch {
            number,
            setup,
            games: hall.computers.games.clone(),
            listening_key: Token::random(),
            changing: Arc::default(),
            version: Mutex::new(Some(watch::Sender::new(state.version()))),
            now: RwLock::new(Arc::new(state.numbered())),
            spectators: FairPool::new(hall.limits.spectators_of_one, hall.limits.spectators_of_one / 4),
            thinking: AtomicBool::new(false),
            trouble: Mutex::new(None),
            client: Mutex::new(Client::current()),
            seen: Mutex::new(Instant::now()),
            known: Mutex::new(None),
            lost: AtomicBool::new(false),
        }
    }

    /// The match as it is on the disk.
    pub(crate) fn now(&self) -> Arc<MatchState> {
        Arc::clone(&self.now.read())
    }

    /// Waits for exclusive access to change the match.
    pub(crate) async fn change(&self) -> Result<OwnedMutexGuard<()>, Refusal> {
        let turn = Arc::clone(&self.changing).lock_owned().await;
        if self.lost.load(Ordering::Acquire) {
            return Err(Refusal::Busy("this match is being loaded again: try once more".to_string()));
        }
        Ok(turn)
    }

    /// Publishes a written state.
    pub(super) fn publish(&self, state: MatchState) {
        let version = state.version();
        *self.now.write() = Arc::new(state.numbered());
        if let Some(sender) = self.version.lock().as_ref() {
            sender.send_replace(version);
        }
    }

    /// Notes that the current client plays in the match.
    pub(super) fn played(&self) {
        *self.client.lock() = Client::current();
    }

    pub(crate) fn client(&self) -> Client {
        *self.client.lock()
    }

    /// Records a view of the match.
    pub(super) fn look(&self) {
        *self.seen.lock() = Instant::now();
    }

    /// Completes when nobody has watched the match for a while, if no person has acted in it.
    pub(crate) async fn abandoned(&self) {
        loop {
            let (now, idle) = (self.now(), self.seen.lock().elapsed());
            let is_in_play =
                Player::BOTH.into_iter().any(|player| !self.setup.seats[player].is_computer() && now.steps[player] > 0);
            let is_watched = self.version.lock().as_ref().is_some_and(|version| version.receiver_count() > 0);
            if idle >= UNWATCHED && !is_in_play && !is_watched {
                return;
            }
            tokio::time::sleep(UNWATCHED.saturating_sub(idle).max(UNWATCHED / 10)).await;
        }
    }

    /// The computer player's knowledge of the game, if it is kept with the match.
    pub(crate) fn known(&self) -> Option<Arc<Knowledge>> {
        self.known.lock().as_ref().map(|pinned| Arc::clone(&pinned.known))
    }

    /// Keeps the computer player's knowledge of the game until another client needs the room.
    pub(crate) fn keep_known(slot: &Arc<MatchSlot>, known: Arc<Knowledge>, room: FairTicket) {
        let owner = Arc::downgrade(slot);
        room.when_gone(move || {
            if let Some(live) = owner.upgrade().as_ref().and_then(|slot| slot.live.get()) {
                drop(live.known.lock().take());
            }
        });
        if let Some(live) = slot.live.get() {
            *live.known.lock() = Some(PinnedKnowledge { known, _room: room });
        }
    }

    /// Shows that the program waits for its turn.
    pub(crate) fn show_waiting(&self) {
        self.publish(MatchState { pace: Pace::Waiting, ..MatchState::clone(&self.now()) });
    }

    /// Shows the reason why a program cannot go on, until the next event.
    pub(crate) fn have_trouble(&self, trouble: String) {
        *self.trouble.lock() = Some(Instant::now());
        self.publish(MatchState { trouble: Some(trouble), ..MatchState::clone(&self.now()) });
    }

    /// Whether a program may be started; false shortly after trouble.
    pub(crate) fn may_try(&self) -> bool {
        const AGAIN: Duration = Duration::from_secs(30);
        let trouble = *self.trouble.lock();
        let is_recent = trouble.is_some_and(|since| since.elapsed() < AGAIN) && self.now().trouble.is_some();
        !is_recent && !self.lost.load(Ordering::Acquire)
    }

    /// Subscribes to versions; `None` when the server stops.
    pub(super) fn subscribe(&self) -> Option<watch::Receiver<u64>> {
        self.version.lock().as_ref().map(watch::Sender::subscribe)
    }

    /// Ends all notifications.
    pub(super) fn fall_silent(&self) {
        self.version.lock().take();
    }

    /// Distrusts the state in memory, after a write failed.
    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Release);
        self.fall_silent();
    }

    /// The approximate bytes in memory.
    pub(super) fn weight(&self) -> usize {
        const MATCH: usize = 32 << 10;
        /// Bytes of a game for each byte of its name or file, without its positions.
        const READ: usize = 8;
        /// Bytes of an action for each of its bytes in the store.
        const PLAYED: u64 = 4;
        let MatchSetup { game, file, position, .. } = &*self.setup;
        let text = game.len() + position.as_deref().map_or(0, str::len) + file.as_deref().map_or(0, str::len);
        let now = self.now();
        let held = now.game.walk().bytes().saturating_add(PLAYED * now.bytes);
        MATCH + READ * text + usize::try_from(held).unwrap_or(usize::MAX / 2)
    }
}
