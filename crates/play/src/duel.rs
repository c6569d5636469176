//! Duels: two computer players meet in many games, on all cores; statistics of the results.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use richman_analysis::ReportHead;
use richman_analysis::chips::HoldingsQuery;
use richman_core::{
    ByPlayer, Effort, End, Error, Holding, Instant, Mechanism, PlayedAverage, Player, Total, Walk, Watch,
};
use richman_formats::by_player;
use schemars::JsonSchema;
use serde::Serialize;

use crate::players::{Computer, Knowledge, PlayerError, Seat, Strength, one_of};
use crate::{Action, Illegal, Match, MatchEnd, MatchRules, PlaySoFar};

/// The games of a duel by default.
pub const USUAL_GAMES: u64 = 1000;
/// The turns after which a game that is not played for a score is a draw, or cut off, by default.
pub const LONGEST: u32 = 1000;
/// The seconds for solving the game by default.
pub const SOLVING_SECONDS: u64 = 60;

/// A duel to be played.
pub struct Duel<'a> {
    /// The start of every game.
    pub walk: &'a dyn Walk,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Alice's and Bob's holdings at the start, used in turn.
    pub starts: Vec<ByPlayer<Holding>>,
    /// A game of this many turns is a draw, or cut off if it need not end.
    pub limit: Option<u32>,
    /// The number of games.
    pub games: u64,
    /// Whether the players exchange roles: from each start, the first player is Alice in one game
    /// and Bob in the next.
    pub exchange: bool,
    /// The number of random moves, by the players in turn, before every match. Two games with
    /// exchanged roles share them.
    pub opening: u32,
    /// Whether to time every action.
    pub timed: bool,
    /// The seed of all random choices.
    pub seed: u64,
}

richman_core::debug_by_name!(Duel<'_> { mechanism, starts, limit, games });

/// The reason why a duel could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DuelError {
    /// A player could not play.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The holdings do not suit the mechanism, or a player breaks the rules.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// Starts with different numbers of chips.
    #[error("all starts must have the same number of chips")]
    Totals,
    /// No opening of that many moves was found.
    #[error("no opening of {moves} random moves was found after which the game goes on: take a shorter one")]
    Opening {
        /// The number of moves.
        moves: u32,
    },
}

/// The starts of a duel and their number of chips: the given holdings, or every division of
/// `chips`.
///
/// # Errors
/// [`DuelError::Totals`] unless all starts have the same number of chips; [`DuelError::Player`] for
/// holdings that do not suit the mechanism.
pub fn starts(
    mechanism: &Mechanism,
    chips: Total,
    holdings: Vec<ByPlayer<Holding>>,
) -> Result<(Total, Vec<ByPlayer<Holding>>), DuelError> {
    let unfit = |error: richman_analysis::Error| DuelError::Player(error.into());
    if holdings.is_empty() {
        let starts = divisions(mechanism, chips).map_err(|error| unfit(error.into()))?;
        return Ok((chips, starts));
    }
    let total = |hands: &ByPlayer<Holding>| {
        HoldingsQuery { alice: hands.alice, bob: hands.bob, trace: false }.total(mechanism).map_err(unfit)
    };
    let totals = holdings.iter().map(total).collect::<Result<Vec<Total>, DuelError>>()?;
    if totals.iter().any(|total| *total != totals[0]) {
        return Err(DuelError::Totals);
    }
    Ok((totals[0], holdings))
}

/// The results of the matches of a game that need not end.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct EndlessTally {
    /// The number of matches.
    pub games: u64,
    /// The matches that were cut off, without a winner.
    pub cut_off: u64,
    /// In a parity game: pairs of a priority and how often a move was made from it, in all matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub priorities: Vec<(u32, u64)>,
    /// In a mean-payoff game: the mean of the averages, the least, and the greatest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub averages: Option<[f64; 3]>,
    /// What the winner of a match that was cut off depends on, if no finite play has one.
    #[serde(skip)]
    pub left_open: Option<&'static str>,
}

