//! Boards of stones and lines that are too large to unfold: Connect and Tic-Tac-Toe.
//!
//! Where the layers of what is left of the board can be gone through in the time for a move, the player knows what is needed with chips after every move,
//! exactly, for a win and for a draw, and spoils nothing. Else it goes by the middles of the intervals in which real money says the needs are
//! ([`boards::bounds`]), as shares of all the money ([`Stakes::estimated`]). What was found out about a position is kept for the whole turn, and for both players.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use richman_analysis::boards::{self, After, AfterBounds, Bounds, FirstLayers, Needs, Pair};
use richman_core::{Error, LineBoard, LinePosition, Mechanism, Player, Total, Walk, Watch};
use richman_solvers::Options;
use richman_solvers::hex::bidding::Stakes;
use richman_solvers::layers::Stake;

use super::{Computer, Knowledge, PlayerError, Seat, Thinking, any, half_steps, order, spread};
use crate::{Action, Decision};

/// The most fillings of what is left of a board that a perfect player goes through for a turn: some seconds.
const MOST_PERFECT: u64 = 1_200_000_000;
/// The same for a player with as much time as it likes, who can do without: some tenths of a second.
const MOST_SOLVED: u64 = 40_000_000;
/// What a filling takes, for a win and for a draw.
const EACH: Duration = Duration::from_nanos(10);
/// Positions that bounds look at for each player, and what each takes.
const MOST_BOUNDED: u64 = 1_000_000;
const EACH_BOUNDED: Duration = Duration::from_nanos(200);
/// Bytes of the layers that are kept where all of a board was gone through: those with about half of the cells filled, beyond which little is left.
const FIRST_LAYERS: u64 = 32 << 20;
/// Positions of which is kept what was found out.
const KEPT: usize = 64;
/// The most bids that are compared.
const MOST_BIDS: u32 = 4096;

/// What is known of a large board.
pub struct BoardKnowledge {
    total: Total,
    /// Whether layers with chips are about this mechanism.
    is_solved: bool,
    /// Whether all positions can be solved in the time for a move.
    perfect: bool,
    memory: u64,
    /// What follows on the start, where a perfect player solved it.
    first: Option<FirstLayers>,
    seen: Mutex<Vec<([u64; 2], Arc<Seen>)>>,
}

/// What is known of a position.
struct Seen {
    /// Whether it is exact, with chips.
    exact: bool,
    /// What Alice needs after every move of hers, and of Bob's, to each end: in half-steps where it is exact, for a win and for a draw; else as shares, to one end.
    after: Vec<(String, [Vec<f64>; 2])>,
}

impl BoardKnowledge {
    /// What is known of a board where a match starts; for a perfect player that is all of it.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] where a perfect player would take too long for it.
    pub(super) fn of(
        walk: &dyn Walk,
        mechanism: &Mechanism,
        total: Total,
        perfect: bool,
        options: &Options,
    ) -> Result<Option<BoardKnowledge>, PlayerError> {
        if options.watch.cancelled() {
            return Err(Error::Cancelled.into());
        }
        let large = boards::board(walk, mechanism, false).filter(|(board, stones)| boards::is_large(board, *stones));
        let Some((board, stones)) = large else { return Ok(None) };
        let is_solved = boards::board(walk, mechanism, true).is_some();
        let perfect = perfect && is_solved;
        let mut first = None;
        if perfect {
            let fits = boards::positions(&board, stones, MOST_PERFECT).is_some();
            let solve = || FirstLayers::of(&board, stones, Stake::Chips(vec![total]), FIRST_LAYERS, options);
            first = (if fits { fitting(solve())? } else { None }).ok_or_else(|| too_large(walk)).map(Some)?;
        }
        Ok(Some(BoardKnowledge { total, is_solved, perfect, memory: options.memory, first, seen: Mutex::default() }))
    }

    /// Whether a perfect player was asked for, and can solve every position.
    pub fn is_perfect(&self) -> bool {
        self.perfect
    }

