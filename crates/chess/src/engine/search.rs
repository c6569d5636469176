//! Estimates the worth of a chess position by searching the random-turn game.
//!
//! ```text
//! V(p) = (max over Alice's moves of V + min over Bob's moves of V) / 2
//! V    = 1 where Alice took a king, 0 where Bob did
//! ```
//!
//! is Alice's chance to win when a fair coin decides who moves, and 1 - V is the share of all the
//! money that she needs (Richman's theorem). If a player cannot move, the other does. If both could
//! take a king now, V = 1/2; if only Alice could, V = (1 + best for Bob) / 2.
//!
//! Both players' moves are searched by iterative deepening, ordered by static values. Late moves
//! are searched less deeply, and again at full depth if better. A bound on the max narrows the
//! window of the min, and vice versa. Positions where a king can be taken are searched further.
//! Positions of three pieces need no search once [`ChessSearch::learn`] has run.
//!
//! Accepts every position. Stops at a depth, at a number of positions, or when told; the result is
//! from the last complete depth, at least the static values after every move. **The result is an
//! estimate**, not a bound, except where a king is taken within the search. Time grows about
//! sixfold per move of depth; memory is that of the transposition table. Checked against exact
//! values, and by taking every king within reach on random positions.
//!
//! ```
//! use richman_core::Effort;
//! use richman_chess::board::ChessBoard;
//! use richman_chess::engine::search::ChessSearch;
//! // Both kings can be taken, so the winner of the bid wins.
//! let board = ChessBoard::parse("8/8/8/8/8/8/8/kK6", 8).unwrap();
//! let found = ChessSearch::default().estimate(&board, &Effort::default());
//! assert_eq!(found.value, 0.5);
//! ```

mod evaluation;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::board::{ChessBoard, ChessMove};
use evaluation::{LeafValue, look};
use richman_core::{ByPlayer, Effort, Instant, Player, Watch};
use rustc_hash::FxHasher;

use super::endgames::{self, ChanceBounds, FIXED_POINT_UNIT, Tables};

/// Positions expanded in about a second.
pub const USUAL_POSITIONS: u64 = 30_000;
/// The most moves of depth.
const DEPTH: i32 = 20;

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchEstimate {
    /// Alice's chance to win the random-turn game; she needs the rest of all the money.
    pub value: f64,
    /// The chance after Alice's best move, and after Bob's; if one cannot move, after the other's.
    pub after: ByPlayer<f64>,
    /// Each player's equally good best moves.
    pub best: ByPlayer<Vec<ChessMove>>,
    /// The depth of the search, in moves.
    pub depth: f64,
    /// The number of expanded positions.
    pub positions: u64,
}

/// Depth is counted in parts of a move.
const MOVE: i32 = 16;
/// The depth that a king's flight costs, less than other moves.
const FLIGHT: i32 = 8;
/// The depth down to which flights are searched.
const SHALLOWEST: i32 = -FLIGHT;
/// The longest line.
const LONGEST: u32 = 40;
/// The increase in depth from one iteration to the next.
const STEP: i32 = 8;
/// The size of the transposition table.
const KEPT: usize = 1 << 17;
/// Positions between checks of the watch.
const BETWEEN_CHECKS: u64 = 16;
/// Values that differ by less count as equal.
const EQUAL: f64 = 1e-9;

/// The most bytes of a search.
pub(super) const BYTES: u64 = (KEPT * size_of::<Option<TranspositionEntry>>()) as u64;

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct TranspositionEntry {
    key: u64,
    low: f64,
    high: f64,
    depth: i16,
    /// Alice's best move and Bob's.
    best: BestMoves,
}

/// The best move of each player, packed.
type BestMoves = ByPlayer<u16>;

struct Child {
    made: ChessMove,
    board: ChessBoard,
    look: LeafValue,
}

/// The interval within which an exact value matters.
#[derive(Clone, Copy)]
struct ValueWindow {
    low: f64,
    high: f64,
}

impl ValueWindow {
    /// Whether a value is at least as good for the player as every value in the window.
    fn is_passed(self, player: Player, value: f64) -> bool {
        if player == Player::Alice { value >= self.high } else { value <= self.low }
    }
}

#[derive(Clone, Copy)]
struct SearchScope<'a> {
    depth: i32,
    window: ValueWindow,
    /// Moves made before.
    line: u32,
    watch: &'a dyn Watch,
}

#[derive(Clone, Copy)]
struct BestSoFar {
    value: f64,
    at: usize,
}

