//! What was found before, the least used of it forgotten first, and what is being found: who asks for the same waits for it.

use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::Expiry;
use moka::future::Cache;
use moka::policy::EvictionPolicy;

use crate::refused::Refused;

/// How long it is believed that an answer takes too long, in case only the machine was busy.
const BELIEVED: Duration = Duration::from_secs(60);

/// Answers by their questions, up to so many bytes in all.
pub struct Kept<K, T> {
    found: Cache<K, Found<T>>,
}

enum Found<T> {
    /// An answer, and about how many bytes it holds.
    Answer(Arc<T>, u64),
    /// Why there is none.
    TooLong(Refused),
}

impl<T> Clone for Found<T> {
    fn clone(&self) -> Found<T> {
        match self {
            Found::Answer(answer, bytes) => Found::Answer(Arc::clone(answer), *bytes),
            Found::TooLong(why) => Found::TooLong(why.clone()),
        }
    }
}

/// Answers are kept as long as there is room.
struct Forgetting;

impl<K, T> Expiry<K, Found<T>> for Forgetting {
    fn expire_after_create(&self, _: &K, found: &Found<T>, _: Instant) -> Option<Duration> {
        matches!(found, Found::TooLong(_)).then_some(BELIEVED)
    }
}

impl<K: Hash + Eq + Clone + Send + Sync + 'static, T: Send + Sync + 'static> Kept<K, T> {
    /// Nothing yet, and room for answers of `most` bytes.
    pub fn new(most: u64) -> Kept<K, T> {
        /// The key, and what it takes to find it.
        const EACH: u64 = 1024;
        let kibibytes = |found: &Found<T>| match found {
            Found::Answer(_, bytes) => u32::try_from((bytes + EACH) / 1024).unwrap_or(u32::MAX),
            Found::TooLong(_) => 1,
        };
        let found = Cache::builder().max_capacity(most / 1024).weigher(move |_, found| kibibytes(found));
        let found = found.eviction_policy(EvictionPolicy::lru()).expire_after(Forgetting);
        Kept { found: found.build() }
    }

    /// The answer to `key`: kept, or found by `find` and then kept; `bytes` says how many it holds. Where who waits for `find`
    /// leaves, the next one begins anew.
    ///
    /// # Errors
    /// Those of `find`; what takes too long is believed for a while.
    pub async fn answer<A: Into<Arc<T>>>(
        &self,
        key: &K,
        bytes: impl FnOnce(&T) -> u64 + Send,
        find: impl Future<Output = Result<A, Refused>> + Send,
    ) -> Result<Arc<T>, Refused> {
        let found = self.found.try_get_with_by_ref(key, async {
            match find.await {
                Ok(answer) => {
                    let answer = answer.into();
                    let bytes = bytes(&answer);
                    Ok(Found::Answer(answer, bytes))
                }
                Err(why @ (Refused::OutOfTime(_) | Refused::Unfit(_))) => Ok(Found::TooLong(why)),
                Err(why) => Err(why),
            }
        });
        match found.await {
            Ok(Found::Answer(answer, _)) => Ok(answer),
            Ok(Found::TooLong(why)) => Err(why),
            Err(why) => Err(why.as_ref().clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn answers_are_found_once_and_the_oldest_forgotten() {
        let kept: Kept<u32, u32> = Kept::new(3 * 2048);
        let found = Mutex::new(Vec::new());
        let found = &found;
        let ask = |key: u32| async move {
            found.lock().unwrap().push(key);
            Ok(key * 2)
        };
        for key in [1, 2, 1, 3, 1, 4, 1, 2] {
            let answer = kept.answer(&key, |_| 1024, ask(key)).await.unwrap();
            assert_eq!(*answer, key * 2);
            kept.found.run_pending_tasks().await;
        }
        assert_eq!(*found.lock().unwrap(), [1, 2, 3, 4, 2], "2 was the least used when 4 came");
    }

    #[tokio::test]
    async fn who_asks_for_the_same_waits_and_who_leaves_takes_nothing_along() {
        let kept: Kept<u32, u32> = Kept::new(1 << 20);
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
    async fn what_takes_too_long_is_not_tried_again_at_once() {
        let kept: Kept<u32, u32> = Kept::new(1 << 20);
        for attempt in 0..2 {
            let find = async move {
                assert_eq!(attempt, 0);
                Err::<u32, _>(Refused::OutOfTime("too long".to_string()))
            };
            let error = kept.answer(&1, |_| 1, find).await.unwrap_err();
            assert_eq!(error.to_string(), "too long");
        }
        let busy = kept.answer(&2, |_| 1, async { Err::<u32, _>(Refused::Busy("later".to_string())) }).await;
        assert!(busy.is_err());
        assert_eq!(*kept.answer(&2, |_| 1, async { Ok(5) }).await.unwrap(), 5);
    }
}
