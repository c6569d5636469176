//! A server as a process, and a minimal HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

pub fn richman() -> &'static str {
    env!("CARGO_BIN_EXE_richman")
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_string()
    }
}

/// A server on a free port, killed when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        Server::start_with_log(args, Stdio::piped())
    }

    /// A server whose log goes there.
    pub fn start_with_log(args: &[&str], log: Stdio) -> Server {
        Server::started(Command::new(richman()), args, log)
    }

    /// A server with this many KiB of address space.
    #[cfg(target_os = "linux")]
    pub fn start_within(kibibytes: u32, args: &[&str]) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\""), richman()]);
        Server::started(shell, args, Stdio::piped())
    }

    fn started(mut command: Command, args: &[&str], log: Stdio) -> Server {
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(args);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let Some(address) = line.strip_prefix("Richman is at http://").and_then(|rest| rest.strip_suffix("/\n")) else {
            let mut error = String::new();
            child.stderr.as_mut().unwrap().read_to_string(&mut error).unwrap();
            panic!("{line:?} {error}");
        };
        Server { address: address.parse().unwrap(), child }
    }

    /// Asks it to stop by a signal.
    pub fn stop(mut self) -> ExitStatus {
        self.terminate();
        self.child.wait().unwrap()
    }

    /// Stops it and returns its log.
    pub fn stop_and_read(mut self) -> String {
        self.terminate();
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        log
    }

    fn terminate(&self) {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(asked.success());
    }

    /// The peak memory in bytes.
    #[cfg(target_os = "linux")]
    pub fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        1024 * peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    }

    /// Kills it without warning.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

pub struct Client {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
}

impl Client {
    pub fn new(address: SocketAddr) -> Client {
        Client::connect(address).unwrap()
    }

    pub fn connect(address: SocketAddr) -> std::io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Client { stream: BufReader::new(stream), host: address })
    }

    pub fn get(&mut self, path: &str, token: Option<&str>) -> Answer {
        self.request("GET", path, token, "").unwrap()
    }

    pub fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Answer {
        self.request("POST", path, token, body).unwrap()
    }

    pub fn request(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> std::io::Result<Answer> {
        self.write(method, path, token, body)?;
        self.read()
    }

    /// A request whose answer is not read.
    pub fn send(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) {
        self.write(method, path, token, body).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }

    /// A request for a stream, up to the first line of the answer.
    pub fn open(&mut self, path: &str) {
        self.write("GET", path, None, "").unwrap();
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
    }

    fn write(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> std::io::Result<()> {
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{authorization}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(text.as_bytes())
    }

    fn read(&mut self) -> std::io::Result<Answer> {
        let ended = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(ended)?;
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            if line.is_empty() {
                return Err(ended());
            }
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(|_| ended())?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body: String::from_utf8(body).unwrap() })
    }
}
