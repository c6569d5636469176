//! Hex from exact values.
//!
//! As long as many cells are open the player goes by real money, exactly: the fillings of the position are counted, which gives what Alice needs after every move
//! of both players, and these shares of all the money stand for what she needs in chips ([`Stakes::estimated`]). As soon as few
//! cells still decide anything all positions that can follow are solved with chips, once for the rest of the match, and nothing that is won is lost any more.
//! Of all bids it makes the one that leaves most to spare against every answer.
//!
//! With more time it solves with chips earlier. On boards too wide to count, and where the time is too short for a count, random fillings stand in.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use richman_core::{Error, HexBoard, Player};
use richman_solvers::Options;
use richman_solvers::hex::bidding::Stakes;
use richman_solvers::hex::small::Thresholds;
use richman_solvers::hex::{Cores, fillings, sample_on};

use super::monte_carlo::{board, move_on};
use super::{Computer, HexKnowledge, Knowledge, PlayerError, Seat, Thinking, half_steps, order};
use crate::{Action, Decision};

/// Where cells that decide are at most so many the rest is solved with chips: some ten milliseconds.
const SOLVED: usize = 12;
/// The same where there is more time.
const MOST_SOLVED: usize = 16;
/// What solving takes for each position, at most.
const EACH: Duration = Duration::from_nanos(100);
/// Random fillings that stand in for a count.
const FILLINGS: u64 = 200_000;
const FEWEST_FILLINGS: u64 = 16_384;

/// Plays Hex from exact values.
pub struct HexPlayer {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
    solved: Option<Thresholds>,
    seen: Option<Seen>,
}

/// What the player makes of a position.
struct Seen {
    board: HexBoard,
    /// What Alice needs after her best move and after Bob's: in half-steps where it is exact, else as shares of all the money.
    needs: [f64; 2],
    /// Whether these are exact, with chips.
    exact: bool,
    /// Best moves of Alice and of Bob.
    best: [Vec<usize>; 2],
}

/// What real money says of a position.
struct Money {
    /// What Alice needs, as a share.
    share: f64,
    /// How often each cell decides.
    critical: Vec<f64>,
}

impl HexPlayer {
    /// A player who chooses between equal moves as `seed` says. The knowledge must be of Hex.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64) -> HexPlayer {
        HexPlayer { knowledge, rng: fastrand::Rng::with_seed(seed), solved: None, seen: None }
    }

    /// Looks at a position, once for the bid, the star and the move.
    fn see(&mut self, seat: &Seat, thinking: &Thinking) -> Result<&Seen, PlayerError> {
        let board = board(seat, &self.name())?;
        let seen = match self.seen.take().filter(|seen| seen.board == board) {
            Some(seen) => seen,
            None => self.look(board, seat, thinking)?,
        };
        Ok(self.seen.insert(seen))
    }

    fn look(&mut self, board: HexBoard, seat: &Seat, thinking: &Thinking) -> Result<Seen, PlayerError> {
        thinking.check()?;
        let knowledge = Arc::clone(&self.knowledge);
        let Some(hex) = knowledge.hex() else {
            return Err(PlayerError::Unfit {
                player: self.name(),
                game: seat.walk().game(),
                reason: "it is not known as Hex".to_string(),
            });
        };
        let money = self.money(&board, hex, thinking)?;
        if HexKnowledge::is_solved_for(&seat.rules().mechanism) {
            self.solve(&board, &money, seat, thinking)?;
            let known = hex.thresholds().filter(|known| known.number(&board).is_some());
            if let Some(known) = known.or(self.solved.as_ref())
                && let Some(number) = known.number(&board)
            {
                return Ok(exact(board, known, number, &money));
            }
        }
        let most = money.critical.iter().copied().fold(0.0, f64::max);
        let open = |cell: &usize| board.cells()[*cell].is_none();
        let best: Vec<usize> =
            (0..board.cells().len()).filter(open).filter(|&cell| money.critical[cell] == most).collect();
        let needs = [money.share - most / 2.0, money.share + most / 2.0];
        Ok(Seen { board, needs, exact: false, best: [best.clone(), best] })
    }

    /// Counts fillings, or plays some at random.
    fn money(&mut self, board: &HexBoard, hex: &HexKnowledge, thinking: &Thinking) -> Result<Money, PlayerError> {
        if let Some(frontier) = hex.frontier() {
            let until = thinking.until();
            match fillings(frontier, board, &Options { watch: &until, ..Options::default() }) {
                Ok(found) => {
                    let critical = (0..board.cells().len()).map(|cell| found.critical(cell).to_f64()).collect();
                    return Ok(Money { share: 1.0 - found.alice_wins().to_f64(), critical });
                }
                Err(Error::Cancelled) => thinking.check()?,
                Err(error) => return Err(error.into()),
            }
        }
        let fillings = if thinking.deadline.is_some() { FEWEST_FILLINGS } else { FILLINGS };
        let options = Options { watch: thinking.watch, ..Options::default() };
        let found = sample_on(Cores::One, board, fillings, self.rng.u64(..), &options)?;
        let critical = |cell: usize| match board.cells()[cell] {
            None => found.critical(cell).0.max(0.0),
            Some(_) => 0.0,
        };
        let critical = (0..board.cells().len()).map(critical).collect();
        Ok(Money { share: 1.0 - found.alice_wins().0, critical })
    }

    /// Solves the rest with chips, where few enough cells decide and it was not done before.
    fn solve(&mut self, board: &HexBoard, money: &Money, seat: &Seat, thinking: &Thinking) -> Result<(), PlayerError> {
        let known = |known: Option<&Thresholds>| known.is_some_and(|known| known.number(board).is_some());
        let Some(hex) = self.knowledge.hex() else { return Ok(()) };
        if known(hex.thresholds()) || known(self.solved.as_ref()) || hex.frontier().is_none() {
            return Ok(());
        }
        let cells: Vec<usize> = (0..money.critical.len()).filter(|&cell| money.critical[cell] > 0.0).collect();
        if cells.len() > most_solved(thinking) {
            return Ok(());
        }
        let chips = u64::from(seat.own().chips()) + u64::from(seat.other().chips());
        let options = Options { watch: thinking.watch, ..Options::default() };
        let total = richman_core::Total::new(chips)?;
        self.solved = Some(Thresholds::of(board, &cells, total, Cores::One, &options)?);
        Ok(())
    }
}

