//! Requests over HTTP from an address of one's own.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::LazyLock;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, LOCATION, SET_COOKIE};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::IpBindAddressNoPort;
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};

/// A question to the server.
#[derive(Debug, Clone)]
pub struct Ask {
    method: Method,
    path: String,
    secret: Option<String>,
    cookie: Option<String>,
    body: Bytes,
}

impl Ask {
    pub fn get(path: impl Into<String>) -> Ask {
        Ask { method: Method::GET, path: path.into(), secret: None, cookie: None, body: Bytes::new() }
    }

    pub fn post(path: impl Into<String>, body: impl ToString) -> Ask {
        Ask { method: Method::POST, body: body.to_string().into(), ..Ask::get(path) }
    }

    /// The same by the holder of this secret.
    pub fn by(self, secret: &str) -> Ask {
        Ask { secret: Some(secret.to_string()), ..self }
    }

    /// The same by a browser with this cookie.
    pub fn with(self, cookie: &str) -> Ask {
        Ask { cookie: Some(cookie.to_string()), ..self }
    }

    /// About how many bytes are sent.
    pub fn bytes(&self) -> u64 {
        const HEADERS: usize = 150;
        (HEADERS + self.path.len() + self.body.len()) as u64
    }
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Where it sends a visitor; empty if nowhere.
    pub location: String,
    /// The cookie of a seat, by its name and value; empty if there is none.
    pub cookie: String,
    pub body: Bytes,
}

impl Answer {
    pub fn is_success(&self) -> bool {
        self.status < 400
    }

    /// A refused request is an error.
    pub fn accepted(self) -> io::Result<Answer> {
        if self.is_success() {
            return Ok(self);
        }
        let reason = self.json()["error"]["message"].as_str().unwrap_or_default().to_string();
        Err(io::Error::other(format!("{} {reason}", self.status)))
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// A text in an answer.
pub fn text(value: &Value) -> io::Result<String> {
    value.as_str().map(str::to_string).ok_or_else(|| io::Error::other("the answer has no such text"))
}

/// Whether everybody comes through a proxy at 127.0.0.1, which says who they are.
pub fn is_proxied() -> bool {
    static PROXIED: LazyLock<bool> = LazyLock::new(|| std::env::var_os("RICHMAN_PROXY").is_some());
    *PROXIED
}

/// The header in which a proxy says who asks; `None` without a proxy.
pub fn forwarded(source: Ipv4Addr) -> Option<(&'static str, String)> {
    is_proxied().then(|| ("X-Forwarded-For", source.to_string()))
}

/// Connects from that address. A small `receive` buffer makes the server wait for a reader.
pub async fn connect(server: SocketAddr, source: Ipv4Addr, receive: Option<u32>) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if let Some(bytes) = receive {
        socket.set_recv_buffer_size(bytes)?;
    }
    // Finding a free port among thousands takes milliseconds; the system need not before it knows
    // the server.
    setsockopt(&socket, IpBindAddressNoPort, &true)?;
    let source = if is_proxied() { Ipv4Addr::LOCALHOST } else { source };
    socket.bind(SocketAddr::new(IpAddr::V4(source), 0))?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Somebody at an address, with a connection that is kept open.
pub struct Client {
    server: SocketAddr,
    source: Ipv4Addr,
    connection: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    pub fn new(server: SocketAddr, source: Ipv4Addr) -> Client {
        Client { server, source, connection: None }
    }

    /// The answer, complete.
    pub async fn ask(&mut self, ask: Ask) -> io::Result<Answer> {
        let answer = self.begin(ask).await?;
        let status = answer.status().as_u16();
        let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let location = location.unwrap_or_default().to_string();
        let cookie = answer.headers().get(SET_COOKIE).and_then(|value| value.to_str().ok()?.split(';').next());
        let cookie = cookie.unwrap_or_default().to_string();
        let body = answer.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
        Ok(Answer { status, location, cookie, body })
    }

    /// The JSON of an answer that is no refusal.
    pub async fn done(&mut self, ask: Ask) -> io::Result<Value> {
        Ok(serde_json::from_slice(&self.ask(ask).await?.accepted()?.body)?)
    }

    /// The answer before its body was read.
    pub async fn begin(&mut self, ask: Ask) -> io::Result<Response<Incoming>> {
        let mut open = self.connection.take();
        if let Some(sender) = &mut open
            && sender.ready().await.is_err()
        {
            open = None; // the server closed the idle connection
        }
        let mut sender = match open {
            Some(sender) => sender,
            None => {
                let stream = connect(self.server, self.source, None).await?;
                let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
                tokio::spawn(connection);
                sender
            }
        };
        let mut request = Request::builder().method(ask.method).uri(ask.path).header(HOST, self.server.to_string());
        if let Some((name, value)) = forwarded(self.source) {
            request = request.header(name, value);
        }
        if let Some(secret) = ask.secret {
            request = request.header(AUTHORIZATION, format!("Bearer {secret}"));
        }
        if let Some(cookie) = ask.cookie {
            request = request.header(COOKIE, cookie);
        }
        if !ask.body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request.body(Full::new(ask.body)).map_err(io::Error::other)?;
        let answer = sender.send_request(request).await.map_err(io::Error::other)?;
        self.connection = Some(sender);
        Ok(answer)
    }
}
