//! The line between a browser and a server, with a proxy on it: it can be cut, and the proxy can
//! say that the server is away, while both go on.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
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
}

/// A line to a server: the address is its own, whatever happens to the server's.
pub struct Line {
    /// Its address, such as `http://127.0.0.1:40001`.
    pub address: String,
    state: Arc<watch::Sender<LineState>>,
}

impl Line {
    pub async fn to(server: &Server) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let target = server.address.trim_start_matches("http://").to_string();
        let state = Arc::new(watch::channel(LineState::Whole).0);
        let changes = state.subscribe();
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                tokio::spawn(serve(browser, target.clone(), changes.clone()));
            }
        });
        Line { address, state }
    }

    /// Changes how the line works, and ends the connections that were made before.
    pub fn set(&self, state: LineState) {
        self.state.send_replace(state);
    }
}

/// Serves one connection until it ends or the line changes.
async fn serve(mut browser: TcpStream, target: String, mut changes: watch::Receiver<LineState>) {
    let state = *changes.borrow_and_update();
    let answered = async {
        match state {
            LineState::Whole => {
                let mut server = TcpStream::connect(&target).await?;
                copy_bidirectional(&mut browser, &mut server).await?;
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