impl EndlessTally {
    fn of(played: &[&DuelGame]) -> EndlessTally {
        let games = played.len() as u64;
        let cut_off = played.iter().filter(|game| game.is_cut_off).count() as u64;
        let mut tally = EndlessTally { games, cut_off, ..EndlessTally::default() };
        let mut priorities: BTreeMap<u32, u64> = BTreeMap::new();
        let mut averages: Vec<f64> = Vec::new();
        for game in played {
            let Some(so_far) = &game.so_far else { continue };
            for (priority, times) in so_far.priorities.iter().flatten() {
                *priorities.entry(*priority).or_default() += u64::from(*times);
            }
            averages.extend(so_far.average.map(PlayedAverage::to_f64));
            tally.left_open = so_far.left_open;
        }
        tally.priorities = priorities.into_iter().collect();
        if !averages.is_empty() {
            let mean = averages.iter().sum::<f64>() / averages.len() as f64;
            let least = averages.iter().copied().fold(f64::INFINITY, f64::min);
            tally.averages = Some([mean, least, averages.iter().copied().fold(f64::NEG_INFINITY, f64::max)]);
        }
        tally
    }
}

/// Wins, draws and losses of the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Drawn, or cut off without a winner.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The part of all points, a draw being half; one half without games.
    pub fn score(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// Wilson's 95% confidence interval for the score. It treats all games as won or lost, which
    /// makes it no narrower.
    pub fn interval(self) -> [f64; 2] {
        const Z: f64 = 1.959_963_984_540_054;
        let games = self.games() as f64;
        if games == 0.0 {
            return [0.0, 1.0];
        }
        let (score, spread) = (self.score(), Z * Z / games);
        let middle = score + spread / 2.0;
        let half = Z * (score * (1.0 - score) / games + spread / (4.0 * games)).sqrt();
        // At scores of 0 and 1 the ends are exact; rounding would miss them.
        let low = if score == 0.0 { 0.0 } else { (middle - half) / (1.0 + spread) };
        let high = if score == 1.0 { 1.0 } else { (middle + half) / (1.0 + spread) };
        [low, high]
    }
}

/// The rating difference on the chess scale with which the better player is expected to get that
/// score; `None` if it is infinite.
pub fn rating(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 0.0 - 400.0 * (1.0 / score - 1.0).log10())
}

/// The result of a duel for the first player.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DuelReport {
    /// The game, its starting position, and the mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The first player and the second.
    pub players: [String; 2],
    /// The number of finished games.
    pub games: u64,
    /// The number of games requested; more if the duel was stopped.
    pub asked: u64,
    /// The number of games that differ in a bid, a use of the star, a move or the roles.
    pub distinct: u64,
    /// All games.
    #[serde(flatten)]
    pub tally: Tally,
    /// The part of all points, a draw being half.
    pub score: f64,
    /// Its 95% confidence interval.
    pub interval: [f64; 2],
    /// The rating difference; null if the score is 0 or 1.
    pub rating: Option<f64>,
    /// Its 95% confidence interval; null for an infinite end.
    pub rating_interval: [Option<f64>; 2],
    /// Games with the first player as Alice.
    pub as_alice: Tally,
    /// Games with the first player as Bob.
    pub as_bob: Tally,
    /// In a scoring game, the first player's average lead; in a mean-payoff game the average of the
    /// weights, negated where the first player is Bob.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f64>,
    /// In a game that need not end: the results with the first player as Alice, and as Bob.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "by_player::option")]
    #[schemars(schema_with = "by_player::schema::<EndlessTally>")]
    pub endless: Option<ByPlayer<EndlessTally>>,
    /// The average number of turns.
    pub turns: f64,
    /// Random moves before every match.
    #[serde(skip_serializing_if = "is_zero")]
    pub opening: u32,
    /// If timed: each player's mean time for an action, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<[f64; 2]>,
    /// The seed of all random choices.
    pub seed: u64,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// All divisions of a total, each with the star on either side.
///
/// # Errors
/// Never fails for a valid [`Total`].
pub fn divisions(mechanism: &Mechanism, total: Total) -> Result<Vec<ByPlayer<Holding>>, Error> {
    let stars: &[[bool; 2]] = if mechanism.has_star() { &[[true, false], [false, true]] } else { &[[false, false]] };
    let mut all = Vec::new();
    for alice in 0..=total.chips() {
        for &[one, two] in stars {
            all.push(ByPlayer::new(Holding::new(alice, one)?, Holding::new(total.chips() - alice, two)?));
        }
    }
    Ok(all)
}

/// Plays a match to its end; `computers` are Alice's and Bob's.
///
/// # Errors
/// `DuelError::Player` if a player fails; `DuelError::Illegal` if one breaks the rules.
pub fn play_out(game: &mut Match, computers: [&mut dyn Computer; 2], effort: &Effort) -> Result<MatchEnd, DuelError> {
    let [alice, bob] = computers;
    loop {
        if let Some(closed) = game.closed() {
            return Ok(closed);
        }
        let waits = |player: Player| game.decision(player).is_some();
        let player = if waits(Player::Alice) { Player::Alice } else { Player::Bob };
        let computer: &mut dyn Computer = if player == Player::Alice { &mut *alice } else { &mut *bob };
        let action = computer.act(&Seat::new(game, player), effort)?;
        game.act(player, &action)?;
    }
}

