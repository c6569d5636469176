//! The list of attacks. A new one is a function in `requests` or `sockets`, and a line here.

use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use crate::{requests, sockets};

/// An attack in progress. It goes on until it is dropped, unless it ends earlier.
pub type Assault = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A way to take a server from everybody.
pub struct Attack {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// How many seconds it needs to do harm.
    pub seconds: u64,
    /// The most requests that a server should accept from one address in a trial, where it matters.
    pub most_each: Option<u64>,
    /// The fewest that have to get through for it to be an attack.
    pub least: u64,
    /// The least bytes of memory that the server has to take for it to be one.
    pub least_memory: u64,
    /// Whether a proxy lets it through: connections end at the proxy, which reads whole answers.
    pub passes_proxies: bool,
    /// Begins it.
    pub begin: fn(Target) -> Assault,
}

impl Attack {
    const fn new(name: &'static str, begin: fn(Target) -> Assault) -> Attack {
        Attack { name, seconds: 4, most_each: None, least: 1, least_memory: 0, passes_proxies: true, begin }
    }
}

/// All attacks.
pub const ATTACKS: &[Attack] = &[
    Attack::new("own-games", |target| Box::pin(requests::own_games(target))),
    Attack::new("chess-games", |target| Box::pin(requests::chess_games(target))),
    Attack::new("hex-pages", |target| Box::pin(requests::hex_pages(target))),
    Attack::new("rematches", |target| Box::pin(requests::rematches(target))),
    Attack { most_each: Some(210), ..Attack::new("first-games", |target| Box::pin(requests::first_games(target))) },
    // They are answered late; solving for them takes memory from the first second on.
    Attack {
        least: 0,
        least_memory: 100 << 20,
        ..Attack::new("estimates", |target| Box::pin(requests::estimates(target)))
    },
    // A busy machine answers the first after more than four.
    Attack { seconds: 8, ..Attack::new("questions", |target| Box::pin(requests::questions(target))) },
    Attack::new("reviews", |target| Box::pin(requests::reviews(target))),
    // None is answered in time.
    Attack {
        least: 0,
        least_memory: 200 << 20,
        seconds: 8, // a busy machine needs them to take so much
        ..Attack::new("heavy-questions", |target| Box::pin(requests::heavy_questions(target)))
    },
    Attack { seconds: 5, ..Attack::new("stalled-chunks", |target| Box::pin(sockets::stalled_chunks(target))) },
    Attack::new("slow-uploads", |target| Box::pin(sockets::slow_uploads(target))),
    Attack {
        seconds: 8,
        passes_proxies: false,
        ..Attack::new("connections", |target| Box::pin(sockets::connections(target)))
    },
    Attack { passes_proxies: false, ..Attack::new("unread-pages", |target| Box::pin(sockets::unread_pages(target))) },
    Attack::new("listeners", |target| Box::pin(sockets::listeners(target))),
    // All are refused.
    Attack { least: 0, ..Attack::new("credits", |target| Box::pin(requests::credits(target))) },
    Attack::new("large-credits", |target| Box::pin(requests::large_credits(target))),
    Attack::new("wide-pages", |target| Box::pin(requests::wide_pages(target))),
    Attack::new("large-files", |target| Box::pin(requests::large_files(target))),
    Attack {
        seconds: 8,
        passes_proxies: false,
        ..Attack::new("unread-records", |target| Box::pin(sockets::unread_records(target)))
    },
    Attack {
        seconds: 8,
        passes_proxies: false,
        ..Attack::new("unfinished-heads", |target| Box::pin(sockets::unfinished_heads(target)))
    },
];

/// What attackers got.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub struct Spoils {
    /// Bytes sent.
    pub sent: u64,
    /// Requests and connections that were accepted.
    pub accepted: u64,
    /// Those that were refused, or closed.
    pub refused: u64,
}

#[derive(Default)]
struct Counts {
    sent: AtomicU64,
    accepted: AtomicU64,
    refused: AtomicU64,
}

/// The server, as its attackers see it.
#[derive(Clone)]
pub struct Target {
    pub server: SocketAddr,
    /// The public name of a match that people play.
    pub watched: Arc<str>,
    addresses: u8,
    counts: Arc<Counts>,
}

impl Target {
    /// A server attacked from that many addresses.
    pub fn new(server: SocketAddr, watched: &str, addresses: u8) -> Target {
        Target { server, watched: watched.into(), addresses: addresses.max(1), counts: Arc::default() }
    }

    /// What was counted until now.
    pub fn spoils(&self) -> Spoils {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let Counts { sent, accepted, refused } = &*self.counts;
        Spoils { sent: read(sent), accepted: read(accepted), refused: read(refused) }
    }

    /// Counts a request or a connection.
    pub fn count(&self, is_accepted: bool) {
        let counter = if is_accepted { &self.counts.accepted } else { &self.counts.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts bytes that were sent.
    pub fn count_sent(&self, bytes: u64) {
        self.counts.sent.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Lets `many` attackers act at once, at least one from each address, each with its number.
    pub async fn each<F: Future<Output = ()> + Send + 'static>(
        &self,
        many: usize,
        act: impl Fn(Target, usize, Ipv4Addr) -> F,
    ) {
        let mut attackers = JoinSet::new();
        for number in 0..many.max(self.addresses.into()) {
            let address = (number % usize::from(self.addresses)) as u8 + 1;
            attackers.spawn(act(self.clone(), number, Ipv4Addr::new(127, 0, 3, address)));
        }
        attackers.join_all().await;
    }
}