/// Searches positions and keeps results for the next ones.
pub struct ChessSearch {
    /// Empty until the first search: most are prepared and never made.
    table: Vec<Option<TranspositionEntry>>,
    less: Vec<i32>,
    known: Option<Arc<Tables>>,
    positions: u64,
    most: u64,
    deadline: Option<Instant>,
    stopped: bool,
}

richman_core::debug_by_name!(ChessSearch {});

impl Default for ChessSearch {
    fn default() -> ChessSearch {
        // The later a move comes, the less deeply it is searched.
        let less = (0..256).map(|late| (f64::from(MOVE) / 2.0 * f64::from(1 + late).log2()) as i32).collect();
        ChessSearch { table: Vec::new(), less, known: None, positions: 0, most: 0, deadline: None, stopped: false }
    }
}

impl ChessSearch {
    /// Takes known endgames on boards of the searched size.
    pub fn learn(&mut self, endgames: Arc<Tables>) {
        if self.known.is_none() {
            self.table.fill(None);
            self.known = Some(endgames);
        }
    }

    /// Estimates a position's worth from at most `effort.positions` positions, at least those after
    /// every move.
    pub fn estimate(&mut self, board: &ChessBoard, effort: &Effort) -> SearchEstimate {
        if self.table.is_empty() {
            self.table = vec![None; KEPT];
        }
        let watch = effort.watch;
        (self.positions, self.most, self.stopped) = (0, effort.positions, false);
        self.deadline = effort.deadline;
        let seen = look(board);
        let mut children = ByPlayer::from_fn(|player| self.children(board, player, None));
        let mut found = None;
        let mut depth = 0;
        while depth <= MOVE * DEPTH {
            let next = self.root(&seen, &mut children, depth, watch);
            if self.stopped {
                break;
            }
            found = Some(next);
            if seen.over || seen.threats == ByPlayer::both(true) || self.positions >= self.most || self.is_over(watch) {
                break;
            }
            depth = if depth == 0 { MOVE } else { depth + STEP };
        }
        let positions = self.positions;
        let nothing = SearchEstimate {
            value: seen.value,
            after: ByPlayer::both(seen.value),
            best: ByPlayer::default(),
            depth: 0.0,
            positions,
        };
        found.map_or(nothing, |found| SearchEstimate { positions, ..found })
    }

    fn is_over(&self, watch: &dyn Watch) -> bool {
        watch.cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Evaluates all moves that may be best, and sorts moves by value.
    fn root(
        &mut self,
        seen: &LeafValue,
        children: &mut ByPlayer<Vec<Child>>,
        depth: i32,
        watch: &dyn Watch,
    ) -> SearchEstimate {
        let mut after = ByPlayer::both(None);
        let mut best = ByPlayer::default();
        for player in Player::BOTH {
            let own = &mut children[player];
            if seen.over {
                continue;
            }
            let mut top = BestSoFar { value: worst(player), at: 0 };
            let mut equal: Vec<usize> = Vec::new();
            let mut order: Vec<f64> = Vec::new();
            for (at, child) in own.iter().enumerate() {
                // A little wider, so that equally good moves are recognised.
                let window = match player {
                    Player::Alice => ValueWindow { low: top.value - EQUAL, high: f64::INFINITY },
                    Player::Bob => ValueWindow { low: f64::NEG_INFINITY, high: top.value + EQUAL },
                };
                let value = self.late(child, at, player, SearchScope { depth, window, line: 0, watch });
                order.push(value);
                if (value - top.value).abs() < EQUAL {
                    equal.push(at);
                } else if better(player, value, top.value) {
                    top = BestSoFar { value, at };
                    equal = vec![at];
                }
            }
            if self.stopped || own.is_empty() {
                continue;
            }
            after[player] = Some(top.value);
            best[player] = self.nearest(player, equal.iter().map(|&at| &own[at]));
            let mut numbered: Vec<(f64, Child)> = order.into_iter().zip(own.drain(..)).collect();
            // The best moves come first; moves with mere bounds keep their order.
            numbered.sort_by(|(one, _), (two, _)| in_order(player, *one, *two));
            own.extend(numbered.into_iter().map(|(_, child)| child));
        }
        let after = ByPlayer::from_fn(|player| after[player].or(after[player.other()]).unwrap_or(seen.value));
        SearchEstimate {
            value: (after.alice + after.bob) / 2.0,
            after,
            best,
            depth: f64::from(depth) / f64::from(MOVE),
            positions: 0,
        }
    }

    /// Among equally good moves, those known to make progress: the lower bound on the player's
    /// chance grows towards a win.
    fn nearest<'a>(&self, player: Player, moves: impl Iterator<Item = &'a Child>) -> Vec<ChessMove> {
        let sure = |child: &Child| self.known_bounds(&child.board).map_or(0, |bounds| bounds.wins[player]);
        let moves: Vec<(u64, ChessMove)> = moves.map(|child| (sure(child), child.made)).collect();
        let most = moves.iter().map(|(sure, _)| *sure).max();
        moves.into_iter().filter(|(sure, _)| Some(*sure) == most).map(|(_, made)| made).collect()
    }

