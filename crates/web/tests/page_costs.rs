//! What a page costs the threads that serve everybody. The desk's own threads do not count.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use axum::http::StatusCode;
use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Player};
use richman_play::Action;
use richman_web::hall::MatchView;
use richman_web::setup::{MatchSetup, SeatChoice};
use richman_web::token::Token;
use rustix::time::{ClockId, clock_gettime};

use crate::pages::Client;

/// The processor time of this thread, which other programs do not lengthen.
fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Runs `work` and gives the time that it took on this thread.
async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let (mut work, mut took) = (pin!(work), Duration::ZERO);
    let done = poll_fn(|context| {
        let begun = thread_time();
        let polled = work.as_mut().poll(context);
        took += thread_time() - begun;
        polled
    });
    let done = done.await;
    (done, took)
}

/// The time of a task of fixed size, the unit of all bounds here: about a millisecond on a fast
/// machine in the release profile.
fn reference() -> Duration {
    let once = || {
        let begun = thread_time();
        let text: String = (0..5_000).map(|number| format!("<a href=\"/{number}\">{number}</a>")).collect();
        assert_eq!(text.len(), 117_780);
        thread_time() - begun
    };
    (0..20).map(|_| once()).min().unwrap_or_default()
}

/// A page with its costs: made anew, and made before.
struct PageCost {
    path: String,
    first: Duration,
    again: Duration,
}

async fn cost(client: &Client, path: &str) -> PageCost {
    let (status, first) = timed(client.get(path)).await;
    let expected = status.0.is_success() || status.0 == StatusCode::UNPROCESSABLE_ENTITY;
    assert!(expected, "{path}: {} {}", status.0, status.1);
    let mut again = Duration::MAX;
    for _ in 0..5 {
        let (repeated, took) = timed(client.get(path)).await;
        assert!(repeated.0 == status.0 && repeated.1 == status.1, "{path} is the same again");
        again = again.min(took);
    }
    PageCost { path: path.to_string(), first, again }
}

/// The names of all listed games at their usual and their largest sizes.
fn games() -> Vec<String> {
    let listed = Games::default().list();
    let usual = listed.iter().map(|info| info.name.to_string()).filter(|name| *name != "expr");
    let largest = [
        "expr:(A & B^2) & B",
        "hex:size=16",
        "hex:rows=1,cols=256",
        "y:size=8",
        "chomp:rows=12,cols=12",
        "connect:rows=7,cols=8",
        "connect:rows=1,cols=32",
        "tic-tac-toe:rows=7,cols=8,line=5",
        "race:alice=100000,bob=100000",
        "tug-of-war:length=10000000",
        "ultimatum:degree=10000000",
        "subtraction:heap=100000000,set=1+2+3+5+8+13+21+34+55+89",
    ];
    let deep = format!("expr:{}A{}", "(A & B^2) & (".repeat(100), ")".repeat(100));
    usual.chain(largest.map(str::to_string)).chain([deep]).collect()
}

fn path(fields: &[(&str, &str)]) -> String {
    format!("/explore?{}", serde_urlencoded::to_string(fields).unwrap())
}

/// A match at one screen.
struct OneScreen<'a> {
    client: &'a Client,
    token: Token,
    view: MatchView,
}

