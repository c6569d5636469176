//! A proxy between a browser and a server, as it may behave while the server restarts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::Server;

/// What the proxy does with requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyMode {
    /// Passes them on.
    Pass,
    /// Answers 502 to all.
    BadGateway,
    /// Passes them on, and answers 502 instead of what the server answers.
    LoseAnswers,
}

/// A proxy, which stops when dropped. A change of its mode cuts all connections.
pub struct Proxy {
    /// Its address, such as `http://127.0.0.1:40001`.
    pub address: String,
    mode: watch::Sender<ProxyMode>,
    streams: Arc<AtomicUsize>,
}

const BAD_GATEWAY: &str = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 47\r\n\
                           Connection: close\r\n\r\n<html><h1>502 Bad Gateway, by nginx</h1></html>";

impl Proxy {
    pub async fn before(server: &Server) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let target = server.address.trim_start_matches("http://").to_string();
        let (mode, modes) = watch::channel(ProxyMode::Pass);
        let streams = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&streams);
        let mut stopped = modes.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let Ok((client, _)) = accepted else { return };
                        tokio::spawn(pass(client, target.clone(), modes.clone(), Arc::clone(&counted)));
                    }
                    gone = stopped.changed() => if gone.is_err() { return },
                }
            }
        });
        Proxy { address, mode, streams }
    }

    pub fn switch(&self, mode: ProxyMode) {
        self.mode.send_replace(mode);
    }

    /// How many streams of events are open now.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::SeqCst)
    }
}

/// Counts a stream while it lives.
struct CountedStream(Arc<AtomicUsize>);

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn pass(client: TcpStream, target: String, mut modes: watch::Receiver<ProxyMode>, streams: Arc<AtomicUsize>) {
    let mode = *modes.borrow_and_update();
    tokio::select! {
        _ = exchange(client, &target, mode, streams) => {}
        _ = modes.changed() => {}
    }
}

async fn exchange(
    mut client: TcpStream,
    target: &str,
    mode: ProxyMode,
    streams: Arc<AtomicUsize>,
) -> std::io::Result<()> {
    let mut bytes = vec![0; 64 << 10];
    if mode == ProxyMode::BadGateway {
        let _ = client.read(&mut bytes).await?;
        return client.write_all(BAD_GATEWAY.as_bytes()).await;
    }
    let mut server = TcpStream::connect(target).await?;
    let mut counted = None;
    let mut answer = vec![0; 64 << 10];
    loop {
        tokio::select! {
            read = client.read(&mut bytes) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                if bytes.starts_with(b"GET /events") {
                    streams.fetch_add(1, Ordering::SeqCst);
                    counted = Some(CountedStream(Arc::clone(&streams)));
                } else {
                    counted = None;
                }
                server.write_all(&bytes[..read]).await?;
            }
            read = server.read(&mut answer) => {
                let read = read?;
                if read == 0 {
                    drop(counted);
                    return Ok(());
                }
                if mode == ProxyMode::LoseAnswers {
                    return client.write_all(BAD_GATEWAY.as_bytes()).await;
                }
                client.write_all(&answer[..read]).await?;
            }
        }
    }
}
