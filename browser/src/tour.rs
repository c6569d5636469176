//! Every page, with matches of every game at every stage.

use serde_json::{Value, json};

use crate::playing::{Hands, decide, is_over, ready};
use crate::seats::{Pause, Seats, Side};
use crate::{Browser, Server};

const RECORD: &str = include_str!("../../examples/dp10-1-1.txt");

/// The games, with chips enough for each.
const GAMES: [(&str, &str, u32); 11] = [
    ("tic-tac-toe", "tic-tac-toe", 16),
    ("connect", "connect", 200),
    ("hex", "hex", 200),
    ("y", "y", 40),
    ("chess", "chess", 200),
    ("chomp", "chomp", 16),
    ("race", "race", 16),
    ("tug-of-war", "tug-of-war", 16),
    ("ultimatum", "ultimatum", 16),
    ("subtraction", "subtraction:heap=9,set=1+2", 16),
    ("expr", "expr:(A & B^2) & B", 16),
];

/// Pages that are the same for everybody.
const PAGES: [(&str, &str); 34] = [
    ("home", "/"),
    ("new", "/new"),
    ("new-connect", "/new?game=connect"),
    ("new-hex", "/new?game=hex"),
    ("new-chess", "/new?game=chess"),
    ("first", "/first"),
    ("explore", "/explore"),
    ("explore-chips", "/explore?game=tic-tac-toe&alice=4*&bob=4"),
    ("explore-position", "/explore?game=tic-tac-toe&position=A.B/.A./...&alice=4*&bob=4"),
    ("explore-table", "/explore?game=tic-tac-toe&chips=8&table=15"),
    ("explore-tree", "/explore?game=tug-of-war&alice=4*&bob=4&goal=win&depth=3"),
    ("explore-connect", "/explore?game=connect:rows=4,cols=4"),
    ("explore-hex", "/explore?game=hex:size%3D11"),
    ("explore-hex-chips", "/explore?game=hex:size%3D3&alice=8*&bob=8"),
    ("explore-chess", "/explore?game=chess&position=4k3/3r4/8/8/8/8/8/3QK3"),
    ("explore-chess-chips", "/explore?game=chess&alice=100*&bob=100"),
    ("explore-scores", "/explore?game=subtraction"),
    ("explore-expr", "/explore?game=expr:(A%20%26%20B^2)%20%26%20B"),
    ("explore-refused", "/explore?game=expr:("),
    ("review", "/review"),
    ("guide", "/guide"),
    ("guide-browser", "/guide/browser"),
    ("guide-play", "/guide/play"),
    ("guide-chips", "/guide/chips"),
    ("guide-commands", "/guide/commands"),
    ("guide-glossary", "/guide/glossary"),
    ("guide-architecture", "/guide/architecture"),
    ("rules", "/rules"),
    ("help", "/help"),
    ("about", "/about"),
    ("api", "/api"),
    ("error-page", "/nothing-here"),
    ("error-match", "/play/aaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ("error-game", "/new?game=nothing"),
];

/// A page of the tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Its part of a picture's name.
    pub name: String,
    pub path: String,
}

/// The pages that need no match.
pub async fn pages(server: &Server) -> Vec<Stop> {
    let mut stops: Vec<Stop> = PAGES.iter().map(|(name, path)| stop(name, path)).collect();
    let review = server.review(RECORD).await;
    stops.push(stop("review-record", &review));
    stops.push(stop("review-turn", &format!("{review}?turn=1")));
    stops
}

/// A match at that pause after this many turns, or fewer if it would be decided.
async fn at<'a>(server: &'a Server, game: &str, total: u32, turns: usize, pause: Pause) -> Seats<'a> {
    for turns in (0..=turns).rev() {
        let seats = server.seats(game, total).await;
        if seats.turns(turns).await {
            seats.go_on(pause).await;
            return seats;
        }
    }
    panic!("{game} is over before it begins");
}

/// Matches of every game: bidding, moving, over, and the review of what was played.
pub async fn every_game(server: &Server) -> Vec<Stop> {
    let mut stops = Vec::new();
    for (name, game, total) in GAMES {
        for (stage, turns, pause) in [("start", 0, Pause::Bids), ("bid", 3, Pause::Bids), ("move", 2, Pause::Move)] {
            let seats = at(server, game, total, turns, pause).await;
            stops.push(stop(&format!("match-{name}-{stage}"), &seats.path(Side::Alice)));
        }
        let seats = at(server, game, total, 0, Pause::Over).await;
        stops.push(stop(&format!("match-{name}-over"), &seats.path(Side::Bob)));
        stops.push(stop(&format!("review-{name}"), &format!("/review/{}", seats.id)));
    }
    stops
}

