//! Work, done at once, and answers that may be asked for again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use richman_hall::refused::Refusal;
use richman_pages::desk::Deadline;
use richman_pages::finished::FinishedPage;
use richman_pages::needs::{AnswerKind, Answered, AnyPart, Clerk, PageAnswers, PageDesk, PartKind, TimedJob};

/// Bytes that one job may hold: the memory of a tab is small.
pub(crate) const MEMORY: u64 = 256 << 20;

/// Does every job when it comes.
pub(crate) struct TabDesk;

impl PageDesk for TabDesk {
    fn memory(&self) -> u64 {
        MEMORY
    }

    fn run(&self, time: Duration, job: TimedJob) -> Answered<'_, ()> {
        Box::pin(async move { timed(time, MEMORY, |deadline| job(deadline)) })
    }

    fn clerk(&self, _: Clerk, job: Box<dyn FnOnce() + Send>) -> Answered<'_, ()> {
        Box::pin(async move {
            job();
            Ok(())
        })
    }
}

/// Does a job that may take so long.
pub(crate) fn timed<T>(
    time: Duration,
    memory: u64,
    job: impl FnOnce(&Deadline) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let here = Arc::new(());
    Deadline::new(time, time, memory, Arc::downgrade(&here)).part(time, job)
}

/// The last answers, and parts of them.
#[derive(Default)]
pub(crate) struct KeptAnswers {
    finished: Mutex<RecentlyUsed<(AnswerKind, String), Arc<FinishedPage>>>,
    parts: Mutex<RecentlyUsed<(PartKind, String), AnyPart>>,
}

impl PageAnswers for KeptAnswers {
    fn cached(&self, kind: AnswerKind, key: &str) -> Option<Arc<FinishedPage>> {
        self.finished.lock().get(&(kind, key.to_string()))
    }

    fn answer<'a>(
        &'a self,
        kind: AnswerKind,
        key: String,
        make: Answered<'a, Arc<FinishedPage>>,
    ) -> Answered<'a, Arc<FinishedPage>> {
        Box::pin(async move {
            if let Some(found) = self.cached(kind, &key) {
                return Ok(found);
            }
            let made = make.await?;
            if !made.shows_refusal() {
                self.finished.lock().put((kind, key), Arc::clone(&made), made.weight());
            }
            Ok(made)
        })
    }

    fn part(
        &self,
        kind: PartKind,
        key: String,
        deadline: &Deadline,
        make: &mut dyn FnMut() -> Result<(AnyPart, u64), Refusal>,
    ) -> Result<AnyPart, Refusal> {
        let key = (kind, key);
        if let Some(found) = self.parts.lock().get(&key) {
            return Ok(found);
        }
        let (made, bytes) = make()?;
        if !deadline.is_cut_off() {
            self.parts.lock().put(key, AnyPart::clone(&made), bytes);
        }
        Ok(made)
    }
}

/// The bytes that answers may take, and their parts.
const BYTES: u64 = 16 << 20;

/// Values by keys, the most recent one last.
pub(crate) struct RecentlyUsed<K, T>(VecDeque<(K, T, u64)>);

impl<K, T> Default for RecentlyUsed<K, T> {
    fn default() -> RecentlyUsed<K, T> {
        RecentlyUsed(VecDeque::new())
    }
}

impl<K: PartialEq, T: Clone> RecentlyUsed<K, T> {
    pub(crate) fn get(&mut self, key: &K) -> Option<T> {
        let at = self.0.iter().position(|(known, ..)| known == key)?;
        let found = self.0.remove(at)?;
        self.0.push_back(found);
        self.0.back().map(|(_, value, _)| value.clone())
    }

    /// Keeps a value; the longest unused ones make room.
    pub(crate) fn put(&mut self, key: K, value: T, bytes: u64) {
        self.0.retain(|(known, ..)| *known != key);
        self.0.push_back((key, value, bytes));
        while self.bytes() > BYTES && self.0.len() > 1 {
            self.0.pop_front();
        }
    }

    /// What the values count together.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().map(|(_, _, bytes)| bytes).sum()
    }
}