/// The bid that leaves most to spare against every answer, or against the bid that was named.
pub(super) fn best_bid(seat: &Seat, stakes: &Stakes) -> Option<u32> {
    let ranges = &seat.view().bids;
    let safest = stakes.safest();
    let mut bids: Vec<u32> = ranges.iter().map(|range| safest.clamp(range[0], range[1])).collect();
    if let Some(named) = seat.named() {
        let answers = [0, named, named.saturating_add(1)];
        bids.extend(answers.into_iter().filter(|bid| ranges.iter().any(|range| range[0] <= *bid && *bid <= range[1])));
        return bids.into_iter().rev().max_by(|&one, &two| order(stakes.after(one, named), stakes.after(two, named)));
    }
    bids.into_iter().rev().max_by(|&one, &two| order(stakes.margin(one), stakes.margin(two)))
}

/// What the player holds, and needs after winning a bid and after losing it.
fn stakes(seat: &Seat, seen: &Seen) -> Stakes {
    let all = if seen.exact { half_steps(seat) } else { 1.0 };
    let [won, lost] = match seat.player() {
        Player::Alice => seen.needs,
        // What is not enough for Alice is enough for Bob.
        Player::Bob => [all - seen.needs[1], all - seen.needs[0]],
    };
    if seen.exact {
        Stakes::new(seat.own(), seat.other(), won, lost)
    } else {
        Stakes::estimated(seat.own(), seat.other(), won, lost)
    }
}

/// Needs and best moves with chips; of equally good ones those that decide most often.
fn exact(board: HexBoard, known: &Thresholds, number: usize, money: &Money) -> Seen {
    let best = Player::BOTH.map(|player| {
        let key = |&(cell, need): &(usize, u32)| {
            let need = if player == Player::Alice { f64::from(need) } else { -f64::from(need) };
            (need, -money.critical[cell])
        };
        let compare = |one: &(usize, u32), two: &(usize, u32)| {
            let (one, two) = (key(one), key(two));
            order(one.0, two.0).then(order(one.1, two.1))
        };
        let after: Vec<(usize, u32)> = known.after(number, player).collect();
        let least = after.iter().min_by(|one, two| compare(one, two)).copied();
        let equal = |found: &&(usize, u32)| least.is_some_and(|least| compare(found, &least) == Ordering::Equal);
        (least, after.iter().filter(equal).map(|&(cell, _)| cell).collect::<Vec<usize>>())
    });
    let here = known.at(number);
    let needs = [0, 1].map(|player: usize| f64::from(best[player].0.map_or(here, |(_, need)| need)));
    let [(_, alice), (_, bob)] = best;
    Seen { board, needs, exact: true, best: [alice, bob] }
}

/// How many cells may be open to be solved with chips now.
fn most_solved(thinking: &Thinking) -> usize {
    let Some(deadline) = thinking.deadline else { return SOLVED };
    let left = deadline.saturating_duration_since(Instant::now()) / 2;
    (0..=MOST_SOLVED).rev().find(|&cells| EACH * 3_u32.pow(cells as u32) <= left).unwrap_or(0)
}

impl Computer for HexPlayer {
    fn name(&self) -> String {
        "best".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        self.see(seat, thinking)?;
        let nothing = || PlayerError::NotNow { player: seat.player() };
        let Some(seen) = &self.seen else { return Err(nothing()) };
        match seat.decision() {
            Some(Decision::Bid) => best_bid(seat, &stakes(seat, seen)).map(Action::Bid).ok_or_else(nothing),
            Some(Decision::Star { bid }) => Ok(Action::UseStar(stakes(seat, seen).uses_star(bid))),
            Some(Decision::Move { .. }) => {
                let best = &seen.best[seat.player() as usize];
                let cell = *best.get(self.rng.usize(..best.len().max(1))).ok_or_else(nothing)?;
                move_on(seat, &seen.board, cell).ok_or_else(nothing)
            }
            None => Err(nothing()),
        }
    }
}
