//! Matches between bots over HTTP, on a server of their own with its database on the disk.
//!
//! `cargo bench --manifest-path attacks/Cargo.toml --bench load -- [MATCHES] [SECONDS]` runs
//! MATCHES matches at once, in which each bot thinks up to SECONDS seconds before each action. Then
//! it repeats them without thinking, at the greatest rate of actions.

use std::time::Duration;

use richman_attacks::server::Server;
use richman_attacks::{bots, raise_limit};

fn main() -> std::io::Result<()> {
    raise_limit();
    let numbers: Vec<f64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let matches = numbers.first().map_or(500, |number| *number as usize);
    let thinking = Duration::from_secs_f64(numbers.get(1).copied().unwrap_or(5.0));
    let runtime = tokio::runtime::Runtime::new()?;
    for thinking in [thinking, Duration::ZERO] {
        let server = Server::start();
        let load = runtime.block_on(bots::load(server.address, matches, thinking))?;
        println!("{matches} matches at once, thinking up to {thinking:?}: {}", load.summary());
        println!("the server holds {} MiB", server.memory() >> 20);
    }
    Ok(())
}
