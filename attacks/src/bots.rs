//! Any number of programs that play each other over HTTP.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Ask, Client, text};

/// The client with that number, at an address of its own: a server gives each only its share.
pub fn client(server: SocketAddr, number: usize) -> Client {
    let [high, low] = [number / 250, number % 250 + 1].map(|byte| byte as u8);
    Client::new(server, Ipv4Addr::new(127, 1, high, low))
}

/// One of the allowed actions.
pub fn choose(seen: &Value) -> Value {
    let decision = &seen["decision"];
    let list = |key: &str| decision[key].as_array().map(Vec::as_slice).unwrap_or_default();
    match decision["kind"].as_str() {
        Some("bid") => {
            let most = list("bids").last().and_then(|range| range[1].as_u64()).unwrap_or_default();
            json!({ "bid": fastrand::u64(0..=most / 3) })
        }
        Some("star") => json!({ "use_star": fastrand::bool() }),
        _ => match fastrand::choice(list("moves")) {
            Some(name) => json!({ "move": name }),
            None if decision["may_stay"] == true => json!("stay"),
            None => json!("let"),
        },
    }
}

/// The chips of one player, with or without the star.
pub fn held(holding: &Value) -> Option<u64> {
    match holding {
        Value::String(text) => text.trim_end_matches('*').parse().ok(),
        number => number.as_u64(),
    }
}

/// The chips of both players and the bank.
pub fn chips(seen: &Value) -> Option<u64> {
    let [alice, bob] = ["alice", "bob"].map(|player| held(&seen["holdings"][player]));
    Some(alice? + bob? + seen["bank"].as_u64()?)
}

/// The experience of one bot.
#[derive(Default)]
pub struct Fared {
    /// The time of each action, from request to answer.
    pub actions: Vec<Duration>,
    /// Its last view of the match.
    pub end: Value,
}

/// Plays a seat to the end, thinking for a random time of up to `thinking` before each action.
async fn play(mut client: Client, token: String, thinking: Duration) -> io::Result<Fared> {
    let mut fared = Fared::default();
    let mut seen = client.done(Ask::get("/api/v1/seat").by(&token)).await?;
    while seen["result"].is_null() {
        if seen["decision"].is_null() {
            let path = format!("/api/v1/seat?after={}", seen["version"]);
            seen = client.done(Ask::get(path).by(&token)).await?;
            continue;
        }
        tokio::time::sleep(thinking.mul_f64(fastrand::f64())).await;
        let action = json!({ "step": seen["decision"]["step"], "action": choose(&seen) });
        let begun = Instant::now();
        seen = client.done(Ask::post("/api/v1/seat/actions", action).by(&token)).await?;
        fared.actions.push(begun.elapsed());
    }
    fared.end = seen;
    Ok(fared)
}

/// One match between two bots, the second of which joins by invitation.
async fn one_match(address: SocketAddr, number: usize, thinking: Duration) -> io::Result<[Fared; 2]> {
    const GAMES: [&str; 4] = ["tic-tac-toe", "tug-of-war", "connect:rows=4,cols=4,line=3", "subtraction"];
    let mechanism = match number % 3 {
        0 => json!({}),
        1 => json!({ "preset": "larsson" }),
        _ => json!({ "payment": "poorman" }),
    };
    let wanted = json!({ "game": GAMES[number % 4], "mechanism": mechanism, "total": TOTAL, "limit": 5,
                         "seats": { "alice": "person", "bob": "invited" } });
    let (mut first, mut second) = (client(address, 2 * number), client(address, 2 * number + 1));
    let made = first.done(Ask::post("/api/v1/matches", wanted)).await?;
    let invitation = text(&made["invitation"])?;
    let taken = second.done(Ask::post("/api/v1/invitation", "").by(&invitation)).await?;
    let (alice, bob) = (text(&made["tokens"]["alice"])?, text(&taken["token"])?);
    let (alice, bob) = tokio::join!(play(first, alice, thinking), play(second, bob, thinking));
    Ok([alice?, bob?])
}

/// Chips in each match.
pub const TOTAL: u64 = 40;

/// The result of many matches at once.
pub struct Load {
    /// The time of each action, ascending.
    pub actions: Vec<Duration>,
    pub time: Duration,
}

impl Load {
    /// The time within which this part of the actions was answered.
    pub fn within(&self, part: f64) -> Duration {
        let last = self.actions.len().saturating_sub(1);
        self.actions.get((last as f64 * part) as usize).copied().unwrap_or_default()
    }

    /// Actions in a second.
    pub fn rate(&self) -> f64 {
        self.actions.len() as f64 / self.time.as_secs_f64()
    }

    /// The result in one line.
    pub fn summary(&self) -> String {
        let rate = self.rate();
        let [half, most, nearly] = [0.5, 0.95, 0.99].map(|part| self.within(part));
        let (count, time) = (self.actions.len(), self.time);
        format!(
            "{count} actions in {time:.1?}, {rate:.0} a second; answered in {half:.1?} (median), {most:.1?} (95 %), \
             {nearly:.1?} (99 %)"
        )
    }
}

/// Plays `matches` matches at once to the end, and checks that chips are conserved.
///
/// # Errors
/// The first failure in any of them.
pub async fn load(address: SocketAddr, matches: usize, thinking: Duration) -> io::Result<Load> {
    let begun = Instant::now();
    let playing: Vec<_> = (0..matches).map(|number| tokio::spawn(one_match(address, number, thinking))).collect();
    let mut actions = Vec::new();
    for one in playing {
        let both = one.await??;
        for fared in &both {
            if fared.end["stage"] != "over" || chips(&fared.end) != Some(TOTAL) {
                return Err(io::Error::other(format!("a match ended wrong: {}", fared.end)));
            }
        }
        if both[0].end["turns"] != both[1].end["turns"] {
            return Err(io::Error::other("the players saw different matches"));
        }
        actions.extend(both.into_iter().flat_map(|fared| fared.actions));
    }
    actions.sort_unstable();
    Ok(Load { actions, time: begun.elapsed() })
}
