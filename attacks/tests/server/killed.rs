//! The server is killed at random instants while programs play: nothing answered is lost, nothing
//! sealed is shown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use richman_attacks::bots::{chips, held};
use richman_attacks::client::{Ask, Client, text};
use richman_attacks::server::Server;
use serde_json::{Value, json};

use super::client;

const MATCHES: usize = 8;
const KILLS: usize = 20;
const CHIPS: u64 = 900_000;

/// A player, and the server's answers to them.
struct Seat {
    id: String,
    token: String,
    player: &'static str,
    rng: fastrand::Rng,
    /// The number of actions known to be accepted.
    accepted: u64,
    /// The answered bids, by turn.
    bids: Vec<(u64, u64)>,
    /// The answered moves, by turn.
    moves: Vec<(u64, String)>,
    /// The turn and amount of a bid that was sent and may still be sealed.
    sealed: Option<(u64, u64)>,
}

/// An action to send.
enum Choice {
    Bid(u64),
    Move(String),
    Other(Value),
}

impl Choice {
    fn json(&self) -> Value {
        match self {
            Choice::Bid(bid) => json!({ "bid": bid }),
            Choice::Move(name) => json!({ "move": name }),
            Choice::Other(action) => action.clone(),
        }
    }
}

impl Seat {
    fn choose(&mut self, decision: &Value) -> Choice {
        match decision["kind"].as_str().unwrap() {
            "bid" => {
                let most = decision["bids"][0][1].as_u64().unwrap();
                // While there are enough chips: numbers of five digits do not occur by chance.
                Choice::Bid(if most > 20_000 {
                    self.rng.u64(10_000..=most.min(60_000))
                } else {
                    self.rng.u64(0..=most)
                })
            }
            "star" => Choice::Other(json!({ "use_star": self.rng.bool() })),
            "move" => {
                let moves = decision["moves"].as_array().unwrap();
                Choice::Move(moves[self.rng.usize(..moves.len())].as_str().unwrap().to_string())
            }
            other => panic!("{other}"),
        }
    }

    /// Reads the position, and acts if a decision is due. Returns whether the match goes on.
    async fn step(&mut self, client: &mut Client) -> io::Result<bool> {
        let seen = client.ask(Ask::get("/api/v1/seat").by(&self.token)).await?;
        assert_eq!(seen.status, 200, "{seen:?}");
        let seen = seen.json();
        if !seen["result"].is_null() {
            return Ok(false);
        }
        let decision = &seen["decision"];
        if decision.is_null() {
            tokio::time::sleep(Duration::from_millis(1)).await;
            return Ok(true);
        }
        let turn = seen["turn"].as_u64().unwrap();
        let choice = self.choose(decision);
        if let Choice::Bid(bid) = choice {
            self.sealed = Some((turn, bid));
        }
        let body = json!({ "step": decision["step"], "action": choice.json() });
        let answer = client.ask(Ask::post("/api/v1/seat/actions", &body).by(&self.token)).await?;
        assert_eq!(answer.status, 200, "{body}: {answer:?}");
        self.accepted = decision["step"].as_u64().unwrap() + 1;
        match choice {
            Choice::Bid(bid) => self.bids.push((turn, bid)),
            Choice::Move(name) => self.moves.push((turn, name)),
            Choice::Other(_) => {}
        }
        Ok(true)
    }

    /// Checks that every answered action is in the match.
    fn check(&self, seen: &Value) {
        assert!(
            seen["steps"][self.player].as_u64().unwrap() >= self.accepted,
            "{} of {}: {seen}",
            self.player,
            self.accepted
        );
        let turns = seen["turns"].as_array().unwrap();
        let bids = format!("{}_bids", self.player);
        for (turn, bid) in &self.bids {
            let known = turns.get(*turn as usize - 1).unwrap_or(&seen["open_turn"]);
            assert!(known.is_null() || known[&bids].as_u64() == Some(*bid), "turn {turn}: {bid} in {seen}");
            assert!(!known.is_null() || seen["stage"] == "bids", "turn {turn} in {seen}");
        }
        for (turn, name) in &self.moves {
            assert_eq!(turns[*turn as usize - 1]["move"].as_str(), Some(name.as_str()), "turn {turn}");
        }
    }

