//! A match as JSON, as one viewer sees it. It is made from a [`Sight`], which gives no sealed bid of another; the viewer's own is not repeated
//! either, so that no answer holds a bid before both are in.

use richman_core::End;
use richman_formats::MechanismJson;
use richman_play::{Begun, Closed, Decision, Stage, Turn, View};
use serde::Serialize;
use utoipa::ToSchema;

use super::words::{Both, Hand, MechanismSchema, PlayerJson};
use crate::hall::Sight;
use crate::setup::Sitter;

/// As whom the match is looked at.
#[derive(ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used: the one of `Viewer`")]
enum You {
    /// As Alice.
    Alice,
    /// As Bob.
    Bob,
    /// As both, at one screen.
    Both,
    /// As anybody else.
    Spectator,
}

/// A match as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchJson {
    /// The public name: whoever knows it may watch.
    id: String,
    /// Grows with everything that happens in the match.
    version: u64,
    /// As whom the match is looked at.
    #[schema(value_type = You)]
    you: &'static str,
    /// The game with its parameters.
    #[schema(example = "tic-tac-toe")]
    game: String,
    /// The position in the game's notation.
    #[schema(example = "A.B/.A./...")]
    position: String,
    /// The position drawn in lines of text.
    picture: Vec<String>,
    /// Alice's score so far, in a scoring game.
    score: Option<i64>,
    /// How bids are made, won and paid.
    #[schema(value_type = MechanismSchema)]
    mechanism: MechanismJson,
    /// After so many turns the match is a draw.
    limit: u32,
    /// Who plays.
    seats: Both<Sitter>,
    /// What both hold.
    holdings: Both<Hand>,
    /// Who holds the star, or wins ties without one.
    tie_holder: PlayerJson,
    /// Chips that went to the bank.
    bank: u64,
    /// The number of the turn that is being played, from 1; once the match is over, of the turns that were played.
    turn: usize,
    /// Where the match is within the turn.
    stage: StageJson,
    /// From whom something is waited for.
    waiting_for: Vec<PlayerJson>,
    /// Where one player names a bid and the other answers: the bid that was named.
    named_bid: Option<u32>,
    /// How many actions of each player were accepted: the number that their next action has to carry.
    steps: Both<u32>,
    /// What is waited for from you, with all that you may do.
    decision: Option<DecisionJson>,
    /// The completed turns.
    turns: Vec<TurnJson>,
    /// The turn that is being played, or within which a player resigned, once both bids are in.
    open_turn: Option<OpenTurnJson>,
    /// How the match ended.
    result: Option<ResultJson>,
    /// Who wants a return match.
    rematch: Both<bool>,
    /// The return match.
    next: Option<String>,
    /// What went wrong with a computer player, if it cannot go on.
    trouble: Option<String>,
}

/// Where a match is within a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Stage)]
enum StageJson {
    /// Bids are being made.
    Bids,
    /// The bids are equal; the holder of the star decides.
    Tie,
    /// The bid is won and paid; somebody is to move.
    Move,
    /// The match is over.
    Over,
}

/// What is waited for from a player, with all that they may do. They may also resign, at any time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schema(as = Decision)]
enum DecisionJson {
    /// A bid.
    Bid {
        /// Whose.
        player: PlayerJson,
        /// The number that the action has to carry.
        step: u32,
        /// The allowed bids: ranges, both ends included, ascending.
        bids: Vec<[u32; 2]>,
    },
    /// Whether to use the star, in a tie.
    Star {
        /// Whose.
        player: PlayerJson,
        /// The number that the action has to carry.
        step: u32,
        /// The bid of both.
        bid: u32,
    },
    /// A move.
    Move {
        /// Whose.
        player: PlayerJson,
        /// The number that the action has to carry.
        step: u32,
        /// The moves.
        moves: Vec<String>,
        /// Whether the player may let the other one move instead.
        may_let: bool,
        /// Whether the player has no move and may stay, which ends the game.
        may_stay: bool,
    },
}

/// A completed turn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Turn)]
struct TurnJson {
    /// Its number, from 1.
    turn: usize,
    /// The position before it.
    position: String,
    /// What Alice held before it.
    alice: Hand,
    /// What Bob held before it.
    bob: Hand,
    /// Alice's bid; null if she had no allowed one.
    alice_bids: Option<u32>,
    /// Bob's bid; null if he had no allowed one.
    bob_bids: Option<u32>,
    /// In a tie that the holder of the star decides: whether the star was used.
    star_used: Option<bool>,
    /// Who won the bid.
    winner: PlayerJson,
    /// Who moved, or was to move.
    mover: PlayerJson,
    /// The move; null if the game ended because the mover had none.
    r#move: Option<String>,
}