    /// About how many bytes are held.
    pub(super) fn bytes(&self) -> u64 {
        self.first.as_ref().map_or(0, FirstLayers::bytes)
    }

    /// Whether what was found out about a position a moment ago is exact.
    pub fn is_exact(&self, walk: &dyn Walk) -> bool {
        walk.board::<LinePosition>().and_then(|at| self.kept(at.stones)).is_some_and(|seen| seen.exact)
    }

    fn kept(&self, stones: [u64; 2]) -> Option<Arc<Seen>> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().rev().find(|(at, _)| *at == stones).map(|(_, seen)| Arc::clone(seen))
    }

    fn keep(&self, stones: [u64; 2], found: &Arc<Seen>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|(at, _)| *at != stones);
        if seen.len() == KEPT {
            seen.remove(0);
        }
        seen.push((stones, Arc::clone(found)));
    }

    /// What is needed at a position, which is looked up or solved if it has at most so many fillings; `None` where it has more, or where memory does not suffice.
    fn solve(
        &self,
        walk: &dyn Walk,
        board: &LineBoard,
        stones: [u64; 2],
        most: u64,
        watch: &dyn Watch,
    ) -> Result<Option<Seen>, PlayerError> {
        if let Some(needs) = self.first.as_ref().map(|first| first.needs(walk)).transpose()?.flatten() {
            return Ok(needs.into_iter().next().map(Seen::exact));
        }
        if !self.is_solved || boards::positions(board, stones, most).is_none() {
            return Ok(None);
        }
        let options = Options { memory: self.memory, watch, ..Options::default() };
        let needs = fitting(boards::solve(walk, board, stones, Stake::Chips(vec![self.total]), &options))?;
        Ok(needs.and_then(|needs| needs.into_iter().next()).map(Seen::exact))
    }
}

/// What was solved, unless memory did not suffice.
fn fitting<R>(solved: Result<Option<R>, richman_analysis::Error>) -> Result<Option<R>, PlayerError> {
    match solved {
        Err(richman_analysis::Error::Core(Error::TooMuchMemory { .. })) => Ok(None),
        other => Ok(other?),
    }
}

fn too_large(walk: &dyn Walk) -> PlayerError {
    super::knowledge::too_large(&walk.game(), "start where fewer cells are open")
}

impl Seen {
    fn exact(needs: Needs) -> Seen {
        let ends = |pair: Pair| vec![pair.win as f64, pair.draw as f64];
        let after = |After { name, alice, bob }| (name, [ends(alice), ends(bob)]);
        Seen { exact: true, after: needs.after.into_iter().map(after).collect() }
    }

    fn estimated(bounds: Bounds) -> Seen {
        let after = |AfterBounds { name, alice, bob }| (name, [alice, bob].map(|interval| vec![interval.middle()]));
        Seen { exact: false, after: bounds.after.into_iter().map(after).collect() }
    }

    /// To how many ends needs are known.
    fn ends(&self) -> usize {
        if self.exact { 2 } else { 1 }
    }

    /// What Alice needs after a player's best move, to an end.
    fn best(&self, player: Player, end: usize) -> f64 {
        let needs = self.after.iter().map(|(_, needs)| needs[player as usize][end]);
        if player == Player::Alice { needs.fold(f64::INFINITY, f64::min) } else { needs.fold(0.0, f64::max) }
    }
}

/// How good something is for a player: the result that is sure, then what there is to spare for the next better one, or for the best, then for the other end.
type Value = [f64; 3];