    /// Checks that others do not see the sealed bid.
    fn check_sealed(&self, seen: &Value) {
        let Some((turn, bid)) = self.sealed else { return };
        if seen["stage"] != "bids" || seen["turn"].as_u64() != Some(turn) || bid < 10_000 {
            return;
        }
        // Facts from before this turn may contain the same digits by chance.
        assert_eq!(seen["turns"].as_array().unwrap().len() as u64, turn - 1);
        let mut rest = seen.clone();
        for known in ["turns", "holdings", "id"] {
            rest[known] = Value::Null;
        }
        if let Some(bids) = rest["decision"].get_mut("bids") {
            assert_eq!(bids[0][1].as_u64(), held(&seen["holdings"][seen["you"].as_str().unwrap()]));
            *bids = Value::Null;
        }
        assert!(!rest.to_string().contains(&bid.to_string()), "the bid {bid} of {} in {rest}", self.player);
    }
}

async fn set_up(client: &mut Client) -> Vec<Seat> {
    let wanted = json!({
        "game": "tug-of-war:length=40,at=20", "total": CHIPS, "limit": 400,
        "seats": { "alice": "person", "bob": "person" },
    });
    let mut seats = Vec::new();
    for number in 0..MATCHES {
        let created = client.done(Ask::post("/api/v1/matches", &wanted)).await.unwrap();
        seats.extend(["alice", "bob"].map(|player| Seat {
            id: text(&created["id"]).unwrap(),
            token: text(&created["tokens"][player]).unwrap(),
            player,
            rng: fastrand::Rng::with_seed(number as u64),
            accepted: 0,
            bids: Vec::new(),
            moves: Vec::new(),
            sealed: None,
        }));
    }
    seats
}

/// Everybody plays until the match is over, or the server is killed after that time.
async fn play(address: SocketAddr, seats: Vec<Seat>, kill: Option<(Server, Duration)>) -> Vec<Seat> {
    let is_killed = Arc::new(AtomicBool::new(false));
    let player = |mut seat: Seat| {
        let is_killed = Arc::clone(&is_killed);
        tokio::spawn(async move {
            let mut client = client(address);
            let played = loop {
                match seat.step(&mut client).await {
                    Ok(true) => {}
                    ended => break ended,
                }
            };
            assert!(played.is_ok() || is_killed.load(Ordering::SeqCst), "{played:?}");
            seat
        })
    };
    let players: Vec<_> = seats.into_iter().map(player).collect();
    if let Some((server, after)) = kill {
        tokio::time::sleep(after).await;
        is_killed.store(true, Ordering::SeqCst);
        drop(server);
    }
    let mut seats = Vec::new();
    for player in players {
        seats.push(player.await.unwrap());
    }
    seats
}

/// Checks that everything answered is there, and that others are shown nothing sealed.
async fn check(client: &mut Client, seats: &[Seat]) {
    for pair in seats.chunks(2) {
        let [alice, bob] = pair else { panic!("two players") };
        let seen = client.done(Ask::get(format!("/api/v1/matches/{}", alice.id))).await.unwrap();
        for (own, other) in [(alice, bob), (bob, alice)] {
            own.check(&seen);
            own.check_sealed(&seen);
            let others = client.done(Ask::get("/api/v1/seat").by(&other.token)).await.unwrap();
            own.check_sealed(&others);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_answered_is_lost_however_often_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let start = || Server::with_store(&folder.path().join("matches.sqlite"), &[]).unwrap();
    let mut rng = fastrand::Rng::with_seed(20);
    let mut server = start();
    let mut seats = set_up(&mut client(server.address)).await;
    for _ in 0..KILLS {
        let after = Duration::from_micros(rng.u64(5_000..80_000));
        seats = play(server.address, seats, Some((server, after))).await;
        server = start();
        check(&mut client(server.address), &seats).await;
    }
    seats = play(server.address, seats, None).await;
    let mut client = client(server.address);
    check(&mut client, &seats).await;
    let mut actions = 0;
    for pair in seats.chunks(2) {
        let seen = client.done(Ask::get(format!("/api/v1/matches/{}", pair[0].id))).await.unwrap();
        assert!(!seen["result"].is_null());
        assert_eq!(chips(&seen), Some(CHIPS));
        actions += seen["steps"]["alice"].as_u64().unwrap() + seen["steps"]["bob"].as_u64().unwrap();
    }
    assert!(actions > 200, "{actions} actions are too few to have been killed among");
}
