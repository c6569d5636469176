//! The line between a browser and a server, with a proxy on it: it can be cut, and the proxy can
//! say that the server is away, while both go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::Server;

/// What a proxy answers while the server behind it restarts.
const AWAY: &[u8] = b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\
                      Connection: close\r\n\r\n<h1>502: Bad Gateway</h1>\r\n";

/// How a line works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// What is sent arrives.
    Whole,
    /// All connections are ended, and new ones at once.
    Cut,
    /// All connections are ended, and requests are answered with 502.
    ServerAway,
    /// All connections are ended; requests reach the server, and are answered with 502.
    AnswersLost,
}

/// A line to a server: the address is its own, whatever happens to the server's.
pub struct Line {
    /// Its address, such as `http://127.0.0.1:40001`.
    pub address: String,
    state: Arc<watch::Sender<LineState>>,
    streams: Arc<AtomicUsize>,
}

impl Line {
    pub async fn to(server: &Server) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let target = server.address.trim_start_matches("http://").to_string();
        let state = Arc::new(watch::channel(LineState::Whole).0);
        let streams = Arc::new(AtomicUsize::new(0));
        let (changes, counter) = (state.subscribe(), Arc::clone(&streams));
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                tokio::spawn(serve(browser, target.clone(), changes.clone(), Arc::clone(&counter)));
            }
        });
        Line { address, state, streams }
    }

    /// Changes how the line works, and ends the connections that were made before.
    pub fn set(&self, state: LineState) {
        self.state.send_replace(state);
    }

    /// How many streams of events are open now.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::SeqCst)
    }
}

/// Counts a stream while it lives.
struct CountedStream(Arc<AtomicUsize>);

impl CountedStream {
    fn new(counter: &Arc<AtomicUsize>) -> CountedStream {
        counter.fetch_add(1, Ordering::SeqCst);
        CountedStream(Arc::clone(counter))
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Serves one connection until it ends or the line changes.
async fn serve(
    mut browser: TcpStream,
    target: String,
    mut changes: watch::Receiver<LineState>,
    streams: Arc<AtomicUsize>,
) {
    let state = *changes.borrow_and_update();
    let answered = async {
        match state {
            LineState::Whole | LineState::AnswersLost => {
                pass(&mut browser, &target, state == LineState::AnswersLost, &streams).await?;
            }
            LineState::Cut => {}
            LineState::ServerAway => {
                let _ = browser.read(&mut [0; 4096]).await?; // a request, or the beginning of one
                browser.write_all(AWAY).await?;
                browser.shutdown().await?;
            }
        }
        std::io::Result::Ok(())
    };
    tokio::select! {
        _ = answered => {} // whoever hangs up ends the connection for both
        _ = changes.changed() => {}
    }
}

/// Passes on what both sides send until one of them hangs up.
async fn pass(browser: &mut TcpStream, target: &str, loses: bool, streams: &Arc<AtomicUsize>) -> std::io::Result<()> {
    let mut server = TcpStream::connect(target).await?;
    let (mut asked, mut answer) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    let mut _stream = None;
    loop {
        tokio::select! {
            read = browser.read(&mut asked) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                _stream = asked.starts_with(b"GET /events").then(|| CountedStream::new(streams));
                server.write_all(&asked[..read]).await?;
            }
            read = server.read(&mut answer) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                if loses {
                    return browser.write_all(AWAY).await;
                }
                browser.write_all(&answer[..read]).await?;
            }
        }
    }
}