fn better(one: &Value, two: &Value) -> Ordering {
    one.iter().zip(two).map(|(one, two)| order(*one, *two)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The value of margins for a win and for a draw, or of a single one.
fn value(margins: &[f64]) -> Value {
    match margins {
        [win, draw] if *win >= 0.0 => [2.0, *win, *draw],
        [win, draw] if *draw >= 0.0 => [1.0, *win, *draw],
        [win, draw] => [0.0, *draw, *win],
        [margin] => [0.0, *margin, 0.0],
        _ => [0.0; 3],
    }
}

/// Plays on boards of stones and lines.
pub struct BoardPlayer {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
    perfect: bool,
    /// The most positions to solve and to look at, if there is time for them.
    most: [u64; 2],
}

impl BoardPlayer {
    /// A player who chooses between equal options as `seed` says; a perfect one solves every position. The knowledge must be of a large board.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64, perfect: bool) -> BoardPlayer {
        let most = [if perfect { MOST_PERFECT } else { MOST_SOLVED }, MOST_BOUNDED];
        BoardPlayer { knowledge, rng: fastrand::Rng::with_seed(seed), perfect, most }
    }

    /// The same player, who solves positions with at most so many fillings and of others looks at no more.
    #[must_use]
    pub fn within(self, positions: u64) -> BoardPlayer {
        BoardPlayer { most: self.most.map(|most| most.min(positions)), ..self }
    }

    /// Looks at a position, once for the bids, the star and the move.
    fn see(&self, seat: &Seat, thinking: &Thinking) -> Result<Arc<Seen>, PlayerError> {
        thinking.check()?;
        let walk = seat.walk();
        let unfit = || PlayerError::Unfit {
            player: self.name(),
            game: walk.game(),
            reason: "it is not known as a board of lines".to_string(),
        };
        let known = self.knowledge.board().ok_or_else(unfit)?;
        let (board, stones) = boards::board(walk, &seat.rules().mechanism, false).ok_or_else(unfit)?;
        if let Some(seen) = known.kept(stones).filter(|seen| seen.exact || !self.perfect) {
            return Ok(seen);
        }
        let seen = Arc::new(self.look(known, walk, &board, stones, thinking)?);
        known.keep(stones, &seen);
        Ok(seen)
    }

    fn look(
        &self,
        known: &BoardKnowledge,
        walk: &dyn Walk,
        board: &LineBoard,
        stones: [u64; 2],
        thinking: &Thinking,
    ) -> Result<Seen, PlayerError> {
        let [mut solved, mut bounded] = self.most;
        if self.perfect {
            return known.solve(walk, board, stones, solved, thinking.watch)?.ok_or_else(|| too_large(walk));
        }
        if let Some(deadline) = thinking.deadline {
            let left = deadline.saturating_duration_since(Instant::now()) / 2;
            let fits = |each: Duration| u64::try_from(left.as_nanos() / each.as_nanos()).unwrap_or(u64::MAX);
            solved = solved.min(fits(EACH));
            bounded = bounded.min(fits(EACH_BOUNDED));
        }
        match known.solve(walk, board, stones, solved, &thinking.until()) {
            Ok(Some(seen)) => return Ok(seen),
            Ok(None) => {}
            Err(PlayerError::Analysis(richman_analysis::Error::Core(Error::Cancelled))) => {
                thinking.check()?;
                bounded = 0;
            }
            Err(error) => return Err(error),
        }
        let options = Options { watch: thinking.watch, ..Options::default() };
        let bounds = boards::bounds(walk, board, stones, bounded, &options)?;
        bounds.map(Seen::estimated).ok_or_else(|| too_large(walk))
    }
}

/// A position as a player faces it.
struct Faced<'a> {
    seat: &'a Seat<'a>,
    seen: &'a Seen,
    /// The stakes for a win and for a draw, or single ones.
    stakes: Vec<Stakes>,
}

