//! Fair turns: clients wait in lanes for a few slots, and no client can keep the others waiting.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::client::Client;
use crate::fair::FairPool;

/// The half-life of a client's used time.
const FORGOTTEN: Duration = Duration::from_secs(30);
/// The most waiting requests in all.
const MOST: usize = 20_000;

/// The slots of several lanes, and the clients waiting for them. Each slot has a tool to work
/// with.
#[derive(Clone)]
pub(crate) struct TurnQueue<T: Clone + Send + 'static> {
    state: Arc<Mutex<QueueState<T>>>,
    /// One for each waiting request.
    tickets: FairPool,
}

struct QueueState<T: Clone + Send + 'static> {
    lanes: Vec<Lane<T>>,
    used: HashMap<Client, UsedTime>,
}

/// The slots of a lane.
struct Lane<T: Clone + Send + 'static> {
    free: Vec<T>,
    /// The slots that each client has.
    taken: HashMap<Client, usize>,
    /// The waiting requests of each client, in order of arrival.
    waiting: HashMap<Client, VecDeque<Waiting<T>>>,
}

/// The channel for the slot; closed if the caller has gone.
type Waiting<T> = oneshot::Sender<TurnSlot<T>>;

/// The time that a client has used recently.
struct UsedTime {
    seconds: f64,
    at: Instant,
}

impl UsedTime {
    fn now(&self) -> f64 {
        self.seconds * (-(self.at.elapsed().as_secs_f64() / FORGOTTEN.as_secs_f64())).exp2()
    }
}

/// A slot in a lane, given back when dropped.
pub(crate) struct TurnSlot<T: Clone + Send + 'static> {
    /// The queue to return it to.
    queue: Option<TurnQueue<T>>,
    /// The tool.
    pub(crate) tool: T,
    client: Client,
    lane: usize,
    since: Instant,
}

impl<T: Clone + Send + 'static> TurnQueue<T> {
    /// Lanes with these tools. At most `most_of_one` requests of one client wait.
    pub(crate) fn new(lanes: impl IntoIterator<Item = Vec<T>>, most_of_one: usize) -> TurnQueue<T> {
        let lane = |free| Lane { free, taken: HashMap::new(), waiting: HashMap::new() };
        let state = QueueState { lanes: lanes.into_iter().map(lane).collect(), used: HashMap::new() };
        TurnQueue { state: Arc::new(Mutex::new(state)), tickets: FairPool::new(MOST, most_of_one) }
    }

    /// A slot in that lane, when it is the client's turn. A caller may stop waiting at any time.
    /// `None` if too many requests of the client, or of all clients, wait already.
    pub(crate) async fn slot(&self, client: Client, lane: usize) -> Option<TurnSlot<T>> {
        let ticket = self.tickets.take(client, 1)?;
        let (slot, granted) = oneshot::channel();
        {
            let mut state = self.state.lock();
            let waiting = state.lanes[lane].waiting.entry(client).or_default();
            waiting.retain(|one| !one.is_closed()); // otherwise abandoned requests would accumulate
            waiting.push_back(slot);
        }
        self.grant(lane);
        tokio::select! {
            granted = granted => granted.ok(),
            () = ticket.lost() => None,
        }
    }

    /// The number of waiting requests in a lane.
    pub(crate) fn waiting(&self, lane: usize) -> usize {
        self.state.lock().lanes[lane].waiting.values().flatten().filter(|one| !one.is_closed()).count()
    }

    /// Gives the free slots of a lane away.
    fn grant(&self, lane: usize) {
        loop {
            let Some((client, tool, waiting)) = self.state.lock().next(lane) else { return };
            let slot = TurnSlot { queue: Some(self.clone()), tool, client, lane, since: Instant::now() };
            if let Err(mut slot) = waiting.send(slot) {
                // The caller has gone. Returned here, because dropping the slot would call this
                // again.
                slot.queue = None;
                self.state.lock().give_back(&slot);
            }
        }
    }
}

impl<T: Clone + Send + 'static> QueueState<T> {
    /// Takes a free slot for the next request: of the client with the fewest slots, then of the
    /// one that used the least time. A client's own requests keep their order.
    fn next(&mut self, lane: usize) -> Option<(Client, T, Waiting<T>)> {
        let lane = &mut self.lanes[lane];
        if lane.free.is_empty() {
            return None;
        }
        loop {
            let taken = |client| lane.taken.get(client).copied().unwrap_or(0);
            let used = |client| self.used.get(client).map_or(0.0, UsedTime::now);
            let client = *lane
                .waiting
                .keys()
                .min_by(|one, other| taken(one).cmp(&taken(other)).then_with(|| used(one).total_cmp(&used(other))))?;
            let waiting = lane.waiting.get_mut(&client)?;
            let first = std::iter::from_fn(|| waiting.pop_front()).find(|one| !one.is_closed());
            if waiting.is_empty() {
                lane.waiting.remove(&client);
            }
            if let Some(first) = first {
                *lane.taken.entry(client).or_default() += 1;
                return Some((client, lane.free.pop()?, first));
            }
        }
    }

    fn give_back(&mut self, slot: &TurnSlot<T>) {
        /// Less counts as nothing.
        const LEAST: f64 = 1e-4;
        let lane = &mut self.lanes[slot.lane];
        lane.free.push(slot.tool.clone());
        if let Some(taken) = lane.taken.get_mut(&slot.client) {
            *taken -= 1;
            if *taken == 0 {
                lane.taken.remove(&slot.client);
            }
        }
        let used = self.used.get(&slot.client).map_or(0.0, UsedTime::now);
        let seconds = used + slot.since.elapsed().as_secs_f64();
        self.used.insert(slot.client, UsedTime { seconds, at: Instant::now() });
        if self.used.len() > MOST {
            self.used.retain(|_, used| used.now() > LEAST);
        }
    }
}

impl<T: Clone + Send + 'static> TurnSlot<T> {
    /// Gives the slot back only after that time.
    pub(crate) fn give_back_after(self, time: Duration) {
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            drop(self);
        });
    }
}

impl<T: Clone + Send + 'static> Drop for TurnSlot<T> {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            queue.state.lock().give_back(self);
            queue.grant(self.lane);
        }
    }
}
