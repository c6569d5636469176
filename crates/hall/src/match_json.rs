//! A match as JSON, as one viewer sees it. It is made from a [`MatchView`], which hides other
//! players' sealed bids. The viewer's own bid is not repeated either, so no answer holds a bid
//! before both are in.

use richman_core::{End, Priority};
use richman_formats::MechanismJson;
use richman_play::{BegunTurn, Decision, MatchEnd, MatchTurn, PlaySoFar, TurnStage, View};
use richman_requests::{ByPlayerJson, Hand, PlayerJson, mechanism_schema};
use serde::Serialize;
use utoipa::ToSchema;

use crate::setup::SeatChoice;
use crate::state::Pace;
use crate::view::MatchView;

/// The role of the viewer.
#[derive(ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used: the one of `Viewer`")]
enum You {
    /// Alice.
    Alice,
    /// Bob.
    Bob,
    /// Both players, at one screen.
    Both,
    /// Anybody else.
    Spectator,
}

/// A match as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchJson {
    /// The public name: whoever knows it may watch.
    id: String,
    /// Increases with every event of the match.
    version: u64,
    /// The role of the viewer.
    #[schema(value_type = You)]
    you: &'static str,
    /// The game with its parameters.
    #[schema(example = "tic-tac-toe")]
    game: String,
    /// The position in the game's notation.
    #[schema(example = "A.B/.A./...")]
    position: String,
    /// The position as lines of text.
    picture: Vec<String>,
    /// Alice's score so far, in a scoring game.
    score: Option<i64>,
    /// The priority of the position, in a parity game that goes on.
    priority: Option<u32>,
    /// The average of the weights so far, in a mean-payoff game after the first turn.
    #[schema(example = "1/3")]
    average: Option<String>,
    /// How often a move was made from each priority, in a parity game: pairs of a priority and a
    /// number.
    priorities: Option<Vec<[u32; 2]>>,
    /// How bids are made, won and paid.
    #[schema(schema_with = mechanism_schema)]
    mechanism: MechanismJson,
    /// The number of turns after which the match is a draw, or cut off if the game need not end.
    limit: u32,
    /// Who plays.
    seats: ByPlayerJson<SeatChoice>,
    /// The players' holdings.
    holdings: ByPlayerJson<Hand>,
    /// The holder of the star, or the winner of ties if there is none.
    tie_holder: PlayerJson,
    /// Chips in the bank.
    bank: u64,
    /// The number of the current turn, from 1; after the match, the number of turns played.
    turn: usize,
    /// The stage of the current turn.
    stage: StageJson,
    /// The players whose action is awaited.
    waiting_for: Vec<PlayerJson>,
    /// The open bid that the other player has to answer.
    named_bid: Option<u32>,
    /// How many actions of each player were accepted, which is the number of their next action.
    steps: ByPlayerJson<u32>,
    /// The action that is awaited from you, with every allowed choice.
    decision: Option<DecisionJson>,
    /// The completed turns.
    turns: Vec<TurnJson>,
    /// The current turn, or the one in which a player resigned, once both bids are in.
    open_turn: Option<OpenTurnJson>,
    /// How the match ended.
    result: Option<ResultJson>,
    /// Whether each player wants a return match.
    rematch: ByPlayerJson<bool>,
    /// The public name of the return match.
    next: Option<String>,
    /// Why a computer player cannot go on, if so.
    trouble: Option<String>,
    /// How much thought the computer gives to the match.
    pace: Pace,
}

/// The stage of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Stage)]
enum StageJson {
    /// Bids are being made.
    Bids,
    /// The bids are equal; the holder of the star decides.
    Tie,
    /// The bid is won and paid, or nobody bids here; a move is awaited.
    Move,
    /// The match is over.
    Over,
}

/// The action that is awaited from a player, with every allowed choice. A player may also resign at
/// any time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schema(as = Decision)]
enum DecisionJson {
    /// A bid.
    Bid {
        /// The player who acts.
        player: PlayerJson,
        /// The number of the action.
        step: u32,
        /// The allowed bids: ascending ranges, both ends included.
        bids: Vec<[u32; 2]>,
    },
    /// Whether to use the star, in a tie.
    Star {
        /// The player who acts.
        player: PlayerJson,
        /// The number of the action.
        step: u32,
        /// The bid of both players.
        bid: u32,
    },
    /// A move.
    Move {
        /// The player who acts.
        player: PlayerJson,
        /// The number of the action.
        step: u32,
        /// The allowed moves.
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
    /// Alice's holding before it.
    alice: Hand,
    /// Bob's holding before it.
    bob: Hand,
    /// Alice's bid; null if none was allowed.
    alice_bids: Option<u32>,
    /// Bob's bid; null if none was allowed.
    bob_bids: Option<u32>,
    /// Whether the star was used, in a tie that its holder decides.
    star_used: Option<bool>,
    /// Who won the bid; null where a player moved without one.
    winner: Option<PlayerJson>,
    /// Who moved, or was to move.
    mover: PlayerJson,
    /// The move; null if the game ended because there was none.
    r#move: Option<String>,
}

/// The current turn, once both bids are in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenTurn)]
struct OpenTurnJson {
    /// Alice's bid; null if none was allowed.
    alice_bids: Option<u32>,
    /// Bob's bid; null if none was allowed.
    bob_bids: Option<u32>,
    /// Whether the star was used, in a tie that its holder decides.
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
    /// Why it ended.
    how: EndReason,
    /// Who won; null if nobody did.
    winner: Option<PlayerJson>,
    /// Alice's score, in a scoring game that was played to its end.
    score: Option<i64>,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = How)]
