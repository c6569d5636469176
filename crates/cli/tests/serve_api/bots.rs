//! Any number of programs that play each other over HTTP.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpSocket;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The address of a client: a server gives each only its share. Elsewhere than on Linux, a machine
/// has but one on the loopback interface.
fn source(number: usize) -> IpAddr {
    let [high, low] = [number / 250, number % 250 + 1].map(|byte| byte as u8);
    IpAddr::from(if cfg!(target_os = "linux") { [127, 1, high, low] } else { [127, 0, 0, 1] })
}

/// A persistent connection.
pub struct Client {
    source: IpAddr,
    address: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
}

impl Client {
    /// A connection of the client with that number.
    pub async fn new(address: SocketAddr, number: usize) -> Result<Client, Failure> {
        Client::at(source(number), address).await
    }

    async fn at(source: IpAddr, address: SocketAddr) -> Result<Client, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((source, 0).into())?;
        let stream = socket.connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Client { source, address, sender })
    }

    pub async fn ask(
        &mut self,
        method: Method,
        path: &str,
        secret: Option<&str>,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Bytes), Failure> {
        if self.sender.ready().await.is_err() {
            *self = Client::at(self.source, self.address).await?; // the server closed the idle connection
        }
        let mut request = Request::builder().method(method).uri(path).header(HOST, self.address.to_string());
        if let Some(secret) = secret {
            request = request.header(AUTHORIZATION, format!("Bearer {secret}"));
        }
        let body = match body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                Bytes::from(body.to_string())
            }
            None => Bytes::new(),
        };
        let answer = self.sender.send_request(request.body(Full::new(body))?).await?;
        let status = answer.status();
        Ok((status, answer.into_body().collect().await?.to_bytes()))
    }

    /// The body of a successful answer.
    pub async fn done(
        &mut self,
        method: Method,
        path: &str,
        secret: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        let (status, answer) = self.ask(method, path, secret, body).await?;
        if !status.is_success() {
            return Err(format!("{path}: {status} {}", String::from_utf8_lossy(&answer)).into());
        }
        Ok(serde_json::from_slice(&answer)?)
    }
}

pub fn choose(seen: &Value) -> Value {
    let decision = &seen["decision"];
    let list = |key: &str| decision[key].as_array().map(Vec::as_slice).unwrap_or_default();
    match decision["kind"].as_str() {
        Some("bid") => {
            let most = list("bids").last().and_then(|range| range[1].as_u64()).unwrap_or_default();
            json!({ "bid": fastrand::u64(0..=most / 3) })
        }
        Some("star") => json!({ "use_star": fastrand::bool() }),
        _ => match fastrand::choice(list("moves")) {
            Some(name) => json!({ "move": name }),
            None if decision["may_stay"] == true => json!("stay"),
            None => json!("let"),
        },
    }
}

/// The chips of both players and the bank.
pub fn chips(seen: &Value) -> Option<u64> {
    let of = |holding: &Value| match holding {
        Value::String(text) => text.trim_end_matches('*').parse().ok(),
        number => number.as_u64(),
    };
    Some(of(&seen["holdings"]["alice"])? + of(&seen["holdings"]["bob"])? + seen["bank"].as_u64()?)
}

/// The experience of one bot.
#[derive(Default)]
pub struct Fared {
    /// The time of each action, from request to answer.
    pub actions: Vec<Duration>,
    /// Its last view of the match.
    pub end: Value,
}