    fn known_bounds(&self, board: &ChessBoard) -> Option<ChanceBounds> {
        let known = self.known.as_ref().filter(|_| endgames::is_few(board))?;
        known.bounds(board)
    }

    /// The known value of a position, or its static value.
    fn look(&self, board: &ChessBoard) -> LeafValue {
        let Some(bounds) = self.known_bounds(board) else { return look(board) };
        let [low, high] = bounds.of(Player::Alice).map(|chance| chance as f64 / FIXED_POINT_UNIT as f64);
        LeafValue { value: (low + high) / 2.0, threats: ByPlayer::both(false), over: true }
    }

    /// A player's moves by static value, but first the best one at a smaller depth.
    fn children(&self, board: &ChessBoard, player: Player, first: Option<BestMoves>) -> Vec<Child> {
        let mut found = Vec::with_capacity(48);
        board.each_move(player, |made| {
            let next = board.after(player, made);
            found.push(Child { made, board: next, look: self.look(&next) });
        });
        found.sort_by(|one: &Child, two: &Child| in_order(player, one.look.value, two.look.value));
        if let Some(first) = first
            && let Some(at) = found.iter().position(|child| short(child.made) == first[player])
        {
            found[..=at].rotate_right(1);
        }
        found
    }

    /// The value after move number `at`: reduced depth for late moves, then full depth if it turns
    /// out better.
    fn late(&mut self, child: &Child, at: usize, player: Player, scope: SearchScope) -> f64 {
        let SearchScope { depth, window, line, .. } = scope;
        let less = self.less[at.min(self.less.len() - 1)];
        let full = depth - MOVE;
        let next = |depth: i32| SearchScope { depth, line: line + 1, ..scope };
        let value = self.value(child, player, next(full - less));
        let matters = !window.is_passed(player.other(), value);
        if less > 0 && full >= MOVE && matters && !self.stopped {
            return self.value(child, player, next(full));
        }
        value
    }

    /// The value after a move of `by`: exact for the depth within the window, else on the same side
    /// of it.
    fn value(&mut self, at: &Child, by: Player, scope: SearchScope) -> f64 {
        let SearchScope { depth, window, line, watch } = scope;
        let seen = &at.look;
        if seen.over || seen.threats == ByPlayer::both(true) {
            return seen.value;
        }
        let taker = Player::BOTH.into_iter().find(|&player| seen.threats[player]);
        if line >= LONGEST || depth < if taker.is_some() { SHALLOWEST } else { MOVE } {
            return seen.value;
        }
        let key = key(&at.board);
        let slot = key as usize % KEPT;
        let kept = self.table[slot].filter(|kept| kept.key == key);
        if let Some(kept) = kept
            && i32::from(kept.depth) >= depth
        {
            let (low, high) = (kept.low, kept.high);
            if low == high || low >= window.high {
                return low;
            }
            if high <= window.low {
                return high;
            }
        }
        self.positions += 1;
        if self.positions >= self.most || (self.positions.is_multiple_of(BETWEEN_CHECKS) && self.is_over(watch)) {
            self.stopped = true;
        }
        if self.stopped {
            return seen.value;
        }
        let first = kept.map(|kept| kept.best);
        let (value, best) = match taker {
            Some(taker) => self.threatened(at, taker, scope, first),
            None => self.both(at, by, scope, first),
        };
        if !self.stopped {
            let low = if value > window.low { value } else { f64::NEG_INFINITY };
            let high = if value < window.high { value } else { f64::INFINITY };
            self.table[slot] = Some(TranspositionEntry { key, low, high, depth: depth as i16, best });
        }
        value
    }

