//! `richman serve`

#[cfg(feature = "web")]
mod log;

use std::path::PathBuf;

use clap::Args;
use richman_analysis::Games;

use crate::Done;

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address and port to listen on; port 0 takes a free one. At 127.0.0.1 only this machine
    /// can connect
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: std::net::SocketAddr,
    /// The file that keeps the matches; created if missing
    #[arg(long, value_name = "FILE", default_value = "richman.sqlite", conflicts_with = "memory")]
    pub store: PathBuf,
    /// Keep nothing: matches end with the server
    #[arg(long)]
    pub memory: bool,
    /// Also answer to this host name, for servers on a network or behind another one; may be given
    /// several times. Without it a server at 127.0.0.1 answers to the names of this machine, and
    /// one at another address to any
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Forget matches without activity for this many days [default: keep all]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36500))]
    pub keep: Option<u32>,
    /// Log every request on standard error: method, kind of page, status, milliseconds. Addresses
    /// are not logged, because they hold secrets. Errors are logged without this too
    #[arg(long)]
    pub log: bool,
}

/// Says how to build a command with the web application.
#[cfg(not(feature = "web"))]
pub fn run(_: &ServeArgs, _: &Games) -> Done {
    Err(crate::CliError::Usage(super::WITHOUT_WEB.to_string()))
}

#[cfg(feature = "web")]
pub fn run(args: &ServeArgs, games: &Games) -> Done {
    use std::io::Write;

    let config = richman_web::Config {
        games: games.clone(),
        listen: args.listen,
        store: (!args.memory).then(|| args.store.clone()),
        hosts: args.hosts.clone(),
        keep: args.keep,
    };
    log::begin(args.log);
    richman_web::serve(&config, |address| {
        let mut out = std::io::stdout().lock();
        // The server goes on without a reader.
        let _ = writeln!(out, "Richman is at http://{address}/").and_then(|()| out.flush());
    })?;
    Ok(std::process::ExitCode::SUCCESS)
}
