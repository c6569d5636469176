//! Answers that were found before, the least used of them forgotten first.

use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lru::LruCache;

use crate::refused::Refused;

/// How long it is believed that an answer takes too long, in case only the machine was busy.
const BELIEVED: Duration = Duration::from_secs(60);

/// Answers by their questions, up to a weight in all.
pub struct Kept<K, T> {
    most: usize,
    inner: Mutex<Inner<K, T>>,
}

struct Inner<K, T> {
    answers: LruCache<K, (usize, Found<T>)>,
    weight: usize,
}

enum Found<T> {
    Answer(Arc<T>),
    /// Why there is none, and when that was found.
    TooLong(String, Instant),
}

impl<K: Hash + Eq + Clone, T> Kept<K, T> {
    /// Nothing yet, and room for answers of `most` bytes.
    pub fn new(most: usize) -> Kept<K, T> {
        Kept { most, inner: Mutex::new(Inner { answers: LruCache::unbounded(), weight: 0 }) }
    }

    /// The answer to `key`: kept, or found by `find` and then kept. `weigh` says how many bytes it takes.
    pub async fn answer(
        &self,
        key: &K,
        weigh: impl FnOnce(&T) -> usize,
        find: impl Future<Output = Result<T, Refused>>,
    ) -> Result<Arc<T>, Refused> {
        if let Some(known) = self.known(key) {
            return known;
        }
        match find.await {
            Ok(answer) => {
                let (weight, answer) = (weigh(&answer), Arc::new(answer));
                self.keep(key.clone(), weight, Found::Answer(Arc::clone(&answer)));
                Ok(answer)
            }
            Err(error) => {
                if matches!(error, Refused::OutOfTime(_) | Refused::Unfit(_)) {
                    let reason = error.to_string();
                    self.keep(key.clone(), reason.len(), Found::TooLong(reason, Instant::now()));
                }
                Err(error)
            }
        }
    }

    fn known(&self, key: &K) -> Option<Result<Arc<T>, Refused>> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        match inner.answers.get(key) {
            Some((_, Found::Answer(answer))) => Some(Ok(Arc::clone(answer))),
            Some((_, Found::TooLong(reason, at))) if at.elapsed() < BELIEVED => {
                Some(Err(Refused::OutOfTime(reason.clone())))
            }
            _ => None,
        }
    }

    fn keep(&self, key: K, weight: usize, found: Found<T>) {
        const EACH: usize = 1024; // the key, and what it takes to find it
        let weight = weight + EACH;
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if weight > self.most {
            return;
        }
        if let Some((before, _)) = inner.answers.put(key, (weight, found)) {
            inner.weight -= before;
        }
        inner.weight += weight;
        while inner.weight > self.most {
            match inner.answers.pop_lru() {
                Some((_, (freed, _))) => inner.weight -= freed,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
        }
        assert_eq!(*found.lock().unwrap(), [1, 2, 3, 4, 2], "2 was the least used when 4 came");
    }

    #[tokio::test]
    async fn what_takes_too_long_is_not_tried_again_at_once() {
        let kept: Kept<u32, u32> = Kept::new(1 << 20);
        for attempt in 0..2 {
            let find = async move {
                assert_eq!(attempt, 0);
                Err(Refused::OutOfTime("too long".to_string()))
            };
            let error = kept.answer(&1, |_| 1, find).await.unwrap_err();
            assert_eq!(error.to_string(), "too long");
        }
        let busy = kept.answer(&2, |_| 1, async { Err(Refused::Busy("later".to_string())) }).await;
        assert!(busy.is_err());
        assert_eq!(*kept.answer(&2, |_| 1, async { Ok(5) }).await.unwrap(), 5);
    }
}
