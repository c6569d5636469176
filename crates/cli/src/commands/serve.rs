//! `richman serve`

#[cfg(feature = "web")]
mod log;

use std::path::PathBuf;

use clap::Args;
use richman_analysis::Games;

use crate::Done;
use crate::args::{address, whole};

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address and port to listen on; port 0 takes a free one. At 127.0.0.1 only this machine
    /// can connect
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub listen: std::net::SocketAddr,
    /// The file that keeps the matches; created if missing [default: richman.sqlite]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Keep nothing: matches end with the server
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
    /// The most memory for solving games and for what is known of them, such as 2GiB [default:
    /// 4GiB]
    #[arg(long, value_name = "SIZE", num_args = 0..=1, value_parser = crate::args::bytes)]
    pub memory: Option<Option<u64>>,
    /// The address of a proxy in front of this server, or a network such as 10.0.0.0/8; may be
    /// given several times. The proxy's header X-Forwarded-For then says whose request it is.
    /// Without it all who come through a proxy share the quotas of one address
    #[arg(long = "trust-proxy", value_name = "ADDRESS")]
    pub proxies: Vec<String>,
    /// Also serve figures for Prometheus there, under /metrics; keep it from the public
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub metrics: Option<std::net::SocketAddr>,
    /// Also answer to this host name, for servers on a network or behind another one; may be given
    /// several times. Without it a server at 127.0.0.1 answers to the names of this machine, and
    /// one at another address to any
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// The address under which others reach this server, such as https://play.example. Previews of
    /// links then show the board
    #[arg(long, value_name = "URL")]
    pub public: Option<String>,
    /// The path above all addresses, such as /games/richman, where a proxy serves other sites at
    /// the same host. Requests may come with this path or without it
    #[arg(long, value_name = "PATH")]
    pub base_path: Option<String>,
    /// Let pages of other sites ask what keeps nothing, such as solve, table and list, without
    /// credentials; matches and records never. A server at another address than 127.0.0.1 allows it
    /// without this
    #[arg(long)]
    pub other_sites: bool,
    /// Forget matches without activity for this many days [default: keep all]. After a jump of the
    /// clock by more than a day, also while the server was off, nothing is forgotten until `richman
    /// store trust-clock`
    #[arg(long, value_name = "DAYS", value_parser = whole(1..=36500_u32))]
    pub keep: Option<u32>,
    /// Log every request on standard error: method, kind of page, status, milliseconds. Addresses
    /// are not logged, because they hold secrets. Errors are logged without this too
    #[arg(long)]
    pub log: bool,
    /// Write the log as JSON, a line for each event
    #[arg(long)]
    pub log_json: bool,
}

/// Says how to build a command with the web application.
#[cfg(not(feature = "web"))]
pub fn run(_: &ServeArgs, _: &Games) -> Done {
    Err(crate::CliError::Usage(super::WITHOUT_WEB.to_string()))
}

#[cfg(feature = "web")]
pub fn run(args: &ServeArgs, games: &Games) -> Done {
    use std::io::Write;

    // `--memory` without a size once meant `--no-store`, and still does.
    let is_old = args.memory == Some(None);
    if is_old && args.store.is_some() {
        return Err(crate::CliError::Usage("write --store FILE, --no-store, or --memory SIZE".to_string()));
    }
    let proxy =
        |text: &String| text.parse().map_err(|error| crate::CliError::Usage(format!("--trust-proxy {text}: {error}")));
    let public = |error| crate::CliError::Usage(format!("--public {error}"));
    let base = |error| crate::CliError::Usage(format!("--base-path {error}"));
    let store = args.store.clone().unwrap_or_else(|| PathBuf::from("richman.sqlite"));
    let config = richman_serve::Config {
        games: games.clone(),
        listen: args.listen,
        store: (!args.no_store && !is_old).then_some(store),
        hosts: args.hosts.clone(),
        public: args.public.as_deref().map(str::parse).transpose().map_err(public)?,
        base: args.base_path.as_deref().unwrap_or_default().parse().map_err(base)?,
        keep: args.keep,
        memory: args.memory.flatten().unwrap_or(richman_serve::MEMORY),
        proxies: args.proxies.iter().map(proxy).collect::<Result<_, _>>()?,
        metrics: args.metrics,
        other_sites: args.other_sites,
    };
    log::begin(args.log, args.log_json);
    if is_old {
        log::warn("--memory takes a size now: write --no-store to keep nothing");
    }
    richman_serve::serve(&config, |address| {
        let mut out = std::io::stdout().lock();
        // The server goes on without a reader.
        let base = config.base.as_str();
        let _ = writeln!(out, "Richman is at http://{address}{base}/").and_then(|()| out.flush());
    })?;
    Ok(std::process::ExitCode::SUCCESS)
}
