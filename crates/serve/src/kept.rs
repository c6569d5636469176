//! A cache of answers. A client's callers with the same key wait for one computation, and all
//! clients take the answer found first. The least recently used answer is dropped first.

use std::fmt::{self, Debug, Write};
use std::future::Future;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::policy::EvictionPolicy;
use moka::{Expiry, future, sync};
use richman_hall::refused::Refusal;
use richman_pages::desk::Deadline;
use tokio::sync::Notify;

use crate::client::Client;

/// The time for which a refusal is cached; the machine may only have been busy.
const BELIEVED: Duration = Duration::from_secs(60);

/// Answers by their keys, up to a number of bytes and entries.
pub struct AnswerCache<K, T> {
    found: sync::Cache<K, CachedAnswer<T>>,
    /// The computations of each client. Clients do not wait for each other: each has its own turn
    /// at the desk.
    at_work: future::Cache<(Client, K), CachedAnswer<T>>,
    /// Notified of a cached answer, by the hash of its key modulo their number.
    news: [Notify; 64],
    hasher: RandomState,
}

richman_core::debug_by_name!([K, T] AnswerCache<K, T> {});

/// The default size: 32 MiB.
impl<K: Debug + Hash + Eq + Clone + Send + Sync + 'static, T: Send + Sync + 'static> Default for AnswerCache<K, T> {
    fn default() -> AnswerCache<K, T> {
        const BYTES: u64 = 32 << 20;
        AnswerCache::new(BYTES, BYTES / 2048)
    }
}

/// An answer and its approximate bytes, or the refusal.
type CachedAnswer<T> = Result<(Arc<T>, u64), Refusal>;

/// Drops refusals, and answers that show one.
struct RefusalExpiry<T> {
    shows_refusal: fn(&T) -> bool,
}

impl<K, T> Expiry<K, CachedAnswer<T>> for RefusalExpiry<T> {
    fn expire_after_create(&self, _: &K, answered: &CachedAnswer<T>, _: Instant) -> Option<Duration> {
        let is_refused = answered.as_ref().map_or(true, |(answer, _)| (self.shows_refusal)(answer));
        is_refused.then_some(BELIEVED)
    }
}

impl<K: Debug + Hash + Eq + Clone + Send + Sync + 'static, T: Send + Sync + 'static> AnswerCache<K, T> {
    /// An empty cache for `entries` answers, or fewer if they exceed `bytes / entries` on average.
    /// An answer larger than the whole cache counts as filling it.
    pub fn new(bytes: u64, entries: u64) -> AnswerCache<K, T> {
        AnswerCache::with_refusals(bytes, entries, |_| false)
    }

    /// The same for answers that may show a refusal, which are cached for a minute.
    pub fn with_refusals(bytes: u64, entries: u64, shows_refusal: fn(&T) -> bool) -> AnswerCache<K, T> {
        let (most, least) = (bytes / 1024, bytes / 1024 / entries);
        let kibibytes = move |key: &K, answered: &CachedAnswer<T>| {
            let bytes = answered.as_ref().map_or(0, |(_, bytes)| *bytes) + bytes_of_key(key);
            u32::try_from((bytes / 1024 + 1).max(least).min(most)).unwrap_or(u32::MAX)
        };
        let found = sync::Cache::builder().max_capacity(most).weigher(kibibytes);
        let found = found.eviction_policy(EvictionPolicy::lru()).expire_after(RefusalExpiry { shows_refusal });
        AnswerCache {
            found: found.build(),
            at_work: future::Cache::new(0), // keeps nothing that is finished
            news: [const { Notify::const_new() }; 64],
            hasher: RandomState::new(),
        }
    }

    /// The answer for `key`: cached, or computed by `find` and then cached; `bytes` gives its size.
    /// If the caller that runs `find` is dropped, the client's next waiter runs its own; if another
    /// client's answer comes first, `find` is dropped.
    ///
    /// # Errors
    /// The errors of `find`. `OutOfTime` and `Unfit` are cached for a minute.
    pub async fn answer<A: Into<Arc<T>>>(
        &self,
        key: &K,
        bytes: impl FnOnce(&T) -> u64 + Send,
        find: impl Future<Output = Result<A, Refusal>> + Send,
    ) -> Result<Arc<T>, Refusal> {
        let found = async {
            let found = to_cache(find.await, bytes)?;
            self.insert(key, &found);
            Ok(found)
        };
        let own = self.at_work.try_get_with((Client::current(), key.clone()), found);
        let found = tokio::select! {
            biased;
            cached = self.cached_by_others(key) => cached,
            own = own => own.map_err(|why: Arc<Refusal>| Refusal::clone(&why))?,
        };
        found.map(|(answer, _)| answer)
    }

