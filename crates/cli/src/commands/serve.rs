//! `richman serve`

use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use richman_web::Config;

use crate::args::ServeArgs;
use crate::error::CliError;

/// Serves the web application until it is stopped.
pub fn run(args: &ServeArgs) -> Result<ExitCode, CliError> {
    let config = Config {
        listen: args.listen,
        store: (!args.memory).then(|| args.store.clone()),
        hosts: args.hosts.clone(),
        keep: args.keep,
        log: args.log,
    };
    richman_web::serve(&config, |address| {
        // A reader that has gone does not stop the server.
        let _ = tell(address);
    })?;
    Ok(ExitCode::SUCCESS)
}

fn tell(address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Richman is at http://{address}/")?;
    out.flush()
}
