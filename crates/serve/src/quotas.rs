//! The limits for one client, and for all together.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use richman_hall::refused::Refusal;

use crate::client::Client;
use crate::fair::FairPool;

/// The amount of a resource, in all and for one client.
#[derive(Debug, Clone, Copy)]
pub struct Allotment {
    /// In all.
    pub all: usize,
    /// For one client.
    pub one: usize,
}

/// The rate at which a client may act: a burst, and more in every hour.
#[derive(Debug, Clone, Copy)]
pub struct HourlyRate {
    /// At once.
    pub at_once: NonZeroU32,
    /// In an hour.
    pub hourly: NonZeroU32,
}

/// The quotas of a server.
#[derive(Debug, Clone, Copy)]
pub struct Quotas {
    /// Connections. A client behind a proxy uses the proxy's connections, which have no limit of
    /// their own.
    pub connections: Allotment,
    /// Requests in progress, including those that wait for a change of a match.
    pub requests: Allotment,
    /// KiB of request bodies in transfer, counting those larger than a form.
    pub bodies: Allotment,
    /// KiB of answers in transfer, counting those larger than a page.
    pub answers: Allotment,
    /// Listeners that play in the match.
    pub players: Allotment,
    /// Listeners that only watch.
    pub spectators: Allotment,
    /// KiB of knowledge of the games of matches in play.
    pub known: Allotment,
    /// New matches and records.
    pub matches: HourlyRate,
    /// KiB stored for them.
    pub kept: HourlyRate,
}

const fn rate(at_once: u32, hourly: u32) -> HourlyRate {
    match (NonZeroU32::new(at_once), NonZeroU32::new(hourly)) {
        (Some(at_once), Some(hourly)) => HourlyRate { at_once, hourly },
        _ => panic!("a rate of nothing"),
    }
}

impl Default for Quotas {
    fn default() -> Quotas {
        const MANY: usize = 16 << 10;
        Quotas {
            connections: Allotment { all: MANY, one: MANY / 16 },
            requests: Allotment { all: MANY, one: MANY / 16 },
            bodies: Allotment { all: 192 << 10, one: 24 << 10 },
            answers: Allotment { all: 192 << 10, one: 24 << 10 },
            players: Allotment { all: MANY, one: MANY / 8 },
            spectators: Allotment { all: MANY / 2, one: MANY / 16 },
            known: Allotment { all: 256 << 10, one: 32 << 10 },
            matches: rate(200, 600),
            kept: rate(64 << 10, 64 << 10),
        }
    }
}

/// The shares of all clients.
pub(crate) struct Shares {
    pub(crate) connections: FairPool,
    pub(crate) requests: FairPool,
    pub(crate) bodies: FairPool,
    pub(crate) answers: FairPool,
    pub(crate) players: FairPool,
    pub(crate) spectators: FairPool,
    pub(crate) known: FairPool,
    matches: DefaultKeyedRateLimiter<Client>,
    kept: DefaultKeyedRateLimiter<Client>,
}

impl Shares {
    pub(crate) fn new(quotas: &Quotas) -> Shares {
        let pool = |share: Allotment| FairPool::new(share.all, share.one);
        let limiter = |rate: HourlyRate| RateLimiter::keyed(Quota::per_hour(rate.hourly).allow_burst(rate.at_once));
        Shares {
            connections: pool(quotas.connections),
            requests: pool(quotas.requests),
            bodies: pool(quotas.bodies),
            answers: pool(quotas.answers),
            players: pool(quotas.players),
            spectators: pool(quotas.spectators),
            known: pool(quotas.known),
            matches: limiter(quotas.matches),
            kept: limiter(quotas.kept),
        }
    }

    /// Charges the current client for a match or a record of `bytes` bytes.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if its share of this hour is used up.
    pub(crate) fn charge(&self, bytes: u64) -> Result<(), Refusal> {
        let client = Client::current();
        if client == Client::SERVER {
            return Ok(());
        }
        let kibibytes = u32::try_from(bytes / 1024 + 1).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX);
        let wait = match (self.matches.check_key(&client), self.kept.check_key_n(&client, kibibytes)) {
            (Ok(()), Ok(Ok(()))) => return Ok(()),
            (Err(early), _) | (_, Ok(Err(early))) => early.wait_time_from(DefaultClock::default().now()),
            (_, Err(_)) => Duration::from_secs(60 * 60),
        };
        let minutes = wait.as_secs() / 60 + 1;
        Err(Refusal::Busy(format!(
            "too many matches and records were made from your address recently: try again in \
             {minutes} {}",
            if minutes == 1 { "minute" } else { "minutes" }
        )))
    }

    /// Forgets clients whose whole share is available again.
    pub(crate) fn forget(&self) {
        for limiter in [&self.matches, &self.kept] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_makes_so_many_matches_and_the_others_make_theirs() {
        let shares = Shares::new(&Quotas { matches: rate(3, 60), kept: rate(10, 10), ..Quotas::default() });
        let client = |number: u8| Client::of([10, 0, 0, number].into());
        let charged = async |number, bytes: u64| client(number).scope(async { shares.charge(bytes) }).await;
        for _ in 0..3 {
            charged(1, 100).await.unwrap();
        }
        let refused = charged(1, 100).await.unwrap_err();
        assert!(refused.to_string().contains("try again in 1 minute"), "{refused}");
        charged(2, 9 * 1024).await.unwrap();
        let refused = charged(2, 1024).await.unwrap_err();
        assert!(matches!(refused, Refusal::Busy(_)), "{refused}");
        assert!(charged(3, 1 << 30).await.is_err(), "more than anybody may keep");
        shares.charge(1 << 40).unwrap();
        shares.forget();
    }
}