/// One match in each stage that any match can be at, and everybody who may see it.
pub async fn every_stage(server: &Server) -> Vec<Stop> {
    let mut stops = Vec::new();
    let stages = [
        ("bid", 3, Pause::Bids, Side::Alice),
        ("bid-late", 3, Pause::OneBid, Side::Bob),
        ("waiting", 3, Pause::OneBid, Side::Alice),
        ("star", 0, Pause::Star, Side::Alice),
        ("move", 2, Pause::Move, Side::Alice),
        ("move-waiting", 2, Pause::OtherMove, Side::Alice),
        ("over", 0, Pause::Over, Side::Alice),
    ];
    for (name, turns, pause, side) in stages {
        let seats = at(server, "tic-tac-toe", 16, turns, pause).await;
        stops.push(stop(&format!("stage-{name}"), &seats.path(side)));
        if name == "move" {
            stops.push(stop("stage-spectator", &format!("/m/{}?as=spectator", seats.id)));
        }
    }
    let invited = json!({ "alice": "person", "bob": "invited" });
    let seats = server.seats_with(json!({ "game": "tic-tac-toe", "seats": invited })).await;
    let invitation = seats.invitation.clone().expect("there is an invitation");
    stops.push(stop("stage-invitation", &seats.path(Side::Alice)));
    stops.push(stop("join", &format!("/join/{invitation}")));
    let taken = server.seats_with(json!({ "game": "tic-tac-toe", "seats": invited })).await;
    let invitation = taken.invitation.clone().expect("there is an invitation");
    server.api("invitation", Some(&invitation), Some(json!({}))).await;
    stops.push(stop("join-taken", &format!("/join/{invitation}")));
    let seats = at(server, "tic-tac-toe", 16, 0, Pause::Over).await;
    seats.ask_for_rematch(Side::Bob).await;
    stops.push(stop("stage-rematch", &seats.path(Side::Alice)));
    stops.push(stop("stage-past", &format!("/m/{}?as=alice&turn=1", seats.id)));
    let people = json!({ "alice": "person", "bob": "person" });
    let setup = json!({ "game": "tic-tac-toe", "seats": people, "one_screen": true });
    stops.push(stop("stage-one-screen", &server.seats_with(setup).await.path(Side::Alice)));
    stops
}

/// A game of one's own whose names are long and have no spaces.
fn long_names() -> Value {
    let long = |name: &str| format!("{name}{}", "_has_a_long_name".repeat(12));
    let [start, rung, won, lost] = ["start", "rung", "won", "lost"].map(long);
    let to = |position: &str| json!({ "to": position, "name": long("step") });
    json!({
        "name": long("game"), "description": long("description"), "start": start,
        "positions": {
            start: { "alice": [to(&rung)], "bob": [to(&lost)] },
            rung: { "alice": [to(&won)], "bob": [to(&lost)] },
            won: { "winner": "alice" },
            lost: { "winner": "bob" },
        },
    })
}

/// Matches of that game, a review, the game explored, and the first page with the list of the
/// matches.
pub async fn own_game(server: &Server) -> Vec<Stop> {
    let people = json!({ "alice": "person", "bob": "person" });
    let mut stops = Vec::new();
    for (stage, turns, pause) in [("bid", 1, Pause::Bids), ("move", 0, Pause::Move), ("over", 0, Pause::Over)] {
        let seats = server.seats_with(json!({ "file": long_names(), "seats": people })).await;
        seats.turns(turns).await;
        seats.go_on(pause).await;
        stops.push(stop(&format!("own-{stage}"), &seats.path(Side::Alice)));
        if pause == Pause::Over {
            stops.push(stop("own-review", &format!("/review/{}", seats.id)));
            stops.push(stop("own-explore", &format!("/explore?file={}", seats.id)));
        }
    }
    let invited = json!({ "alice": "person", "bob": "invited" });
    let seats = server.seats_with(json!({ "file": long_names(), "seats": invited })).await;
    let invitation = seats.invitation.clone().expect("there is an invitation");
    stops.push(stop("own-invitation", &seats.path(Side::Alice)));
    stops.push(stop("own-join", &format!("/join/{invitation}")));
    stops.push(stop("own-matches", "/"));
    stops
}

/// The guided first game at its stages, each a match of its own, played in the browser.
pub async fn first_game(server: &Server, browser: &Browser) -> Vec<Stop> {
    let mut stops = Vec::new();
    for (name, css) in [("bid", ".action form.bid"), ("move", "#moves"), ("over", ".action.over")] {
        browser.go(server, "/first").await;
        browser.click("form[action='/first'] button").await;
        browser.wait("#match").await;
        ready(browser).await;
        while !browser.has(css).await && !is_over(browser).await {
            decide(browser, Hands::Mouse, 3).await;
            ready(browser).await;
        }
        let address = browser.page.current_url().await.expect("the page has an address");
        stops.push(stop(&format!("first-{name}"), address.path()));
    }
    stops
}

fn stop(name: &str, path: &str) -> Stop {
    Stop { name: name.to_string(), path: path.to_string() }
}

impl Browser {
    /// Goes to a page of the tour, and waits until nothing of it is missing: every picture is
    /// there, even below the window, and nothing is marked as `aria-busy`.
    pub async fn visit(&self, server: &Server, stop: &Stop) {
        self.go(server, &stop.path).await;
        let whole = "for (const one of document.images) one.loading = 'eager';
                     return document.readyState === 'complete' && !document.querySelector('[aria-busy=true]') &&
                         [...document.images].every((one) => one.complete)";
        crate::playing::becomes(self, &format!("all of {}", stop.name), whole).await;
    }
}
