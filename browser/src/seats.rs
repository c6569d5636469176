//! Requests without a browser: matches for the tests are set up and played through the interface
//! for programs, whatever their pages look like.

use http::{Request, header};
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use crate::Server;

impl Server {
    /// Sends a request to the interface for programs, with the secret of a seat or an invitation,
    /// and returns the answer. Without a body it is a GET.
    pub async fn api(&self, path: &str, secret: Option<&str>, body: Option<Value>) -> Value {
        let client: Client<HttpConnector, String> = Client::builder(TokioExecutor::new()).build_http();
        let mut request = Request::builder()
            .method(if body.is_some() { "POST" } else { "GET" })
            .uri(format!("{}/api/v1/{path}", self.address))
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(secret) = secret {
            request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
        }
        let request = request.body(body.map(|body| body.to_string()).unwrap_or_default()).expect("a request");
        let answer = client.request(request).await.expect("the server answers");
        let status = answer.status();
        let bytes = answer.into_body().collect().await.expect("the answer is whole").to_bytes();
        assert!(status.is_success(), "{path} is answered with {status}: {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).expect("the answer is JSON")
    }

    /// Keeps a record of a match; returns the path of its review.
    pub async fn review(&self, record: &str) -> String {
        let kept = self.api("records", None, Some(json!({ "record": record }))).await;
        format!("/review/{}", kept["id"].as_str().expect("the record has a name"))
    }

    /// Sets up a match between two people.
    pub async fn seats(&self, game: &str, total: u32) -> Seats<'_> {
        self.seats_with(json!({ "game": game, "total": total, "seats": { "alice": "person", "bob": "person" } })).await
    }

    /// Sets up a match; a person sits wherever the test is to act.
    pub async fn seats_with(&self, setup: Value) -> Seats<'_> {
        let created = self.api("matches", None, Some(setup)).await;
        let text = |value: &Value| value.as_str().map(str::to_string);
        Seats {
            server: self,
            id: text(&created["id"]).expect("the match has a name"),
            secrets: ["alice", "bob"].map(|player| text(&created["tokens"][player])),
            invitation: text(&created["invitation"]),
        }
    }
}

/// A player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Alice,
    Bob,
}

/// What a match stands still at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Both players are to bid.
    Bids,
    /// Alice has bid, and Bob has not.
    OneBid,
    /// The bids are equal, and Alice has to use the star or not.
    Star,
    /// Alice has to move.
    Move,
    /// Alice waits for Bob's move.
    OtherMove,
    /// The match is over.
    Over,
}

/// The seats of a match that a test has.
pub struct Seats<'a> {
    server: &'a Server,
    pub id: String,
    secrets: [Option<String>; 2],
    pub invitation: Option<String>,
}

impl Seats<'_> {
    fn secret(&self, side: Side) -> &str {
        self.secrets[side as usize].as_deref().expect("the test has that seat")
    }

    /// The address that gives a browser the seat.
    pub fn path(&self, side: Side) -> String {
        format!("/play/{}", self.secret(side))
    }

    /// The match as that player sees it.
    pub async fn view(&self, side: Side) -> Value {
        self.server.api("seat", Some(self.secret(side)), None).await
    }

    /// Acts, if it is that player's turn; returns whether it was.
    async fn act(&self, side: Side, choose: impl FnOnce(&Value) -> Value) -> bool {
        let view = self.view(side).await;
        let decision = &view["decision"];
        if decision.is_null() {
            return false;
        }
        let action = json!({ "step": decision["step"], "player": decision["player"], "action": choose(decision) });
        self.server.api("seat/actions", Some(self.secret(side)), Some(action)).await;
        true
    }

    /// Bids at most so much.
    pub async fn bid(&self, side: Side, bid: u64) -> bool {
        let choose = |decision: &Value| {
            let allowed = decision["bids"].as_array().into_iter().flatten();
            let most = allowed.filter_map(|range| Some(range[1].as_u64()?.min(bid))).max();
            json!({ "bid": most.unwrap_or(0) })
        };
        self.act(side, choose).await
    }

    /// Moves, and uses the star; among the moves takes one in the middle, or elsewhere by `varied`.
    pub async fn decide(&self, side: Side, varied: usize) -> bool {
        let choose = |decision: &Value| match decision["moves"].as_array() {
            None => json!({ "use_star": true }),
            Some(moves) if moves.is_empty() => json!("stay"),
            Some(moves) => json!({ "move": moves[(moves.len() / 2 + 7 * varied) % moves.len()] }),
        };
        self.act(side, choose).await
    }

    /// Resigns.
    pub async fn resign(&self, side: Side) {
        let step = self.view(side).await["steps"][["alice", "bob"][side as usize]].clone();
        let action = json!({ "step": step, "action": "resign" });
        self.server.api("seat/actions", Some(self.secret(side)), Some(action)).await;
    }

    /// Asks for a return match.
    pub async fn ask_for_rematch(&self, side: Side) {
        self.server.api("seat/rematch", Some(self.secret(side)), Some(json!({}))).await;
    }

    /// Plays a turn: Alice and Bob win the bids in turn.
    pub async fn turn(&self, number: usize) {
        let [alice, bob] = if number.is_multiple_of(2) { [2, 1] } else { [1, 2] };
        self.bid(Side::Alice, alice).await;
        self.bid(Side::Bob, bob).await;
        for _ in 0..2 {
            for side in [Side::Alice, Side::Bob] {
                if self.view(side).await["decision"]["kind"] != "bid" {
                    self.decide(side, number).await;
                }
            }
        }
    }

    /// Plays this many turns; returns whether the match goes on.
    pub async fn turns(&self, turns: usize) -> bool {
        for number in 0..turns {
            self.turn(number).await;
        }
        self.view(Side::Alice).await["stage"] != "over"
    }

    /// Goes on to the pause; a match that does not end by itself is resigned.
    pub async fn go_on(&self, pause: Pause) {
        let bids = match pause {
            Pause::Bids => return,
            Pause::Over if self.turns(30).await => return self.resign(Side::Bob).await,
            Pause::Over => return,
            Pause::OneBid => [Some(1), None],
            Pause::Star => [Some(1), Some(1)],
            Pause::Move => [Some(2), Some(0)],
            Pause::OtherMove => [Some(0), Some(2)],
        };
        for (side, bid) in [Side::Alice, Side::Bob].into_iter().zip(bids) {
            if let Some(bid) = bid {
                self.bid(side, bid).await;
            }
        }
        let stage = self.view(Side::Alice).await["stage"].clone();
        let expected = match pause {
            Pause::OneBid => "bids",
            Pause::Star => "tie",
            _ => "move",
        };
        assert_eq!(stage, expected, "the match stands at {pause:?}");
    }
}
