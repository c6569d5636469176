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
        let mut child = Command::new(richman())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
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
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Client { stream: BufReader::new(stream), host: address }
    }

    pub fn get(&mut self, path: &str, token: Option<&str>) -> Answer {
        self.write("GET", path, token, "");
        self.read()
    }

    pub fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Answer {
        self.write("POST", path, token, body);
        self.read()
    }

    /// A request whose answer is not read.
    pub fn send(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) {
        self.write(method, path, token, body);
        std::thread::sleep(Duration::from_millis(100));
    }

    /// A request for a stream, up to the first line of the answer.
    pub fn open(&mut self, path: &str) {
        self.write("GET", path, None, "");
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
    }

    fn write(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) {
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{authorization}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(text.as_bytes()).unwrap();
    }

    fn read(&mut self) -> Answer {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            assert_ne!(self.stream.read_line(&mut line).unwrap(), 0, "the answer has ended");
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        Answer { status, body: String::from_utf8(body).unwrap() }
    }
}
