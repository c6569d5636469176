//! The server is killed at random instants while programs play: nothing answered is lost, nothing
//! sealed is shown.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::client::{Client, Folder, Server};

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
            Choice::Bid(bid) => serde_json::json!({ "bid": bid }),
            Choice::Move(name) => serde_json::json!({ "move": name }),
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
            "star" => Choice::Other(serde_json::json!({ "use_star": self.rng.bool() })),
            "move" => {
                let moves = decision["moves"].as_array().unwrap();
                Choice::Move(moves[self.rng.usize(..moves.len())].as_str().unwrap().to_string())
            }
            other => panic!("{other}"),
        }
    }

    /// Reads the position, and acts if a decision is due. Returns whether the match goes on.
    fn step(&mut self, client: &mut Client) -> std::io::Result<bool> {
        let seen = client.request("GET", "/api/v1/seat", Some(&self.token), "")?;
        assert_eq!(seen.status, 200, "{}", seen.body);
        let seen = seen.json();
        if !seen["result"].is_null() {
            return Ok(false);
        }
        let decision = &seen["decision"];
        if decision.is_null() {
            std::thread::sleep(Duration::from_millis(1));
            return Ok(true);
        }
        let turn = seen["turn"].as_u64().unwrap();
        let choice = self.choose(decision);
        if let Choice::Bid(bid) = choice {
            self.sealed = Some((turn, bid));
        }
        let body = serde_json::json!({ "step": decision["step"], "action": choice.json() }).to_string();
        let answer = client.request("POST", "/api/v1/seat/actions", Some(&self.token), &body)?;
        assert_eq!(answer.status, 200, "{body}: {}", answer.body);
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
            assert_eq!(bids[0][1].as_u64(), Some(chips(&seen["holdings"][seen["you"].as_str().unwrap()])));
            *bids = Value::Null;
        }
        assert!(!rest.to_string().contains(&bid.to_string()), "the bid {bid} of {} in {rest}", self.player);
    }
}

fn set_up(address: SocketAddr) -> Vec<Arc<Mutex<Seat>>> {
    let mut client = Client::new(address);
    let wanted = serde_json::json!({
        "game": "tug-of-war:length=40,at=20", "total": CHIPS, "limit": 400,
        "seats": { "alice": "person", "bob": "person" },
    });
    let mut seats = Vec::new();
    for number in 0..MATCHES {
        let created = client.post("/api/v1/matches", None, &wanted.to_string());
        assert_eq!(created.status, 201, "{}", created.body);
        let created = created.json();
        for player in ["alice", "bob"] {
            let token = created["tokens"][player].as_str().unwrap().to_string();
            seats.push(Arc::new(Mutex::new(Seat {
                id: created["id"].as_str().unwrap().to_string(),
                token,
                player,
                rng: fastrand::Rng::with_seed(number as u64),
                accepted: 0,
                bids: Vec::new(),
                moves: Vec::new(),
                sealed: None,
            })));
        }
    }
    seats
}

/// Everybody plays until the match is over or the server gone.
fn play(
    address: SocketAddr,
    seats: &[Arc<Mutex<Seat>>],
    is_killed: &Arc<AtomicBool>,
) -> Vec<std::thread::JoinHandle<()>> {
    let player = |seat: &Arc<Mutex<Seat>>| {
        let (seat, is_killed) = (Arc::clone(seat), Arc::clone(is_killed));
        std::thread::spawn(move || {
            let mut seat = seat.lock().unwrap();
            let played = Client::connect(address).and_then(|mut client| {
                while seat.step(&mut client)? {}
                Ok(())
            });
            assert!(played.is_ok() || is_killed.load(Ordering::SeqCst), "{played:?}");
        })
    };
    seats.iter().map(player).collect()
}

/// Checks that everything answered is there, and that others are shown nothing sealed.
fn check(address: SocketAddr, seats: &[Arc<Mutex<Seat>>]) {
    let mut client = Client::new(address);
    for pair in seats.chunks(2) {
        let [alice, bob] = [&pair[0], &pair[1]].map(|seat| seat.lock().unwrap());
        let watched = client.get(&format!("/api/v1/matches/{}", alice.id), None);
        let seen = watched.json();
        for (own, other) in [(&alice, &bob), (&bob, &alice)] {
            own.check(&seen);
            own.check_sealed(&seen);
            let others = client.get("/api/v1/seat", Some(&other.token));
            own.check_sealed(&others.json());
        }
    }
}

fn chips(holding: &Value) -> u64 {
    holding.to_string().trim_matches(['"', '*']).parse().unwrap()
}

#[test]
fn nothing_answered_is_lost_however_often_it_is_killed() {
    let folder = Folder::new();
    let store = folder.file("matches.sqlite");
    let mut rng = fastrand::Rng::with_seed(20);
    let mut server = Server::start(&["--store", &store]);
    let seats = set_up(server.address);
    for _ in 0..KILLS {
        let is_killed = Arc::new(AtomicBool::new(false));
        let players = play(server.address, &seats, &is_killed);
        std::thread::sleep(Duration::from_micros(rng.u64(5_000..80_000)));
        is_killed.store(true, Ordering::SeqCst);
        server.kill();
        for player in players {
            player.join().unwrap();
        }
        server = Server::start(&["--store", &store]);
        check(server.address, &seats);
    }
    for player in play(server.address, &seats, &Arc::new(AtomicBool::new(false))) {
        player.join().unwrap();
    }
    check(server.address, &seats);
    let mut client = Client::new(server.address);
    let mut actions = 0;
    for pair in seats.chunks(2) {
        let seat = pair[0].lock().unwrap();
        let seen = client.get(&format!("/api/v1/matches/{}", seat.id), None).json();
        assert!(!seen["result"].is_null());
        let held = chips(&seen["holdings"]["alice"]) + chips(&seen["holdings"]["bob"]) + seen["bank"].as_u64().unwrap();
        assert_eq!(held, CHIPS);
        actions += seen["steps"]["alice"].as_u64().unwrap() + seen["steps"]["bob"].as_u64().unwrap();
    }
    assert!(actions > 200, "{actions} actions are too few to have been killed among");
}
