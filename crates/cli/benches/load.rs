//! Matches between bots over HTTP, on a server of their own with its database on the disk.
//!
//! `cargo bench -p richman-cli --bench load -- [MATCHES] [SECONDS]` runs MATCHES matches at once,
//! in which each bot thinks up to SECONDS seconds before each action. Then it repeats them without
//! thinking, at the greatest rate of actions.

#[path = "../tests/serve_api/bots.rs"]
mod bots;
#[path = "../tests/serve_api/server.rs"]
mod server;

use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let numbers: Vec<f64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let matches = numbers.first().map_or(500, |number| *number as usize);
    let thinking = Duration::from_secs_f64(numbers.get(1).copied().unwrap_or(5.0));
    let runtime = tokio::runtime::Runtime::new()?;
    for thinking in [thinking, Duration::ZERO] {
        let served = server::Served::new("bench");
        let load = runtime.block_on(bots::load(served.address, matches, thinking))?;
        println!("{matches} matches at once, thinking up to {thinking:?}: {}", load.summary());
        if let Some(memory) = served.memory() {
            println!("the server holds {} MiB", memory >> 20);
        }
    }
    Ok(())
}
