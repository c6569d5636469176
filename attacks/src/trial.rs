//! One attack, and what it did to honest people.

use std::time::{Duration, Instant};

use crate::attack::{Attack, Spoils};
use crate::attacker::Attacker;
use crate::honest::People;
use crate::journal::Experience;
use crate::limits;
use crate::server::Server;

/// People take their seats and find a rhythm.
const SETTLING: Duration = Duration::from_secs(1);
/// People play undisturbed.
const CALM: Duration = Duration::from_secs(2);
/// Visitors come this long after an attack has begun, so that it comes before them.
const HEAD_START: Duration = Duration::from_millis(500);
/// The period in which all must be as before.
const LOOK: Duration = Duration::from_secs(1);

/// What was measured.
pub struct Trial {
    pub attack: &'static str,
    pub addresses: u8,
    calm: Experience,
    attacked: Experience,
    spoils: Spoils,
    /// The most requests that should have been accepted.
    most: u64,
    /// The fewest that get through, and the least memory that they take.
    least: u64,
    least_memory: u64,
    /// The time from the end of the attack until all was as before.
    recovered: Option<Duration>,
    /// Whether the server still ran at the end.
    is_alive: bool,
    memory: u64,
    /// Its threads at the end of the attack.
    threads: u64,
    /// The bytes by which the store grew.
    stored: u64,
}

impl Trial {
    /// Runs an attack on a server of its own, for its usual time or longer.
    ///
    /// # Errors
    /// If people cannot even begin to play.
    pub async fn run(attack: &Attack, addresses: u8, longer: Duration) -> std::io::Result<Trial> {
        let mut server = Server::start();
        let mut people = People::begin(server.address).await?;
        tokio::time::sleep(SETTLING).await;
        let calm = Instant::now();
        tokio::time::sleep(CALM).await;
        let (begun, before) = (Instant::now(), server.stored());
        let attacker = Attacker::begin(attack, server.address, &people.watched, addresses)?;
        tokio::time::sleep(HEAD_START).await;
        people.open();
        tokio::time::sleep(longer.max(Duration::from_secs(attack.seconds)) - HEAD_START).await;
        let ended = Instant::now();
        let threads = server.threads();
        let spoils = attacker.end().await;
        let calm = people.journal.between(calm, begun);
        let recovered = recovery(&people, &calm, ended).await;
        Ok(Trial {
            attack: attack.name,
            addresses,
            attacked: people.journal.between(begun, ended),
            calm,
            spoils,
            most: attack.most_each.map_or(u64::MAX, |each| each * u64::from(addresses)),
            least: attack.least,
            least_memory: attack.least_memory,
            recovered,
            is_alive: server.is_alive(),
            memory: server.peak_memory(),
            threads,
            stored: server.stored().saturating_sub(before),
        })
    }

    /// What does not hold.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = excesses(&self.attacked, &self.calm);
        let more = limits::STORE_FOR_EACH_BYTE * self.spoils.sent;
        let mut check = |holds: bool, fault: &str| {
            if !holds {
                faults.push(fault.to_string());
            }
        };
        check(self.recovered.is_some(), "not as before after 10 s");
        check(self.is_alive, "the server ended");
        check(self.memory <= limits::MEMORY, "memory");
        check(self.threads <= limits::THREADS, "threads");
        check(self.spoils.accepted <= self.most, "too much accepted");
        let is_attack = self.spoils.accepted >= self.least && self.memory >= self.least_memory;
        check(is_attack, "the attack did not get through");
        check(self.stored <= limits::STORE + more, "store");
        faults
    }

    /// The heads of the columns.
    pub const HEADS: [&str; 13] = [
        "attack",
        "from",
        "actions",
        "median ms, calm",
        "attacked",
        "99 % ms, calm",
        "attacked",
        "first bid s",
        "refused",
        "attackers accepted, refused",
        "MiB memory",
        "store",
        "s to recover",
    ];

    /// The figures, a column each.
    pub fn row(&self) -> [String; 13] {
        let milliseconds = |time: Duration| format!("{:.1}", 1000.0 * time.as_secs_f64());
        let seconds =
            |time: Option<Duration>| time.map_or("none".to_string(), |time| format!("{:.1}", time.as_secs_f64()));
        let (calm, attacked) = (&self.calm, &self.attacked);
        [
            self.attack.to_string(),
            self.addresses.to_string(),
            attacked.count().to_string(),
            milliseconds(calm.median()),
            milliseconds(attacked.median()),
            milliseconds(calm.nearly_all()),
            milliseconds(attacked.nearly_all()),
            seconds(attacked.first_bid),
            attacked.refused.len().to_string(),
            format!("{}, {}", self.spoils.accepted, self.spoils.refused),
            (self.memory >> 20).to_string(),
            (self.stored >> 20).to_string(),
            seconds(self.recovered),
        ]
    }

    /// Why honest requests were refused, each reason once.
    pub fn refusals(&self) -> Vec<&str> {
        let mut reasons: Vec<&str> = self.attacked.refused.iter().map(String::as_str).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }
}

/// The time after which a whole period was as before.
async fn recovery(people: &People, calm: &Experience, ended: Instant) -> Option<Duration> {
    while ended.elapsed() < limits::RECOVERY {
        let from = Instant::now();
        tokio::time::sleep(LOOK).await;
        let now = people.journal.between(from, Instant::now());
        if now.has_bid && excesses(&now, calm).is_empty() {
            return Some(from - ended);
        }
    }
    None
}

/// What is worse than it may be.
fn excesses(felt: &Experience, calm: &Experience) -> Vec<String> {
    let bound = |limit: Duration, calm: Duration| limit.max(limits::TIMES_CALM * calm);
    let holds = [
        ("median", felt.count() > 0 && felt.median() <= bound(limits::MEDIAN, calm.median())),
        ("99 %", felt.nearly_all() <= bound(limits::NEARLY_ALL, calm.nearly_all())),
        ("first bid", felt.first_bid.is_some_and(|time| time <= limits::FIRST_BID)),
        ("refused", felt.refused.is_empty()),
    ];
    holds.into_iter().filter(|(_, holds)| !holds).map(|(name, _)| name.to_string()).collect()
}