impl<'a> OneScreen<'a> {
    async fn begin(client: &'a Client, game: &str, limit: u32) -> OneScreen<'a> {
        let persons = ByPlayer::new(SeatChoice::Person, SeatChoice::Person);
        let holdings = ByPlayer::new("100*".to_string(), "100".to_string());
        let setup = MatchSetup { holdings, limit, one_screen: true, ..MatchSetup::new(game, persons, 1) };
        let created = client.app.hall.create(setup).await.unwrap();
        let token = created.tokens[0].clone().unwrap();
        OneScreen { client, view: client.app.hall.seat(&token).await.unwrap(), token }
    }

    async fn act(&mut self, player: Player, action: Action) {
        let step = self.view.steps[player];
        self.view = self.client.app.hall.act(&self.token, Some(player), step, action).await.unwrap();
    }

    /// Both bid, and `winner` is to move.
    async fn bid(&mut self, winner: Player) {
        for player in Player::BOTH {
            self.act(player, Action::Bid(u32::from(player == winner))).await;
        }
    }

    /// Plays random moves until the end, or for `turns`.
    async fn play(&mut self, turns: usize) {
        let mut random = fastrand::Rng::with_seed(7);
        for turn in 0..turns {
            if self.view.closed().is_some() {
                return;
            }
            let mover = Player::BOTH[turn % 2];
            self.bid(mover).await;
            let moves = self.view.walk().moves(mover);
            self.act(mover, Action::Move(moves[random.usize(..moves.len())].clone())).await;
        }
    }

    fn paths(&self) -> Vec<String> {
        let (seat, id) = (self.token.reveal(), &self.view.id);
        let bases = [format!("/play/{seat}"), format!("/watch/{id}")];
        bases.into_iter().flat_map(|base| [format!("{base}/now"), base]).collect()
    }
}

async fn explored(client: &Client) -> Vec<PageCost> {
    let mut found = Vec::new();
    for game in games() {
        let scoring = Subject::named(&game).unwrap().aim() == richman_core::Aim::Score;
        let stakes: &[&[(&str, &str)]] = if scoring {
            &[&[], &[("alice", "4*"), ("bob", "4")]]
        } else {
            &[&[], &[("chips", "8")], &[("alice", "4*"), ("bob", "4")]]
        };
        for stake in stakes {
            found.push(cost(client, &path(&[&[("game", game.as_str())], *stake].concat())).await);
        }
    }
    found
}

async fn played(client: &Client) -> Vec<PageCost> {
    let mut found = Vec::new();
    for (game, turns) in [("hex:size=16", 60), ("chess", 20), ("connect", 10), ("tug-of-war:length=1000", 180)] {
        let mut game = OneScreen::begin(client, game, 200).await;
        for path in game.paths() {
            found.push(cost(client, &path).await);
        }
        game.play(turns).await;
        game.bid(Player::Alice).await;
        for path in game.paths() {
            found.push(cost(client, &path).await);
        }
        found.push(cost(client, &format!("/record/{}", game.view.id)).await);
    }
    found
}

async fn reviewed(client: &Client) -> Vec<PageCost> {
    let mut found = Vec::new();
    for (game, turns) in [("tug-of-war:length=1000", 200), ("hex:size=16", 256)] {
        let mut game = OneScreen::begin(client, game, turns).await;
        game.play(turns as usize).await;
        let link = format!("/review/{}", game.view.id);
        for more in ["", "?turn=2", "?turn=40", "/review.json"] {
            found.push(cost(client, &format!("{link}{more}")).await);
        }
    }
    found
}

async fn others(client: &Client) -> Vec<PageCost> {
    let mut found = Vec::new();
    for path in ["/", "/new", "/new?game=chess", "/first", "/guide", "/guide/chips", "/review", "/explore?game=none"] {
        let (_, first) = timed(client.get(path)).await;
        let again = (0..3).map(|_| ());
        let mut least = Duration::MAX;
        for () in again {
            least = least.min(timed(client.get(path)).await.1);
        }
        found.push(PageCost { path: path.to_string(), first, again: least });
    }
    found
}

#[tokio::test]
async fn no_page_takes_long_on_the_threads_that_serve_everybody() {
    let client = Client::new().await;
    let unit = reference();
    println!("reference {unit:?}");
    for costs in [others(&client).await, played(&client).await, reviewed(&client).await, explored(&client).await] {
        for PageCost { path, first, again } in costs {
            println!("{:9.3} {:9.3} ms  {path}", 1e3 * first.as_secs_f64(), 1e3 * again.as_secs_f64());
        }
    }
}