enum EndReason {
    /// The game itself ended.
    Game,
    /// A player resigned.
    Resigned,
    /// The limit on turns was reached.
    Limit,
    /// Neither player had an allowed bid.
    #[serde(rename = "no bids")]
    NoBids,
}

impl From<&MatchView> for MatchJson {
    fn from(viewed: &MatchView) -> MatchJson {
        let view = viewed.view();
        let named_bid = if let TurnStage::Bids { named, .. } = view.stage { named } else { None };
        let turns = viewed.turns();
        let PlaySoFar { average, priorities, .. } = viewed.so_far().unwrap_or_default();
        MatchJson {
            id: viewed.id.to_string(),
            version: viewed.version,
            you: viewed.viewer().word(),
            game: viewed.walk().game(),
            picture: viewed.walk().picture().lines().map(str::to_string).collect(),
            score: viewed.walk().score(),
            priority: viewed.walk().priority().map(|Priority(priority)| priority),
            average: average.map(|average| average.to_string()),
            priorities: priorities.map(|counts| counts.into_iter().map(<[u32; 2]>::from).collect()),
            mechanism: MechanismJson::from(&viewed.rules().mechanism),
            limit: viewed.setup.limit,
            seats: viewed.setup.seats.clone().into(),
            holdings: view.hands.map(Hand::from).into(),
            tie_holder: viewed.tie_holder().into(),
            bank: viewed.bank(),
            turn: turns.len() + usize::from(viewed.closed().is_none()),
            stage: stage(&view.stage),
            waiting_for: viewed.waiting_for().map(PlayerJson::from).collect(),
            named_bid,
            steps: viewed.steps.into(),
            decision: decision(viewed, &view),
            turns: (1..).zip(turns).map(turn).collect(),
            open_turn: viewed.begun().map(open_turn),
            result: viewed.closed().map(result),
            rematch: viewed.rematch.into(),
            next: viewed.next.as_ref().map(ToString::to_string),
            trouble: viewed.trouble.clone(),
            pace: viewed.pace,
            position: view.position,
        }
    }
}

fn stage(stage: &TurnStage) -> StageJson {
    match stage {
        TurnStage::Bids { .. } => StageJson::Bids,
        TurnStage::Tie { .. } => StageJson::Tie,
        TurnStage::Moving { .. } | TurnStage::MovingAlone(_) => StageJson::Move,
        TurnStage::Over(_) => StageJson::Over,
    }
}

fn decision(viewed: &MatchView, view: &View) -> Option<DecisionJson> {
    let (decider, decision) = viewed.deciding()?;
    let (player, step) = (PlayerJson::from(decider), viewed.steps[decider]);
    Some(match decision {
        Decision::Bid => DecisionJson::Bid { player, step, bids: view.bids.clone() },
        Decision::Star { bid } => DecisionJson::Star { player, step, bid },
        Decision::Move { may_let } => {
            let may_stay = viewed.walk().stuck(decider).is_some();
            DecisionJson::Move { player, step, moves: view.moves.clone(), may_let, may_stay }
        }
    })
}

fn turn((number, turn): (usize, &MatchTurn)) -> TurnJson {
    TurnJson {
        turn: number,
        position: turn.position.clone(),
        alice: turn.hands.alice.into(),
        bob: turn.hands.bob.into(),
        alice_bids: turn.bids.alice,
        bob_bids: turn.bids.bob,
        star_used: turn.star_used,
        winner: turn.has_bids().then(|| turn.winner.into()),
        mover: turn.mover.into(),
        r#move: turn.played.clone(),
    }
}

fn open_turn(BegunTurn { bids, star_used, won }: BegunTurn) -> OpenTurnJson {
    let [winner, mover] = won.map_or([None; 2], |won| won.map(|player| Some(player.into())));
    OpenTurnJson { alice_bids: bids.alice, bob_bids: bids.bob, star_used, winner, mover }
}

fn result(closed: MatchEnd) -> ResultJson {
    let how = match closed {
        MatchEnd::Game(_) => EndReason::Game,
        MatchEnd::Resigned(_) => EndReason::Resigned,
        MatchEnd::Limit => EndReason::Limit,
        MatchEnd::NoBids => EndReason::NoBids,
    };
    let score = if let MatchEnd::Game(End::Score(score)) = closed { Some(score) } else { None };
    ResultJson { how, winner: closed.winner().map(PlayerJson::from), score }
}
