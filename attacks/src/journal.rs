//! What honest people experienced: the time of each request, and refusals.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// An action in a match between people.
    Action,
    /// Setting up a guided game, until the computer has bid.
    FirstBid,
    /// Anything else; only refusals count.
    Visit(&'static str),
}

struct Entry {
    deed: Deed,
    begun: Instant,
    /// The time until the end, unless it still waits.
    took: Option<Duration>,
    refused: Option<String>,
}

/// A list of requests.
#[derive(Default)]
pub struct Journal(Mutex<Vec<Entry>>);

/// An answer that takes longer counts as none.
const PATIENCE: Duration = Duration::from_secs(30);

impl Journal {
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down how a request went.
    pub async fn note<T>(&self, deed: Deed, request: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let begun = Instant::now();
        let number = {
            let mut entries = self.entries();
            entries.push(Entry { deed, begun, took: None, refused: None });
            entries.len() - 1
        };
        let late = |_| Err(io::Error::other(format!("no answer within {PATIENCE:?}")));
        let done = tokio::time::timeout(PATIENCE, request).await.unwrap_or_else(late);
        let entry = &mut self.entries()[number];
        entry.took = Some(begun.elapsed());
        entry.refused = done.as_ref().err().map(|error| format!("{deed:?}: {error}"));
        done
    }

    /// The requests that began in this period, as far as they are known now.
    pub fn between(&self, from: Instant, until: Instant) -> Experience {
        let entries = self.entries();
        let mut felt = Experience::default();
        for entry in entries.iter().filter(|entry| (from..until).contains(&entry.begun)) {
            let time = entry.took.unwrap_or_else(|| entry.begun.elapsed());
            match entry.deed {
                Deed::Action => felt.actions.push(time),
                Deed::FirstBid => {
                    felt.first_bid = felt.first_bid.max(Some(time));
                    felt.has_bid |= entry.took.is_some();
                }
                Deed::Visit(_) => {}
            }
            felt.refused.extend(entry.refused.clone());
        }
        felt.actions.sort_unstable();
        felt
    }
}

/// What honest people experienced in some period.
#[derive(Debug, Default)]
pub struct Experience {
    /// The times of actions, ascending.
    actions: Vec<Duration>,
    /// The longest time until a first bid.
    pub first_bid: Option<Duration>,
    /// Whether a first bid has come.
    pub has_bid: bool,
    /// Why requests were refused.
    pub refused: Vec<String>,
}

impl Experience {
    /// The number of actions.
    pub fn count(&self) -> usize {
        self.actions.len()
    }

    fn within(&self, percent: usize) -> Duration {
        let index = (self.actions.len() * percent / 100).min(self.actions.len().saturating_sub(1));
        self.actions.get(index).copied().unwrap_or_default()
    }

    /// Half of the actions were answered within this time.
    pub fn median(&self) -> Duration {
        self.within(50)
    }

    /// 99 of 100 actions were answered within this time.
    pub fn nearly_all(&self) -> Duration {
        self.within(99)
    }
}
