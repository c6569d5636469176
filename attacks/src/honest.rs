//! Honest people: players of matches against each other, and visitors.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::bots::choose;
use crate::client::{Ask, Client, text};
use crate::journal::{Deed, Journal};

/// Matches between two people.
const MATCHES: u8 = 50;
/// Visitors come at this interval, each from the next of these addresses.
const EVERY: Duration = Duration::from_millis(500);
const VISITORS: u8 = 50;
/// How long people think before an action.
const THINKING: std::ops::Range<u64> = 300..600;
/// A large form: more than a server takes from many at once.
const LARGE: usize = 100 << 10;

/// The people at a server.
pub struct People {
    server: SocketAddr,
    pub journal: Arc<Journal>,
    tasks: JoinSet<()>,
    /// The public name of the first match, and the address and the secret of one of its players.
    pub watched: String,
    player: (Ipv4Addr, String),
}

fn player(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, number)
}

impl People {
    /// Seats everybody, and lets them play.
    pub async fn begin(server: SocketAddr) -> io::Result<People> {
        let journal: Arc<Journal> = Arc::default();
        let mut people = People {
            server,
            journal,
            tasks: JoinSet::new(),
            watched: String::new(),
            player: (player(1), String::new()),
        };
        for number in 0..MATCHES {
            const GAMES: [&str; 3] = ["tug-of-war:length=40", "connect", "hex:size=7"];
            let (first, second) = (player(2 * number + 1), player(2 * number + 2));
            let (mut alice, mut bob) = (Client::new(server, first), Client::new(server, second));
            let wanted = json!({ "game": GAMES[usize::from(number) % GAMES.len()], "total": 40, "limit": 1000,
                                 "seats": { "alice": "person", "bob": "invited" } });
            let made = alice.done(Ask::post("/api/v1/matches", wanted)).await?;
            let invitation = text(&made["invitation"])?;
            let taken = bob.done(Ask::post("/api/v1/invitation", "").by(&invitation)).await?;
            let secrets = [text(&made["tokens"]["alice"])?, text(&taken["token"])?];
            if number == 0 {
                people.watched = text(&made["id"])?;
                people.player = (first, secrets[0].clone());
            }
            for (client, secret) in [alice, bob].into_iter().zip(secrets) {
                let journal = Arc::clone(&people.journal);
                people.tasks.spawn(async move { play(&journal, client, &secret).await });
            }
        }
        Ok(people)
    }

    /// Lets visitors come from now on.
    pub fn open(&mut self) {
        let (server, journal, (seat, secret)) = (self.server, Arc::clone(&self.journal), self.player.clone());
        self.tasks.spawn(async move {
            let mut visits = JoinSet::new();
            let mut clock = tokio::time::interval(EVERY);
            for number in 0u32.. {
                clock.tick().await;
                let source = Ipv4Addr::new(127, 0, 2, (number % u32::from(VISITORS)) as u8 + 1);
                let (journal, secret) = (Arc::clone(&journal), secret.clone());
                let guest = Arc::clone(&journal);
                // The journal has what went wrong.
                visits.spawn(async move {
                    let _ = guest.note(Deed::FirstBid, first_bid(Client::new(server, source))).await;
                });
                visits.spawn(async move {
                    let client = Client::new(server, source);
                    let _ = match number % 5 {
                        0 => {
                            let mut own = Client::new(server, seat);
                            match journal.note(Deed::Visit("own page"), own_page(&mut own, &secret)).await {
                                Ok(key) => journal.note(Deed::Visit("own stream"), follow(own, &key)).await,
                                Err(error) => Err(error),
                            }
                        }
                        1 => journal.note(Deed::Visit("large form"), large_form(client)).await,
                        2 => journal.note(Deed::Visit("solve"), solve(client)).await,
                        3 => journal.note(Deed::Visit("explore"), explore(client)).await,
                        _ => journal.note(Deed::Visit("review"), review(client)).await,
                    };
                });
            }
        });
    }
}

/// Plays forever, with a return match after each match.
async fn play(journal: &Journal, mut client: Client, secret: &str) {
    let mut seen = Value::Null;
    loop {
        seen = match turn(journal, &mut client, secret, &seen).await {
            Ok(seen) => seen,
            Err(_) => {
                // Somebody who was refused looks again a little later.
                tokio::time::sleep(Duration::from_millis(500)).await;
                Value::Null
            }
        };
    }
}

