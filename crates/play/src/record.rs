//! Converting matches to records, and replaying records.
//!
//! A record is replayed through [`Match::act`], action by action; anything that contradicts the
//! rules is refused with its turn number.
//!
//! ```
//! use richman_core::Effort;
//! use richman_analysis::Games;
//! use richman_formats::Record;
//! use richman_play::record;
//! let text = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2";
//! let read = Record::parse("a.txt", text.as_bytes())?;
//! let game = record::replay(record::walk(&Games::default(), &read, None, &Effort::default())?, &read)?;
//! let hands = game.hands();
//! assert_eq!(hands.alice.to_string(), "3");
//! assert_eq!(hands.bob.to_string(), "5*");
//! let wrong = Record::parse("a.txt", text.replace("1*-1 Alice", "1-1 Alice").as_bytes())?;
//! let walk = record::walk(&Games::default(), &wrong, None, &Effort::default())?;
//! let error = record::replay(walk, &wrong).err().unwrap();
//! assert_eq!(
//!     error.to_string(),
//!     "turn 1: both bid 1, a tie, and Alice holds the star: write 1*-1 Alice if it was used, 1-1 Bob if it was kept"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Effort, End, Player, StarUse, Walk};
use richman_formats::{MoverAction, OpenTurn, Record, RecordResult, RecordTurn, Resignation};

use crate::PlaySoFar;
use crate::{Action, BegunTurn, Decision, Illegal, Match, MatchEnd, MatchRules, MatchTurn, TurnStage};

/// The reason why a record is not a possible match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// No match has this start.
    #[error("before turn 1: {0}")]
    Start(Illegal),
    /// A recorded action is illegal.
    #[error("turn {turn}: {error}")]
    Illegal {
        /// The turn.
        turn: usize,
        /// The reason.
        error: Illegal,
    },
    /// The rules contradict the record.
    #[error("turn {turn}: {reason}")]
    Differs {
        /// The turn.
        turn: usize,
        /// The result by the rules.
        reason: String,
    },
    /// A resignation is illegal.
    #[error("after turn {turns}: {player} cannot resign, for {error}")]
    Resignation {
        /// The number of finished turns.
        turns: usize,
        /// The player who resigns.
        player: Player,
        /// The reason.
        error: Illegal,
    },
    /// The game ended otherwise.
    #[error("after turn {turns}: the result is {result}, not {said}: correct the tag Result, or leave it out")]
    Result {
        /// The number of finished turns.
        turns: usize,
        /// The result of the match.
        result: RecordResult,
        /// The result in the record.
        said: RecordResult,
    },
}

impl ReplayError {
    /// The number of the wrong turn, if a turn is wrong.
    pub fn turn(&self) -> Option<usize> {
        match self {
            ReplayError::Illegal { turn, .. } | ReplayError::Differs { turn, .. } => Some(*turn),
            _ => None,
        }
    }
}

/// A match as a record, with additional tags; sealed bids are left out. If the rules are in a game
/// file, put its name into [`Record::file`].
pub fn to_record(game: &Match, tags: Vec<(String, String)>) -> Record {
    let rules = game.rules();
    let last = game.begun().map(|BegunTurn { bids, star_used, won }| {
        let star = won.filter(|_| star_used == Some(true)).map(|[winner, _]| winner); // whoever uses the star wins
        OpenTurn { bids, star, won, comments: Vec::new() }
    });
    let resigned = match game.closed() {
        Some(MatchEnd::Resigned(player)) => Some(Resignation { player, comments: Vec::new() }),
        _ => None,
    };
    Record {
        position: game.from().map(str::to_string),
        mechanism: rules.mechanism.clone(),
        limit: rules.limit,
        tags,
        result: Some(result(game)),
        turns: game.turns().iter().map(turn).collect(),
        open: last,
        resignation: resigned,
        ..Record::new(&game.walk().game(), rules.start)
    }
}

fn turn(turn: &MatchTurn) -> RecordTurn {
    RecordTurn {
        bids: turn.bids,
        star: (turn.star_used == Some(true)).then_some(turn.winner),
        winner: turn.winner,
        mover: turn.mover,
        played: turn.played.clone().map_or(MoverAction::Stuck, MoverAction::Move),
        comments: Vec::new(),
    }
}

fn result(game: &Match) -> RecordResult {
    match (game.closed(), game.so_far()) {
        (None, _) => RecordResult::Unfinished,
        (Some(MatchEnd::Game(End::Score(score))), _) => RecordResult::Score(score),
        (Some(MatchEnd::Limit | MatchEnd::NoBids), Some(PlaySoFar { average: Some(average), .. })) => {
            RecordResult::Average(average)
        }
        (Some(MatchEnd::Limit | MatchEnd::NoBids), Some(_)) => RecordResult::CutOff,
        (Some(closed), _) => closed.winner().map_or(RecordResult::Draw, RecordResult::Win),
    }
}