struct TimedPlayer {
    computer: Box<dyn Computer>,
    time: Duration,
    actions: u64,
}

impl TimedPlayer {
    fn new(computer: Box<dyn Computer>) -> TimedPlayer {
        TimedPlayer { computer, time: Duration::ZERO, actions: 0 }
    }
}

impl Computer for TimedPlayer {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        let start = Instant::now();
        let action = self.computer.act(seat, effort);
        self.time += start.elapsed();
        self.actions += 1;
        action
    }
}

/// A pseudo-random number for each number (splitmix64): a game's seed depends on neither players
/// nor schedule.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

struct DuelGame {
    first_is_alice: bool,
    result: i8,
    ahead: Option<f64>,
    /// The result so far of play that need not end.
    so_far: Option<PlaySoFar>,
    is_cut_off: bool,
    turns: usize,
    identity: u64,
    /// Each player's total time and number of actions.
    times: [(Duration, u64); 2],
}

impl Duel<'_> {
    /// Plays all games between two players. The same seed gives the same games on any number of
    /// cores. When `watch` says stop, the report covers the games finished by then.
    ///
    /// # Errors
    /// [`DuelError`]; it holds [`Error::Cancelled`] if the watch says stop before any game is
    /// finished.
    pub fn run(
        &self,
        players: [Strength; 2],
        knowledge: &Arc<Knowledge>,
        watch: &dyn Watch,
    ) -> Result<DuelReport, DuelError> {
        let done = AtomicU64::new(0);
        let play = |number: u64| {
            if watch.cancelled() {
                return Ok(None);
            }
            match self.game(number, players, knowledge, watch) {
                Err(error) if is_stop(&error) && watch.cancelled() => Ok(None),
                played => {
                    watch.progress("games", done.fetch_add(1, Ordering::Relaxed) + 1, Some(self.games));
                    played.map(Some)
                }
            }
        };
        let played = (0..self.games).into_par_iter().map(play).filter_map(Result::transpose);
        let played = played.collect::<Result<Vec<DuelGame>, DuelError>>()?;
        if played.is_empty() {
            return Err(PlayerError::from(Error::Cancelled).into());
        }
        Ok(self.report(players, &played))
    }

    fn game(
        &self,
        number: u64,
        players: [Strength; 2],
        knowledge: &Arc<Knowledge>,
        watch: &dyn Watch,
    ) -> Result<DuelGame, DuelError> {
        let (pair, first_is_alice) =
            if self.exchange { (number / 2, number.is_multiple_of(2)) } else { (number, true) };
        let Some(&start) = self.starts.get((pair % self.starts.len().max(1) as u64) as usize) else {
            return Err(Illegal::Hands("no holdings to start from".to_string()).into());
        };
        let rules = MatchRules { mechanism: self.mechanism.clone(), start, limit: self.limit };
        let walk = self.opened(mixed(mixed(self.seed) ^ pair))?;
        let opened = walk.notation();
        let mut game = Match::new(walk, rules)?;
        let seed = mixed(self.seed ^ mixed(number));
        let mut first = TimedPlayer::new(players[0].computer(knowledge, seed)?);
        let mut second = TimedPlayer::new(players[1].computer(knowledge, mixed(seed))?);
        let effort = Effort::watched(watch);
        let (one, two): (&mut dyn Computer, &mut dyn Computer) = (&mut first, &mut second);
        let closed = play_out(&mut game, if first_is_alice { [one, two] } else { [two, one] }, &effort)?;
        let sign = if first_is_alice { 1 } else { -1 };
        let result = match closed.winner() {
            None => 0,
            Some(Player::Alice) => sign,
            Some(Player::Bob) => -sign,
        };
        let so_far = game.so_far();
        let ahead = match (closed, &so_far) {
            (MatchEnd::Game(End::Score(score)), _) => Some(score as f64),
            (_, Some(so_far)) => so_far.average.map(PlayedAverage::to_f64),
            _ => None,
        };
        let ahead = ahead.map(|ahead| ahead * f64::from(sign));
        let is_cut_off = so_far.is_some() && matches!(closed, MatchEnd::Limit | MatchEnd::NoBids);
        let mut hasher = DefaultHasher::new();
        (first_is_alice, start, opened).hash(&mut hasher);
        for turn in game.turns() {
            (turn.bids, turn.star_used, turn.mover, &turn.played).hash(&mut hasher);
        }
        let times = [&first, &second].map(|player| (player.time, player.actions));
        let (turns, identity) = (game.turns().len(), hasher.finish());
        Ok(DuelGame { first_is_alice, result, ahead, so_far, is_cut_off, turns, identity, times })
    }

    /// The start of a game, after the random opening of `seed`. Openings that end the game are
    /// rejected.
    fn opened(&self, seed: u64) -> Result<Box<dyn Walk>, DuelError> {
        const TRIES: u32 = 1000;
        let mut rng = fastrand::Rng::with_seed(seed);
        'tries: for _ in 0..TRIES {
            let mut walk = self.walk.boxed();
            let mut mover = Player::BOTH[rng.u64(..2) as usize];
            for _ in 0..self.opening {
                mover = walk.owner().unwrap_or(mover);
                let moves = walk.moves(mover);
                let Some(played) = one_of(&moves, &mut rng) else { continue 'tries };
                walk.play(mover, played).map_err(PlayerError::from)?;
                mover = mover.other();
            }
            if walk.end().is_none() {
                return Ok(walk);
            }
        }
        Err(DuelError::Opening { moves: self.opening })
    }

    fn report(&self, players: [Strength; 2], played: &[DuelGame]) -> DuelReport {
        let tally = |as_alice: bool, as_bob: bool| {
            let mut tally = Tally::default();
            for game in played.iter().filter(|game| if game.first_is_alice { as_alice } else { as_bob }) {
                match game.result {
                    1 => tally.wins += 1,
                    0 => tally.draws += 1,
                    _ => tally.losses += 1,
                }
            }
            tally
        };
        let all = tally(true, true);
        let count = played.len().max(1) as f64;
        let ahead: Vec<f64> = played.iter().filter_map(|game| game.ahead).collect();
        let endless = |player: Player| {
            let as_alice = player == Player::Alice;
            EndlessTally::of(&played.iter().filter(|game| game.first_is_alice == as_alice).collect::<Vec<_>>())
        };
        DuelReport {
            head: ReportHead::at(self.walk, &self.mechanism),
            players: players.map(|player| player.to_string()),
            games: all.games(),
            asked: self.games,
            distinct: played.iter().map(|game| game.identity).collect::<HashSet<u64>>().len() as u64,
            tally: all,
            score: all.score(),
            interval: all.interval(),
            rating: rating(all.score()),
            rating_interval: all.interval().map(rating),
            as_alice: tally(true, false),
            as_bob: tally(false, true),
            average: (!ahead.is_empty()).then(|| ahead.iter().sum::<f64>() / ahead.len() as f64),
            endless: self.walk.aim().facts().need_not_end.then(|| ByPlayer::from_fn(endless)),
            turns: played.iter().map(|game| game.turns as f64).sum::<f64>() / count,
            opening: self.opening,
            microseconds: self.timed.then(|| [0, 1].map(|player| mean_time(played, player))),
            seed: self.seed,
        }
    }
}