    /// Completes when an answer for `key` is in the cache.
    async fn cached_by_others(&self, key: &K) -> CachedAnswer<T> {
        loop {
            // Subscribes before checking, so that no answer is missed in between.
            let news = self.news(key).notified();
            if let Some(cached) = self.found.get(key) {
                return cached;
            }
            news.await;
        }
    }

    fn insert(&self, key: &K, found: &CachedAnswer<T>) {
        self.found.insert(key.clone(), found.clone());
        self.news(key).notify_waiters();
    }

    fn news(&self, key: &K) -> &Notify {
        &self.news[self.hasher.hash_one(key) as usize % self.news.len()]
    }

    /// The answer for `key`, if it is cached.
    pub fn cached(&self, key: &K) -> Option<Arc<T>> {
        self.found.get(key)?.ok().map(|(answer, _)| answer)
    }

    /// Drops every answer, as if others had taken the room.
    #[cfg(test)]
    pub fn forget_all(&self) {
        self.found.invalidate_all();
    }

    /// [`AnswerCache::answer`] within a job at the desk, for answers shared by several jobs. They
    /// do not wait for each other: two that need the same answer at once both compute it. A job
    /// that was cut off caches nothing.
    ///
    /// # Errors
    /// The errors of `find`, cached as above.
    pub fn answer_at_desk<A: Into<Arc<T>>>(
        &self,
        key: &K,
        deadline: &Deadline,
        find: impl FnOnce() -> Result<(A, u64), Refusal>,
    ) -> Result<Arc<T>, Refusal> {
        if let Some(cached) = self.found.get(key) {
            return cached.map(|(answer, _)| answer);
        }
        let found = match find() {
            Ok((answer, bytes)) => to_cache(Ok(answer), |_| bytes)?,
            Err(why) => to_cache(Err::<A, Refusal>(why), |_| 0)?,
        };
        if !deadline.is_cut_off() {
            self.insert(key, &found);
        }
        found.map(|(answer, _)| answer)
    }
}

/// About how many bytes a key takes: those of its text, which a client may make long.
fn bytes_of_key(key: &impl Debug) -> u64 {
    struct Length(u64);
    impl Write for Length {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len() as u64;
            Ok(())
        }
    }
    let mut length = Length(0);
    // It never fails.
    let _ = write!(length, "{key:?}");
    length.0
}