impl<'a> Faced<'a> {
    fn new(seat: &'a Seat<'a>, seen: &'a Seen) -> Faced<'a> {
        let (own, other, player) = (seat.own(), seat.other(), seat.player());
        let stakes = |end: usize| {
            let [alice, bob] = Player::BOTH.map(|player| seen.best(player, end));
            // Who has won the bid may let the other player move.
            let [won, lost] = match player {
                Player::Alice => [alice.min(bob), alice.max(bob)],
                Player::Bob => [alice.max(bob), alice.min(bob)],
            };
            let [won, lost] = [won, lost].map(|need| own_need(seat, seen, need));
            if seen.exact { Stakes::new(own, other, won, lost) } else { Stakes::estimated(own, other, won, lost) }
        };
        let mut stakes: Vec<Stakes> = (0..seen.ends()).map(stakes).collect();
        if player == Player::Bob {
            stakes.reverse(); // what Alice needs for a draw is what Bob must take from her for a win
        }
        Faced { seat, seen, stakes }
    }

    fn value(&self, margin: impl Fn(&Stakes) -> f64) -> Value {
        value(&self.stakes.iter().map(margin).collect::<Vec<f64>>())
    }

    fn bid(&self) -> Option<u32> {
        let (ranges, named) = (&self.seat.view().bids, self.seat.named());
        let allowed = |bid: &u32| ranges.iter().any(|range| range[0] <= *bid && *bid <= range[1]);
        let mut bids = spread(ranges, MOST_BIDS);
        bids.extend(self.stakes.iter().map(Stakes::safest).filter(allowed));
        bids.extend(named.into_iter().flat_map(|named| [named, named.saturating_add(1)]).filter(allowed));
        bids.sort_unstable();
        let of = |bid: u32| match named {
            Some(named) => self.value(|stakes| stakes.after(bid, named)),
            None => self.value(|stakes| stakes.margin(bid)),
        };
        bids.into_iter().rev().max_by(|one, two| better(&of(*one), &of(*two)))
    }

    fn uses_star(&self, bid: u32) -> bool {
        let used = self.value(|stakes| stakes.after_win(bid, true));
        better(&used, &self.value(|stakes| stakes.after_loss(bid, false))).is_ge()
    }

    fn end(&self, may_let: bool) -> Vec<Action> {
        let player = self.seat.player();
        let worth = |needs: &[f64]| {
            let held =
                f64::from(self.seat.own().half_steps()) / if self.seen.exact { 1.0 } else { half_steps(self.seat) };
            let mut margins: Vec<f64> = needs.iter().map(|need| held - own_need(self.seat, self.seen, *need)).collect();
            if player == Player::Bob {
                margins.reverse();
            }
            value(&margins)
        };
        let moves = self.seen.after.iter();
        let mut options: Vec<(Value, Action)> =
            moves.map(|(name, needs)| (worth(&needs[player as usize]), Action::Move(name.clone()))).collect();
        let best = |options: &[(Value, Action)]| options.iter().map(|(value, _)| *value).max_by(better);
        let other: Vec<f64> = (0..self.seen.ends()).map(|end| self.seen.best(player.other(), end)).collect();
        let let_other = worth(&other);
        if may_let && best(&options).is_none_or(|best| better(&let_other, &best).is_gt()) {
            return vec![Action::Let];
        }
        let best = best(&options);
        options.retain(|(value, _)| best.is_some_and(|best| better(value, &best).is_eq()));
        options.into_iter().map(|(_, action)| action).collect()
    }
}

/// What is not enough for Alice is enough for Bob.
fn own_need(seat: &Seat, seen: &Seen, alice: f64) -> f64 {
    match seat.player() {
        Player::Alice => alice,
        Player::Bob if seen.exact => half_steps(seat) - alice,
        Player::Bob => 1.0 - alice,
    }
}

impl Computer for BoardPlayer {
    fn name(&self) -> String {
        if self.perfect { "perfect" } else { "best" }.to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        let seen = self.see(seat, thinking)?;
        let faced = Faced::new(seat, &seen);
        match seat.decision() {
            Some(Decision::Bid) => faced.bid().map(Action::Bid).ok_or(PlayerError::NotNow { player: seat.player() }),
            Some(Decision::Star { bid }) => Ok(Action::UseStar(faced.uses_star(bid))),
            Some(Decision::Move { may_let }) => any(&faced.end(may_let), &mut self.rng, seat.player()),
            None => Err(PlayerError::NotNow { player: seat.player() }),
        }
    }
}