fn is_stop(error: &DuelError) -> bool {
    matches!(error, DuelError::Player(PlayerError::Analysis(richman_analysis::Error::Core(Error::Cancelled))))
}

/// The mean time of an action of the first player (0) or the second (1), in microseconds.
fn mean_time(played: &[DuelGame], player: usize) -> f64 {
    let time: Duration = played.iter().map(|game| game.times[player].0).sum();
    let actions: u64 = played.iter().map(|game| game.times[player].1).sum();
    time.as_secs_f64() * 1e6 / actions.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_ratings() {
        let tally = Tally { wins: 60, draws: 20, losses: 20 };
        assert_eq!(tally.score(), 0.7);
        let [low, high] = tally.interval();
        assert!((low - 0.6042).abs() < 1e-4 && (high - 0.7811).abs() < 1e-4, "{low} {high}"); // Wilson for 70 of 100
        assert!((rating(0.7).unwrap() - 147.19).abs() < 0.01);
        assert_eq!((rating(1.0), rating(0.0), rating(0.5)), (None, None, Some(0.0)));
        let [low, high] = Tally { wins: 10, ..Tally::default() }.interval();
        assert!(low > 0.7 && high == 1.0);
        assert_eq!(Tally::default().interval(), [0.0, 1.0]);
    }
}