/// The game of a record at its starting position: by name or, if its rules are in a file, from the
/// bytes of that file.
///
/// # Errors
/// Fails if the game or the position does not exist, or if the game file is invalid.
pub fn walk(
    games: &Games,
    record: &Record,
    file: Option<&[u8]>,
    effort: &Effort,
) -> Result<Box<dyn Walk>, richman_analysis::Error> {
    let subject = match file {
        Some(bytes) => Subject::from_file(record.file.as_deref().unwrap_or_default(), bytes, effort)?,
        None => Subject::recorded(games, &record.game)?,
    };
    subject.walk(record.position.as_deref())
}

/// Replays the record over the game from [`walk`]; an unfinished match can be continued.
///
/// # Errors
/// [`ReplayError`] names the first turn that the rules refuse.
pub fn replay(walk: Box<dyn Walk>, record: &Record) -> Result<Match, ReplayError> {
    let rules = MatchRules { mechanism: record.mechanism.clone(), start: record.start, limit: record.limit };
    let mut game = Match::new(walk, rules).map_err(ReplayError::Start)?;
    for (number, turn) in (1..).zip(&record.turns) {
        let RecordTurn { bids, star, winner, mover, played, .. } = turn;
        Replay { game: &mut game, turn: number }.turn(*bids, *star, Some([*winner, *mover]), Some(played))?;
    }
    if let Some(OpenTurn { bids, star, won, .. }) = &record.open {
        Replay { game: &mut game, turn: record.turns.len() + 1 }.turn(*bids, *star, *won, None)?;
    }
    let turns = game.turns().len();
    if let Some(Resignation { player, .. }) = record.resignation {
        game.act(player, &Action::Resign).map_err(|error| ReplayError::Resignation { turns, player, error })?;
    }
    let result = result(&game);
    match record.result {
        Some(said) if said != result => Err(ReplayError::Result { turns, result, said }),
        _ => Ok(game),
    }
}

/// One turn of a record, applied to a match.
struct Replay<'a> {
    game: &'a mut Match,
    turn: usize,
}

