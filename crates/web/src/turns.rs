//! Fair turns: clients wait in lanes for a few places, and no client can keep the others waiting.

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

/// The places of several lanes, and the clients waiting for them. Each place has a tool to work
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

/// The places of a lane.
struct Lane<T: Clone + Send + 'static> {
    free: Vec<T>,
    /// The places that each client has.
    taken: HashMap<Client, usize>,
    /// The waiting requests of each client, in order of arrival.
    waiting: HashMap<Client, VecDeque<Waiting<T>>>,
}

/// The channel for the place; closed if the caller has gone.
type Waiting<T> = oneshot::Sender<TurnPlace<T>>;

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

/// A place in a lane, given back when dropped.
pub(crate) struct TurnPlace<T: Clone + Send + 'static> {
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

    /// A place in that lane, when it is the client's turn. A caller may stop waiting at any time.
    /// `None` if too many requests of the client, or of all clients, wait already.
    pub(crate) async fn place(&self, client: Client, lane: usize) -> Option<TurnPlace<T>> {
        let ticket = self.tickets.take(client, 1)?;
        let (place, granted) = oneshot::channel();
        {
            let mut state = self.state.lock();
            let waiting = state.lanes[lane].waiting.entry(client).or_default();
            waiting.retain(|one| !one.is_closed()); // otherwise abandoned requests would accumulate
            waiting.push_back(place);
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

    /// Gives the free places of a lane away.
    fn grant(&self, lane: usize) {
        loop {
            let Some((client, tool, waiting)) = self.state.lock().next(lane) else { return };
            let place = TurnPlace { queue: Some(self.clone()), tool, client, lane, since: Instant::now() };
            if let Err(mut place) = waiting.send(place) {
                // The caller has gone. Returned here, because dropping the place would call this
                // again.
                place.queue = None;
                self.state.lock().give_back(&place);
            }
        }
    }
}

impl<T: Clone + Send + 'static> QueueState<T> {
    /// Takes a free place for the next request: of the client with the fewest places, then of the
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

    fn give_back(&mut self, place: &TurnPlace<T>) {
        /// Less counts as nothing.
        const LEAST: f64 = 1e-4;
        let lane = &mut self.lanes[place.lane];
        lane.free.push(place.tool.clone());
        if let Some(taken) = lane.taken.get_mut(&place.client) {
            *taken -= 1;
            if *taken == 0 {
                lane.taken.remove(&place.client);
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

impl<T: Clone + Send + 'static> TurnPlace<T> {
    /// Gives the place back only after that time.
    pub(crate) fn give_back_after(self, time: Duration) {
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            drop(self);
        });
    }
}

impl<T: Clone + Send + 'static> Drop for TurnPlace<T> {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            queue.state.lock().give_back(self);
            queue.grant(self.lane);
        }
    }
}
