//! `richman serve` as a separate process.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running server, stopped when dropped.
pub struct Served {
    process: Child,
    folder: PathBuf,
    pub address: SocketAddr,
}

impl Served {
    /// Starts a server for that test on any free port, with its database on disk.
    pub fn new(test: &str) -> Served {
        raise_limit();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut process = Command::new(env!("CARGO_BIN_EXE_richman"))
            .args(["serve", "--listen", "127.0.0.1:0", "--store"])
            .arg(folder.join("richman.sqlite"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("richman starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("standard output")).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("Richman is at http://").trim_end_matches('/');
        let address = address.parse().unwrap_or_else(|_| panic!("{line:?} names no address"));
        Served { process, folder, address }
    }

    /// Its memory in bytes, if the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Raises the limit of open files as far as allowed, for the many clients.
fn raise_limit() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
            let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
        }
    }
}
