//! `richman serve`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use richman_web::Config;

use crate::Done;

/// Flags of `richman serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address and port to listen on; port 0 takes one that is free. Others can reach addresses other than 127.0.0.1
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: std::net::SocketAddr,
    /// The file that matches are kept in; made if there is none
    #[arg(long, value_name = "FILE", default_value = "richman.sqlite", conflicts_with = "memory")]
    pub store: PathBuf,
    /// Keep nothing: matches end with the server
    #[arg(long)]
    pub memory: bool,
    /// Answer to this name too, for servers behind another one or on a network; may be given several times. Without it a server at 127.0.0.1
    /// answers to the names of this machine, and one at another address to any
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Forget matches in which nothing happened for this many days [default: keep all]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36500))]
    pub keep: Option<u32>,
    /// Log every request on standard error: method, kind of page, status, milliseconds. Addresses are not logged, for they hold secrets
    #[arg(long)]
    pub log: bool,
}

/// Serves the web application until it is stopped.
pub fn run(args: &ServeArgs) -> Done {
    let config = Config {
        listen: args.listen,
        store: (!args.memory).then(|| args.store.clone()),
        hosts: args.hosts.clone(),
        keep: args.keep,
        log: args.log,
    };
    richman_web::serve(&config, |address| {
        let mut out = std::io::stdout().lock();
        // A reader that has gone does not stop the server.
        let _ = writeln!(out, "Richman is at http://{address}/").and_then(|()| out.flush());
    })?;
    Ok(ExitCode::SUCCESS)
}