    /// The value if `taker` could take the king: that happens half of the time, else the other
    /// player moves.
    fn threatened(
        &mut self,
        at: &Child,
        taker: Player,
        scope: SearchScope,
        first: Option<BestMoves>,
    ) -> (f64, BestMoves) {
        let (taken, mover) = (if taker == Player::Alice { 1.0 } else { 0.0 }, taker.other());
        let replies = self.children(&at.board, mover, first);
        if replies.is_empty() {
            return (taken, ByPlayer::both(0));
        }
        let SearchScope { depth, window, .. } = scope;
        let window = ValueWindow { low: 2.0 * window.low - taken, high: 2.0 * window.high - taken };
        let mut best = BestSoFar { value: worst(mover), at: 0 };
        // A flight costs less depth than the move that `late` subtracts.
        self.all(&replies, mover, 0, &mut best, SearchScope { depth: depth + MOVE - FLIGHT, window, ..scope });
        let mut moves = ByPlayer::both(0);
        moves[mover] = short(replies[best.at].made);
        ((taken + best.value) / 2.0, moves)
    }

    /// The value if no king can be taken: the mean of the players' best.
    fn both(&mut self, at: &Child, by: Player, scope: SearchScope, first: Option<BestMoves>) -> (f64, BestMoves) {
        let sides = ByPlayer::from_fn(|player| self.children(&at.board, player, first));
        let mut best = ByPlayer::from_fn(|player| BestSoFar { value: worst(player), at: 0 });
        // If a player cannot move, the other does.
        let alone = Player::BOTH.into_iter().find(|&player| sides[player.other()].is_empty());
        if let Some(player) = alone {
            let own = &sides[player];
            if own.is_empty() {
                return (0.5, ByPlayer::both(0));
            }
            let best = &mut best[player];
            self.all(own, player, 0, best, scope);
            return (best.value, ByPlayer::both(short(own[best.at].made)));
        }
        // To refute the last move, one reply is searched first, whose value bounds the mean from
        // one side.
        let [own, other] = [by, by.other()];
        let within = |window: ValueWindow| SearchScope { window, ..scope };
        self.all(&sides[other][..1], other, 0, &mut best[other], within(ALL));
        let (low, high) = (scope.window.low, scope.window.high);
        let rest = |best: BestSoFar| ValueWindow { low: 2.0 * low - best.value, high: 2.0 * high - best.value };
        let matters = match own {
            Player::Alice => ValueWindow { high: f64::INFINITY, ..rest(best[other]) },
            Player::Bob => ValueWindow { low: f64::NEG_INFINITY, ..rest(best[other]) },
        };
        self.all(&sides[own], own, 0, &mut best[own], within(matters));
        let matters = rest(best[own]);
        if !matters.is_passed(other, best[other].value) {
            self.all(&sides[other], other, 1, &mut best[other], within(matters));
        }
        let moves = ByPlayer::from_fn(|player| short(sides[player][best[player].at].made));
        ((best.alice.value + best.bob.value) / 2.0, moves)
    }

    /// Searches a player's moves from number `from` on until one is good enough.
    fn all(&mut self, children: &[Child], player: Player, from: usize, best: &mut BestSoFar, scope: SearchScope) {
        let window = scope.window;
        for (at, child) in children.iter().enumerate().skip(from) {
            let within = match player {
                Player::Alice => ValueWindow { low: window.low.max(best.value), ..window },
                Player::Bob => ValueWindow { high: window.high.min(best.value), ..window },
            };
            let value = self.late(child, at, player, SearchScope { window: within, ..scope });
            if better(player, value, best.value) {
                *best = BestSoFar { value, at };
            }
            if window.is_passed(player, best.value) || self.stopped {
                return;
            }
        }
    }
}

const ALL: ValueWindow = ValueWindow { low: f64::NEG_INFINITY, high: f64::INFINITY };

fn worst(player: Player) -> f64 {
    if player == Player::Alice { f64::NEG_INFINITY } else { f64::INFINITY }
}

fn better(player: Player, one: f64, two: f64) -> bool {
    if player == Player::Alice { one > two } else { one < two }
}

fn in_order(player: Player, one: f64, two: f64) -> std::cmp::Ordering {
    if player == Player::Alice { two.total_cmp(&one) } else { one.total_cmp(&two) }
}

/// A move in 16 bits; 0 is none.
fn short(made: ChessMove) -> u16 {
    let promotion = made.promotion.map_or(0, |piece| piece as u16);
    u16::from(made.from) | (u16::from(made.to) << 6) | (promotion << 12)
}

fn key(board: &ChessBoard) -> u64 {
    let mut hasher = FxHasher::default();
    board.hash(&mut hasher);
    hasher.finish()
}
