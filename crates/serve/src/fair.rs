//! A pool of tickets that clients share fairly.
//!
//! While there is room, every client gets a ticket. When the pool is full, a client takes the
//! oldest ticket of the client that holds most, if the latter still has at least as many
//! afterwards. So no client can take the pool from the others, however many tickets it requests.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::future::select_all;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::client::Client;

/// A pool of tickets; a ticket has a size.
#[derive(Debug, Clone)]
pub struct FairPool {
    most: usize,
    most_of_one: usize,
    held: Arc<Mutex<HeldTickets>>,
}

#[derive(Debug, Default)]
struct HeldTickets {
    taken: usize,
    last: u64,
    clients: HashMap<Client, ClientTickets>,
}

/// The tickets of a client, oldest first.
#[derive(Debug, Default)]
struct ClientTickets {
    taken: usize,
    tickets: BTreeMap<u64, (usize, CancellationToken)>,
}

/// A ticket, given back when dropped.
#[derive(Debug)]
pub struct FairTicket {
    pool: FairPool,
    client: Client,
    number: u64,
    lost: CancellationToken,
}

impl FairPool {
    /// A pool of `most` in all, with at most `most_of_one` for one client.
    pub fn new(most: usize, most_of_one: usize) -> FairPool {
        FairPool { most, most_of_one, held: Arc::default() }
    }

    /// A ticket of that size for a client; `None` if it has its share. The server may have all.
    pub fn take(&self, client: Client, size: usize) -> Option<FairTicket> {
        let mut held = self.held.lock();
        let wanted = held.clients.get(&client).map_or(0, |own| own.taken) + size;
        let share = if client == Client::SERVER { self.most } else { self.most_of_one.min(self.most) };
        if wanted > share {
            return None;
        }
        while held.taken + size > self.most {
            let others = held.clients.iter().filter(|(other, _)| ![client, Client::SERVER].contains(other));
            let (largest, holder) = others.max_by_key(|(_, holder)| holder.taken)?;
            if holder.taken <= wanted {
                return None;
            }
            let (number, largest) = (*holder.tickets.keys().next()?, *largest);
            held.remove(largest, number)?.cancel();
        }
        held.last += 1;
        held.taken += size;
        let (number, lost) = (held.last, CancellationToken::new());
        let own = held.clients.entry(client).or_default();
        own.taken += size;
        own.tickets.insert(number, (size, lost.clone()));
        Some(FairTicket { pool: self.clone(), client, number, lost })
    }

    /// A ticket of that size, or of all that one client gets if that is less.
    pub fn take_up_to(&self, client: Client, size: usize) -> Option<FairTicket> {
        self.take(client, size.min(self.most_of_one).min(self.most))
    }

    /// The taken part of the pool.
    pub fn taken(&self) -> usize {
        self.held.lock().taken
    }
}

impl HeldTickets {
    fn remove(&mut self, client: Client, number: u64) -> Option<CancellationToken> {
        let own = self.clients.get_mut(&client)?;
        let (size, lost) = own.tickets.remove(&number)?;
        own.taken -= size;
        if own.tickets.is_empty() {
            self.clients.remove(&client);
        }
        self.taken -= size;
        Some(lost)
    }
}

impl FairTicket {
    /// Completes when another client takes the ticket.
    pub async fn lost(&self) {
        self.lost.cancelled().await;
    }

    /// Completes when another client takes one of these tickets.
    pub async fn one_lost(tickets: &[FairTicket]) {
        select_all(tickets.iter().map(|ticket| Box::pin(ticket.lost()))).await;
    }

    /// Whether another client has taken the ticket.
    pub fn is_lost(&self) -> bool {
        self.lost.is_cancelled()
    }

    /// Runs `release` when another client takes the ticket, or when the ticket is dropped.
    pub fn when_gone(&self, release: impl FnOnce() + Send + 'static) {
        let lost = self.lost.clone();
        tokio::spawn(async move {
            lost.cancelled().await;
            release();
        });
    }
}

impl Drop for FairTicket {
    fn drop(&mut self) {
        self.pool.held.lock().remove(self.client, self.number);
        self.lost.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Client::of([10, 0, 0, number].into())
    }

    #[test]
    fn a_full_pool_is_shared() {
        let pool = FairPool::new(10, 10);
        let mut greedy: Vec<FairTicket> = (0..10).map(|_| pool.take(client(1), 1).unwrap()).collect();
        assert!(pool.take(client(1), 1).is_none(), "nobody takes a ticket from themselves");
        let others: Vec<FairTicket> = (0..5).map(|_| pool.take(client(2), 1).unwrap()).collect();
        assert!(pool.take(client(2), 1).is_none(), "each has half");
        let lost = |tickets: &[FairTicket]| tickets.iter().map(|ticket| ticket.lost.is_cancelled()).collect::<Vec<_>>();
        assert_eq!(lost(&greedy), [[true; 5], [false; 5]].concat(), "the oldest tickets went");
        assert_eq!(lost(&others), [false; 5]);
        drop(greedy.drain(..5));
        assert_eq!(pool.taken(), 10, "a ticket that was lost is not given back again");
        drop((greedy, others));
        assert_eq!(pool.taken(), 0);
        assert!(pool.held.lock().clients.is_empty());
    }

    #[test]
    fn one_client_gets_no_more_than_its_share() {
        let pool = FairPool::new(100, 8);
        let held = pool.take(client(1), 5).unwrap();
        assert!(pool.take(client(1), 4).is_none());
        let rest = pool.take(client(1), 3).unwrap();
        assert!(pool.take(client(2), 9).is_none(), "larger than a share");
        drop((held, rest));
        assert!(pool.take(client(1), 8).is_some());
    }

    #[test]
    fn many_clients_do_not_keep_one_out() {
        let pool = FairPool::new(400, 100);
        let tickets: Vec<FairTicket> =
            (0..200).flat_map(|number| [number; 2]).map(|number| pool.take(client(number), 1).unwrap()).collect();
        let first = pool.take(client(200), 1);
        assert!(first.is_some());
        let own = pool.take(client(200), 1);
        assert!(own.is_none(), "as much as the others have");
        assert_eq!(tickets.iter().filter(|ticket| ticket.lost.is_cancelled()).count(), 1);
    }
}