/// The cached form of an answer; other refusals are not cached.
fn to_cache<T, A: Into<Arc<T>>>(
    found: Result<A, Refusal>,
    bytes: impl FnOnce(&T) -> u64,
) -> Result<CachedAnswer<T>, Refusal> {
    match found {
        Ok(answer) => {
            let answer = answer.into();
            let bytes = bytes(&answer);
            Ok(Ok((answer, bytes)))
        }
        Err(why @ (Refusal::OutOfTime(_) | Refusal::Unfit(_))) => Ok(Err(why)),
        Err(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn answers_are_found_once_and_the_oldest_forgotten() {
        let kept: AnswerCache<u32, u32> = AnswerCache::new(3 * 2048, 3);
        let found = Mutex::new(Vec::new());
        let found = &found;
        let ask = |key: u32| async move {
            found.lock().unwrap().push(key);
            Ok(key * 2)
        };
        for key in [1, 2, 1, 3, 1, 4, 1, 2] {
            let answer = kept.answer(&key, |_| 1024, ask(key)).await.unwrap();
            assert_eq!(*answer, key * 2);
            kept.found.run_pending_tasks();
        }
        assert_eq!(*found.lock().unwrap(), [1, 2, 3, 4, 2], "2 was the least recently used when 4 came");
    }

    #[tokio::test]
    async fn long_keys_count() {
        let kept: AnswerCache<String, u32> = AnswerCache::new(64 << 10, 32);
        for at in 0..32 {
            let key = format!("{at}{}", "x".repeat(16 << 10));
            let _ = kept.answer(&key, |_| 1, async { Err::<u32, _>(Refusal::OutOfTime("long".to_string())) }).await;
            kept.found.run_pending_tasks();
        }
        assert!((1..=3).contains(&kept.found.entry_count()), "{}", kept.found.entry_count());
    }

    #[tokio::test]
    async fn who_asks_for_the_same_waits_and_who_leaves_takes_nothing_along() {
        let kept: AnswerCache<u32, u32> = AnswerCache::new(1 << 20, 100);
        let slow = async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(1)
        };
        let leaving = tokio::time::timeout(Duration::from_millis(20), kept.answer(&1, |_| 1, slow));
        let (left, stayed) = tokio::join!(leaving, kept.answer(&1, |_| 1, async { Ok(2) }));
        assert!(left.is_err());
        assert_eq!(*stayed.unwrap(), 2);
    }

    #[tokio::test]
    async fn nobody_waits_for_the_turn_of_another_client_and_all_take_the_first_answer() {
        let kept: AnswerCache<u32, u32> = AnswerCache::new(1 << 20, 100);
        let of = |last| Client::of([192, 0, 2, last].into());
        // The first client has used up its time: its own turn never comes.
        let never = std::future::pending::<Result<u32, Refusal>>;
        let first = of(1).scope(kept.answer(&1, |_| 1, never()));
        let twice = || -> Result<u32, Refusal> { unreachable!("its client is already at work") };
        let same = of(1).scope(kept.answer(&1, |_| 1, async { twice() }));
        let other = of(2).scope(kept.answer(&1, |_| 1, async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Ok(2)
        }));
        let (first, same, other) = tokio::join!(first, same, other);
        assert_eq!([*first.unwrap(), *same.unwrap(), *other.unwrap()], [2; 3]);
        assert_eq!(kept.at_work.entry_count(), 0);
    }

    #[tokio::test]
    async fn what_takes_too_long_is_not_tried_again_at_once() {
        let kept: AnswerCache<u32, u32> = AnswerCache::new(1 << 20, 100);
        for attempt in 0..2 {
            let find = async move {
                assert_eq!(attempt, 0);
                Err::<u32, _>(Refusal::OutOfTime("too long".to_string()))
            };
            let error = kept.answer(&1, |_| 1, find).await.unwrap_err();
            assert_eq!(error.to_string(), "too long");
        }
        let busy = kept.answer(&2, |_| 1, async { Err::<u32, _>(Refusal::Busy("later".to_string())) }).await;
        assert!(busy.is_err());
        assert_eq!(*kept.answer(&2, |_| 1, async { Ok(5) }).await.unwrap(), 5);
    }

    #[tokio::test]
    async fn jobs_share_what_they_need_and_one_without_a_client_caches_nothing() {
        let kept: Arc<AnswerCache<u32, u32>> = Arc::new(AnswerCache::new(1 << 20, 100));
        let desk = crate::desk::Desk::new(1, 1, 1 << 20);
        let job = |answer: u32| {
            let kept = Arc::clone(&kept);
            move |deadline: &Deadline| kept.answer_at_desk(&1, deadline, || Ok((answer, 1))).map(|found| *found)
        };
        let (begun, left) = (Arc::new(tokio::sync::Notify::new()), Arc::new(std::sync::Barrier::new(2)));
        let (slow, told, gone) = (job(1), Arc::clone(&begun), Arc::clone(&left));
        let work = move |deadline: &Deadline| {
            told.notify_one();
            gone.wait();
            slow(deadline)
        };
        tokio::select! {
            _ = desk.run(Duration::from_secs(60), work) => unreachable!("it waits"),
            () = begun.notified() => {}
        }
        left.wait();
        for answer in [2, 3] {
            assert_eq!(desk.run(Duration::from_secs(60), job(answer)).await.unwrap(), 2, "only the first is found");
        }
    }

    #[tokio::test]
    async fn an_answer_that_shows_a_refusal_is_forgotten_like_one() {
        let kept: AnswerCache<u32, u32> = AnswerCache::with_refusals(1 << 20, 100, |answer| *answer == 7);
        let expiry = RefusalExpiry { shows_refusal: |answer: &u32| *answer == 7 };
        for (answer, kept_for) in [(7, Some(BELIEVED)), (8, None)] {
            let cached = to_cache(Ok(answer), |_| 1).unwrap();
            assert_eq!(expiry.expire_after_create(&1, &cached, Instant::now()), kept_for);
        }
        assert_eq!(*kept.answer(&1, |_| 1, async { Ok(7) }).await.unwrap(), 7);
    }
}
