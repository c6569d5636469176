//! `richman serve` as programs use it: over sockets, many at once, not all well-behaved.

#[path = "../../../examples/bot.rs"]
#[expect(dead_code, reason = "its main function is not called here")]
mod bot;
mod killed;
mod memory;
mod sockets;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use richman_attacks::bots;
use richman_attacks::client::{Ask, Client};
use richman_attacks::raise_limit;
use richman_attacks::server::Server;
use serde_json::json;

fn client(server: SocketAddr) -> Client {
    Client::new(server, Ipv4Addr::LOCALHOST)
}

/// A thousand bots send a third of the actions that the server can answer on this machine, and get
/// half of their answers within 20 ms. All share the cores with other tests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_matches_are_played_at_once() {
    const MATCHES: usize = 500;
    raise_limit();
    let server = Server::start();
    let most = bots::load(server.address, 40, Duration::ZERO).await.unwrap();
    // A match has some 5 actions in the time of two longest thoughts.
    let thinking = Duration::from_secs_f64(2.5 * MATCHES as f64 / (most.rate() / 3.0));
    let load = bots::load(server.address, MATCHES, thinking).await.unwrap();
    let told = format!("at most {}; {MATCHES} matches at once {}", most.summary(), load.summary());
    println!("{told}");
    assert!(load.actions.len() > MATCHES * 4, "{told}");
    assert!(load.within(0.5) < Duration::from_millis(20), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_plays_the_computer_and_a_friend() {
    let running = Server::start();
    let server = format!("http://{}", running.address);
    let alone = {
        let server = server.clone();
        tokio::task::spawn_blocking(move || bot::play(&server, None).map_err(|error| error.to_string()))
    };
    let end = alone.await.unwrap().unwrap();
    assert_eq!((&end["stage"], bots::chips(&end)), (&json!("over"), Some(16)));
    let mut client = client(running.address);
    let seats = json!({ "alice": "person", "bob": "invited" });
    let wanted = json!({ "game": "subtraction", "mechanism": { "preset": "larsson" }, "seats": seats });
    let made = client.done(Ask::post("/api/v1/matches", wanted)).await.unwrap();
    let invitation = made["invitation"].as_str().unwrap().to_string();
    let friend =
        tokio::task::spawn_blocking(move || bot::play(&server, Some(&invitation)).map_err(|error| error.to_string()));
    let token = made["tokens"]["alice"].as_str().unwrap();
    let mut seen = client.done(Ask::get("/api/v1/seat").by(token)).await.unwrap();
    while seen["result"].is_null() {
        seen = if seen["decision"].is_null() {
            let path = format!("/api/v1/seat?after={}", seen["version"]);
            client.done(Ask::get(path).by(token)).await.unwrap()
        } else {
            let action = json!({ "step": seen["decision"]["step"], "action": bots::choose(&seen) });
            client.done(Ask::post("/api/v1/seat/actions", action).by(token)).await.unwrap()
        };
    }
    let end = friend.await.unwrap().unwrap();
    assert_eq!((&end["you"], &end["result"]), (&json!("bob"), &seen["result"]));
}
