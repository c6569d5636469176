//! Who comes next at the desk.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Level;
use super::worker::Worker;
use crate::client::Client;
use crate::fair::FairPool;
use crate::refused::Refusal;

/// After this time, time that a client has used counts half.
const FORGOTTEN: Duration = Duration::from_secs(30);
/// The most jobs that wait in all.
const MOST: usize = 20_000;

/// The places at all levels, and who waits for them.
#[derive(Clone)]
pub(super) struct DeskQueue {
    state: Arc<Mutex<QueueState>>,
    /// One for each job that waits.
    tickets: FairPool,
}

struct QueueState {
    lanes: [Lane; Level::ALL.len()],
    used: HashMap<Client, UsedTime>,
}

/// The places of a level.
struct Lane {
    free: Vec<Worker>,
    /// The jobs of each client that are at work.
    running: HashMap<Client, usize>,
    /// The jobs of each client that wait, in the order of their coming.
    waiting: HashMap<Client, VecDeque<WaitingJob>>,
}

/// Where the place is sent; closed if nobody waits any more.
type WaitingJob = oneshot::Sender<DeskPlace>;

/// The time that a client has used lately.
struct UsedTime {
    seconds: f64,
    at: Instant,
}

impl UsedTime {
    fn now(&self) -> f64 {
        self.seconds * (-(self.at.elapsed().as_secs_f64() / FORGOTTEN.as_secs_f64())).exp2()
    }
}

/// A place at a level, given back when dropped.
pub(super) struct DeskPlace {
    queue: DeskQueue,
    worker: Worker,
    client: Client,
    level: Level,
    since: Instant,
}

impl DeskQueue {
    pub(super) fn new(places: usize, most_of_one: usize) -> DeskQueue {
        let workers = || std::iter::repeat_with(Worker::default).take(places).collect();
        let lane = |_| Lane { free: workers(), running: HashMap::new(), waiting: HashMap::new() };
        let state = QueueState { lanes: Level::ALL.map(lane), used: HashMap::new() };
        DeskQueue { state: Arc::new(Mutex::new(state)), tickets: FairPool::new(MOST, most_of_one) }
    }

    /// A place at that level, when it is the client's turn. Whoever stops waiting loses nothing.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if the client, or everybody together, waits for too much already.
    pub(super) async fn place(&self, client: Client, level: Level) -> Result<DeskPlace, Refusal> {
        let busy = || Refusal::Busy("many games are being solved right now: try again in a minute".to_string());
        let ticket = self.tickets.take(client, 1).ok_or_else(busy)?;
        let (place, granted) = oneshot::channel();
        {
            let mut state = self.state();
            let jobs = state.lanes[level as usize].waiting.entry(client).or_default();
            jobs.retain(|job| !job.is_closed()); // else those who leave would add up while others are served
            jobs.push_back(place);
        }
        self.grant(level);
        tokio::select! {
            granted = granted => granted.map_err(Refusal::internal),
            () = ticket.lost() => Err(busy()),
        }
    }

    /// The number of jobs that wait at a level.
    pub(super) fn waiting(&self, level: Level) -> usize {
        let lane = &self.state().lanes[level as usize];
        lane.waiting.values().flatten().filter(|job| !job.is_closed()).count()
    }

    /// Gives the free places of a level away.
    fn grant(&self, level: Level) {
        loop {
            let Some((client, worker, job)) = self.state().next(level) else { return };
            let place = DeskPlace { queue: self.clone(), worker, client, level, since: Instant::now() };
            // If nobody waits any more, it is dropped here, and so given back.
            drop(job.send(place));
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    /// Takes a free place for the job that comes next: that of the client with the fewest jobs at
    /// work, then of the one that used the least time. A client's own jobs come in their order.
    fn next(&mut self, level: Level) -> Option<(Client, Worker, WaitingJob)> {
        let lane = &mut self.lanes[level as usize];
        if lane.free.is_empty() {
            return None;
        }
        loop {
            let running = |client| lane.running.get(client).copied().unwrap_or(0);
            let used = |client| self.used.get(client).map_or(0.0, UsedTime::now);
            let client = *lane.waiting.keys().min_by(|one, other| {
                running(one).cmp(&running(other)).then_with(|| used(one).total_cmp(&used(other)))
            })?;
            let jobs = lane.waiting.get_mut(&client)?;
            let job = std::iter::from_fn(|| jobs.pop_front()).find(|job| !job.is_closed());
            if jobs.is_empty() {
                lane.waiting.remove(&client);
            }
            if let Some(job) = job {
                *lane.running.entry(client).or_default() += 1;
                return Some((client, lane.free.pop()?, job));
            }
        }
    }

    fn give_back(&mut self, place: &DeskPlace) {
        /// Less counts as nothing.
        const LEAST: f64 = 1e-4;
        let lane = &mut self.lanes[place.level as usize];
        lane.free.push(place.worker.clone());
        if let Some(running) = lane.running.get_mut(&place.client) {
            *running -= 1;
            if *running == 0 {
                lane.running.remove(&place.client);
            }
        }
        let used = self.used.get(&place.client).map_or(0.0, UsedTime::now);
        let seconds = used + place.since.elapsed().as_secs_f64();
        self.used.insert(place.client, UsedTime { seconds, at: Instant::now() });
        if self.used.len() > MOST {
            self.used.retain(|_, used| used.now() > LEAST);
        }
    }
}

impl DeskPlace {
    /// Runs `work` here. The place is given back when it has ended, whoever still waits for it.
    ///
    /// # Errors
    /// As for [`Worker::run`].
    pub(super) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        let worker = self.worker.clone();
        worker
            .run(move || {
                let _place = self;
                work()
            })
            .await
    }
}

impl Drop for DeskPlace {
    fn drop(&mut self) {
        self.queue.state().give_back(self);
        self.queue.grant(self.level);
    }
}