/// Plays a seat to the end, thinking for a random time of up to `thinking` before each action.
async fn play(mut client: Client, token: String, thinking: Duration) -> Result<Fared, Failure> {
    let mut fared = Fared::default();
    let mut seen = client.done(Method::GET, "/api/v1/seat", Some(&token), None).await?;
    while seen["result"].is_null() {
        if seen["decision"].is_null() {
            let path = format!("/api/v1/seat?after={}", seen["version"]);
            seen = client.done(Method::GET, &path, Some(&token), None).await?;
            continue;
        }
        tokio::time::sleep(thinking.mul_f64(fastrand::f64())).await;
        let action = json!({ "step": seen["decision"]["step"], "action": choose(&seen) });
        let begun = Instant::now();
        seen = client.done(Method::POST, "/api/v1/seat/actions", Some(&token), Some(&action)).await?;
        fared.actions.push(begun.elapsed());
    }
    fared.end = seen;
    Ok(fared)
}

/// One match between two bots, the second of which joins by invitation.
async fn one_match(address: SocketAddr, number: usize, thinking: Duration) -> Result<[Fared; 2], Failure> {
    const GAMES: [&str; 4] = ["tic-tac-toe", "tug-of-war", "connect:rows=4,cols=4,line=3", "subtraction"];
    let mechanism = match number % 3 {
        0 => json!({}),
        1 => json!({ "preset": "larsson" }),
        _ => json!({ "payment": "poorman" }),
    };
    let wanted = json!({ "game": GAMES[number % 4], "mechanism": mechanism, "total": TOTAL, "limit": 5,
                         "seats": { "alice": "person", "bob": "invited" } });
    let (mut first, mut second) =
        (Client::new(address, 2 * number).await?, Client::new(address, 2 * number + 1).await?);
    let made = first.done(Method::POST, "/api/v1/matches", None, Some(&wanted)).await?;
    let taken = second.done(Method::POST, "/api/v1/invitation", made["invitation"].as_str(), None).await?;
    let token = |value: &Value| value.as_str().map(str::to_string).ok_or("the answer holds no token");
    let (alice, bob) = (token(&made["tokens"]["alice"])?, token(&taken["token"])?);
    let (alice, bob) = tokio::join!(play(first, alice, thinking), play(second, bob, thinking));
    Ok([alice?, bob?])
}

/// Chips in each match.
pub const TOTAL: u64 = 40;

/// The result of many matches at once.
pub struct Load {
    /// The time of each action, ascending.
    pub actions: Vec<Duration>,
    pub time: Duration,
}

impl Load {
    /// The time within which this part of the actions was answered.
    pub fn within(&self, part: f64) -> Duration {
        let last = self.actions.len().saturating_sub(1);
        self.actions.get((last as f64 * part) as usize).copied().unwrap_or_default()
    }

    /// Actions in a second.
    pub fn rate(&self) -> f64 {
        self.actions.len() as f64 / self.time.as_secs_f64()
    }

    /// The result in one line.
    pub fn summary(&self) -> String {
        let rate = self.rate();
        let [half, most, nearly] = [0.5, 0.95, 0.99].map(|part| self.within(part));
        let (count, time) = (self.actions.len(), self.time);
        format!(
            "{count} actions in {time:.1?}, {rate:.0} a second; answered in {half:.1?} (median), {most:.1?} (95 %), \
             {nearly:.1?} (99 %)"
        )
    }
}

/// Plays `matches` matches at once to the end, and checks that chips are conserved.
///
/// # Errors
/// The first failure in any of them.
pub async fn load(address: SocketAddr, matches: usize, thinking: Duration) -> Result<Load, Failure> {
    let begun = Instant::now();
    let playing: Vec<_> = (0..matches).map(|number| tokio::spawn(one_match(address, number, thinking))).collect();
    let mut actions = Vec::new();
    for one in playing {
        let both = one.await??;
        for fared in &both {
            if fared.end["stage"] != "over" || chips(&fared.end) != Some(TOTAL) {
                return Err(format!("a match ended wrong: {}", fared.end).into());
            }
        }
        if both[0].end["turns"] != both[1].end["turns"] {
            return Err("the players saw different matches".into());
        }
        actions.extend(both.into_iter().flat_map(|fared| fared.actions));
    }
    actions.sort_unstable();
    Ok(Load { actions, time: begun.elapsed() })
}
