//! The hall: every match, what each viewer may see and do, and notification of changes.
//!
//! A match is its [`MatchSetup`](richman_hall::setup::MatchSetup) and the list of accepted actions,
//! both in the [store](crate::store). The copy in memory can be dropped and replayed from there. An
//! action is confirmed once it is on the disk.

mod hinted;
mod matches;
mod pace;
mod records;
mod rematch;
mod room;
mod shelf;
mod slot;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use moka::future::Cache;
use parking_lot::Mutex;
use richman_analysis::Games;
use richman_hall::token::GameId;
use richman_hall::{SharedTexts, Viewer};
use tokio::sync::watch;

use crate::computer::Computers;
use crate::fair::FairTicket;
use crate::quotas::{Quotas, Shares};
use crate::store::Store;
use crate::turns::TurnQueue;
pub(crate) use matches::live;
pub(crate) use pace::FormPace;
use shelf::MatchShelf;
pub(crate) use slot::{LiveMatch, MatchSlot};

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

#[cfg(test)]
mod tests;