impl Replay<'_> {
    fn turn(
        &mut self,
        bids: ByPlayer<Option<u32>>,
        star: Option<Player>,
        won: Option<[Player; 2]>,
        played: Option<&MoverAction>,
    ) -> Result<(), ReplayError> {
        if self.game.closed().is_some() {
            return self.differs("the match was over before: leave this turn out");
        }
        let has_bids = bids != ByPlayer::both(None);
        match (self.game.view(None).stage, won) {
            (TurnStage::MovingAlone(owner), Some(won)) if !has_bids && won == [owner; 2] => {
                return self.played(owner, played);
            }
            (TurnStage::MovingAlone(owner), _) => {
                let number = self.turn;
                return self.differs(format!("{owner} moves without a bid here: write {number}. {owner} and the move"));
            }
            (_, Some([winner, _])) if !has_bids => {
                return self.differs(format!("the players bid here: write both bids before {winner}"));
            }
            _ => {}
        }
        let holder = self.game.tie_holder();
        self.bids(bids)?;
        self.says_how_the_tie_went(holder, bids, star, won)?;
        if let Some(Decision::Star { .. }) = self.game.decision(self.game.tie_holder()) {
            self.tie(star, won)?;
            if won.is_none() {
                return Ok(());
            }
        } else if won.is_none() {
            return self.differs("no tie is to be decided here: write who won the bid");
        }
        // In a scoring game the turn may be over because the mover cannot move.
        let stuck = self.game.closed().is_some();
        let (used, winner, mover) = self.decided();
        let user = used.then_some(winner);
        match (star, user) {
            (Some(_), None) => return self.differs("the star is not used here: leave out the *"),
            (given, Some(player)) if given != Some(player) => {
                return self.differs(format!("the star has to be used by {player}: write * after the bid"));
            }
            _ => {}
        }
        let Some([said, moves]) = won else { return Ok(()) };
        if said != winner {
            return self.differs(format!("the bid is won by {winner}, not by {said}"));
        }
        if !stuck && moves != mover {
            if self.game.decision(winner) != Some(Decision::Move { may_let: true }) {
                return self.differs(format!("{winner} has to move and cannot let {moves} move"));
            }
            self.act(winner, Action::Let)?;
        }
        self.played(moves, played)
    }

    /// Both bids, in the order in which they are due.
    fn bids(&mut self, bids: ByPlayer<Option<u32>>) -> Result<(), ReplayError> {
        for (player, bid) in Player::BOTH.into_iter().zip(bids) {
            let can_bid = !self.game.allowed_bids(player).is_empty();
            match bid {
                None if can_bid => return self.differs(format!("{player} can bid: write the bid, not none")),
                Some(_) if !can_bid => {
                    return self.differs(format!("{player} cannot make any allowed bid: write none"));
                }
                _ => {}
            }
        }
        while let Some(player) =
            Player::BOTH.into_iter().find(|&player| self.game.decision(player) == Some(Decision::Bid))
        {
            let bid = bids[player].unwrap_or_default();
            self.act(player, Action::Bid(bid))?;
        }
        Ok(())
    }

    /// Refuses a tie whose decision by `holder` (who held the star or wins ties) the record omits
    /// or states wrongly, and says how to write it.
    fn says_how_the_tie_went(
        &self,
        holder: Player,
        bids: ByPlayer<Option<u32>>,
        star: Option<Player>,
        won: Option<[Player; 2]>,
    ) -> Result<(), ReplayError> {
        let (ByPlayer { alice: Some(bid), bob: Some(other) }, Some([said, _])) = (bids, won) else { return Ok(()) };
        if bid != other || star.is_some() {
            return Ok(()); // not a tie, or the star sign tells the decision
        }
        let mechanism = &self.game.rules().mechanism;
        let used = if holder == Player::Alice { format!("{bid}*-{bid}") } else { format!("{bid}-{bid}*") };
        let other = holder.other();
        let ties = mechanism.ties;
        let how = match ties.uses() {
            [_, _, ..] if said == holder => format!(
                "{holder} holds the star: write {used} {holder} if it was used, {bid}-{bid} {other} if it was kept"
            ),
            [Some(StarUse::Used)] => format!("{holder} holds the star and has to use it: write {used} {holder}"),
            [None] if said != holder && ties.has_star() => {
                format!("{holder} holds the star and wins it: write {bid}-{bid} {holder}")
            }
            [None] if said != holder => format!("{holder} wins every tie: write {bid}-{bid} {holder}"),
            _ => return Ok(()),
        };
        self.differs(format!("both bid {bid}, a tie, and {how}"))
    }

    /// A tie that the star's owner decides, if the record says how.
    fn tie(&mut self, star: Option<Player>, won: Option<[Player; 2]>) -> Result<(), ReplayError> {
        let holder = self.game.tie_holder();
        match star {
            Some(player) if player != holder => {
                self.differs(format!("{player} does not hold the star, {holder} does: write * after {holder}'s bid"))
            }
            Some(_) if won.is_none() => self.differs(format!("{holder} used the star: write {holder} after the bids")),
            None if won.is_none() => Ok(()),
            _ => self.act(holder, Action::UseStar(star.is_some())),
        }
    }

    /// Whether the star was used, the winner of the bid, and the mover.
    fn decided(&self) -> (bool, Player, Player) {
        let used = |star_used| star_used == Some(true);
        match (self.game.begun(), self.game.turns().last()) {
            (Some(BegunTurn { star_used, won: Some([winner, mover]), .. }), _) => (used(star_used), winner, mover),
            (_, Some(turn)) => (used(turn.star_used), turn.winner, turn.mover),
            _ => (false, Player::Alice, Player::Alice), // a bid that is decided is begun or completed
        }
    }

    fn played(&mut self, mover: Player, played: Option<&MoverAction>) -> Result<(), ReplayError> {
        let is_over = self.game.closed().is_some();
        let (_, _, stuck) = self.decided();
        match played {
            Some(MoverAction::Stuck) if is_over && stuck == mover => Ok(()),
            _ if is_over => self.differs(format!("{stuck} has no move and the game is over: write stuck")),
            Some(MoverAction::Stuck) => match self.game.act(mover, &Action::Stay) {
                Ok(()) => Ok(()),
                Err(_) => self.differs(format!("{mover} is not stuck: write the move")),
            },
            Some(MoverAction::Move(name)) => self.act(mover, Action::Move(name.clone())),
            None => Ok(()),
        }
    }

    fn act(&mut self, player: Player, action: Action) -> Result<(), ReplayError> {
        self.game.act(player, &action).map_err(|error| ReplayError::Illegal { turn: self.turn, error })
    }

    fn differs(&self, reason: impl Into<String>) -> Result<(), ReplayError> {
        Err(ReplayError::Differs { turn: self.turn, reason: reason.into() })
    }
}