/// A turn that is being played, once both bids are in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenTurn)]
struct OpenTurnJson {
    /// Alice's bid; null if she had no allowed one.
    alice_bids: Option<u32>,
    /// Bob's bid; null if he had no allowed one.
    bob_bids: Option<u32>,
    /// In a tie that the holder of the star decides: whether the star was used.
    star_used: Option<bool>,
    /// Who won the bid; null while a tie is undecided.
    winner: Option<PlayerJson>,
    /// Who is to move; null while a tie is undecided.
    mover: Option<PlayerJson>,
}

/// How a match ended.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchResult)]
struct ResultJson {
    /// Why: as the game says, a player resigned, the limit on turns was reached, or nobody had an allowed bid.
    how: How,
    /// Who won; null if nobody did.
    winner: Option<PlayerJson>,
    /// Alice's score, in a scoring game that was played to its end.
    score: Option<i64>,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum How {
    /// As the game says.
    Game,
    /// A player gave up.
    Resigned,
    /// The limit on turns was reached.
    Limit,
    /// Neither player had an allowed bid.
    #[serde(rename = "no bids")]
    NoBids,
}

impl From<&Sight> for MatchJson {
    fn from(sight: &Sight) -> MatchJson {
        let view = sight.view();
        let named_bid = if let Stage::Bids { named, .. } = view.stage { named } else { None };
        let turns = sight.turns();
        MatchJson {
            id: sight.id.to_string(),
            version: sight.version,
            you: sight.viewer().word(),
            game: sight.walk().game(),
            picture: sight.walk().picture().lines().map(str::to_string).collect(),
            score: sight.walk().score(),
            mechanism: MechanismJson::from(&sight.rules().mechanism),
            limit: sight.setup.limit,
            seats: sight.setup.seats.clone().into(),
            holdings: view.hands.map(Hand::from).into(),
            tie_holder: sight.tie_holder().into(),
            bank: sight.bank(),
            turn: turns.len() + usize::from(sight.closed().is_none()),
            stage: stage(&view.stage),
            waiting_for: sight.waiting_for().map(PlayerJson::from).collect(),
            named_bid,
            steps: sight.steps.into(),
            decision: decision(sight, &view),
            turns: (1..).zip(turns).map(turn).collect(),
            open_turn: sight.begun().map(open_turn),
            result: sight.closed().map(result),
            rematch: sight.rematch.into(),
            next: sight.next.as_ref().map(ToString::to_string),
            trouble: sight.trouble.clone(),
            position: view.position,
        }
    }
}

fn stage(stage: &Stage) -> StageJson {
    match stage {
        Stage::Bids { .. } => StageJson::Bids,
        Stage::Tie { .. } => StageJson::Tie,
        Stage::Moving { .. } => StageJson::Move,
        Stage::Over(_) => StageJson::Over,
    }
}

fn decision(sight: &Sight, view: &View) -> Option<DecisionJson> {
    let (decider, decision) = sight.deciding()?;
    let (player, step) = (PlayerJson::from(decider), sight.steps[decider as usize]);
    Some(match decision {
        Decision::Bid => DecisionJson::Bid { player, step, bids: view.bids.clone() },
        Decision::Star { bid } => DecisionJson::Star { player, step, bid },
        Decision::Move { may_let } => {
            let may_stay = sight.walk().stuck(decider).is_some();
            DecisionJson::Move { player, step, moves: view.moves.clone(), may_let, may_stay }
        }
    })
}

fn turn((number, turn): (usize, &Turn)) -> TurnJson {
    TurnJson {
        turn: number,
        position: turn.position.clone(),
        alice: turn.hands[0].into(),
        bob: turn.hands[1].into(),
        alice_bids: turn.bids[0],
        bob_bids: turn.bids[1],
        star_used: turn.star_used,
        winner: turn.winner.into(),
        mover: turn.mover.into(),
        r#move: turn.played.clone(),
    }
}

fn open_turn(Begun { bids, star_used, won }: Begun) -> OpenTurnJson {
    let [winner, mover] = won.map_or([None; 2], |won| won.map(|player| Some(player.into())));
    OpenTurnJson { alice_bids: bids[0], bob_bids: bids[1], star_used, winner, mover }
}

fn result(closed: Closed) -> ResultJson {
    let how = match closed {
        Closed::Game(_) => How::Game,
        Closed::Resigned(_) => How::Resigned,
        Closed::Limit => How::Limit,
        Closed::NoBids => How::NoBids,
    };
    let score = if let Closed::Game(End::Score(score)) = closed { Some(score) } else { None };
    ResultJson { how, winner: closed.winner().map(PlayerJson::from), score }
}