/// Does what comes next, and returns the match as it is then.
async fn turn(journal: &Journal, client: &mut Client, secret: &str, seen: &Value) -> io::Result<Value> {
    let (deed, ask) = if seen.is_null() {
        (Deed::Visit("look"), Ask::get("/api/v1/seat"))
    } else if !seen["result"].is_null() && seen["rematch"][text(&seen["you"])?] != json!(true) {
        (Deed::Visit("return match"), Ask::post("/api/v1/seat/rematch", ""))
    } else if seen["decision"].is_null() {
        let path = format!("/api/v1/seat?wait=5&after={}", seen["version"]);
        (Deed::Visit("wait"), Ask::get(path))
    } else {
        tokio::time::sleep(Duration::from_millis(fastrand::u64(THINKING))).await;
        let action = json!({ "step": seen["decision"]["step"], "action": choose(seen) });
        (Deed::Action, Ask::post("/api/v1/seat/actions", action))
    };
    journal.note(deed, client.done(ask.by(secret))).await
}

/// Sets up a guided game and waits for the computer's first bid.
async fn first_bid(mut client: Client) -> io::Result<()> {
    let begun = client.ask(Ask::post("/first", "")).await?.accepted()?;
    let (_, secret) = begun.cookie.split_once('=').ok_or_else(|| io::Error::other("no game began"))?;
    let mut path = "/api/v1/seat".to_string();
    loop {
        let seen = client.done(Ask::get(path).by(secret)).await?;
        let awaits = |player: &str| seen["waiting_for"].as_array().is_some_and(|list| list.contains(&json!(player)));
        if !awaits("bob") {
            return Ok(());
        }
        path = format!("/api/v1/seat?wait=5&after={}", seen["version"]);
    }
}

/// A player looks at an own match. Returns what its page names to hear of changes.
async fn own_page(client: &mut Client, secret: &str) -> io::Result<String> {
    let lost = || io::Error::other("no match");
    let seat = client.ask(Ask::get(format!("/play/{secret}"))).await?.accepted()?;
    let address = seat.location.split('?').next().filter(|address| !address.is_empty()).ok_or_else(lost)?;
    let page = client.ask(Ask::get(format!("{address}/now")).with(&seat.cookie)).await?.accepted()?;
    let page = String::from_utf8_lossy(&page.body).into_owned();
    let key = page.split_once("data-listen=\"").and_then(|(_, rest)| rest.split('"').next());
    key.map(str::to_string).ok_or_else(lost)
}

/// A player follows an own match.
async fn follow(mut client: Client, key: &str) -> io::Result<()> {
    let answer = client.begin(Ask::get(format!("/events?m={key}"))).await?;
    match answer.status().as_u16() {
        200 => Ok(()),
        status => Err(io::Error::other(status.to_string())),
    }
}

async fn large_form(mut client: Client) -> io::Result<()> {
    let wanted = json!({ "game": "tic-tac-toe", "seats": { "alice": "person", "bob": "invited" } });
    // Spaces after the text, so that the body is large and the match is not.
    let body = format!("{wanted}{}", " ".repeat(LARGE));
    client.done(Ask::post("/api/v1/matches", body)).await.map(drop)
}

async fn solve(mut client: Client) -> io::Result<()> {
    let question = json!({ "game": "tic-tac-toe:rows=2,cols=3,line=2", "total": fastrand::u32(4..40) });
    client.done(Ask::post("/api/v1/solve", question)).await.map(drop)
}

async fn explore(mut client: Client) -> io::Result<()> {
    let path = format!("/explore?game=tug-of-war&chips={}", fastrand::u32(4..40));
    client.ask(Ask::get(path)).await?.accepted().map(drop)
}

async fn review(mut client: Client) -> io::Result<()> {
    let record = r#"[Game "tic-tac-toe"] [Alice "4*"] [Bob "4"] 1. 1*-1 Alice b2"#;
    let kept = client.done(Ask::post("/api/v1/records", json!({ "record": record }))).await?;
    let path = format!("/api/v1/records/{}/review", text(&kept["id"])?);
    client.done(Ask::get(path)).await.map(drop)
}
