//! `richman serve` as a process.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::client::is_proxied;

/// The binary that `RICHMAN_BINARY` names, or else one built from this repository, once.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(given) = std::env::var_os("RICHMAN_BINARY") {
            return PathBuf::from(given);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--release", "--locked", "--package", "richman-cli", "--features", "web", "--target-dir"])
            .arg(&target)
            .current_dir(root)
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the richman binary is not built");
        target.join("release/richman")
    })
}

/// A running server, killed when dropped.
pub struct Server {
    process: Child,
    /// The folder of its database, if nobody else has it.
    folder: Option<TempDir>,
    pub address: SocketAddr,
}

impl Server {
    /// Starts one at any free port, with an empty database.
    pub fn start() -> Server {
        let folder = tempfile::tempdir().expect("a folder for the database");
        let store = folder.path().join("richman.sqlite");
        let mut server = Server::with_store(&store, &[]).expect("it names its address");
        server.folder = Some(folder);
        server
    }

    /// Starts one with this store and these variables; `None` if it ends before it serves.
    pub fn with_store(store: &Path, variables: &[(&str, String)]) -> Option<Server> {
        let mut command = Command::new(binary());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        Server::started(command, &["--store".as_ref(), store.as_os_str()])
    }

    /// Starts one that stores nothing, with this many KiB of address space, or `unlimited`.
    pub fn within(kibibytes: &str) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"")]).arg(binary());
        Server::started(shell, &["--no-store".as_ref()]).expect("it names its address")
    }

    fn started(mut command: Command, args: &[&OsStr]) -> Option<Server> {
        let proxy: &[&str] = if is_proxied() { &["--trust-proxy", "127.0.0.1"] } else { &[] };
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(proxy).args(args);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("richman serve starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("it was piped")).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("Richman is at http://").trim_end_matches('/').parse();
        let Ok(address) = address else {
            let _ = process.wait();
            return None;
        };
        Some(Server { process, folder: None, address })
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// The bytes of memory that it holds; 0 once it has ended.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS:") << 10
    }

    /// The most bytes of memory that it has held; 0 once it has ended.
    pub fn peak_memory(&self) -> u64 {
        self.status("VmHWM:") << 10
    }

    /// The number of its threads; 0 once it has ended.
    pub fn threads(&self) -> u64 {
        self.status("Threads:")
    }

    fn status(&self, key: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let value = status.lines().find_map(|line| line.strip_prefix(key));
        value.and_then(|value| value.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    /// The bytes of the database and its log.
    pub fn stored(&self) -> u64 {
        let folder = self.folder.as_ref().expect("the folder of the database");
        let files = std::fs::read_dir(folder.path()).expect("the folder of the database");
        files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len())).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
